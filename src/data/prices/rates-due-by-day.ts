/**
 * Which followed rates a file of the central bank may change. docs/decisions/0090-let-rates-age.md.
 * Rule: from which day on a file changes a rate that a person or another file has set
 */
import type { EuroRates } from '../../domain/prices/cross-rates';
import { oneRow, rows, type Database } from '../database/database';

/** The pair of a rate. */
export interface Pair {
  source: string;
  destination: string;
}

/** A rate that follows the feed. Decimal strings. */
export interface FollowedRate extends Pair {
  rate: string;
  spreadPercent: string;
  heldRate: string | null;
  /**
   * Whether the file may change the rate: it is not older than the one that set the rate, and than the one that is held, and of a later day
   * than a person's rate. The feed's file is not due again if a person has given another one of its day.
   */
  isDue: boolean;
  /** Whether a file of this day set the rate. */
  isOfDay: boolean;
}

/** SQL: the date of a time where the files come from. */
const dayOf = (time: string) => `(${time} AT TIME ZONE 'Europe/Berlin')::date`;

/** Whether the day is later than today where the file comes from. */
export async function isLaterDay(database: Database, { day }: EuroRates): Promise<boolean> {
  const statement = `SELECT $day::date > ${dayOf('now()')} AS later`;
  return (await oneRow<{ later: boolean }>(database, statement, { day })).later;
}

/**
 * The rates of these pairs that follow the feed. Locks them until the transaction ends, so that of two files at once the later one sees the
 * earlier one. Locks no other pair, because the caller has locked the confirmed values of these.
 */
export function lockFollowed(
  database: Database,
  { day, perEuro }: EuroRates,
  { pairs, isOfFeed }: { pairs: readonly Pair[]; isOfFeed: boolean },
): Promise<FollowedRate[]> {
  return rows<FollowedRate>(
    database,
    `SELECT source_currency AS source, destination_currency AS destination, trim_scale(rate)::text AS rate,
            trim_scale(spread_percent)::text AS "spreadPercent", trim_scale(held_rate)::text AS "heldRate",
            $day::date >= coalesce(file_day, ${dayOf('as_of')} + 1)
            AND $day::date >= coalesce(held_file_day, ${dayOf('held_as_of')}, $day::date)
            AND NOT ($isOfFeed AND (file_day, rate) IS NOT DISTINCT FROM ($day::date, person_rate)
                     AND EXISTS (SELECT FROM fetched_rates WHERE day = $day::date AND per_euro = $perEuro::jsonb)) AS "isDue",
            file_day IS NOT DISTINCT FROM $day::date AS "isOfDay"
       FROM forex_rates
      WHERE spread_percent IS NOT NULL AND source_currency || '/' || destination_currency = ANY ($pairs)
      ORDER BY 1, 2 FOR UPDATE`,
    {
      day,
      isOfFeed,
      perEuro: JSON.stringify(Object.fromEntries(perEuro)),
      pairs: pairs.map(({ source, destination }) => `${source}/${destination}`),
    },
  );
}
