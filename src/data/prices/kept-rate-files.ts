/** The files that the feed of rates has given, the newest for each day. docs/decisions/0090-let-rates-age.md. */
import type { EuroRates } from '../../domain/prices/cross-rates';
import { countRows, firstRow, oneRow, rows, type Database } from '../database/database';
import { retention } from '../maintenance/retention';
import type { Pair } from './rates-due-by-day';

/** The rates that a file set and held, such as `USD/EUR`. */
interface Effects {
  set: readonly string[];
  held: readonly string[];
}

/** Keeps the file in place of an earlier one of its day. What it did to a rate replaces what that one did. */
export async function keepFetched(
  database: Database,
  { day, perEuro }: EuroRates,
  { set, held }: Effects,
): Promise<void> {
  await rows(
    database,
    `INSERT INTO fetched_rates AS kept (day, per_euro, set_rates) VALUES ($day, $perEuro::jsonb, $set::text[])
     ON CONFLICT (day) DO UPDATE SET per_euro = excluded.per_euro, fetched_at = now(),
            set_rates = ARRAY(SELECT unnest(kept.set_rates || $set::text[]) EXCEPT SELECT unnest($held::text[]))`,
    { day, perEuro: JSON.stringify(Object.fromEntries(perEuro)), set, held },
  );
}

interface KeptFile {
  day: string;
  perEuro: Readonly<Record<string, string>>;
}

const ratesOf = ({ day, perEuro }: KeptFile): EuroRates => ({ day, perEuro: new Map(Object.entries(perEuro)) });

/** SQL: whether a kept file has both currencies. */
const hasBoth = (source: string, destination: string) =>
  `per_euro ?& array_remove(ARRAY[${source}, ${destination}], 'EUR')`;

/** The newest file of the feed with both currencies of the pair; undefined if none was fetched. */
export async function newestFetched(database: Database, { source, destination }: Pair): Promise<EuroRates | undefined> {
  const found = await firstRow<KeptFile>(
    database,
    `SELECT day::text, per_euro AS "perEuro" FROM fetched_rates
      WHERE ${hasBoth('$source::text', '$destination::text')} ORDER BY day DESC LIMIT 1`,
    { source, destination },
  );
  return found && ratesOf(found);
}

/**
 * The file of before `day` from which the steps of the rate add up: of the files that set the rate, the newest one that is at least 30 days
 * older than `day`, or else the oldest one. One that was corrected, and then lacks a currency of the pair, is none of them. Undefined if
 * there is none, or if a person has set the rate later than that.
 */
export async function fileOfSteps(
  database: Database,
  { source, destination }: Pair,
  day: string,
): Promise<EuroRates | undefined> {
  const found = await firstRow<KeptFile>(
    database,
    `SELECT basis.day::text, basis.per_euro AS "perEuro"
       FROM forex_rates forex
      CROSS JOIN LATERAL (
            SELECT day, per_euro FROM fetched_rates
             WHERE day < $day::date AND source_currency || '/' || destination_currency = ANY (set_rates)
               AND ${hasBoth('source_currency', 'destination_currency')}
             ORDER BY day <= $day::date - 30 DESC, abs(day - ($day::date - 30))
             LIMIT 1) basis
      WHERE source_currency = $source AND destination_currency = $destination
        AND (basis.day + time '16:00') AT TIME ZONE 'Europe/Berlin' > coalesce(person_rate_at, as_of)`,
    { source, destination, day },
  );
  return found && ratesOf(found);
}

/** What is wrong with the feed of the rates that follow it. */
export interface FeedFaults {
  /** Whether nothing was fetched for 26 hours, in which a rate followed. */
  isSilent: boolean;
  /** The currencies of these rates that its newest file lacks. */
  missing: string[];
}

/** What is wrong with the feed. Without a rate that follows it, nothing is. */
export function feedFaults(database: Database): Promise<FeedFaults> {
  return oneRow<FeedFaults>(
    database,
    `SELECT EXISTS (SELECT FROM forex_rates
                     WHERE spread_percent IS NOT NULL AND coalesce(followed_at, '-infinity') < now() - interval '26 hours')
            AND NOT EXISTS (SELECT FROM fetched_rates WHERE fetched_at > now() - interval '26 hours') AS "isSilent",
            ARRAY(SELECT DISTINCT currency
                    FROM (SELECT per_euro FROM fetched_rates ORDER BY day DESC LIMIT 1) newest
                   CROSS JOIN forex_rates CROSS JOIN unnest(ARRAY[source_currency, destination_currency]) currency
                   WHERE spread_percent IS NOT NULL AND currency <> 'EUR' AND per_euro -> currency IS NULL
                   ORDER BY currency) AS missing`,
  );
}

/** Deletes files whose retention has ended: at most one for each day. Returns their number. */
export function deleteOldFetchedRates(database: Database): Promise<number> {
  return countRows(database, `DELETE FROM fetched_rates WHERE day < now() - ${retention.fetchedRates} RETURNING day`);
}
