/** Rates that follow the ECB, and rates that stop. docs/decisions/0090-let-rates-age.md. */
import { setImmediate } from 'node:timers/promises';
import { announceCatalogueChanges, catalogueVersion } from '../../src/data/catalogue/catalogue-versions';
import { findVoucherOffer, type Offer } from '../../src/data/catalogue/sellable-items';
import { findClient, type Client } from '../../src/data/clients/clients';
import { oneRow, openDatabase, rows, type Database } from '../../src/data/database/database';
import { VersionedCache } from '../../src/data/database/versioned-cache';
import { errors } from '../../src/domain/errors';
import { familyIds } from '../../src/domain/orders/families';
import { reviewHeldRates, reviewRateAges } from '../../src/ordering/maintenance/rate-review';
import { quoteOrder } from '../../src/ordering/placement/quotes';
import { importProducts, voucherProduct } from '../support/catalogue';
import { newHolder } from '../support/ledger-rows';
import {
  operatingPeople,
  storePerson,
  storeServiceAccount,
  type OperatingPeople,
  type OperatingPerson,
} from '../support/operating-people';
import { scratchDatabase } from '../support/scratch-database';

const scratch = scratchDatabase();
const { database } = scratch;
const reason = 'Ticket 4711';
/** 80 hours: a Friday's file ends on the next Tuesday at midnight. */
const STOP_HOURS = 80;

let people: OperatingPeople;
let alice: OperatingPerson, bob: OperatingPerson, scheduler: OperatingPerson;
let service: Database;
beforeAll(async () => {
  people = await operatingPeople(scratch);
  for (const name of ['alice', 'bob']) await storePerson(scratch, name, 'admin');
  [alice, bob] = [people.as('alice', 'admin'), people.as('bob', 'admin')];
  const account = { name: 'scheduler', role: 'finance', owner: 'alice', operation: 'rates refresh' } as const;
  const id = await storeServiceAccount(scratch, account);
  scheduler = people.as('scheduler', 'finance', { owner: 'account-alice', id });
  service = openDatabase(scratch.url, 2, { rateStopHours: STOP_HOURS });
});
afterAll(async () => {
  await service.close();
  await people.close();
});
beforeEach(async () => {
  for (const table of [
    'approval_rules',
    'approval_proposals',
    'forex_rates',
    'confirmed_values',
    'attention',
  ])
    await rows(database, `DELETE FROM ${table}`);
});

const pairOf = (pair: string) => ({ product_currency: pair.slice(0, 3), wallet_currency: pair.slice(4) });

/** Rates that were set ten days ago and follow the ECB. */
async function followed(rates: Readonly<Record<string, string>>, spread = '0'): Promise<void> {
  await rows(
    database,
    `INSERT INTO forex_rates (source_currency, destination_currency, rate, as_of)
     SELECT left(key, 3), right(key, 3), value::numeric, now() - interval '10 days' FROM jsonb_each_text($rates::jsonb)`,
    { rates: JSON.stringify(rates) },
  );
  for (const pair of Object.keys(rates)) await alice.run('rates follow', { ...pairOf(pair), spread, reason });
}

/** The date in Frankfurt. */
const dayBefore = (days: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(Date.now() - days * 86_400_000);

/** A file of the day. */
const fileOf = (perEuro: Readonly<Record<string, string>>, daysAgo: number) => {
  const text = [
    ['Date', ...Object.keys(perEuro)],
    [dayBefore(daysAgo), ...Object.values(perEuro)],
  ].join('\n');
  return { file: { name: 'ecb.csv', text } };
};

const refresh = (perEuro: Readonly<Record<string, string>>, { daysAgo = 1, by = scheduler } = {}) =>
  by.run('rates refresh', fileOf(perEuro, daysAgo));

interface Stored {
  pair: string;
  rate: string;
  held: string | null;
  asOf: string;
}
const stored = () =>
  rows<Stored>(
    database,
    `SELECT source_currency || '/' || destination_currency AS pair, trim_scale(rate)::text AS rate, trim_scale(held_rate)::text AS held,
            to_char(as_of AT TIME ZONE 'Europe/Berlin', 'YYYY-MM-DD HH24:MI') AS "asOf" FROM forex_rates ORDER BY 1`,
  );
const at = (daysAgo: number) => `${dayBefore(daysAgo)} 16:00`;
const accept = (who: OperatingPerson, pair: string, rate: string) =>
  who.run('rates accept', { ...pairOf(pair), rate, reason });

describe('A file of the ECB', () => {
  test('When rates follow it, then it sets them with their spread and its time, and the audit names its day', async () => {
    await followed({ 'USD/EUR': '0.92', 'INR/USD': '0.012' }, '2');
    const { data, mark } = await refresh({ USD: '1.0823', INR: '91.4455' });
    expect([mark, data]).toEqual([
      0,
      [
        { what: 'Rate INR/USD', before: '0.012', after: '0.0120721741366', result: 'set', reason: null },
        { what: 'Rate USD/EUR', before: '0.92', after: '0.94243740183', result: 'set', reason: null },
      ],
    ]);
    expect(await stored()).toEqual([
      { pair: 'INR/USD', rate: '0.0120721741366', held: null, asOf: at(1) },
      { pair: 'USD/EUR', rate: '0.94243740183', held: null, asOf: at(1) },
    ]);
    const audited = await rows(
      database,
      `SELECT DISTINCT operator, reason FROM audit_entries WHERE command = 'rates refresh'`,
    );
    expect(audited).toEqual([{ operator: 'scheduler', reason: `Rates of the ECB of ${dayBefore(1)}` }]);
  });

  test('When it is not newer than a rate, then it changes nothing, whoever set the rate', async () => {
    await followed({ 'USD/EUR': '0.92' });
    await refresh({ USD: '1.08' });
    const present = await stored();
    for (const daysAgo of [1, 2])
      expect((await refresh({ USD: '1.09' }, { daysAgo })).data).toEqual([
        expect.objectContaining({ result: 'unchanged', after: '0.925925925926' }),
      ]);
    expect(await stored()).toEqual(present);
    await alice.run('rates set', { ...pairOf('USD/EUR'), rate: '0.93', reason });
    await refresh({ USD: '1.09' });
    expect(await stored()).toEqual([expect.objectContaining({ rate: '0.93' })]);
  });

  test('When it is of a later day than today, or faulty, then nothing changes', async () => {
    await followed({ 'USD/EUR': '0.92' });
    const present = await stored();
    await expect(refresh({ USD: '1.08' }, { daysAgo: -1 })).rejects.toThrow('a day later than today');
    await expect(refresh({ USD: '0', INR: '91' })).rejects.toThrow('must be above 0');
    for (const [url, cause] of [
      ['http://ecb.example/rates', 'begins with https://'],
      ['https://10.0.0.1/rates', 'must lead to a public address'],
    ])
      await expect(scheduler.run('rates refresh', { url })).rejects.toThrow(cause);
    expect(await stored()).toEqual(present);
  });

  test('When it lacks a currency, then this rate stays, and the result says so', async () => {
    await followed({ 'USD/EUR': '0.92', 'XAU/EUR': '2400' });
    const { data, mark } = await refresh({ USD: '1.0823' });
    expect(mark).toBe(1);
    expect(data).toContainEqual(expect.objectContaining({ what: 'Rate XAU/EUR', result: 'not in the file' }));
    expect(await stored()).toContainEqual(expect.objectContaining({ pair: 'XAU/EUR', rate: '2400' }));
  });

  test('When a rate and its opposite change, then neither makes a circle, whichever falls', async () => {
    await followed({ 'USD/EUR': '0.92', 'EUR/USD': '1.087' });
    for (const [daysAgo, USD] of [
      [3, '1.03'],
      [2, '1.12'],
      [1, '1.01'],
    ] as const) {
      expect((await refresh({ USD }, { daysAgo })).mark).toBe(0);
      expect(await stored()).toEqual([
        expect.objectContaining({ pair: 'EUR/USD', rate: USD }),
        expect.objectContaining({ pair: 'USD/EUR' }),
      ]);
    }
  });

  test('When a circle with a rate of a person would come of it, then the rate is held, and others are set', async () => {
    await followed({ 'USD/EUR': '0.92', 'INR/EUR': '0.011' });
    await rows(
      database,
      `INSERT INTO forex_rates (source_currency, destination_currency, rate) VALUES ('EUR', 'USD', 1.09)`,
    );
    const { data, mark } = await refresh({ USD: '1.1', INR: '92' });
    expect(mark).toBe(1);
    const circle = expect.stringContaining('A client gains in a circle of these rates');
    expect(data).toContainEqual(
      expect.objectContaining({ what: 'Rate USD/EUR', result: 'held', reason: circle }),
    );
    expect(data).toContainEqual(expect.objectContaining({ what: 'Rate INR/EUR', result: 'set' }));
    await expect(accept(alice, 'USD/EUR', '0.909090909091')).rejects.toThrow('A client gains in a circle');
    await alice.run('rates set', { ...pairOf('EUR/USD'), rate: '1.11', reason });
    await accept(alice, 'USD/EUR', '0.909090909091');
  });
});

describe('A step beyond the limit', () => {
  const listed = async () => {
    await reviewHeldRates(database);
    return rows(database, `SELECT reason FROM attention WHERE kind = 'RATE_HELD' AND cleared_at IS NULL`);
  };
  beforeEach(async () => {
    await followed({ 'USD/EUR': '0.92' });
    await refresh({ USD: '0.010869565217' }, { daysAgo: 2 });
  });

  test('When the file has 92 instead of 0.92, then orders stay at 0.92, and the attention list has the rate', async () => {
    expect(await stored()).toEqual([expect.objectContaining({ rate: '0.92', held: '92.0000000034' })]);
    expect(await listed()).toEqual([
      { reason: expect.stringContaining('Rates wait for a person (1): USD/EUR 92.0000000034 since') },
    ]);
    await refresh({ USD: '0.010869565217' }, { daysAgo: 2 });
    expect(await stored()).toEqual([expect.objectContaining({ rate: '0.92', held: '92.0000000034' })]);
    expect(await alice.preview('rates refresh', fileOf({ USD: '0.010869565217' }, 1))).toMatch(
      /^Holds until a person accepts it: Rate USD\/EUR.*: more than 20 %$/,
    );
  });

  test('When a later file is within the limit, then its rate applies, and none is held', async () => {
    await refresh({ USD: '1.08' });
    expect(await stored()).toEqual([{ pair: 'USD/EUR', rate: '0.925925925926', held: null, asOf: at(1) }]);
    expect(await listed()).toEqual([]);
  });

  test('When a person accepts the rate, then it applies with the time of the file. A service account may not', async () => {
    await expect(accept(scheduler, 'USD/EUR', '92.0000000034')).rejects.toThrow(
      'A person accepts a held rate',
    );
    await expect(accept(alice, 'USD/EUR', '93')).rejects.toThrow('No rate USD/EUR of 93 is held');
    await accept(alice, 'USD/EUR', '92.0000000034');
    expect(await stored()).toEqual([{ pair: 'USD/EUR', rate: '92.0000000034', held: null, asOf: at(2) }]);
    // The next step is compared with the accepted rate.
    await refresh({ USD: '0.011' });
    expect(await stored()).toEqual([expect.objectContaining({ rate: '90.9090909091', held: null })]);
  });

  test('When a rule about prices exists, then the accepted rate is a proposal, which another held rate ends', async () => {
    await bob.run('approval-rules set', { operation: 'price', roles: 'admin', reason });
    const { data, proposal } = await accept(alice, 'USD/EUR', '92.0000000034');
    expect(data).toContain('Proposed, nothing is done yet');
    expect(await stored()).toEqual([expect.objectContaining({ rate: '0.92' })]);
    await refresh({ USD: '0.0109' });
    await expect(bob.run('approvals approve', { proposal, reason })).rejects.toThrow('preview has changed');
    const second = await accept(alice, 'USD/EUR', '91.7431192661');
    await bob.run('approvals approve', { proposal: second.proposal, reason });
    expect(await stored()).toEqual([expect.objectContaining({ rate: '91.7431192661', held: null })]);
  });

  test('When a file is older than that of the held rate, then it changes nothing', async () => {
    const { data } = await refresh({ USD: '0.9' }, { daysAgo: 3 });
    expect(data).toMatchObject([{ result: 'unchanged' }]);
    expect(await stored()).toEqual([expect.objectContaining({ rate: '0.92', held: '92.0000000034' })]);
  });

  test('When a person sets the rate before the time that the file of the day states, then the file does not undo it', async () => {
    await rows(database, `UPDATE forex_rates SET held_as_of = now() + interval '3 hours'`);
    await alice.run('rates set', { ...pairOf('USD/EUR'), rate: '0.93', reason });
    expect(await stored()).toEqual([expect.objectContaining({ rate: '0.93', held: null })]);
    await rows(database, `UPDATE forex_rates SET as_of = now() + interval '3 hours'`);
    await alice.run('rates set', { ...pairOf('USD/EUR'), rate: '0.94', reason });
    const { ahead } = await oneRow<{ ahead: boolean }>(
      database,
      'SELECT as_of > now() AS ahead FROM forex_rates',
    );
    expect(ahead).toBe(true);
  });

  test('When a person sets the rate, or ends its following, then no rate is held', async () => {
    await alice.run('rates set', { ...pairOf('USD/EUR'), rate: '0.93', reason });
    expect(await stored()).toEqual([expect.objectContaining({ rate: '0.93', held: null })]);
    await rows(database, `UPDATE forex_rates SET as_of = now() - interval '9 days'`);
    await refresh({ USD: '0.01' });
    expect(await stored()).toEqual([expect.objectContaining({ held: '100' })]);
    await alice.run('rates unfollow', { ...pairOf('USD/EUR'), reason });
    expect(await stored()).toEqual([expect.objectContaining({ rate: '0.93', held: null })]);
    expect((await refresh({ USD: '1.08' })).data).toEqual([]);
  });
});

describe('A rate that stops', () => {
  let client: Client;
  let offer: Offer;
  let wallets: Record<'USD' | 'EUR', number>;
  beforeAll(async () => {
    const { clientId, walletId: USD } = await newHolder(database, 1_000);
    client = (await findClient(database, clientId)) as Client;
    const { id: EUR } = await oneRow<{ id: number }>(
      database,
      `INSERT INTO wallets (client_id, currency_code, is_default) VALUES ($clientId, 'EUR', false) RETURNING id`,
      { clientId },
    );
    wallets = { USD, EUR };
    const product = voucherProduct('Coffee', { denominations: [{ min: '5', max: '500', discount: '0' }] });
    const categories = [{ name: product.category, subCategories: [] }];
    const ids = await importProducts(database, { categories, voucherProducts: [product] });
    offer = (await findVoucherOffer(database, client, ids.get(product.sku) as number, 100)) as Offer;
  });

  const quote = (currency: 'USD' | 'EUR', reader = service) =>
    quoteOrder(reader, client, offer, {
      quantity: 1,
      walletId: wallets[currency],
      notOnSale: () => errors.notFound('Product'),
    });
  /** Makes all rates as old as this before they stop. */
  const leave = (left: string) =>
    rows(
      database,
      `UPDATE forex_rates SET as_of = now() - make_interval(hours => $hours) + $left::interval`,
      {
        hours: STOP_HOURS,
        left,
      },
    );
  const version = () => catalogueVersion(service, client.id, familyIds);

  test('When a rate is too old, then it has no price any more, and the same currency goes on', async () => {
    await followed({ 'USD/EUR': '0.92' });
    await leave('1 hour');
    const { pricing, rateEndsInMs } = await quote('EUR');
    expect(pricing.price.toFixed()).toBe('92');
    expect(rateEndsInMs).toBeGreaterThan(3_500_000);
    expect(rateEndsInMs).toBeLessThanOrEqual(3_600_000);
    await leave('0');
    await expect(quote('EUR')).rejects.toMatchObject({ code: 'EXCHANGE_RATE_UNAVAILABLE' });
    expect(await quote('USD')).toMatchObject({ rateEndsInMs: null });
    // Without the setting, no rate stops.
    expect(await quote('EUR', database)).toMatchObject({ rateEndsInMs: null });
  });

  test("When Friday's file comes all week, then it does not make the rate younger", async () => {
    await followed({ 'USD/EUR': '0.92' });
    for (let day = 0; day < 5; day++) await refresh({ USD: '1.0823' }, { daysAgo: 4 });
    expect(await stored()).toEqual([expect.objectContaining({ asOf: at(4) })]);
    await expect(quote('EUR')).rejects.toMatchObject({ code: 'EXCHANGE_RATE_UNAVAILABLE' });
    await refresh({ USD: '1.0823' });
    await quote('EUR');
  });

  test('When charges are cached, then they end with their rate', async () => {
    await followed({ 'USD/EUR': '0.92' });
    const endsInMs = ({ rateEndsInMs }: { rateEndsInMs: number | null }) => rateEndsInMs;
    const cache = new VersionedCache(() => 1, { maxSize: 9, sizeOf: () => 1, maxAgeMs: 60_000, endsInMs });
    const read = jest.fn(() => quote('EUR'));
    await leave('1 hour');
    await cache.get('long', read);
    await cache.get('long', read);
    expect(read).toHaveBeenCalledTimes(1);
    await leave('300 milliseconds');
    await cache.get('short', read);
    const ends = async (): Promise<unknown> => {
      await setImmediate();
      const answer = await Promise.resolve(cache.get('short', read)).catch((error: unknown) => error);
      return answer instanceof Error ? answer : ends();
    };
    expect(await ends()).toMatchObject({ code: 'EXCHANGE_RATE_UNAVAILABLE' });
  });

  test('When a rate stops or starts again, then price lists have another version, and clients are notified once', async () => {
    await rows(
      database,
      `INSERT INTO webhook_endpoints (client_id, nonce, url, description, event_types, enabled, sealed_secret)
       VALUES ($clientId, 'n1', 'https://a.example', '', '{catalogue.changed}', true, '')`,
      { clientId: client.id },
    );
    const events = async () => {
      await rows(database, `UPDATE catalogue_announced SET at = at - interval '1 minute'`);
      await rows(database, `DELETE FROM events WHERE type = 'catalogue.changed'`);
      await announceCatalogueChanges(service);
      return (await rows(database, `SELECT FROM events WHERE type = 'catalogue.changed'`)).length;
    };
    await followed({ 'USD/EUR': '0.92' });
    await leave('1 day');
    await events();
    const before = await version();
    await rows(database, 'DELETE FROM catalogue_changes');
    // As if a day had passed: the row itself does not change.
    const later = openDatabase(scratch.url, 1, { rateStopHours: STOP_HOURS - 25 });
    const laterVersion = await catalogueVersion(later, client.id, familyIds);
    await later.close();
    expect(laterVersion).not.toBe(before);
    await leave('-2 minutes');
    await rows(database, 'DELETE FROM catalogue_changes');
    await rows(database, `UPDATE catalogue_announced SET at = now() - interval '10 minutes'`);
    const stopped = await version();
    expect(await events()).toBe(1);
    expect(await events()).toBe(0);
    // Once, when it stopped.
    expect(await version()).toBe(stopped);
    await refresh({ USD: '1.0869' });
    expect(await version()).not.toBe(stopped);
  });

  test('When a rate is old or has stopped, then the attention list says so until it is set again', async () => {
    const listed = async (maxAgeHours: number, reader = service) => {
      await reviewRateAges(reader, maxAgeHours);
      const kind = `SELECT reason FROM attention WHERE kind = 'RATES_OLD' AND cleared_at IS NULL`;
      return (await rows<{ reason: string }>(database, kind)).map(({ reason: text }) => text);
    };
    await followed({ 'USD/EUR': '0.92' });
    await leave('1 hour');
    expect(await listed(0)).toEqual([]);
    expect(await listed(24)).toEqual([
      expect.stringMatching(/older than 24 hours \(1\): rate USD\/EUR of \S+\. Set/),
    ]);
    await leave('0');
    const stop = expect.stringMatching(
      /too old for orders \(1\): rate USD\/EUR of \S+ \(no order uses it any more\)/,
    );
    expect(await listed(0)).toEqual([stop]);
    await refresh({ USD: '1.0823' });
    expect(await listed(0)).toEqual([]);
  });
});
