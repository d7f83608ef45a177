/** Rates that follow the ECB, and rates that stop. docs/decisions/0090-let-rates-age.md. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { catalogueVersion } from '../../../src/data/catalogue/catalogue-versions';
import { announceCatalogueChanges } from '../../../src/data/catalogue/catalogue-announcements';
import { findVoucherOffer, type Offer } from '../../../src/data/catalogue/sellable-items';
import { findClient, type Client } from '../../../src/data/clients/clients';
import { openDatabase, rows, type Database } from '../../../src/data/database/database';
import { empty, sql } from '../../../dev/testbed/sql';
import { VersionedCache } from '../../../src/data/database/versioned-cache';
import { deleteOldFetchedRates } from '../../../src/data/prices/kept-rate-files';
import { errors } from '../../../src/domain/errors';
import { familyIds } from '../../../src/domain/orders/families';
import { reviewHeldRates, reviewRateAges } from '../../../src/ordering/maintenance/rate-review';
import { quoteOrder } from '../../../src/ordering/placement/quotes';
import { importProducts, voucherProduct } from '../../support/catalogue';
import { newHolder } from '../../../dev/testbed/ledger-rows';
import { lockWaits } from '../../support/lock-waits';
import { storeServiceAccount, useOperatingPeople, type OperatingPerson } from '../../support/operating-people';
import { scratchDatabase } from '../../../dev/testbed/scratch-database';

const scratch = scratchDatabase();
const { database } = scratch;
const reason = 'Ticket 4711';
/** 80 hours: a Friday's file ends on the next Tuesday at midnight. */
const STOP_HOURS = 80;

/** The feed: what the address in the settings answers. */
let published = '';
const feed = createServer((_request, response) => response.end(published));

let service: Database;
let feedUrl: string;
beforeAll(async () => {
  await new Promise<void>((listening) => feed.listen(0, '127.0.0.1', listening));
  feedUrl = `http://127.0.0.1:${(feed.address() as AddressInfo).port}/rates`;
});
const { people, alice, bob } = useOperatingPeople(scratch, { alice: 'admin', bob: 'admin' }, () => ({
  RATE_FEED_URL: feedUrl,
  WEBHOOKS_ALLOW_LOOPBACK: 'true',
}));
let scheduler: OperatingPerson;
beforeAll(async () => {
  const account = { name: 'scheduler', role: 'finance', owner: 'alice', operation: 'rates refresh' } as const;
  const id = await storeServiceAccount(scratch, account);
  scheduler = people.as('scheduler', 'finance', { owner: 'account-alice', id });
  service = openDatabase(scratch.url, 2, { rateStopHours: STOP_HOURS });
});
afterAll(async () => {
  await service.close();
  feed.closeAllConnections();
  await new Promise((closed) => feed.close(closed));
});
beforeEach(async () => {
  await empty(
    database,
    'approval_rules approval_proposals forex_rates reference_rates confirmed_values fetched_rates attention',
  );
});

const pairOf = (pair: string) => ({ product_currency: pair.slice(0, 3), wallet_currency: pair.slice(4) });

/** Rates that were set ten days ago and follow the ECB, whose spreads have stood for a day. */
async function followed(rates: Readonly<Record<string, string>>, spread = '0'): Promise<void> {
  await sql(database)`INSERT INTO forex_rates (source_currency, destination_currency, rate, as_of)
     SELECT left(key, 3), right(key, 3), value::numeric, now() - interval '10 days' FROM jsonb_each_text(${JSON.stringify(rates)}::jsonb)`;
  for (const pair of Object.keys(rates)) await alice.run('rates follow', { ...pairOf(pair), spread, reason });
  await letStand();
}

const letStand = () => sql(database)`UPDATE confirmed_values SET since = now() - interval '24 hours'`;

/** The date in Frankfurt. */
const dayBefore = (days: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(Date.now() - days * 86_400_000);

type Rates = Readonly<Record<string, string>>;

/** A file of the day. */
const textOf = (perEuro: Rates, daysAgo: number) =>
  [
    ['Date', ...Object.keys(perEuro)],
    [dayBefore(daysAgo), ...Object.values(perEuro)],
  ].join('\n');

/** The feed has the file from now on. */
function publish(perEuro: Rates, daysAgo: number): void {
  published = textOf(perEuro, daysAgo);
}

/** Refreshes the rates by the feed, which has this file. */
function refresh(perEuro: Rates, { daysAgo = 1, by = scheduler } = {}) {
  publish(perEuro, daysAgo);
  return by.run('rates refresh');
}

/** Gives a file of one's own. */
const give = (perEuro: Rates, { daysAgo = 1, by = alice } = {}) =>
  by.run('rates refresh', { file: { name: 'ecb.csv', text: textOf(perEuro, daysAgo) }, reason });

interface Stored {
  pair: string;
  rate: string;
  held: string | null;
  asOf: string;
  /** The day of the file of the held rate, if one is held, or else of the rate. */
  day: string | null;
}
const stored = () =>
  sql(database)<Stored>`
    SELECT source_currency || '/' || destination_currency AS pair, trim_scale(rate)::text AS rate, trim_scale(held_rate)::text AS held,
            to_char(as_of AT TIME ZONE 'Europe/Berlin', 'YYYY-MM-DD HH24:MI') AS "asOf", coalesce(held_file_day, file_day)::text AS day FROM forex_rates ORDER BY 1`;
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
      { pair: 'INR/USD', rate: '0.0120721741366', held: null, asOf: at(1), day: dayBefore(1) },
      { pair: 'USD/EUR', rate: '0.94243740183', held: null, asOf: at(1), day: dayBefore(1) },
    ]);
    const audited = await sql(database)`SELECT DISTINCT operator, reason FROM audit_entries
         WHERE command = 'rates refresh'`;
    expect(audited).toEqual([{ operator: 'scheduler', reason: `Rates of the ECB of ${dayBefore(1)}` }]);
  });

  test('When it is older than a rate, or comes again, then it changes nothing', async () => {
    await followed({ 'USD/EUR': '0.92' });
    await refresh({ USD: '1.08' });
    const present = await stored();
    for (const [USD, daysAgo] of [
      ['1.08', 1],
      ['1.09', 2],
    ] as const)
      expect((await refresh({ USD }, { daysAgo })).data).toEqual([
        expect.objectContaining({ result: 'unchanged', after: '0.925925925926' }),
      ]);
    expect(await stored()).toEqual(present);
  });

  test('When it corrects the file of its day, then the corrected rate applies, and one beyond the limit is held with that day', async () => {
    await followed({ 'USD/EUR': '0.92' });
    await refresh({ USD: '1.08' });
    expect((await refresh({ USD: '1.09' })).data).toEqual([
      expect.objectContaining({ result: 'set', after: '0.917431192661' }),
    ]);
    await refresh({ USD: '0.7' });
    expect(await stored()).toEqual([expect.objectContaining({ held: '1.42857142858', day: dayBefore(1) })]);
    await accept(alice, 'USD/EUR', '1.42857142858');
    expect(await stored()).toEqual([
      { pair: 'USD/EUR', rate: '1.42857142858', held: null, asOf: at(1), day: dayBefore(1) },
    ]);
    expect((await refresh({ USD: '0.7' })).data).toEqual([expect.objectContaining({ result: 'unchanged' })]);
  });

  test('When it is of today before 16:00 in Frankfurt, then the rate has the time of the refresh', async () => {
    await followed({ 'USD/EUR': '0.92' });
    await refresh({ USD: '1.08' }, { daysAgo: 0 });
    const { right } = await sql.one(database)<{ right: boolean }>`
      SELECT as_of = least(updated_at, (file_day + time '16:00') AT TIME ZONE 'Europe/Berlin') AS right
       FROM forex_rates`;
    expect(right).toBe(true);
  });

  test('When a person has set the rate, then only a file of a later day than that changes it', async () => {
    await followed({ 'USD/EUR': '0.92' });
    await refresh({ USD: '1.08' });
    await alice.run('rates set', { ...pairOf('USD/EUR'), rate: '0.93', reason });
    for (const daysAgo of [1, 0]) await refresh({ USD: '1.09' }, { daysAgo });
    expect(await stored()).toEqual([expect.objectContaining({ rate: '0.93', day: null })]);
    await sql(database)`UPDATE forex_rates SET as_of = as_of - interval '1 day'`;
    await refresh({ USD: '1.09' }, { daysAgo: 0 });
    expect(await stored()).toEqual([expect.objectContaining({ rate: '0.917431192661', day: dayBefore(0) })]);
  });

  test('When a person sets the rate to the held one of a correction, then it is a rate of that person', async () => {
    await followed({ 'USD/EUR': '0.92' });
    await refresh({ USD: '1.08' });
    await refresh({ USD: '0.7' });
    await alice.run('rates set', { ...pairOf('USD/EUR'), rate: '1.42857142858', reason, force: true });
    expect(await stored()).toEqual([expect.objectContaining({ rate: '1.42857142858', held: null, day: null })]);
    expect(
      await sql.one(database)`SELECT as_of = updated_at AND person_rate = rate AS "isOfPerson"
           FROM forex_rates`,
    ).toEqual({ isOfPerson: true });
  });

  test.each(['0.9', '0.8'])(
    'When it comes again after a person has given %s for its day, then the rate of that person stays',
    async (USD) => {
      await followed({ 'USD/EUR': '1' });
      await refresh({ USD: '1' });
      await give({ USD });
      if (USD === '0.8') await accept(bob, 'USD/EUR', '1.25');
      const given = await stored();
      for (let times = 0; times < 2; times++)
        expect((await refresh({ USD: '1' })).data).toEqual([expect.objectContaining({ result: 'unchanged' })]);
      expect(await stored()).toEqual(given);
      expect((await refresh({ USD: '0.95' })).data).toEqual([expect.objectContaining({ result: 'set' })]);
    },
  );

  test.each(['the feed', 'an account'])(
    'When another transaction ends the one of a file of %s, then nothing of the file is kept',
    async (giver) => {
      await followed({ 'USD/EUR': '1', 'INR/EUR': '0.011' });
      const present = await stored();
      for (const statement of [
        `CREATE FUNCTION conflict() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE SQLSTATE '40P01'; END $$`,
        `CREATE TRIGGER conflict BEFORE UPDATE OF rate ON forex_rates FOR EACH ROW WHEN (OLD.source_currency = 'USD') EXECUTE FUNCTION conflict()`,
      ])
        await rows(database, statement);
      try {
        await expect((giver === 'the feed' ? refresh : give)({ USD: '0.99', INR: '91' })).rejects.toThrow('40P01');
      } finally {
        await sql(database)`DROP FUNCTION conflict CASCADE`;
      }
      expect(await stored()).toEqual(present);
      expect(await sql(database)`SELECT FROM fetched_rates`).toEqual([]);
    },
  );

  test('When a rate begins to follow while it is applied, then it leaves that rate to the next one', async () => {
    await followed({ 'USD/EUR': '1' });
    await sql(database)`INSERT INTO forex_rates (source_currency, destination_currency, rate, as_of)
         VALUES ('INR', 'EUR', 0.011, now() - interval '9 days')`;
    publish({ USD: '1.01', INR: '91' }, 1);
    const applied = await database.transaction(async (transaction) => {
      await sql(database, transaction)`SELECT FROM confirmed_values FOR UPDATE`;
      const refreshed = scheduler.run('rates refresh');
      await lockWaits(database, 1, 'confirmed_values known');
      await alice.run('rates follow', { ...pairOf('INR/EUR'), spread: '0', reason });
      return { refreshed };
    });
    expect((await applied.refreshed).data).toEqual([expect.objectContaining({ what: 'Rate USD/EUR' })]);
    expect((await scheduler.run('rates refresh')).data).toContainEqual(
      expect.objectContaining({ what: 'Rate INR/EUR', result: 'set' }),
    );
  });

  test('When it is of a later day than today, or faulty, then nothing changes', async () => {
    await followed({ 'USD/EUR': '0.92' });
    const present = await stored();
    await expect(refresh({ USD: '1.08' }, { daysAgo: -1 })).rejects.toThrow('a day later than today');
    await expect(refresh({ USD: '0', INR: '91' })).rejects.toThrow('must be above 0');
    for (const [url, cause] of [
      ['ftp://ecb.example/rates', 'begins with https://'],
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
    await sql(database)`INSERT INTO forex_rates (source_currency, destination_currency, rate)
         VALUES ('EUR', 'USD', 1.09)`;
    const { data, mark } = await refresh({ USD: '1.1', INR: '92' });
    expect(mark).toBe(1);
    const circle = expect.stringContaining('A client gains in a circle of these rates');
    expect(data).toContainEqual(expect.objectContaining({ what: 'Rate USD/EUR', result: 'held', reason: circle }));
    expect(data).toContainEqual(expect.objectContaining({ what: 'Rate INR/EUR', result: 'set' }));
    await expect(accept(alice, 'USD/EUR', '0.909090909091')).rejects.toThrow('A client gains in a circle');
    await alice.run('rates set', { ...pairOf('EUR/USD'), rate: '1.11', reason });
    await accept(alice, 'USD/EUR', '0.909090909091');
  });
});

describe('A step beyond the limit', () => {
  const listed = async () => {
    await reviewHeldRates(database);
    return sql(database)`SELECT reason FROM attention WHERE kind = 'RATE_HELD' AND cleared_at IS NULL`;
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
    publish({ USD: '0.010869565217' }, 1);
    expect(await alice.preview('rates refresh')).toMatch(
      /^Holds until a person accepts it: Rate USD\/EUR.*: more than 20 % \(the feed's file of [-0-9]{10}\)$/,
    );
  });

  test('When a later file is within the limit, then its rate applies, and none is held', async () => {
    await refresh({ USD: '1.08' });
    expect(await stored()).toEqual([
      { pair: 'USD/EUR', rate: '0.925925925926', held: null, asOf: at(1), day: dayBefore(1) },
    ]);
    expect(await listed()).toEqual([]);
  });

  test('When a person accepts the rate, then it applies with the time of the file. A service account may not', async () => {
    await expect(accept(scheduler, 'USD/EUR', '92.0000000034')).rejects.toThrow('A person accepts a held rate');
    await expect(accept(alice, 'USD/EUR', '93')).rejects.toThrow('No rate USD/EUR of 93 is held');
    await accept(alice, 'USD/EUR', '92.0000000034');
    expect(await stored()).toEqual([
      { pair: 'USD/EUR', rate: '92.0000000034', held: null, asOf: at(2), day: dayBefore(2) },
    ]);
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

  test('When a person sets the rate, or ends its following, then no rate is held', async () => {
    await alice.run('rates set', { ...pairOf('USD/EUR'), rate: '0.93', reason });
    expect(await stored()).toEqual([expect.objectContaining({ rate: '0.93', held: null })]);
    await sql(database)`UPDATE forex_rates SET as_of = now() - interval '9 days'`;
    await refresh({ USD: '0.01' });
    expect(await stored()).toEqual([expect.objectContaining({ held: '100' })]);
    await alice.run('rates unfollow', { ...pairOf('USD/EUR'), reason });
    expect(await stored()).toEqual([expect.objectContaining({ rate: '0.93', held: null })]);
    expect((await refresh({ USD: '1.08' })).data).toEqual([]);
  });
});

describe('The steps of the feed', () => {
  const file = (rate: number) => ({ USD: (1 / rate).toFixed(6) });

  test('When a currency falls by a quarter in a year, then each of its rates is set', async () => {
    await followed({ 'USD/EUR': '1' });
    await sql(database)`UPDATE forex_rates SET as_of = now() - interval '400 days'`;
    for (let daysAgo = 360; daysAgo >= 0; daysAgo -= 30)
      expect((await refresh(file(0.75 + daysAgo / 1440), { daysAgo })).data).toEqual([
        expect.objectContaining({ result: 'set' }),
      ]);
    expect(Number((await stored())[0]?.rate)).toBeCloseTo(0.75, 4);
  });

  test('When a currency falls faster, then its steps of 30 days count together, and what was held is no basis', async () => {
    await followed({ 'USD/EUR': '1' });
    await sql(database)`UPDATE forex_rates SET as_of = now() - interval '400 days'`;
    const results: string[] = [];
    for (const [daysAgo, rate] of [
      [90, 1.0],
      [89, 0.9],
      [88, 0.81],
      [87, 0.7],
      [50, 0.7],
      [10, 0.71],
    ] as const) {
      const { data } = await refresh(file(rate), { daysAgo });
      results.push((data as { result: string }[])[0]?.result ?? '');
    }
    expect(results).toEqual(['set', 'set', 'set', 'held', 'set', 'set']);
  });

  test('When the first file is wrong, then the next one is compared with the rate of a person', async () => {
    await followed({ 'USD/EUR': '0.92' });
    await refresh({ USD: '0.0108' }, { daysAgo: 3 });
    for (const daysAgo of [2, 1])
      expect((await refresh({ USD: '0.0108' }, { daysAgo })).data).toEqual([
        expect.objectContaining({ result: 'held' }),
      ]);
    await refresh({ USD: '1.08' }, { daysAgo: 0 });
    expect(await stored()).toEqual([expect.objectContaining({ rate: '0.925925925926', held: null })]);
  });

  test('When a correction lacks a currency of a rate, then the steps of that rate count from another file', async () => {
    await followed({ 'USD/EUR': '1' });
    await sql(database)`UPDATE forex_rates SET as_of = now() - interval '400 days'`;
    await refresh(file(0.85), { daysAgo: 60 });
    await refresh(file(0.75), { daysAgo: 35 });
    await refresh({ INR: '91' }, { daysAgo: 35 });
    expect((await refresh(file(0.7))).data).toEqual([expect.objectContaining({ result: 'set' })]);
  });

  test('When a person has set a rate since, then the steps count from that rate', async () => {
    await followed({ 'USD/EUR': '1' });
    await refresh(file(0.9), { daysAgo: 40 });
    await refresh(file(0.85), { daysAgo: 3 });
    await alice.run('rates set', { ...pairOf('USD/EUR'), rate: '1', reason });
    await sql(database)`UPDATE forex_rates SET as_of = now() - interval '2 days'`;
    expect((await refresh(file(0.79))).data).toEqual([
      expect.objectContaining({ result: 'held', reason: expect.stringContaining('Rate USD/EUR: old value 1, new') }),
    ]);
  });

  test('When it corrects the file of a person again and again, then its steps count from the rate of that file', async () => {
    await followed({ 'USD/EUR': '1' });
    await give({ USD: '0.9' });
    await refresh({ USD: '1.08' });
    await refresh({ USD: '1.25' });
    expect(await stored()).toEqual([expect.objectContaining({ rate: '0.925925925926', held: '0.8' })]);
  });

  test('When it is refreshed twice at once, or again and again, then it takes one step', async () => {
    await followed({ 'USD/EUR': '1' });
    publish({ USD: '1.25' }, 1);
    const both = await Promise.all([scheduler.run('rates refresh'), alice.run('rates refresh')]);
    const results = both.flatMap(({ data }) => (data as { result: string }[]).map(({ result }) => result));
    expect(results.sort()).toEqual(['set', 'unchanged']);
    for (const daysAgo of [1, 0]) await refresh({ USD: '1.6' }, { daysAgo });
    expect(await stored()).toEqual([expect.objectContaining({ rate: '0.8', held: '0.625' })]);
  });
});

describe('A file that an account gives', () => {
  const confirmed = () =>
    sql(database)`SELECT value, confirmed, confirmed_by AS by FROM confirmed_values WHERE kind = 'RATE'
         AND key = '["USD","EUR"]'`;

  test('When it is within the limit, then it sets the rate as a change of that account, which counts after 24 hours', async () => {
    await followed({ 'USD/EUR': '1' });
    expect((await give({ USD: '0.9' })).data).toEqual([
      expect.objectContaining({ result: 'set', after: '1.11111111112' }),
    ]);
    expect(await stored()).toEqual([
      { pair: 'USD/EUR', rate: '1.11111111112', held: null, asOf: at(1), day: dayBefore(1) },
    ]);
    expect(await confirmed()).toEqual([{ value: '1.11111111112', confirmed: '1', by: 'FEED' }]);
    await expect(alice.run('rates set', { ...pairOf('USD/EUR'), rate: '1.25', reason })).rejects.toThrow(
      'since the last confirmed value: old value 1, new value 1.25',
    );
    // The feed corrects it.
    await refresh({ USD: '1.01' });
    expect(await confirmed()).toEqual([{ value: '0.990099009901', confirmed: '0.990099009901', by: 'FEED' }]);
  });

  test.each(['a person', 'a service account'])(
    'When it is beyond the limit, then the rate is held with the origin and the name of %s, and a second person accepts it',
    async (kind) => {
      const by = kind === 'a person' ? alice : scheduler;
      await followed({ 'USD/EUR': '1' });
      await bob.run('approval-rules set', { operation: 'price', roles: 'admin', reason });
      const done = await give({ USD: '0.8' }, { by });
      expect(done).not.toHaveProperty('proposal');
      const name = kind === 'a person' ? 'alice' : 'scheduler';
      expect(done).toMatchObject({ mark: 1, data: [{ result: 'held' }] });
      const origin = `(given by ${name} as "ecb.csv")`;
      expect(await bob.run('rates list')).toMatchObject({
        data: [{ held_rate: '1.25', held_reason: expect.stringContaining(origin) }],
      });
      const { data, proposal } = await accept(alice, 'USD/EUR', '1.25');
      expect(data).toContain(origin);
      expect(await stored()).toEqual([expect.objectContaining({ rate: '1', day: dayBefore(1) })]);
      await bob.run('approvals approve', { proposal, reason });
      expect(await stored()).toEqual([{ pair: 'USD/EUR', rate: '1.25', held: null, asOf: at(1), day: dayBefore(1) }]);
    },
  );

  test('When it differs from the reference rate or from the inverse of the opposite pair by more than the limit, then it is held', async () => {
    await followed({ 'USD/EUR': '1', 'INR/EUR': '0.012' });
    await sql(database)`
      WITH opposite AS (INSERT INTO forex_rates (source_currency, destination_currency, rate) VALUES ('EUR', 'INR', 100))
       INSERT INTO reference_rates (source_currency, destination_currency, rate) VALUES ('USD', 'EUR', 0.9)`;
    const { data } = await give({ USD: '0.9', INR: '81' });
    expect(data).toEqual([
      expect.objectContaining({ what: 'Rate INR/EUR', reason: expect.stringContaining('the inverse of EUR/INR') }),
      expect.objectContaining({ what: 'Rate USD/EUR', reason: expect.stringContaining('the reference rate') }),
    ]);
  });

  test('When it comes from the address of the feed, which the account names, then it is a file of the account', async () => {
    await followed({ 'USD/EUR': '1' });
    publish({ USD: '0.8' }, 1);
    await alice.run('rates refresh', { url: feedUrl, reason });
    expect(await alice.run('rates list')).toMatchObject({
      data: [{ held_reason: expect.stringContaining(`(given by alice as "${feedUrl}")`) }],
    });
    expect(await sql(database)`SELECT FROM fetched_rates`).toEqual([]);
  });

  test('When the feed holds a rate within the limit of the present one, then to accept it still needs the second person of a rule', async () => {
    await followed({ 'USD/EUR': '1' });
    for (const [USD, daysAgo] of [
      ['1', 3],
      ['1.18', 2],
      ['1.3', 1],
    ] as const)
      await refresh({ USD }, { daysAgo });
    await bob.run('approval-rules set', { operation: 'price', roles: 'admin', reason });
    expect(await accept(alice, 'USD/EUR', '0.769230769231')).toHaveProperty('proposal');
  });
});

describe('A spread', () => {
  const follow = (spread: string, more: object = {}) =>
    alice.run('rates follow', { ...pairOf('USD/EUR'), spread, reason, ...more });

  test('When the feed has no file yet, then the prices with the old and the new spread are compared', async () => {
    await followed({ 'USD/EUR': '1' });
    await expect(follow('21')).rejects.toThrow('compared by the price with its spread: old value 100, new value 121');
    await follow('19');
    await expect(follow('41')).rejects.toThrow('since the last confirmed value: old value 100, new value 141');
  });

  test('When the newest file of the feed gives a rate with it beyond the limit, then it needs --force, or with a rule a second person', async () => {
    await followed({ 'USD/EUR': '1' });
    await refresh({ USD: '1.1' });
    await expect(follow('40')).rejects.toThrow(
      'Rate USD/EUR with a spread of 40 %: old value 0.909090909091, new value 1.27272727273',
    );
    await bob.run('approval-rules set', { operation: 'price', roles: 'admin', reason });
    const { proposal } = await follow('40', { force: true });
    await bob.run('approvals approve', { proposal, reason });
    await alice.run('rates unfollow', { ...pairOf('USD/EUR'), reason });
    expect(await follow('0')).not.toHaveProperty('proposal');
  });

  test('When the newest file lacks a currency of the pair, then the rate of the newest one with both is compared', async () => {
    await followed({ 'USD/EUR': '1' });
    await refresh({ USD: '1' }, { daysAgo: 2 });
    await refresh({ INR: '91' });
    await follow('19');
    await letStand();
    await expect(follow('41')).rejects.toThrow('old value 1, new value 1.41');
  });

  test('When a rate is far from that of the feed, then to let it follow is a large change', async () => {
    await followed({ 'INR/EUR': '0.011' });
    await refresh({ INR: '91', USD: '1.1' });
    await sql(database)`INSERT INTO forex_rates (source_currency, destination_currency, rate)
         VALUES ('USD', 'EUR', 0.6)`;
    await expect(follow('0')).rejects.toThrow('old value 0.6, new value 0.909090909091');
  });

  test('When it was set within the last 24 hours, then the feed confirms no rate with it', async () => {
    await followed({ 'USD/EUR': '1' });
    await refresh({ USD: '1' }, { daysAgo: 2 });
    await follow('19');
    await refresh({ USD: '1' });
    const set = () => alice.run('rates set', { ...pairOf('USD/EUR'), rate: '1.4', reason });
    await expect(set()).rejects.toThrow('old value 1, new value 1.4');
    await expect(follow('41')).rejects.toThrow('old value 1, new value 1.41');
    await sql(database)`
      UPDATE confirmed_values SET since = now() - interval '24 hours' WHERE kind = 'SPREAD'`;
    await refresh({ USD: '1.001' });
    await set();
  });
});

describe('A dishonest operator under a rule about prices', () => {
  const pair = pairOf('USD/EUR');
  const give3 = async (days: readonly number[], by?: OperatingPerson) => {
    for (const [step, daysAgo] of days.entries())
      await give({ USD: (1.19 ** -(step + 1)).toFixed(6) }, { daysAgo, ...(by && { by }) });
  };
  const follow = (spread: string) => alice.run('rates follow', { ...pair, spread, reason, force: true });

  /** Each would have moved the rate by two thirds. */
  const tricks: Readonly<Record<string, () => Promise<unknown>>> = {
    'three files of one day': () => give3([1, 1, 1]),
    'a file for each past day': () => give3([3, 2, 1]),
    'files of a service account': () => give3([3, 2, 1], scheduler),
    'files at once': () =>
      Promise.allSettled([
        give({ USD: '0.85' }, { daysAgo: 2 }),
        give({ USD: '0.72' }),
        give({ USD: '0.72' }, { by: scheduler }),
      ]),
    'spreads of true files': async () => {
      for (const [spread, daysAgo] of [
        ['19', 3],
        ['41', 2],
        ['68', 1],
      ] as const) {
        await follow(spread);
        await refresh({ USD: '1' }, { daysAgo });
      }
    },
    'a spread after it ended': async () => {
      for (const spread of ['19', '41', '68']) {
        await alice.run('rates unfollow', { ...pair, reason });
        await follow(spread);
        await refresh({ USD: '1' });
      }
    },
    'a spread, then a rate': async () => {
      await follow('19');
      await refresh({ USD: '1' });
      await alice.run('rates set', { ...pair, rate: '1.41', reason, force: true });
    },
    'a spread, then a file': async () => {
      await follow('19');
      await refresh({ USD: '1' }, { daysAgo: 2 });
      await give({ USD: '0.85' });
    },
    'a file, then a refresh of the feed, then files again': async () => {
      await give({ USD: '0.85' }, { daysAgo: 3 });
      await refresh({ USD: '1' }, { daysAgo: 3 });
      await give({ USD: '0.85' }, { daysAgo: 2 });
      await give({ USD: '0.72' });
    },
    'a held rate that the same person accepts': async () => {
      await give({ USD: '0.7' });
      await accept(alice, 'USD/EUR', '1.42857142858');
    },
  };

  test.each(Object.entries(tricks))('When a trick is %s, then the rate moves within the limit', async (_name, act) => {
    await followed({ 'USD/EUR': '1' });
    await refresh({ USD: '1' }, { daysAgo: 4 });
    await bob.run('approval-rules set', { operation: 'price', roles: 'admin', reason });
    await act();
    const rate = Number((await stored())[0]?.rate);
    expect(rate).toBeGreaterThanOrEqual(0.8);
    expect(rate).toBeLessThanOrEqual(1.2);
  });
});

describe('Rates that follow, on the attention list', () => {
  const listed = async () => {
    await reviewRateAges(database, 0);
    return (
      await sql(database)<{ reason: string }>`SELECT reason FROM attention WHERE kind = 'RATES_OLD'
         AND cleared_at IS NULL`
    )
      .map(({ reason: text }) => text)
      .join();
  };

  test('When a rate that follows is older than 130 hours, then it is listed without any setting', async () => {
    await followed({ 'USD/EUR': '0.92' });
    await refresh({ USD: '1.08' });
    await sql(database)`UPDATE forex_rates SET as_of = now() - interval '129 hours'`;
    expect(await listed()).toBe('');
    await sql(database)`UPDATE forex_rates SET as_of = now() - interval '131 hours'`;
    expect(await listed()).toMatch(
      /^Rates that follow the ECB are older than 130 hours \(1\): rate USD\/EUR of \S+\. Refresh/,
    );
    await alice.run('rates unfollow', { ...pairOf('USD/EUR'), reason });
    expect(await listed()).toBe('');
  });

  test('When nothing was fetched for 26 hours although a rate follows, then that is listed until the feed is read', async () => {
    const silent = 'Nothing was fetched from the ECB for 26 hours';
    await followed({ 'USD/EUR': '0.92' });
    await sql(database)`UPDATE forex_rates SET as_of = now() - interval '3 days'`;
    expect(await listed()).toBe('');
    await sql(database)`UPDATE forex_rates SET followed_at = now() - interval '27 hours'`;
    await alice.run('rates follow', { ...pairOf('USD/EUR'), spread: '1', reason });
    await give({ USD: '1.08' });
    expect(await listed()).toContain(silent);
    await refresh({ USD: '1.08' });
    expect(await listed()).toBe('');
    await sql(database)`UPDATE fetched_rates SET fetched_at = now() - interval '27 hours'`;
    expect(await listed()).toContain(silent);
    await refresh({ USD: '1.08' });
    expect(await listed()).toBe('');
  });

  test('When a currency leaves the file of the feed, then that is listed at once', async () => {
    await followed({ 'USD/EUR': '0.92', 'EUR/INR': '91' });
    await refresh({ USD: '1.08', INR: '91' }, { daysAgo: 2 });
    await give({ USD: '1.08' });
    expect(await listed()).toBe('');
    await refresh({ USD: '1.08' });
    expect(await listed()).toContain('lacks currencies of rates that follow it (1): INR. Set');
  });

  test('When files of the feed are older than 400 days, then maintenance deletes them', async () => {
    await refresh({ USD: '1.08' });
    await sql(database)`INSERT INTO fetched_rates (day, per_euro, set_rates)
         VALUES (current_date - 399, '{}', '{}'), (current_date - 402, '{}', '{}')`;
    expect(await deleteOldFetchedRates(database)).toBe(1);
    expect(await sql(database)`SELECT FROM fetched_rates`).toHaveLength(2);
  });
});

describe('A rate that stops', () => {
  let client: Client;
  let offer: Offer;
  let wallets: Record<'USD' | 'EUR', number>;
  beforeAll(async () => {
    const { clientId, walletId: USD } = await newHolder(database, 1_000);
    client = (await findClient(database, clientId)) as Client;
    const { id: EUR } = await sql.one(database)<{ id: number }>`
      INSERT INTO wallets (client_id, currency_code, is_default) VALUES (${clientId}, 'EUR', false)
       RETURNING id`;
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
    sql(database)`UPDATE forex_rates
         SET as_of = now() - make_interval(hours => ${STOP_HOURS}) + ${left}::interval`;
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
    await sql(database)`
      INSERT INTO webhook_endpoints (client_id, nonce, url, description, event_types, enabled, sealed_secret)
       VALUES (${client.id}, 'n1', 'https://a.example', '', '{catalogue.changed}', true, '')`;
    const events = async () => {
      await sql(database)`UPDATE catalogue_announced SET at = at - interval '1 minute'`;
      await sql(database)`DELETE FROM events WHERE type = 'catalogue.changed'`;
      await announceCatalogueChanges(service);
      return (await sql(database)`SELECT FROM events WHERE type = 'catalogue.changed'`).length;
    };
    await followed({ 'USD/EUR': '0.92' });
    await leave('1 day');
    await events();
    const before = await version();
    await sql(database)`DELETE FROM catalogue_changes`;
    // As if a day had passed: the row itself does not change.
    const later = openDatabase(scratch.url, 1, { rateStopHours: STOP_HOURS - 25 });
    const laterVersion = await catalogueVersion(later, client.id, familyIds);
    await later.close();
    expect(laterVersion).not.toBe(before);
    await leave('-2 minutes');
    await sql(database)`DELETE FROM catalogue_changes`;
    await sql(database)`UPDATE catalogue_announced SET at = now() - interval '10 minutes'`;
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
      return (
        await sql(database)<{ reason: string }>`SELECT reason FROM attention WHERE kind = 'RATES_OLD'
           AND cleared_at IS NULL`
      ).map(({ reason: text }) => text);
    };
    await followed({ 'USD/EUR': '0.92' });
    await leave('1 hour');
    expect(await listed(0)).toEqual([]);
    expect(await listed(24)).toEqual([expect.stringMatching(/older than 24 hours \(1\): rate USD\/EUR of \S+\. Set/)]);
    await leave('0');
    const stop = expect.stringMatching(/too old for orders \(1\): rate USD\/EUR of \S+ \(no order uses it any more\)/);
    expect(await listed(0)).toEqual([stop]);
    await refresh({ USD: '1.0823' });
    expect(await listed(0)).toEqual([]);
  });
});
