/** No chain of rates that returns to its first currency has a product below 1. docs/decisions/0083-let-no-chain-of-rates-gain.md. */
import type { Transaction } from '../../../src/data/database/database';
import { empty, sql } from '../../../dev/testbed/sql';
import { verifyLedger } from '../../../src/data/ledger-verification';
import { reviewRateCircles } from '../../../src/ordering/maintenance/rate-review';
import { importProducts, newMark, voucherProduct } from '../../support/catalogue';
import { newHolder } from '../../../dev/testbed/ledger-rows';
import { lockWaits } from '../../support/lock-waits';
import { type OperatingPerson, useOperatingPeople } from '../../support/operating-people';
import { scratchDatabase } from '../../../dev/testbed/scratch-database';

const scratch = scratchDatabase();
const { database } = scratch;
const reason = 'Ticket 4711';

const { alice, bob } = useOperatingPeople(scratch, { alice: 'admin', bob: 'admin' });
beforeEach(async () => {
  await empty(database, 'approval_rules approval_proposals forex_rates confirmed_values');
});

/** `EUR/USD` and its rate. */
type Rates = Readonly<Record<string, string>>;

const pairOf = (pair: string) => {
  const [source = '', destination = ''] = pair.split('/');
  return { source, destination };
};

/** Sets the rates by one statement of SQL, in a transaction of its own or in another one. */
const store = (rates: Rates, transaction?: Transaction) =>
  sql(database, transaction)`INSERT INTO forex_rates (source_currency, destination_currency, rate)
     SELECT left(key, 3), right(key, 3), value::numeric FROM jsonb_each_text(${JSON.stringify(rates)}::jsonb)
     ON CONFLICT (source_currency, destination_currency) DO UPDATE SET rate = excluded.rate`;

/** Sets the rates as a release did that did not check them. */
async function storeUnchecked(rates: Rates): Promise<void> {
  await sql(database)`ALTER TABLE forex_rates DISABLE TRIGGER forex_rates_no_circle`;
  await store(rates).finally(() => sql(database)`ALTER TABLE forex_rates ENABLE TRIGGER forex_rates_no_circle`);
}

async function stored(): Promise<Rates> {
  const found = await sql(database)<{ pair: string; rate: string }>`
    SELECT source_currency || '/' || destination_currency AS pair, trim_scale(rate)::text AS rate
     FROM forex_rates`;
  return Object.fromEntries(found.map(({ pair, rate }) => [pair, rate]));
}

const setting = (pair: string, rate: string) => {
  const { source, destination } = pairOf(pair);
  return { product_currency: source, wallet_currency: destination, rate, reason };
};
const setRate = (who: OperatingPerson, pair: string, rate: string, more: object = {}) =>
  who.run('rates set', { ...setting(pair, rate), ...more });

const gains = 'A client gains in a circle of these rates, because their product is below 1: ';

describe('A rate that an operator sets', () => {
  test('When its product with the opposite rate is below 1, then it is rejected, also with --force', async () => {
    await store({ 'USD/EUR': '0.92' });
    for (const force of [false, true])
      await expect(setRate(alice, 'EUR/USD', '1.05', { force })).rejects.toThrow(
        `${gains}EUR/USD 1.05, USD/EUR 0.92 (product 0.966). Set EUR/USD to at least 1.086957, or raise another of them first`,
      );
    await setRate(alice, 'EUR/USD', '1.086957');
    expect(await stored()).toEqual({ 'USD/EUR': '0.92', 'EUR/USD': '1.086957' });
  });

  test('When it is the last of a chain of three, then the product of the chain counts', async () => {
    const two = { 'EUR/GBP': '0.85', 'GBP/USD': '1.27' };
    await store(two);
    await expect(setRate(alice, 'USD/EUR', '0.92', { force: true })).rejects.toThrow(
      'USD/EUR 0.92, EUR/GBP 0.85, GBP/USD 1.27 (product 0.99314)',
    );
    expect(await stored()).toEqual(two);
    await setRate(alice, 'USD/EUR', '0.927', { force: true });
  });

  test('When it is beyond the limit, too, then the limit is checked first', async () => {
    await store({ 'USD/EUR': '0.92' });
    await expect(setRate(alice, 'EUR/USD', '0.5')).rejects.toThrow('add --force to apply it');
    await expect(setRate(alice, 'EUR/USD', '0.5', { force: true })).rejects.toThrow(gains);
    expect(await stored()).toEqual({ 'USD/EUR': '0.92' });
  });

  test('When a second person has to approve it, then the proposal is stored, and the approval checks the chain', async () => {
    const others = { 'USD/GBP': '0.8', 'GBP/EUR': '1.15' };
    await store(others);
    await bob.run('approval-rules set', { operation: 'price', roles: 'admin', reason });
    const { data, proposal } = await setRate(alice, 'EUR/USD', '1.05');
    expect(data).toContain('Proposed, nothing is done yet');
    const approve = () => bob.run('approvals approve', { proposal, reason });
    await expect(approve()).rejects.toThrow(`${gains}EUR/USD 1.05, USD/GBP 0.8, GBP/EUR 1.15`);
    expect(await stored()).toEqual(others);
    await store({ 'USD/GBP': '0.9' });
    await approve();
    expect(await stored()).toEqual({ ...others, 'USD/GBP': '0.9', 'EUR/USD': '1.05' });
  });

  test('When it would make a circle, then the preview has the change, and says that it would be rejected', async () => {
    await store({ 'USD/EUR': '0.92' });
    expect(await alice.preview('rates set', setting('EUR/USD', '1.05'))).toBe(
      `Rate EUR/USD: old value none, new value 1.05.\n` +
        `It would be rejected: ${gains}EUR/USD 1.05, USD/EUR 0.92 (product 0.966). Set EUR/USD to at least 1.086957, or raise another of them first.`,
    );
    expect(await stored()).toEqual({ 'USD/EUR': '0.92' });
  });
});

describe('Rates in the database', () => {
  test('When a product is exactly 1, then it is accepted, and the least less is rejected', async () => {
    await store({ 'USD/EUR': '0.8', 'EUR/USD': '1.25' });
    await expect(store({ 'EUR/USD': '1.249999999999999999' })).rejects.toThrow('(product 0.999999999999)');
    // A third is no decimal: 3 x 0.333333333333333333 is below 1.
    await expect(store({ 'JPY/KWD': '3', 'KWD/JPY': '0.333333333333333333' })).rejects.toThrow(gains);
    expect(await stored()).toEqual({ 'USD/EUR': '0.8', 'EUR/USD': '1.25' });
  });

  test('When a transaction sets several rates, then those at its end count', async () => {
    await store({ 'USD/EUR': '0.92', 'EUR/USD': '1.09' });
    await store({ 'USD/EUR': '0.8', 'EUR/USD': '1.25' });
    await database.transaction(async (transaction) => {
      await store({ 'USD/EUR': '0.1' }, transaction);
      await store({ 'USD/EUR': '0.8' }, transaction);
    });
    await expect(store({ 'EUR/USD': '1.3', 'USD/EUR': '0.7' })).rejects.toThrow('(product 0.91)');
    expect(await stored()).toEqual({ 'USD/EUR': '0.8', 'EUR/USD': '1.25' });
  });

  test('When two transactions each set a half of a circle at once, then the later one is rejected', async () => {
    const { second } = await database.transaction(async (first) => {
      await store({ 'USD/EUR': '0.92' }, first);
      await sql(database, first)`SET CONSTRAINTS ALL IMMEDIATE`;
      const other = store({ 'EUR/USD': '1.05' }).then(() => 'stored', String);
      await Promise.race([lockWaits(database), other]);
      return { second: other };
    });
    expect(await second).toContain(gains);
    expect(await stored()).toEqual({ 'USD/EUR': '0.92' });
  });

  test('When rates are random, then exactly those are accepted with which no chain is below 1', async () => {
    const currencies = ['CHF', 'EUR', 'GBP', 'INR', 'USD'];
    const pairs = currencies.flatMap((one) =>
      currencies.flatMap((other) => (one === other ? [] : [`${one}/${other}`])),
    );
    const random = randomFrom(4711);
    const results = { accepted: 0, rejected: 0 };
    let present: Rates = {};
    for (let step = 0; step < 150; step++) {
      const pair = pairs[Math.floor(random() * pairs.length)] as string;
      const wanted = { ...present, [pair]: (0.9 + Math.floor(random() * 300) / 1_000).toFixed(3) };
      const outcome = await store({ [pair]: wanted[pair] as string }).then(
        () => 'accepted' as const,
        () => 'rejected' as const,
      );
      expect([step, pair, outcome]).toEqual([step, pair, lowestProduct(wanted, pair) < 1 ? 'rejected' : 'accepted']);
      results[outcome]++;
      if (outcome === 'accepted') present = wanted;
    }
    expect(Math.min(...Object.values(results))).toBeGreaterThan(20);
  });
});

/** A linear congruential generator: the same numbers in [0, 1) in each run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
}

/** The lowest product of a chain through the rate, of all that there are. In thousandths, which stay exact up to five rates. */
function lowestProduct(rates: Rates, pair: string): number {
  const { source, destination } = pairOf(pair);
  const search = (at: string, product: bigint, steps: number, visited: readonly string[]): number => {
    if (at === source) return Number(product) / 1_000 ** steps;
    const next = Object.entries(rates).filter(([other]) => pairOf(other).source === at);
    return Math.min(
      Infinity,
      ...next.flatMap(([other, rate]) => {
        const to = pairOf(other).destination;
        return visited.includes(to) ? [] : [search(to, product * thousandths(rate), steps + 1, [...visited, to])];
      }),
    );
  };
  return search(destination, thousandths(rates[pair] as string), 1, [destination]);
}

const thousandths = (rate: string) => BigInt(Math.round(Number(rate) * 1_000));

describe('A circle of an earlier release', () => {
  const circle = { 'USD/EUR': '0.92', 'EUR/USD': '1.05' };
  const listed = async () => {
    await reviewRateCircles(database);
    const found = await sql(database)<{ reason: string }>`SELECT reason FROM attention
         WHERE kind = 'RATES_CIRCLE' AND cleared_at IS NULL`;
    return found.map(({ reason: text }) => text);
  };
  beforeEach(() => storeUnchecked(circle));

  test('When a rate of it is set, then it may rise or stay, and may not fall', async () => {
    await setRate(alice, 'EUR/USD', '1.05');
    await setRate(alice, 'EUR/USD', '1.06');
    await expect(setRate(alice, 'EUR/USD', '1.055')).rejects.toThrow('(product 0.9706)');
    await expect(setRate(alice, 'USD/EUR', '0.919')).rejects.toThrow(gains);
    await setRate(alice, 'EUR/USD', '1.09');
    await setRate(alice, 'EUR/USD', '1.088');
    await alice.run('rates remove', { product_currency: 'USD', wallet_currency: 'EUR', reason, force: true });
  });

  test('When rates of other chains are set, then only those chains count', async () => {
    await store({ 'USD/GBP': '0.8', 'GBP/USD': '1.3' });
    await store({ 'GBP/USD': '1.25' });
    await expect(store({ 'GBP/USD': '1.24' })).rejects.toThrow('GBP/USD 1.24, USD/GBP 0.8 (product 0.992)');
  });

  test('When it exists, then the attention list has it until it is gone, and the ledger is sound', async () => {
    await storeUnchecked({ 'USD/INR': '83', 'INR/USD': '0.012' });
    expect(await listed()).toEqual([
      'A client gains in a circle of rates (2): EUR/USD 1.05, USD/EUR 0.92 (product 0.966); INR/USD 0.012, USD/INR 83 (product 0.996). Raise a rate of each until its product is 1',
    ]);
    expect((await verifyLedger(database, 5)).findings).toEqual([]);
    await store({ 'EUR/USD': '1.09' });
    expect(await listed()).toEqual([expect.stringContaining('circle of rates (1): INR/USD 0.012')]);
    await sql(database)`DELETE FROM forex_rates`;
    expect(await listed()).toEqual([]);
  });

  test('When a redeemable product has discounts, then the attention list has them, and nothing rejects them', async () => {
    await sql(database)`DELETE FROM forex_rates`;
    const house = voucherProduct(`House ${newMark()}`, { denominations: [{ min: '25', max: '25', discount: '20' }] });
    const categories = [{ name: house.category, subCategories: [] }];
    const id = (await importProducts(database, { categories, voucherProducts: [house] })).get(house.sku) as number;
    const { clientId } = await newHolder(database, 1_000);
    const discount = { client: String(clientId), family: 'vouchers', product: id, reason };
    await alice.run('discounts set', { ...discount, percent: '30', force: true });
    expect(await listed()).toEqual([]);
    await sql(database)`UPDATE voucher_products SET redeemable = true WHERE id = ${id}`;
    expect(await listed()).toEqual([
      `Discounts are set for redeemable products (1), with which a client would gain: voucher product ${id} (${house.name}) 30 %. No order applies them. Clear them`,
    ]);
    await alice.run('discounts clear', discount);
    expect(await listed()).toEqual([expect.stringContaining('20 %')]);
  });
});
