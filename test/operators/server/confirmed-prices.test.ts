/** Changes of prices, rates and costs are compared with the last confirmed value. docs/decisions/0077-*.md. */
import { empty, sql } from '../../../dev/testbed/sql';
import { oneRow } from '../../../src/data/database/database';
import { storeConfirmed, type ValueName } from '../../../src/data/prices/stored-confirmed-values';
import { ForceRequired } from '../../../src/operators/operations/guarded-prices';
import { operations } from '../../../src/operators/operations/operations';
import { importProducts, newMark, topupProduct, voucherProduct } from '../../support/catalogue';
import { newHolder, type Holder } from '../../../dev/testbed/ledger-rows';
import { lockWaits } from '../../support/lock-waits';
import { type OperatingPerson, useOperatingPeople } from '../../support/operating-people';
import { scratchDatabase } from '../../../dev/testbed/scratch-database';

const scratch = scratchDatabase();
const { database } = scratch;
const reason = 'Ticket 4711';
const force = true;

const {
  alice,
  bob,
  ada: admin,
} = useOperatingPeople(scratch, { alice: 'admin', bob: 'admin', ada: 'admin', adam: 'admin' });
let holder: Holder;
let card: number;
const cardProduct = voucherProduct(`Card ${newMark()}`, {
  denominations: [{ min: '5', max: '100', discount: '1.25' }],
});
beforeEach(async () => {
  await empty(
    database,
    'approval_rules approval_proposals forex_rates reference_rates client_discounts margin_rules supplier_offers confirmed_values',
  );
  holder = await newHolder(database, 1_000);
  card = (await importProducts(database, {
    categories: [{ name: cardProduct.category, subCategories: [] }],
    voucherProducts: [cardProduct],
  }).then((ids) => ids.get(cardProduct.sku))) as number;
});

const demandApproval = () => admin.run('approval-rules set', { operation: 'price', roles: 'admin', reason });
const euro = { product_currency: 'EUR', wallet_currency: 'USD' };
const dollar = { product_currency: 'USD', wallet_currency: 'EUR' };
const setRate = (who: OperatingPerson, rate: string, more: object = {}) =>
  who.run('rates set', { ...euro, rate, reason, ...more });
const rateNow = async () =>
  (
    await sql.first(database)<{ rate: string }>`SELECT trim_scale(rate)::text AS rate FROM forex_rates
         WHERE source_currency = 'EUR'`
  )?.rate;
const jsonFile = (content: object) => ({ name: 'file.json', text: JSON.stringify(content) });
/** Lets every value stand as if it was set 24 hours ago. */
const letStand = () => sql(database)`UPDATE confirmed_values SET since = now() - interval '24 hours'`;
const confirmations = () =>
  sql(database)<{ kind: string; confirmed: string; confirmed_by: string }>`
    SELECT kind, value, confirmed, confirmed_by FROM confirmed_values ORDER BY kind, key`;

/** The rates before an attack, as two people have confirmed them. */
async function confirmedRates(): Promise<void> {
  await admin.run('rates reference set', { currency: 'EUR', other: 'USD', rate: '1.09', reason, force });
  await setRate(admin, '1.091');
  await admin.run('rates set', { ...dollar, rate: '0.92', reason });
  await admin.run('fees set', { ...euro, percent: '2', reason });
}

describe('A rate that is removed and set again', () => {
  const attack: readonly [string, object][] = [
    ['rates set', { ...euro, rate: '0.108' }],
    ['rates remove', euro],
    ['rates remove', dollar],
    ['rates reference remove', { currency: 'EUR', other: 'USD' }],
  ];

  test('When a rule asks for a second person, then each step is proposed, also with --force', async () => {
    await confirmedRates();
    await demandApproval();
    for (const [name, given] of attack) {
      const { data, proposal } = await alice.run(name, { ...given, reason, force });
      expect([name, proposal]).toEqual([name, expect.any(Number)]);
      if (name === 'rates remove' && given === euro)
        expect(data).toContain('Fee in percent of vouchers, EUR/USD: old value 2, new value none');
    }
    expect(await rateNow()).toBe('1.091');
  });

  test('When there is no rule, then each step needs --force, and the next rate is compared with the confirmed one', async () => {
    await confirmedRates();
    for (const [name, given] of attack)
      await expect(alice.run(name, { ...given, reason })).rejects.toThrow('add --force to apply it');
    for (const [name, given] of attack.slice(1)) await alice.run(name, { ...given, reason, force });
    await expect(setRate(alice, '0.108')).rejects.toThrow(
      'Rate EUR/USD since the last confirmed value: old value 1.091, new value 0.108',
    );
    await expect(
      alice.run('rates reference set', { currency: 'EUR', other: 'USD', rate: '0.1', reason }),
    ).rejects.toThrow('since the last confirmed value: old value 1.09, new value 0.1');
    await setRate(alice, '1.2');
    await expect(alice.run('fees set', { ...euro, percent: '0', reason })).rejects.toThrow(
      'since the last confirmed value: old value 2, new value 0',
    );
  });

  test('When a removal is approved by another person, then the value after it is compared with the one before', async () => {
    await confirmedRates();
    await admin.run('rates remove', { ...dollar, reason, force });
    await demandApproval();
    const { proposal } = await alice.run('rates remove', { ...euro, reason });
    await bob.run('approvals approve', { proposal, reason });
    expect(await rateNow()).toBeUndefined();
    expect(await setRate(alice, '0.108')).toHaveProperty('proposal');
    expect(await setRate(alice, '1.1')).not.toHaveProperty('proposal');
  });

  test('When a reference rate is removed, then the operation says at which rate costs are valued', async () => {
    await confirmedRates();
    await expect(alice.run('rates reference remove', { currency: 'EUR', other: 'USD', reason })).rejects.toThrow(
      'Reference rate EUR/USD, without which costs are valued at 1.091',
    );
  });
});

describe('Every operation about prices', () => {
  const withRate = () => sql(database)`INSERT INTO forex_rates VALUES ('EUR', 'USD', 1)`;
  const withReference = () => sql(database)`INSERT INTO reference_rates VALUES ('EUR', 'USD', 1)`;
  const withFloor = () =>
    sql(
      database,
    )`INSERT INTO margin_rules (client_group, family, min_margin_percent) VALUES ('resellers', 'VOUCHER', 40)`;
  const onCard = () => ({ client: String(holder.clientId), family: 'vouchers', product: card });
  const reference = { currency: 'EUR', other: 'USD' };
  const floor = { family: 'vouchers', group: 'resellers' };
  const source = () => ({ family: 'vouchers', item: card, supplier: 'simulator', sku: cardProduct.sku });

  /** A source of the card at 90 percent, whose supplier now offers it at 130. */
  async function withOffer(): Promise<number> {
    await sql(database)`UPDATE product_sources SET cost_percent = 90, cost_currency = 'USD' WHERE item_id = ${card}`;
    const { sku } = cardProduct;
    const cost = { percent: '130', fee: '0', currency: 'USD' };
    const terms = {
      family: 'VOUCHER',
      sku,
      name: 'Card',
      country: 'USA',
      currency: 'USD',
      amounts: { min: '5', max: '100' },
      inputs: [],
      cost,
    };
    const { id } = (await sql.first(database)<{ id: number }>`
      INSERT INTO supplier_offers (supplier, family, sku, terms, held, first_seen_at, last_seen_at, changed_at)
       VALUES ('simulator', 'VOUCHER', ${sku}, ${JSON.stringify(terms)}, 'Cost', now(), now(), now()) RETURNING id`) as {
      id: number;
    };
    return id;
  }

  async function withPlan(): Promise<number> {
    const { id } = (await sql.first(database)<{ id: number }>`WITH product AS (
         INSERT INTO esim_products (name, country_code, currency_code, supplier, supplier_sku)
         VALUES ('World', 'GLO', 'USD', 'simulator', gen_random_uuid()) RETURNING id)
       INSERT INTO esim_variants (product_id, name, currency_code, amount, listed_amount, data_amount_gb, validity_days, supplier_sku,
                                  held_amount, held_currency, held)
       SELECT id, 'Plan', 'USD', 9, 9, 1, 7, 'P', 4, 'USD', 'List price' FROM product RETURNING id`) as { id: number };
    return id;
  }

  /** Makes what a large change needs. Returns its arguments. */
  const largeChanges: Readonly<Record<string, () => Promise<object>>> = {
    'clients set': async () => {
      await withFloor();
      await sql(database)`UPDATE clients SET client_group = 'resellers' WHERE id = ${holder.clientId}`;
      return { client: String(holder.clientId), group: '' };
    },
    'discounts set': () => Promise.resolve({ ...onCard(), percent: '60' }),
    'discounts clear': async () => {
      await sql(database)`INSERT INTO client_discounts VALUES (${holder.clientId}, 'VOUCHER', ${card}, 60)`;
      return onCard();
    },
    'rates set': () => withRate().then(() => ({ ...euro, rate: '2' })),
    'rates remove': () => withRate().then(() => euro),
    'rates follow': () => withRate().then(() => ({ ...euro, spread: '25' })),
    'rates reference set': () => withReference().then(() => ({ ...reference, rate: '2' })),
    'rates reference import': () =>
      withReference().then(() => ({ file: jsonFile([{ source: 'EUR', destination: 'USD', rate: '2' }]) })),
    'rates reference remove': () => withReference().then(() => reference),
    'fees set': async () => {
      await withRate();
      await sql(database)`INSERT INTO conversion_fees VALUES ('EUR', 'USD', 'VOUCHER', 2)`;
      return { ...euro, percent: '1' };
    },
    'margins set': () => withFloor().then(() => ({ ...floor, min_margin: '10' })),
    'margins clear': () => withFloor().then(() => floor),
    'catalogue import': () =>
      Promise.resolve({
        file: jsonFile({
          supplier: 'simulator',
          voucherProducts: [{ ...cardProduct, denominations: [{ min: '5', max: '100', discount: '60' }] }],
        }),
      }),
    'catalogue accept': async () => ({ offer: [String(await withOffer())] }),
    'catalogue map': async () => ({ offer: await withOffer(), family: 'vouchers', item: card }),
    'catalogue accept-plan': async () => ({ variant: [String(await withPlan())] }),
    'sources set': () => withOffer().then(() => ({ ...source(), cost_percent: '130' })),
  };

  test('When an operation has a rule about prices, then this file makes a large change with it', () => {
    const ofPrices = operations.filter(({ approval }) => approval === 'PRICE').map(({ name }) => name);
    // To accept a held rate is the consent to it, without --force.
    expect([...Object.keys(largeChanges), 'rates accept'].sort()).toEqual(ofPrices.sort());
  });

  test.each(Object.entries(largeChanges))(
    'When %s makes a large change, then it needs --force, and with a rule another person instead',
    async (name, prepared) => {
      const given = { ...(await prepared()), reason };
      const failed = await alice.run(name, given).then(
        ({ mark, data }) => [mark, JSON.stringify(data)],
        (error: unknown) => [error instanceof ForceRequired ? 2 : 1, String(error)],
      );
      expect(failed).toEqual([2, expect.stringContaining('add --force')]);
      await demandApproval();
      const { proposal } = await alice.run(name, { ...given, force });
      expect(proposal).toEqual(expect.any(Number));
      expect(await confirmations()).toEqual([]);
      await bob.run('approvals approve', { proposal, reason });
      expect((await confirmations()).length).toBeGreaterThan(0);
    },
  );

  test('When a product is made from an offer, then its first price is compared with the cost of the offer', async () => {
    const id = await withOffer();
    await sql(database)`UPDATE supplier_offers
         SET sku = 'fresh', held = NULL, terms = terms || '{"sku": "fresh"}' WHERE id = ${id}`;
    const accept = (more: object = {}) =>
      alice.run('catalogue accept', { offer: [String(id)], as_product: true, reason, ...more });
    await expect(accept()).rejects.toThrow(
      'compared with its cost: old value 6.5, new value 5, difference -1.5 (-23.08 %)',
    );
    await demandApproval();
    expect(await accept({ force })).toHaveProperty('proposal');
    expect(await sql(database)`SELECT FROM voucher_products WHERE supplier_sku = 'fresh'`).toEqual([]);
  });
});

describe('A first value', () => {
  test('When there is nothing to compare it with, then it is large', async () => {
    await expect(setRate(alice, '1.09')).rejects.toThrow(
      'A first value without one to compare it with is large: add --force',
    );
    const pair = { currency: 'EUR', other: 'USD', reason };
    await expect(alice.run('rates reference set', { ...pair, rate: '1.09' })).rejects.toThrow('add --force');
    const file = jsonFile([
      { source: 'EUR', destination: 'USD', rate: '0.1' },
      { source: 'USD', destination: 'EUR', rate: '10' },
    ]);
    await expect(alice.run('rates reference import', { file, reason })).rejects.toThrow('add --force');
  });

  test('When it is within the limit of a reference rate or of the inverse pair, then it is confirmed', async () => {
    await admin.run('rates reference set', { currency: 'EUR', other: 'USD', rate: '1.09', reason, force });
    await expect(setRate(alice, '2')).rejects.toThrow('compared with the reference rate');
    await setRate(alice, '1.2');
    await expect(alice.run('rates set', { ...dollar, rate: '0.6', reason })).rejects.toThrow(
      'compared with the inverse of EUR/USD',
    );
    await alice.run('rates set', { ...dollar, rate: '0.9', reason });
    expect(await confirmations()).toMatchObject([
      { kind: 'RATE', confirmed: '1.2', confirmed_by: 'FIRST' },
      { kind: 'RATE', confirmed: '0.9', confirmed_by: 'FIRST' },
      { kind: 'REFERENCE_RATE', confirmed: '1.09', confirmed_by: 'FORCED' },
    ]);
  });

  test('When a first discount lowers the price by more than the limit, then it is large, also that of a new product', async () => {
    const discount = { client: String(holder.clientId), family: 'vouchers', product: card, reason };
    await expect(alice.run('discounts set', { ...discount, percent: '30' })).rejects.toThrow('add --force');
    const product = voucherProduct(`New ${newMark()}`);
    const at = (percent: string) => ({
      file: jsonFile({
        supplier: 'simulator',
        categories: [{ name: product.category, subCategories: [] }],
        voucherProducts: [{ ...product, denominations: [{ min: '5', max: '5', discount: percent }] }],
      }),
      reason,
    });
    expect(await alice.run('catalogue import', at('30'))).toMatchObject({ mark: 2 });
    expect(await alice.run('catalogue import', at('15'))).toMatchObject({ mark: 0 });
    // Within the limit from 85 %, but not from the list price.
    expect(await alice.run('catalogue import', at('30'))).toMatchObject({ mark: 2 });
    const ofClient = {
      ...discount,
      product: await oneRow<{ id: number }>(database, 'SELECT id FROM voucher_products WHERE supplier_sku = $sku', {
        sku: product.sku,
      }).then(({ id }) => id),
      percent: '30',
    };
    await expect(alice.run('discounts set', ofClient)).rejects.toThrow('old value 100, new value 70');
    await letStand();
    expect(await alice.run('catalogue import', at('30'))).toMatchObject({ mark: 0 });
  });
});

describe('Steps within the limit', () => {
  const discountTo = (who: OperatingPerson, percent: string, more: object = {}) =>
    who.run('discounts set', {
      client: String(holder.clientId),
      family: 'vouchers',
      product: card,
      percent,
      reason,
      ...more,
    });

  test('When six discounts of a fifth follow each other, then the second is large, whoever sets it', async () => {
    const percents = ['20.5', '36', '48.5', '58.5', '66.6', '73.1'];
    await discountTo(alice, '20.5');
    for (const percent of percents.slice(1))
      await expect(discountTo(bob, percent)).rejects.toThrow(/since the last confirmed value: old value 98\.75/);
    await demandApproval();
    for (const percent of percents.slice(1))
      expect(await discountTo(alice, percent, { force })).toHaveProperty('proposal');
  });

  test('When a value within the limit has stood for 24 hours, then it is confirmed', async () => {
    await discountTo(alice, '19');
    await expect(discountTo(alice, '30')).rejects.toThrow('add --force');
    await letStand();
    await discountTo(alice, '30');
    expect(await confirmations()).toMatchObject([{ confirmed: '19', confirmed_by: 'STOOD' }]);
    await expect(discountTo(alice, '40')).rejects.toThrow('old value 81, new value 60');
  });

  test('When a discount is cleared, then the price that it leaves is compared, and a small rise is free', async () => {
    const clear = (more: object = {}) =>
      alice.run('discounts clear', {
        client: String(holder.clientId),
        family: 'vouchers',
        product: card,
        reason,
        ...more,
      });
    await discountTo(alice, '15');
    await clear();
    await discountTo(alice, '60', { force });
    await expect(clear()).rejects.toThrow('old value 40, new value 98.75');
    await clear({ force });
  });

  test('When a default discount is raised first, then the discount of a client is compared with the price before both', async () => {
    const file = jsonFile({
      supplier: 'simulator',
      voucherProducts: [{ ...cardProduct, denominations: [{ min: '5', max: '100', discount: '19' }] }],
    });
    expect(await alice.run('catalogue import', { file, reason })).toMatchObject({ mark: 0 });
    await expect(discountTo(alice, '34')).rejects.toThrow('old value 98.75, new value 66');
  });

  test('When two operators change a value at once, then their steps count together', async () => {
    await setRate(admin, '1', { force });
    await sql(database)`DELETE FROM confirmed_values`;
    const attempts = await Promise.allSettled(
      ['0.81', '0.82', '0.83', '0.66', '0.67'].map((rate, index) => setRate(index % 2 === 0 ? alice : bob, rate)),
    );
    expect(attempts.some(({ status }) => status === 'fulfilled')).toBe(true);
    expect(Number(await rateNow())).toBeGreaterThanOrEqual(0.8);
    expect(await confirmations()).toMatchObject([{ kind: 'RATE', confirmed: '1' }]);
  });
});

describe('A value that two operators change', () => {
  test('When one of them has not ended, then the other waits, and is compared with what that one confirmed', async () => {
    await setRate(admin, '1', { force });
    const attempt = await database.transaction(async (transaction) => {
      await sql(database, transaction)`SELECT FROM confirmed_values FOR UPDATE`;
      const waiting = setRate(alice, '1.19').catch(String);
      await lockWaits(database, 1, 'confirmed_values');
      await sql(database, transaction)`UPDATE confirmed_values SET value = '0.85', confirmed = '0.85'`;
      await sql(database, transaction)`UPDATE forex_rates SET rate = 0.85`;
      return { waiting };
    });
    expect(await attempt.waiting).toContain('Rate EUR/USD: old value 0.85, new value 1.19');
  });

  test('When both change a value that no operator changed before, then only one of them does', async () => {
    const name: ValueName = { kind: 'RATE', key: ['EUR', 'USD'] };
    const added = { name, isKnown: false, value: '0.9', confirmed: '1' };
    await storeConfirmed(database, [added]);
    await expect(storeConfirmed(database, [added])).rejects.toThrow('Another operator has just changed this value');
  });
});

describe('Prices of a file', () => {
  const importing = (denominations: readonly object[], more: object = {}) =>
    alice.run('catalogue import', {
      file: jsonFile({ supplier: 'simulator', voucherProducts: [{ ...cardProduct, denominations }] }),
      reason,
      ...more,
    });
  const range = { min: '5', max: '100' };

  test('When files lower a price in steps, also by new denominations, then the steps count together', async () => {
    expect(await importing([{ ...range, discount: '19' }])).toMatchObject({ mark: 0 });
    const narrower = { min: '20', max: '30', discount: '34' };
    expect(await importing([{ ...range, discount: '19' }, narrower])).toMatchObject({
      mark: 2,
      data: [{ problem: expect.stringContaining('on 20 since the last confirmed value: old value 98.75') }],
    });
    expect(await importing([{ ...range, discount: '34' }])).toMatchObject({ mark: 2 });
    await letStand();
    expect(await importing([{ ...range, discount: '34' }])).toMatchObject({ mark: 0 });
  });

  test('When a rule asks for a second person, then the removal of a denomination is proposed, also with --force', async () => {
    await demandApproval();
    const other = [{ min: '200', max: '200', discount: '0' }];
    expect(await importing(other, { force })).toHaveProperty('proposal');
    expect(await importing([range])).not.toHaveProperty('proposal');
  });

  test('When a file raises a cost in steps, or a source is set after it, then the steps count together', async () => {
    const topup = topupProduct(`Costs ${newMark()}`, [{ fixedAmounts: ['5'], costPercent: '90' }]);
    const variant = topup.variants[0];
    const at = (costPercent: string) =>
      alice.run('catalogue import', {
        file: jsonFile({
          supplier: 'simulator',
          topupProducts: [{ ...topup, variants: [{ ...variant, costPercent }] }],
        }),
        reason,
      });
    expect(await at('90')).toMatchObject({ mark: 0 });
    expect(await at('107')).toMatchObject({ mark: 0 });
    expect(await at('125')).toMatchObject({ mark: 2 });
    const item = (await sql.first(database)<{ id: number }>`SELECT id FROM topup_variants
         WHERE supplier_sku = ${variant?.supplierSku ?? ''}`) as { id: number };
    const source = { family: 'topups', item: item.id, supplier: 'simulator', sku: variant?.supplierSku };
    await expect(alice.run('sources set', { ...source, cost_percent: '120', reason })).rejects.toThrow(
      'Cost in percent since the last confirmed value: old value 90, new value 120',
    );
  });
});

describe('Margins', () => {
  const margin = { family: 'vouchers', reason };

  test('When a minimum margin falls by more than the limit or is removed, then it is large, and a rise is free', async () => {
    await alice.run('margins set', { ...margin, min_margin: '10' });
    await alice.run('margins set', { ...margin, min_margin: '40' });
    await letStand();
    await expect(alice.run('margins set', { ...margin, min_margin: '10' })).rejects.toThrow(
      'highest cost in percent of the price: old value 60, new value 90',
    );
    await expect(alice.run('margins clear', margin)).rejects.toThrow('A removal is always large');
  });

  test('When a more specific rule lowers the margin of another one, then it is compared with that', async () => {
    await alice.run('margins set', { ...margin, product: card, min_margin: '40' });
    const ofClient = { ...margin, client: String(holder.clientId) };
    await expect(alice.run('margins set', { ...ofClient, min_margin: '0' })).rejects.toThrow(
      'old value 60, new value 100',
    );
    await alice.run('margins set', { ...ofClient, min_margin: '35' });
  });

  test('When a client leaves the group whose minimum margin holds for it, then that is a removal', async () => {
    await alice.run('margins set', { ...margin, group: 'resellers', min_margin: '10' });
    const client = String(holder.clientId);
    await alice.run('clients set', { client, group: 'resellers' });
    await letStand();
    await expect(alice.run('clients set', { client, group: '', reason })).rejects.toThrow('add --force');
    await demandApproval();
    expect(await alice.run('clients set', { client, group: '', reason, force })).toHaveProperty('proposal');
  });
});
