/** Rates of clients that a feed sets, and those of its rates that wait for a person. docs/decisions/0090-let-rates-age.md. */
import { firstRow, hasRow, oneRow, rows, type Database } from '../database/database';
import type { GuardedValue } from './stored-confirmed-values';
import type { FollowedRate, Pair } from './rates-due-by-day';

/** SQL: the time that a file of the day states: when the ECB sets its rates, or now if that is earlier. */
const FILE_TIME = `least(now(), ($day::date + time '16:00') AT TIME ZONE 'Europe/Berlin')`;

/** The pairs whose rates follow the feed. */
export function followedPairs(database: Database): Promise<Pair[]> {
  return rows<Pair>(
    database,
    `SELECT source_currency AS source, destination_currency AS destination FROM forex_rates WHERE spread_percent IS NOT NULL ORDER BY 1, 2`,
  );
}

const ofPair = 'source_currency = $source AND destination_currency = $destination';

/** The last rate that a person set; the present one if the feed has not changed it since. */
export async function personsRate(database: Database, { source, destination }: Pair): Promise<string> {
  const statement = `SELECT trim_scale(coalesce(person_rate, rate))::text AS rate FROM forex_rates WHERE ${ofPair}`;
  return (await oneRow<{ rate: string }>(database, statement, { source, destination })).rate;
}

/** A rate of a file. */
interface RateOfFile {
  day: string;
  rate: string;
}

/** The values of a rate that a file sets. The empty reason tells the trigger `date_rate` so, which takes the day and empties the held columns. */
const asOfFile = `rate = $rate, as_of = ${FILE_TIME}, held_file_day = $day::date, held_reason = '', updated_at = now()`;

/** Sets the rate by a file of the feed. False if the rate is no longer `before`. */
export function setByFeed(
  database: Database,
  { source, destination, rate: before }: FollowedRate,
  { day, rate }: RateOfFile,
): Promise<boolean> {
  return hasRow(
    database,
    `UPDATE forex_rates SET ${asOfFile}, person_rate = coalesce(person_rate, rate), person_rate_at = coalesce(person_rate_at, as_of)
      WHERE ${ofPair} AND rate = $before RETURNING rate`,
    { source, destination, before, day, rate },
  );
}

/** Sets the rate by a file that a person gives. False if the rate is no longer `before`. */
export function setByPerson(
  database: Database,
  { source, destination, rate: before }: FollowedRate,
  { day, rate }: RateOfFile,
): Promise<boolean> {
  return hasRow(
    database,
    `UPDATE forex_rates SET ${asOfFile}, person_rate = $rate, person_rate_at = now()
      WHERE ${ofPair} AND rate = $before RETURNING rate`,
    { source, destination, before, day, rate },
  );
}

/** Holds the rate of the file until a person accepts it, in place of another one. The same one of the same day stays with its reason. */
export async function holdRate(
  database: Database,
  { source, destination }: Pair,
  { day, rate, reason }: RateOfFile & { reason: string },
): Promise<void> {
  await rows(
    database,
    `UPDATE forex_rates SET held_rate = $rate, held_as_of = ${FILE_TIME}, held_file_day = $day::date, held_reason = $reason
      WHERE ${ofPair} AND (held_rate, held_file_day) IS DISTINCT FROM ($rate::numeric, $day::date)`,
    { source, destination, day, rate, reason },
  );
}

/** Why the rate is held; undefined if no such rate is. */
export async function whyHeld(
  database: Database,
  { source, destination }: Pair,
  rate: string,
): Promise<string | undefined> {
  const statement = `SELECT held_reason AS reason FROM forex_rates WHERE ${ofPair} AND held_rate = $rate`;
  return (await firstRow<{ reason: string }>(database, statement, { source, destination, rate }))?.reason;
}

/** Makes the held rate the rate, with the time and the day of its file. False if no such rate is held. */
export function acceptHeld(database: Database, { source, destination }: Pair, rate: string): Promise<boolean> {
  return hasRow(
    database,
    `UPDATE forex_rates SET rate = held_rate, as_of = held_as_of, held_reason = '', person_rate = held_rate, person_rate_at = now(), updated_at = now()
      WHERE ${ofPair} AND held_rate = $rate RETURNING rate`,
    { source, destination, rate },
  );
}

/** The spread of a rate, as the guard of changes reads it. A rate that does not follow has the spread `none`. */
export function spreadValue(database: Database, { source, destination }: Pair): Pick<GuardedValue, 'name' | 'read'> {
  const statement = `SELECT trim_scale(spread_percent)::text AS spread FROM forex_rates WHERE ${ofPair}`;
  return {
    name: { kind: 'SPREAD', key: [source, destination] },
    read: async () =>
      (await firstRow<{ spread: string | null }>(database, statement, { source, destination }))?.spread ?? 'none',
  };
}

/** Lets the rate follow the feed with the spread, or no longer; a held rate is then gone. False if the pair has no rate. */
export function setSpread(
  database: Database,
  { source, destination }: Pair,
  spreadPercent: string | null,
): Promise<boolean> {
  return hasRow(
    database,
    `UPDATE forex_rates SET spread_percent = $spreadPercent::numeric,
            followed_at = CASE WHEN $spreadPercent::numeric IS NULL THEN NULL WHEN spread_percent IS NULL THEN now() ELSE followed_at END,
            (held_rate, held_as_of, held_file_day, held_reason)
              = (SELECT held_rate, held_as_of, held_file_day, held_reason WHERE $spreadPercent::numeric IS NOT NULL)
      WHERE ${ofPair} RETURNING rate`,
    { source, destination, spreadPercent },
  );
}

/** The rates that wait for a person, as text with their reasons. */
export async function listHeldRates(database: Database): Promise<string[]> {
  const found = await rows<{ text: string }>(
    database,
    `SELECT format('%s/%s %s since %s (%s)', source_currency, destination_currency, trim_scale(held_rate), rfc3339(held_as_of), held_reason) AS text
       FROM forex_rates WHERE held_rate IS NOT NULL ORDER BY source_currency, destination_currency`,
  );
  return found.map(({ text }) => text);
}
