/** Versions of price lists: what ends one, and the event. docs/decisions/0085-version-price-lists-by-counted-changes.md. */
import { catalogueVersion } from '../../src/data/catalogue/catalogue-versions';
import { announceCatalogueChanges } from '../../src/data/catalogue/catalogue-announcements';
import { storeStock } from '../../src/data/catalogue/stock';
import { rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import type { Family } from '../../src/domain/orders/families';
import { importProducts, topupProduct, voucherProduct } from '../support/catalogue';
import { newHolder } from '../../dev/testbed/ledger-rows';
import { scratchDatabase } from '../../dev/testbed/scratch-database';

const { database } = scratchDatabase();
const categories = [{ name: 'Sandbox', subCategories: [] }];
const product = voucherProduct('Coffee', { denominations: [{ min: '10', max: '10', discount: '0' }] });
const topup = topupProduct('Gems', [{ fixedAmounts: ['10'] }]);

let clientId: number;
let otherId: number;
let walletId: number;
let productId: number;

beforeAll(async () => {
  ({ clientId, walletId } = await newHolder(database, 1_000));
  ({ clientId: otherId } = await newHolder(database));
  const ids = await importProducts(database, { categories, voucherProducts: [product], topupProducts: [topup] });
  productId = ids.get(product.sku) as number;
  await sql(database)`
    INSERT INTO webhook_endpoints (client_id, nonce, url, description, event_types, enabled, sealed_secret)
     VALUES (${clientId}, 'n1', 'https://a.example', '', '{catalogue.changed}', true, ''),
            (${otherId}, 'n2', 'https://b.example', '', '{}', true, '')`;
});

const version = (client = clientId, families: Family[] = ['VOUCHER', 'TOPUP', 'ESIM']) =>
  catalogueVersion(database, client, families);

/** Announces as if the last announcement were a minute ago. Returns the events written. */
async function announce(): Promise<object[]> {
  await sql(database)`UPDATE catalogue_announced SET at = now() - interval '1 minute'`;
  return announceAgain();
}
async function announceAgain(): Promise<object[]> {
  await sql(database)`DELETE FROM events WHERE type = 'catalogue.changed'`;
  await announceCatalogueChanges(database);
  return sql(database)`SELECT client_id, data -> 'families' AS families FROM events
       WHERE type = 'catalogue.changed'`;
}

test.each([
  ['a denomination', 'UPDATE voucher_denominations SET discount_percent = discount_percent + 1'],
  ['the name of a product', `UPDATE voucher_products SET name = name || '!'`],
  ['a source', 'UPDATE product_sources SET active = NOT active'],
  ['a rate', `INSERT INTO forex_rates (source_currency, destination_currency, rate) VALUES ('USD', 'EUR', 2)`],
  ['the time of a rate', `UPDATE forex_rates SET as_of = as_of + interval '1 second'`],
  ['the decimals of a currency', `UPDATE currencies SET minor_unit = minor_unit + 1 WHERE code = 'JPY'`],
  ['a reference rate', `INSERT INTO reference_rates (source_currency, destination_currency, rate) VALUES ('USD', 'EUR', 2)`],
  ['a fee', `INSERT INTO conversion_fees VALUES ('USD', 'EUR', 'VOUCHER', 1)`],
  ['a margin rule', `INSERT INTO margin_rules (family, min_margin_percent) VALUES ('VOUCHER', 1)`],
  ['a variant', `UPDATE topup_variants SET fixed_amounts = '{20}'`],
  ['a new eSIM product', `INSERT INTO esim_products (name, country_code, currency_code, supplier, supplier_sku) VALUES ('a', 'GLO', 'USD', 'b', 'c')`],
  ['a pause', `INSERT INTO supplier_pauses (supplier, reason) VALUES ('simulator', 'Test')`],
  ['the end of a pause', 'DELETE FROM supplier_pauses'],
  ['a stopped country', `INSERT INTO stopped_sales (scope, country_code, reason, stopped_by) VALUES ('COUNTRY', 'TUR', 'Test', 'kim')`],
  ['the end of a stop', 'DELETE FROM stopped_sales'],
])('When %s changes, then the versions of all clients change', async (_what, statement) => {
  const before = await Promise.all([version(), version(otherId)]);
  await rows(database, statement);
  const after = await Promise.all([version(), version(otherId)]);
  expect(after[0]).not.toBe(before[0]);
  expect(after[1]).not.toBe(before[1]);
}); // prettier-ignore

test.each([
  ['a discount', `INSERT INTO client_discounts VALUES ($clientId, 'VOUCHER', $productId, 3)`],
  ['a hidden product', `INSERT INTO client_blacklist VALUES ($clientId, 'VOUCHER', $productId)`],
  ['a margin rule of the client', `INSERT INTO margin_rules (client_id, family, product_id, min_margin_percent) VALUES ($clientId, 'VOUCHER', $productId, 1)`],
  ['a feature', `UPDATE clients SET features = '{vouchers}' WHERE id = $clientId AND $productId > 0`],
  ['a closed wallet', `UPDATE wallets SET is_default = false, balance = 0, closed_at = now() WHERE client_id = $clientId AND $productId > 0`],
])('When %s changes, then only the version of this client changes', async (_what, statement) => {
  const before = await Promise.all([version(), version(otherId)]);
  await rows(database, statement, { clientId, productId });
  expect(await version()).not.toBe(before[0]);
  expect(await version(otherId)).toBe(before[1]);
}); // prettier-ignore

test('When a write changes nothing that a row is computed from, then the version stays', async () => {
  const before = await version();
  await sql(database)`UPDATE voucher_products SET image_url = 'https://cdn.example/a.png'`;
  await sql(database)`UPDATE voucher_denominations SET discount_percent = discount_percent`;
  await sql(database)`UPDATE product_sources SET listed_at = now()`;
  await sql(database)`UPDATE wallets SET balance = balance + 1, entry_count = entry_count
       WHERE id = ${walletId}`;
  expect(await version()).toBe(before);
});

test('When a product of another family changes, then the version of this family stays', async () => {
  const before = await version(clientId, ['TOPUP']);
  await sql(database)`UPDATE voucher_products SET name = name || '!'`;
  expect(await version(clientId, ['TOPUP'])).toBe(before);
});

test('When the stock changes, then the version changes with the next announcement', async () => {
  await announce();
  const before = await version();
  await storeStock(database, 'simulator', [{ sku: product.sku, active: true, available: 3 }], new Date());
  await storeStock(database, 'simulator', [{ sku: product.sku, active: true, available: 2 }], new Date());
  expect(await version()).toBe(before);
  expect(await announce()).toEqual([{ client_id: clientId, families: ['VOUCHER'] }]);
  const listed = await version();
  expect(listed).not.toBe(before);
  expect(await announce()).toEqual([]);
  expect(await version()).toBe(listed);
});

test('When a stock changes while another is announced, then the announcement waits for nothing, and the next one lists it', async () => {
  await announce();
  const before = await version();
  const change = [{ sku: product.sku, active: true, available: 9 }];
  await storeStock(database, 'simulator', change, new Date());
  await database.transaction(async (transaction) => {
    await sql(database, transaction)`UPDATE product_sources SET stock = 8 WHERE sku = ${product.sku}`;
    expect(await announce()).toEqual([]);
    expect(await version()).toBe(before);
  });
  expect(await announce()).toEqual([{ client_id: clientId, families: ['VOUCHER'] }]);
});

test('When changes are announced, then the version stays, and each client that lists the event gets one', async () => {
  await announce();
  await sql(database)`UPDATE voucher_products SET name = name || '!'`;
  await sql(database)`UPDATE topup_variants SET active = false`;
  await sql(database)`UPDATE topup_variants SET active = true`;
  const before = await version();
  expect(await announce()).toEqual([{ client_id: clientId, families: ['TOPUP', 'VOUCHER'] }]);
  expect(await version()).toBe(before);
  expect(await announce()).toEqual([]);
});

test('When only the list of one client changes, then no other client gets an event', async () => {
  await announce();
  await sql(database)`INSERT INTO client_discounts VALUES (${otherId}, 'VOUCHER', ${productId}, 3)`;
  expect(await announce()).toEqual([]);
});

test('When changes follow an announcement within its minute, then they wait for the next one', async () => {
  await announce();
  await sql(database)`UPDATE catalogue_announced SET at = date_trunc('minute', now())`;
  await sql(database)`UPDATE voucher_products SET name = name || '!'`;
  const again = await announceAgain();
  // The minute may have ended since.
  const atOnce = again.length > 0 ? again : await announce();
  expect(atOnce).toEqual([{ client_id: clientId, families: ['VOUCHER'] }]);
});

test('When two processes announce at once, then each change is announced once', async () => {
  await announce();
  await sql(database)`UPDATE voucher_products SET name = name || '!'`;
  await sql(database)`DELETE FROM events WHERE type = 'catalogue.changed'`;
  await sql(database)`UPDATE catalogue_announced SET at = now() - interval '1 minute'`;
  await Promise.all(Array.from({ length: 5 }, () => announceCatalogueChanges(database)));
  expect(await sql(database)`SELECT FROM events WHERE type = 'catalogue.changed'`).toHaveLength(1);
});
