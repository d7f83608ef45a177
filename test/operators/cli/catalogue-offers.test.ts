/** The ops commands for offers of suppliers, with fakes of DT One and Airalo. */
import { createAiralo } from '../../../fakes/airalo/airalo';
import { createDtone } from '../../../fakes/dtone/dtone';
import { startFake, type RunningFake } from '../../../fakes/kit/fake';
import type { Modes } from '../../../fakes/kit/modes';
import { findSyncedEsimOffer } from '../../../src/catalogue/variant-sync';
import { findClient } from '../../../src/data/clients/clients';
import { sql } from '../../../dev/testbed/sql';
import { purchaseReference } from '../../../src/domain/orders/order-ids';
import { createAiraloSupplier } from '../../../src/suppliers/airalo';
import { createDtoneSupplier } from '../../../src/suppliers/dtone';
import { stateOfOneProcess } from '../../../dev/trial/state-of-one-process';
import type { PurchaseReport, Supplier } from '../../../src/domain/suppliers/port';
import { newClient } from '../../support/clients';
import { salesAt, setModes } from '../../support/fake-controls';
import { operatingPeople } from '../../support/operating-people';
import { printedBy } from '../../support/operator';
import { scratchDatabase } from '../../../dev/testbed/scratch-database';
import type { Json } from '../../support/stack';

const scratch = scratchDatabase();
const { database } = scratch;
const [key, secret] = ['key-of-the-tests', 'secret-of-the-tests'];
const environment = { ...process.env };

let dtone: RunningFake;
let airalo: RunningFake;
beforeAll(async () => {
  const options = { host: '127.0.0.1', port: 0, key, secret };
  dtone = await startFake(options, createDtone);
  airalo = await startFake(options, createAiralo);
  Object.assign(process.env, { DTONE_URL: `${dtone.url}/v1`, DTONE_KEY: key, DTONE_SECRET: secret });
});
afterEach(async () => {
  process.exitCode = 0;
  await sql(database)`TRUNCATE supplier_offers, product_sources`;
  await sql(database)`TRUNCATE voucher_products, topup_products, esim_products CASCADE`;
  await setModes(dtone, {}, '1102');
});
afterAll(async () => {
  process.env = environment;
  await dtone.close();
  await airalo.close();
});

async function ops(...words: (string | number)[]): Promise<Json[]> {
  const text = await printedBy(scratch.url, '--json', ...words);
  return text.startsWith('[') ? (JSON.parse(text) as Json[]) : [];
}
const why = ['--reason', 'Agreed with the supplier'];
const sync = () => ops('catalogue', 'sync', 'dtone');
const review = (...options: string[]) => ops('catalogue', 'review', ...options);

/** The id of the offer in the review. */
async function offer(sku: string): Promise<number> {
  const found = (await review()).find((one) => one['sku'] === sku);
  if (!found) throw new Error(`No offer ${sku}`);
  return Number(found['id']);
}
const sources = () =>
  sql(database)`
    SELECT family, sku, trim_scale(cost_fixed)::text AS cost, trim_scale(fee)::text AS fee, cost_currency AS currency, active
       FROM product_sources ORDER BY id`;
const skusIn = async (state: string) => (await review('--state', state)).map(({ sku }) => sku);

describe('catalogue sync', () => {
  test('When a catalogue is synchronised, then the counts are shown and audited, and the review lists the offers by state', async () => {
    expect(await sync()).toMatchObject([{ supplier: 'dtone', listed: 18, added: 18, gone: 0, doubted: null }]);
    expect(await skusIn('new')).toEqual(expect.arrayContaining(['fixed:1101:USD:10', 'range:2103', 'plan:4101']));
    expect(await review('--state', 'unsellable')).toMatchObject([
      { reason: 'It has minutes or messages, and no data', sku: 'plan:4105' },
      { reason: 'It needs inputs that the service has no field for: first_name, last_name, mobile_number, tax_id' },
      { reason: 'Its currency "QQP" is not known', sku: 'fixed:2902:QQP:500' },
      { reason: 'It takes no amounts in the currency of the recipient', sku: 'range:2201' },
    ]);
    expect(await ops('audit', 'list', '--object', 'supplier/dtone')).toMatchObject([
      { action: 'catalogue.synced', after: { listed: 18 } },
    ]);
  });

  test('When an operator accepts missing offers, then the command requires the supplier and a reason', async () => {
    await expect(ops('catalogue', 'sync', '--accept-gone')).rejects.toThrow('Name the supplier');
    await expect(ops('catalogue', 'sync', 'dtone', '--accept-gone')).rejects.toThrow('needs a reason');
    expect(await ops('catalogue', 'sync', 'dtone', '--accept-gone', ...why)).toHaveLength(1);
  });
});

test('When a list lacks too many offers, then the supplier is on the attention list until an operator accepts the list', async () => {
  await sync();
  await sql(database)`
    INSERT INTO supplier_offers (supplier, family, sku, terms, first_seen_at, last_seen_at, changed_at, sellable_at)
     SELECT 'dtone', 'VOUCHER', 'old-' || number, '{}', moment, moment, moment, moment
       FROM generate_series(1, 60) number, (SELECT now() - interval '1 day' AS moment) yesterday`;
  expect(await sync()).toMatchObject([
    { gone: 0, doubted: 'The list lacks 60 of 65 offers of family VOUCHER. Nothing was withdrawn' },
  ]);
  const doubted = { kind: 'CATALOGUE_DOUBTED', supplier: 'dtone' };
  expect(await ops('attention')).toMatchObject([
    { ...doubted, resolve: 'catalogue sync dtone --accept-gone --reason <text>' },
  ]);
  const accepted = await ops('catalogue', 'sync', 'dtone', '--accept-gone', ...why);
  expect(accepted).toMatchObject([{ gone: 60, doubted: null }]);
  expect(await ops('attention')).toEqual([]);
});

describe('catalogue accept', () => {
  beforeEach(sync);

  test('When an operator asks for the preview of a new product, then it has price and margin, and nothing is made', async () => {
    const people = await operatingPeople(scratch);
    const ada = people.as('ada', 'admin');
    const id = await offer('fixed:1102:USD:25');
    const given = { offer: [id], as_product: true, reason: 'New' };
    expect(await ada.preview('catalogue accept', given)).toBe(
      `Offer ${id} becomes a product (VOUCHER, fixed:1102:USD:25), not yet on sale: price 25 USD, cost 24.15 USD, margin 3.40 %.`,
    );
    expect(await sources()).toEqual([]);
    const plan = { ...given, offer: [await offer('plan:4101')] };
    expect(await ada.preview('catalogue accept', plan)).toContain('becomes a product (ESIM, plan:4101)');
    const none = { offer: [id], reason: 'No change waits' };
    await expect(ada.preview('catalogue accept', none)).rejects.toThrow(`No change of offer ${id} waits`);
    await people.close();
  });

  test('When an operator accepts a new gift card, then it becomes a product with its texts, and the offer becomes its source', async () => {
    const made = await ops('catalogue', 'accept', await offer('fixed:1102:USD:25'), '--as-product', ...why);
    expect(made).toMatchObject([{ family: 'VOUCHER', sku: 'fixed:1102:USD:25' }]);
    const product = await sql.first(database)<Json>`
      SELECT name, country_code, currency_code, terms, how_to_use, min_value::float8 AS amount
         FROM voucher_products JOIN voucher_denominations ON product_id = voucher_products.id`;
    expect(product).toEqual({
      name: 'Coffee House 25 USD',
      country_code: 'USA',
      currency_code: 'USD',
      amount: 25,
      terms: 'The code cannot be exchanged for cash.',
      how_to_use: 'Enter the code at the checkout.\nKeep the serial number for questions.',
    });
    expect(await sources()).toEqual([
      { family: 'VOUCHER', sku: 'fixed:1102:USD:25', active: true, cost: '24', fee: '0.15', currency: 'USD' },
    ]);
    expect(await skusIn('new')).not.toContain('fixed:1102:USD:25');
  });

  test('When a product is made, then its price and margin are shown, and it is on sale only after --active', async () => {
    const id = await offer('fixed:1102:USD:25');
    const onSale = () => sql(database)`SELECT active FROM voucher_products`;
    const made = { price: '25 USD', cost: '24.15 USD', margin_percent: '3.40' };
    expect(await ops('catalogue', 'accept', id, '--as-product', ...why)).toMatchObject([{ ...made, on_sale: false }]);
    expect(await onSale()).toEqual([{ active: false }]);
    expect(await ops('catalogue', 'accept', id, '--as-product', '--active', ...why)).toMatchObject([
      { ...made, on_sale: true },
    ]);
    expect(await onSale()).toEqual([{ active: true }]);
  });

  test('When an operator accepts several top-ups and a plan, then top-ups get their inputs and sources, and the plan its product', async () => {
    const ids = [await offer('range:2103'), await offer('fixed:2202:MXN:100'), await offer('plan:4101')];
    await ops('catalogue', 'accept', ...ids, '--as-product', '--force', ...why);
    expect(
      await sql(database)`
        SELECT product.name, country_code, topup_type, sku, min_amount::float8 AS least, input_fields -> 0 ->> 'field_name' AS input
           FROM topup_products product JOIN topup_variants ON product_id = product.id ORDER BY product.id`,
    ).toEqual([
      {
        name: 'Bharat Mobile airtime',
        country_code: 'IND',
        topup_type: 'MOBILE',
        sku: 'range:2103',
        least: 10,
        input: 'phone_number',
      },
      {
        name: 'Azteca Celular 100 MXN',
        country_code: 'MEX',
        topup_type: 'MOBILE',
        sku: 'fixed:2202:MXN:100',
        least: null,
        input: 'phone_number',
      },
    ]);
    expect(await sql(database)`SELECT name, country_code, supplier_sku FROM esim_products`).toEqual([
      { name: 'Roam World eSIM', country_code: 'GLO', supplier_sku: 'operator:341' },
    ]);
    expect((await sources()).map((source) => (source as { sku: string }).sku)).toEqual([
      'range:2103',
      'fixed:2202:MXN:100',
    ]);
  });

  test('When an operator accepts a waiting change, then the source gets the new cost, and the audit shows both costs', async () => {
    const id = await offer('fixed:1102:USD:25');
    await ops('catalogue', 'accept', id, '--as-product', '--active', ...why);
    await sql(database)`UPDATE product_sources SET cost_fixed = 12`;
    await sync();
    expect(JSON.parse(await printedBy(scratch.url, '--json', 'catalogue', 'compare', id))).toMatchObject({
      offer: id,
      state: 'changed',
      changes: [{ field: 'Cost', now: '12', offered: '24' }],
      margins_now: [{ cost: '12.15 USD', price: '25 USD', margin: '51.40' }],
      margins_offered: [{ cost: '24.15 USD', price: '25 USD', margin: '3.40' }],
    });
    expect(await review('--state', 'changed')).toMatchObject([
      { id, reason: 'Cost: old value 12, new value 24, difference +12 (+100 %)' },
    ]);
    const people = await operatingPeople(scratch);
    const preview = people.as('ada', 'admin').preview('catalogue accept', { offer: [id], reason: 'Agreed' });
    expect(await preview).toBe(`Offer ${id}: Cost: old value 12, new value 24, difference +12 (+100 %).`);
    await people.close();
    await expect(ops('catalogue', 'accept', id, ...why)).rejects.toThrow('old value 12, new value 24');
    expect(await sources()).toMatchObject([{ cost: '12' }]);
    await ops('catalogue', 'accept', id, '--force', ...why);
    expect(await sources()).toMatchObject([{ cost: '24' }]);
    expect(await review('--state', 'changed')).toEqual([]);
    const changed = (await ops('audit', 'list')).filter(({ action }) => action === 'source.changed');
    expect(changed[0]).toMatchObject({
      command: 'catalogue accept',
      reason: 'Agreed with the supplier',
      before: { cost_fixed: 12 },
      after: { cost_fixed: 24 },
    });
  });

  test('When the change has no percentage, such as a fee in place of none, then an operator can accept it', async () => {
    const id = await offer('fixed:1102:USD:25');
    await ops('catalogue', 'accept', id, '--as-product', ...why);
    await sql(database)`UPDATE product_sources SET cost_percent = 90, cost_fixed = NULL`;
    await sync();
    expect(await review('--state', 'changed')).toMatchObject([{ id }]);
    await ops('catalogue', 'accept', id, '--force', ...why);
    expect(await sources()).toMatchObject([{ cost: '24' }]);
    expect(await review('--state', 'changed')).toEqual([]);
  });

  test.each<[string, string, string[], string]>([
    ['cannot be sold', 'plan:4105', ['--as-product'], 'cannot be sold: It has minutes'],
    ['has no change', 'fixed:1101:USD:10', [], 'No change of offer'],
  ])('When an offer %s, then it cannot be accepted', async (_what, sku, options, message) => {
    await expect(ops('catalogue', 'accept', await offer(sku), ...options, ...why)).rejects.toThrow(message);
    expect(await sources()).toEqual([]);
  });
});

describe('sources set', () => {
  const set = (...words: (string | number)[]) => ops('sources', 'set', ...words, ...why);
  const made = async (sku: string) => {
    const [product] = await ops('catalogue', 'accept', await offer(sku), '--as-product', '--force', ...why);
    await sql(database)`UPDATE product_sources SET active = false`;
    return Number(product?.['product_id']);
  };
  const active = () =>
    sql(database)`
      SELECT sku, fixed_amounts::float8[] AS amounts, min_amount::float8 AS min, max_amount::float8 AS max
         FROM product_sources WHERE active ORDER BY id`;
  beforeEach(() => sync());

  test('When the stored offer of a plan has other data or another validity, then it cannot be a source of the item', async () => {
    const { id } = await sql.one(database)<{ id: number }>`WITH product AS (
         INSERT INTO esim_products (name, country_code, currency_code, supplier, supplier_sku)
         VALUES ('World', 'GLO', 'USD', 'simulator', 'WORLD') RETURNING id)
       INSERT INTO esim_variants (product_id, name, currency_code, amount, listed_amount, data_amount_gb, validity_days, supplier_sku)
       SELECT id, 'Worldwide 1 GB, 7 days', 'USD', 9, 9, 1, 7, 'WORLD-1' FROM product RETURNING id`;
    await expect(set('esim', id, 'dtone', 'plan:4102')).rejects.toThrow(
      'it has 5 GB for 30 days, the item 1 GB for 7 days',
    );
    await sql(database)`UPDATE esim_variants SET validity_days = validity_days + 1 WHERE id = ${id}`;
    await expect(set('esim', id, 'dtone', 'plan:4101', '--active')).rejects.toThrow('days, the item');
    expect(await active()).toEqual([]);
    await set('esim', id, 'dtone', 'plan:4101', '--no-active');
    await sql(database)`UPDATE esim_variants SET validity_days = validity_days - 1 WHERE id = ${id}`;
    await set('esim', id, 'dtone', 'plan:4101', '--active');
    expect(await active()).toMatchObject([{ sku: 'plan:4101' }]);
  });

  test.each([
    ['is in another currency', ['fixed:1104:EUR:50'], 'it is in EUR, the item in USD'],
    ['has another face value', ['fixed:1102:USD:25', '--amounts', '10'], 'it serves only 25'],
    ['has one face value', ['fixed:1102:USD:25', '--min', 10, '--max', 50], 'it serves only 25'],
  ])('When the stored offer %s, then it cannot be a source of the voucher', async (_what, words, message) => {
    const card = await made('fixed:1101:USD:10');
    await expect(set('vouchers', card, 'dtone', ...words)).rejects.toThrow(message);
    expect(await active()).toEqual([]);
  });

  test('When a new source names no amounts, then it serves those of its stored offer, and any without an offer', async () => {
    const card = await made('fixed:1101:USD:10');
    await set('vouchers', card, 'dtone', 'fixed:1102:USD:25');
    await set('vouchers', card, 'dtone', 'unlisted', '--force');
    expect(await active()).toEqual([
      { sku: 'fixed:1102:USD:25', amounts: [25], min: null, max: null },
      { sku: 'unlisted', amounts: null, min: null, max: null },
    ]);
  });

  test('When the stored offer of a top-up serves less, or needs an input that the item lacks, then it cannot be its source', async () => {
    await made('range:2103');
    const variant = await sql.first(database)<{ id: number }>`SELECT id FROM topup_variants`;
    const id = variant?.id ?? 0;
    await expect(set('topups', id, 'dtone', 'range:2103', '--min', 1, '--max', 1_000_000)).rejects.toThrow(
      'it serves only',
    );
    await sql(database)`UPDATE topup_products SET input_fields = '[]'`;
    await expect(set('topups', id, 'dtone', 'range:2103', '--active')).rejects.toThrow(
      'the item has no input phone_number',
    );
    expect(await active()).toEqual([]);
  });
});

describe('catalogue map', () => {
  let card: number;
  beforeEach(async () => {
    await sync();
    const [made] = await ops('catalogue', 'accept', await offer('fixed:1101:USD:10'), '--as-product', ...why);
    card = Number(made?.['product_id']);
  });

  test('When an offer can deliver an item, then an operator can make it another source of the item', async () => {
    const id = await offer('fixed:1102:USD:25');
    await ops('catalogue', 'map', id, 'vouchers', card, '--priority', 2, ...why);
    expect(
      await sql(database)`SELECT item_id, sku, priority, fixed_amounts::float8[] AS amounts
           FROM product_sources ORDER BY id`,
    ).toEqual([
      { item_id: card, sku: 'fixed:1101:USD:10', priority: 0, amounts: [10] },
      { item_id: card, sku: 'fixed:1102:USD:25', priority: 2, amounts: [25] },
    ]);
    expect((await ops('audit', 'list'))[0]).toMatchObject({
      action: 'source.created',
      command: 'catalogue map',
      reason: 'Agreed with the supplier',
      after: { sku: 'fixed:1102:USD:25', item_id: card },
    });
  });

  test.each<[string, string, string, string]>([
    ['is in another currency', 'fixed:1104:EUR:50', 'vouchers', 'it is in EUR, the item in USD'],
    ['is of another family', 'range:2103', 'vouchers', 'it is of family TOPUP'],
    ['cannot be sold', 'plan:4105', 'vouchers', 'It has minutes'],
    ['has no such item', 'plan:4101', 'esim', 'There is no item'],
  ])('When an offer %s, then it cannot become a source', async (_what, sku, family, message) => {
    await expect(ops('catalogue', 'map', await offer(sku), family, card, ...why)).rejects.toThrow(message);
    expect(await sources()).toHaveLength(1);
  });

  test('When a top-up lacks an input that the offer needs, then the offer cannot become its source', async () => {
    const [made] = await ops('catalogue', 'accept', await offer('range:2103'), '--as-product', '--force', ...why);
    await sql(database)`UPDATE topup_products SET input_fields = '[]', currency_code = 'MXN'`;
    await sql(database)`UPDATE topup_variants SET currency_code = 'MXN'`;
    const variant = await sql.first(database)<{ id: number }>`SELECT id FROM topup_variants
         WHERE product_id = ${made?.['product_id']}`;
    const id = await offer('fixed:2202:MXN:100');
    await expect(ops('catalogue', 'map', id, 'topups', variant?.id ?? 0, ...why)).rejects.toThrow(
      'the item has no input phone_number',
    );
  });
});

const request = { units: 1, unitValue: '25', currency: 'USD' };
const buy = (supplier: Supplier, wanted: { family: 'VOUCHER' | 'ESIM'; sku: string }): Promise<PurchaseReport> =>
  supplier.purchase({ ...request, ...wanted, reference: purchaseReference(1, 'nonce1234567', 1) }, () => true);

test('When a product vanishes while it is ordered, then nothing is bought, and two lists withdraw its source', async () => {
  await sync();
  await ops('catalogue', 'accept', await offer('fixed:1102:USD:25'), '--as-product', ...why);
  const gone: Modes = { vanished: true };
  await setModes(dtone, gone, '1102');
  const supplier = createDtoneSupplier({ url: `${dtone.url}/v1`, key, secret }, stateOfOneProcess());
  const report = await buy(supplier, { family: 'VOUCHER', sku: 'fixed:1102:USD:25' });
  expect(report).toMatchObject({ state: 'REJECTED', failureCode: 'PRODUCT_UNAVAILABLE', goods: [] });
  expect(await salesAt(dtone, purchaseReference(1, 'nonce1234567', 1))).toEqual([]);
  await sync();
  expect(await sources()).toMatchObject([{ active: true }]);
  await sql(database)`UPDATE supplier_offers SET missed_at = missed_at - interval '1 day'`;
  await sync();
  expect(await sources()).toMatchObject([{ active: false }]);
  expect(await review('--state', 'gone')).toMatchObject([{ sku: 'fixed:1102:USD:25' }]);
  await setModes(dtone, {}, '1102');
  await sync();
  expect(await sources()).toMatchObject([{ active: true }]);
});

test('When two plans have the same price and one is ordered, then that plan is delivered', async () => {
  const supplier = createAiraloSupplier(
    { url: `${airalo.url}/v2`, clientId: key, clientSecret: secret, environment: 'sandbox' },
    stateOfOneProcess(),
  );
  const product = await sql.first(database)<{ id: number }>`
    INSERT INTO esim_products (name, country_code, currency_code, supplier, supplier_sku)
     VALUES ('Japan', 'JPN', 'USD', 'airalo', 'japan') RETURNING id`;
  const { id: clientId } = await newClient(database, { USD: 10 });
  const client = await findClient(database, clientId);
  const deps = { database, suppliers: new Map([['airalo', supplier]]) };
  const skuAt = async (amount: number) => {
    const found = client && (await findSyncedEsimOffer(deps, client, product?.id ?? 0, amount));
    if (typeof found !== 'object') throw new Error(`No plan at ${amount}`);
    return sql.first(database)<{ sku: string }>`SELECT supplier_sku AS sku FROM esim_variants
         WHERE id = ${found.variantId}`;
  };
  expect(await skuAt(5)).toEqual({ sku: 'sakura-7days-1gb' });
  const second = await skuAt(5.01);
  expect(second).toEqual({ sku: 'sakura-15days-1gb' });
  const report = await buy(supplier, { family: 'ESIM', sku: second?.sku ?? '' });
  expect(report).toMatchObject({ state: 'DELIVERED', cost: { amount: '4.1', currency: 'USD' } });
  expect(await salesAt(airalo, purchaseReference(1, 'nonce1234567', 1))).toMatchObject([{ sku: 'sakura-15days-1gb' }]);
});
