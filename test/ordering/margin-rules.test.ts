/** Margin rules: the rule that applies, the sources that it excludes, and the entries on the attention list. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { syncOffers } from '../../src/catalogue/offer-sync';
import { findEsimOffer, findTopupOffer, findVoucherOffer, type Offer } from '../../src/data/catalogue/sellable-items';
import { findClient, type Client } from '../../src/data/clients/clients';
import { sql } from '../../dev/testbed/sql';
import { findMarkup } from '../../src/data/prices/stored-margin-rules';
import { pricingVersion } from '../../src/data/prices/pricing-settings';
import { errors } from '../../src/domain/errors';
import { reviewMargins } from '../../src/ordering/maintenance/margin-review';
import { reviewRateAges } from '../../src/ordering/maintenance/rate-review';
import { quoteOrder } from '../../src/ordering/placement/quotes';
import { sentenceOf } from '../../src/operators/operations/failure';
import type { Supplier } from '../../src/domain/suppliers/port';
import { supplierAt } from '../support/simulator';
import { importProducts, topupProduct, voucherProduct } from '../support/catalogue';
import { newHolder } from '../../dev/testbed/ledger-rows';
import { printedBy } from '../support/operator';
import { scratchDatabase } from '../../dev/testbed/scratch-database';

const { database, url } = scratchDatabase();
const ops = (...words: (string | number)[]) => printedBy(url, ...words, '--reason', 'Test');
const listed = async (...words: (string | number)[]) =>
  JSON.parse(await printedBy(url, '--json', ...words)) as Record<string, unknown>[];

const categories = [{ name: 'Sandbox', subCategories: [] }];
const notOnSale = () => errors.notFound('Product');
let client: Client;
let productId: number;

beforeEach(async () => {
  await sql(database)`TRUNCATE margin_rules, margin_rejections, attention, confirmed_values CASCADE`;
  const { clientId } = await newHolder(database, 1_000);
  client = (await findClient(database, clientId)) as Client;
  const product = voucherProduct('Coffee', { denominations: [{ min: '5', max: '500', discount: '2' }] });
  productId = (await importProducts(database, { categories, voucherProducts: [product] })).get(product.sku) as number;
  await ops('sources', 'set', 'vouchers', productId, 'simulator', product.sku, '--cost-percent', '96');
});

async function offer(): Promise<Offer> {
  const found = await findVoucherOffer(database, client, productId, 100);
  if (typeof found === 'string') throw new Error(found);
  return found;
}
const floor = async () => (await offer()).minMarginPercent?.toFixed() ?? null;
const quote = async (quantity = 1) =>
  quoteOrder(database, client, await offer(), { quantity, walletId: undefined, notOnSale });
const setCost = async (percent: string) =>
  sql(database)`UPDATE product_sources SET cost_percent = ${percent} WHERE item_id = ${productId}`;

describe('The most specific rule wins', () => {
  test('When rules overlap, then a client overrides its group, a group overrides all clients, and a product overrides its family', async () => {
    await ops('clients', 'set', client.id, '--group', 'resellers');
    const product = ['--product', productId];
    const steps: [string, (string | number)[]][] = [
      ['1', []],
      ['2', product],
      ['3', ['--group', 'resellers']],
      ['4', ['--group', 'resellers', ...product]],
      ['5', ['--client', client.id]],
      ['6', ['--client', client.id, ...product]],
    ];
    expect(await floor()).toBeNull();
    for (const [percent, scope] of steps) {
      await ops('margins', 'set', 'vouchers', ...scope, '--min-margin', percent);
      expect(await floor()).toBe(percent);
    }
    for (const [percent, scope] of steps.toReversed()) {
      expect(await floor()).toBe(percent);
      await ops('margins', 'clear', 'vouchers', ...scope, '--force');
    }
    expect(await floor()).toBeNull();
  });

  test('When a rule is for another client, group, product or family, then it does not apply', async () => {
    const tea = voucherProduct('Tea', { denominations: [{ min: '5', max: '500', discount: '0' }] });
    const ids = await importProducts(database, { categories, voucherProducts: [tea] });
    const otherId = ids.get(tea.sku) as number;
    const { clientId: other } = await newHolder(database);
    for (const scope of [
      ['vouchers', '--client', other],
      ['vouchers', '--group', 'resellers'],
      ['vouchers', '--product', otherId],
      ['topups'],
      ['esim'],
    ])
      await ops('margins', 'set', ...scope, '--min-margin', '50');
    expect(await floor()).toBeNull();
  });

  test('When the more specific rule has only a markup, then the floor of the less specific rule applies', async () => {
    await ops('margins', 'set', 'vouchers', '--min-margin', '3');
    await ops('margins', 'set', 'vouchers', '--product', productId, '--markup', '8');
    expect(await floor()).toBe('3');
    expect(await findMarkup(database, 'VOUCHER', productId)).toBe('8');
    expect(await findMarkup(database, 'VOUCHER', null)).toBeUndefined();
    const all = { clients: 'all', client_id: null, client_group: null, family: 'VOUCHER' };
    expect(await listed('margins', 'list')).toEqual([
      { ...all, product_id: productId, product_name: 'Coffee', markup_percent: '8', min_margin_percent: null },
      { ...all, product_id: null, product_name: null, markup_percent: null, min_margin_percent: '3' },
    ]);
  });

  test('When a top-up is offered, then the offer contains the floor of its rule', async () => {
    const topup = topupProduct('Gems', [{ fixedAmounts: ['10'] }]);
    const ids = await importProducts(database, { topupProducts: [topup] });
    await ops('margins', 'set', 'topups', '--min-margin', '4');
    const found = await findTopupOffer(database, client, ids.get(topup.sku) as number, 10);
    expect(found).toMatchObject({ minMarginPercent: expect.objectContaining({}) });
    expect(await findEsimOffer(database, client, 1, 10)).toBe('not-found');
  });

  test('When the arguments of a rule are contradictory or incomplete, then it is rejected', async () => {
    await expect(ops('margins', 'set', 'vouchers')).rejects.toThrow('Give --markup, --min-margin or both');
    await expect(ops('margins', 'set', 'vouchers', '--client', client.id, '--markup', '5')).rejects.toThrow(
      'the same for all clients',
    );
    await expect(
      ops('margins', 'set', 'vouchers', '--client', client.id, '--group', 'a', '--min-margin', '5'),
    ).rejects.toThrow('--client or --group, not both');
    await expect(ops('margins', 'clear', 'vouchers')).rejects.toThrow('There is no such rule');
  });
});

describe('A setting shows the margins that result', () => {
  const set = (...words: (string | number)[]) => ops(...words, '--force');

  test('When a discount is set, then the lowest margin of the product is printed', async () => {
    const text = await set('discounts', 'set', client.id, 'vouchers', productId, '5');
    // 4.75 dollars for 4.80.
    expect(text).toMatch(new RegExp(`\\n${productId} +Coffee +5 USD +4.75 USD +4.8 USD +-1.06 +yes`));
  });

  test('When a discount, a rule or a fee is changed or removed, then the margins are printed', async () => {
    await ops('discounts', 'set', client.id, 'vouchers', productId, '5');
    expect(await ops('discounts', 'clear', client.id, 'vouchers', productId)).toMatch(/ 2\.04 +yes$/m);
    await ops('margins', 'set', 'vouchers', '--product', productId, '--min-margin', '3');
    expect(await set('margins', 'clear', 'vouchers', '--product', productId)).toMatch(/ 2\.04 +yes$/m);
    await set('rates', 'set', 'USD', 'EUR', '0.9');
    expect(await set('fees', 'set', 'USD', 'EUR', '10')).toMatch(/Coffee +5 USD +\S+ EUR .* yes$/m);
    await set('rates', 'remove', 'USD', 'EUR');
  });

  test('When a minimum margin makes a product unbuyable, also one of 0, then the command says so', async () => {
    const floor = (percent: string) =>
      ops('margins', 'set', 'vouchers', '--product', productId, '--min-margin', percent);
    expect(await floor('0')).toMatch(/ 2\.04 +yes$/m);
    await setCost('99');
    const text = await floor('0');
    expect(text).toMatch(/ -1\.03 +no: leaves -1\.03 % margin, the floor is 0 %/);
    expect(text).toContain('1 of 1 products cannot be bought: every source is below the minimum margin.');
  });

  test('When a rate is set, then costs have the value of the reference rate, and further products are counted', async () => {
    const more = Array.from({ length: 12 }, (_, index) => voucherProduct(`Yen ${index}`, { currencyCode: 'JPY' }));
    const ids = [...(await importProducts(database, { voucherProducts: more })).values()];
    await sql(database)`UPDATE product_sources SET cost_percent = 96 WHERE item_id = ANY (${ids})`;
    await set('rates', 'reference', 'set', 'JPY', 'GBP', '0.005');
    // Of 500 yen, clients pay 0.5 pounds, and the cost is 2.40.
    const text = await set('rates', 'set', 'JPY', 'GBP', '0.001');
    expect(text).toMatch(/ 500 JPY +0\.5 GBP +2\.4 GBP +-380\.00 +yes/);
    expect(text).toContain('... and 2 more products.');
  });
});

describe('A source below the floor', () => {
  test('When the price of one unit leaves the floor, then the product is sold at the same price as without a rule', async () => {
    const { pricing } = await quote();
    // 98 dollars for 96: 2.04 %.
    await ops('margins', 'set', 'vouchers', '--min-margin', '2');
    expect((await quote()).pricing).toEqual(pricing);
  });

  test('When no source leaves the floor, or the cost is unknown, then the product is not on sale', async () => {
    await ops('margins', 'set', 'vouchers', '--min-margin', '2.1');
    await expect(quote()).rejects.toThrow('Product not found');
    await setCost('95');
    await expect(quote()).resolves.toBeDefined();
    await sql(database)`UPDATE product_sources SET cost_percent = NULL`;
    await expect(quote()).rejects.toThrow('Product not found');
  });

  test('When only a source with little stock leaves the floor, then the quantity is limited to that stock', async () => {
    await ops('margins', 'set', 'vouchers', '--min-margin', '3');
    await ops('sources', 'set', 'vouchers', productId, 'simulator', 'OTHER', '--cost-percent', '90', '--force');
    await sql(database)`UPDATE product_sources SET stock = 3 WHERE sku = 'OTHER'`;
    expect(await quote(3)).toMatchObject({ stock: 3 });
    await expect(quote(4)).rejects.toThrow('Quantity exceeds the maximum of 3');
  });

  test('When a rule, a cost or a group changes, then cached charges are invalid', async () => {
    const changes = [
      () => ops('margins', 'set', 'vouchers', '--min-margin', '3'),
      () => ops('margins', 'clear', 'vouchers', '--force'),
      () => setCost('97'),
      () => ops('clients', 'set', client.id, '--group', 'resellers'),
    ];
    for (const change of changes) {
      const before = await pricingVersion(database);
      await change();
      expect(await pricingVersion(database)).toBeGreaterThan(before);
    }
  });

  test('When an operator explains the routes, then the obstacle is the margin at the price of the client', async () => {
    await ops('margins', 'set', 'vouchers', '--min-margin', '3');
    const explain = () => listed('routes', 'explain', 'vouchers', productId, '100', '--client', client.id);
    expect(await explain()).toMatchObject([{ use: 'no', why: 'leaves 2.04 % margin, the floor is 3 %' }]);
    await ops('discounts', 'set', client.id, 'vouchers', productId, '5');
    expect(await explain()).toMatchObject([{ use: 'no', why: 'leaves -1.06 % margin, the floor is 3 %' }]);
    await ops('margins', 'clear', 'vouchers', '--force');
    expect(await explain()).toMatchObject([{ use: '1', why: '' }]);
  });
});

test('When a cost rise waits for a decision, then a source that leaves too little margin at the new cost is not used', async () => {
  const [source] = await sql(database)<{ sku: string }>`SELECT sku FROM product_sources
       WHERE item_id = ${productId}`;
  const sku = source?.sku ?? '';
  const acme: Supplier = {
    ...supplierAt({ url: 'http://127.0.0.1:1' }),
    catalogue: async function* () {
      const cost = { percent: '120', fee: '0', currency: 'USD' };
      const coffee = { name: 'Coffee', currency: 'USD', inputs: [], sku, cost };
      yield [{ ...coffee, family: 'VOUCHER', amounts: { min: '5', max: '500' } }];
    },
  };
  const waiting = () =>
    sql(database)<{ supplier: string; reason: string }>`SELECT supplier, reason FROM attention
         WHERE kind = 'OFFERS_CHANGED' AND cleared_at IS NULL`;
  await sql(database)`UPDATE product_sources SET cost_percent = 90, cost_currency = 'USD'`;
  await ops('margins', 'set', 'vouchers', '--min-margin', '5');
  await expect(quote()).resolves.toBeDefined();
  const version = await pricingVersion(database);
  await syncOffers(database, acme, { limitPercent: 20 });
  expect(await pricingVersion(database)).toBeGreaterThan(version);
  await expect(quote()).rejects.toThrow('Product not found');
  const explained = await listed('routes', 'explain', 'vouchers', productId, '100', '--client', client.id);
  expect(explained).toMatchObject([{ use: 'no', why: expect.stringContaining('a change of its offer waits') }]);
  const [entry, ...others] = await waiting();
  expect(others).toEqual([]);
  expect(entry).toMatchObject({ supplier: 'simulator', reason: expect.stringContaining(`(${sku}): Cost`) });
  await ops('margins', 'clear', 'vouchers', '--force');
  await expect(quote()).resolves.toBeDefined();
  const [changed] = await listed('catalogue', 'review', '--supplier', 'simulator', '--state', 'changed');
  const accepted = await ops('catalogue', 'accept', Number(changed?.['id']), '--force');
  expect(accepted).toMatch(new RegExp(`\\n${productId} +Coffee .* -\\d+\\.\\d+ +yes`));
  expect(await waiting()).toEqual([]);
});

describe('Reference rates', () => {
  afterEach(() => sql(database)`TRUNCATE reference_rates`);

  /** A quote of a product in dollars, paid from a wallet in euros at a rate that is a hundred times too low. */
  async function quoteInEuros() {
    const wallet = await sql.first(database)<{ id: number }>`
      INSERT INTO wallets (client_id, currency_code, is_default) VALUES (${client.id}, 'EUR', false)
       RETURNING id`;
    return quoteOrder(database, client, await offer(), { quantity: 1, walletId: wallet?.id, notOnSale });
  }

  test("When the clients' rate is wrong, then the floor still values the cost at the reference rate", async () => {
    await sql(database)`INSERT INTO forex_rates (source_currency, destination_currency, rate)
         VALUES ('USD', 'EUR', 0.0092)
       ON CONFLICT (source_currency, destination_currency) DO UPDATE SET rate = excluded.rate`;
    await ops('margins', 'set', 'vouchers', '--min-margin', '1');
    const { wallet } = await quoteInEuros();
    const request = { quantity: 1, walletId: wallet.id, notOnSale };
    for (const [from, to, rate] of [
      ['USD', 'EUR', '0.92'],
      ['EUR', 'USD', '1.087'],
    ] as const) {
      await sql(database)`TRUNCATE reference_rates`;
      const version = await pricingVersion(database);
      await ops('rates', 'reference', 'set', from, to, rate, '--force');
      expect(await pricingVersion(database)).toBeGreaterThan(version);
      await expect(quoteOrder(database, client, await offer(), request)).rejects.toThrow('Product not found');
    }
  });

  test("When clients' rates differ from the reference rate or from the inverse of the opposite pair, then they need --force", async () => {
    await ops('rates', 'reference', 'set', 'TTD', 'BBD', '0.3', '--force');
    await expect(ops('rates', 'set', 'TTD', 'BBD', '0.003')).rejects.toThrow(
      'Rate TTD/BBD, compared with the reference rate: old value 0.3, new value 0.003',
    );
    await expect(ops('rates', 'set', 'BBD', 'TTD', '33')).rejects.toThrow('compared with the reference rate');
    await ops('rates', 'set', 'TTD', 'BBD', '0.003', '--force');
    await sql(database)`TRUNCATE reference_rates`;
    await expect(ops('rates', 'set', 'BBD', 'TTD', '3.3')).rejects.toThrow(
      'Rate BBD/TTD, compared with the inverse of TTD/BBD: old value 333.333333333, new value 3.3',
    );
    expect(await listed('rates', 'list')).not.toContainEqual(expect.objectContaining({ source: 'BBD' }));
  });

  test('When a rate is older than the set age, if there is one, then it is listed until it is set again', async () => {
    const entries = () =>
      sql(database)<{ reason: string }>`SELECT reason FROM attention WHERE kind = 'RATES_OLD'
           AND cleared_at IS NULL`;
    await ops('rates', 'set', 'XAU', 'XAG', '80', '--force');
    await ops('rates', 'reference', 'set', 'XAU', 'XPD', '2', '--force');
    await sql(database)`UPDATE reference_rates SET updated_at = now() - interval '25 hours'`;
    await sql(database)`UPDATE forex_rates SET as_of = now() - interval '26 hours'
         WHERE source_currency = 'XAU'`;
    await reviewRateAges(database, 0);
    expect(await entries()).toEqual([]);
    await reviewRateAges(database, 24);
    expect(await entries()).toEqual([
      { reason: expect.stringMatching(/\(2\): rate XAU\/XAG of \S+, reference rate XAU\/XPD of \S+\. Set/) },
    ]);
    await ops('rates', 'set', 'XAU', 'XAG', '80');
    await ops('rates', 'reference', 'set', 'XAU', 'XPD', '2');
    await reviewRateAges(database, 24);
    expect(await entries()).toEqual([]);
  });

  test('When a file of reference rates is imported, then all are set, or none if a value is wrong or a change is large', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rates-'));
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const stored = async () =>
      (await listed('rates', 'reference', 'list')).map(({ source, destination, rate }) => [source, destination, rate]);
    await ops(
      'rates',
      'reference',
      'import',
      file('a.csv', 'source,destination,rate\nUSD,EUR,0.92\nUSD,INR,83\n'),
      '--force',
    );
    const imported = [
      ['USD', 'EUR', '0.92'],
      ['USD', 'INR', '83'],
    ];
    expect(await stored()).toEqual(imported);
    const rate = (destination: string, value: string) => ({ source: 'USD', destination, rate: value });
    for (const [rates, message] of [
      [[rate('GBP', '0.8'), rate('EUR', '0.0092')], 'add --force'],
      [[rate('GBP', '0.8'), rate('EUR', '0')], 'line 1, item 2: "rate" must be above 0'],
      [[rate('GBP', '0.8'), rate('GBP', '0.8')], 'contains a duplicate value'],
      [[rate('GBP', '0.8'), rate('ZZZ', '0.8')], 'A currency is not in ISO 4217.'],
    ] as const) {
      const path = file('b.json', JSON.stringify(rates));
      const forced = message === 'add --force' ? [] : ['--force'];
      const failed = await ops('rates', 'reference', 'import', path, ...forced).then(() => 'no failure', sentenceOf);
      expect(failed).toContain(message);
      expect(await stored()).toEqual(imported);
    }
    await ops('rates', 'reference', 'remove', 'USD', 'INR', '--force');
    expect(await stored()).toEqual([['USD', 'EUR', '0.92']]);
    rmSync(folder, { recursive: true });
  });
});

describe('The attention list', () => {
  const suppliers = new Map([['simulator', supplierAt({ url: 'http://127.0.0.1:1' })]]);
  const entries = async () => {
    await reviewMargins({ database, suppliers });
    return sql(database)<{ supplier: string; reason: string }>`SELECT supplier, reason FROM attention
         WHERE kind = 'MARGIN_BELOW_FLOOR' AND cleared_at IS NULL`;
  };
  const refuse = async () => {
    await ops('margins', 'set', 'vouchers', '--min-margin', '3');
    await expect(quote()).rejects.toThrow('Product not found');
  };

  test('When a request is rejected because of the margin, then the list names supplier, product, client and margin', async () => {
    expect(await entries()).toEqual([]);
    await refuse();
    await refuse();
    const why = `VOUCHER product ${productId} (Coffee) of 100 is not sold to ${client.name}: `;
    const [entry, ...others] = await entries();
    expect(others).toEqual([]);
    expect(entry?.supplier).toBe('simulator');
    expect(entry?.reason).toContain(why);
    expect(entry?.reason).toContain('leaves \uE0002.04 %\uE001 margin, the floor is \uE0003 %\uE001');
  });

  test.each([
    ['the source costs less', () => setCost('90')],
    ['the rule is cleared', () => ops('margins', 'clear', 'vouchers', '--force')],
    [
      'the item gets another source',
      () => ops('sources', 'set', 'vouchers', productId, 'simulator', 'CHEAP', '--cost-percent', '80', '--force'),
    ],
    ['another reason keeps the source from selling', () => sql(database)`UPDATE product_sources SET active = false`],
    [
      'the last rejection is more than a day old',
      () => sql(database)`UPDATE margin_rejections SET rejected_at = now() - interval '25 hours'`,
    ],
    [
      'a clock that was ahead was set back',
      () => sql(database)`UPDATE margin_rejections SET rejected_at = now() + interval '6 hours'`,
    ],
  ])('When %s, then the entry disappears', async (_what, change) => {
    await refuse();
    expect(await entries()).toHaveLength(1);
    await change();
    expect(await entries()).toEqual([]);
    expect(await sql.first(database)`SELECT FROM margin_rejections`).toBeUndefined();
  });
});
