/** Rates of clients that a feed sets. docs/decisions/0090-let-rates-age.md. */
import type { EuroRates } from '../../domain/prices/cross-rates';
import { hasRow, oneRow, rows, type Database } from '../database/database';

interface Pair {
  source: string;
  destination: string;
}

/** A rate that follows the feed. Decimal strings. */
export interface FollowedRate extends Pair {
  rate: string;
  spreadPercent: string;
  /** The newest rate of the feed, if it waits for a person. */
  heldRate: string | null;
  /** Whether the file is newer than the rate, and not older than the one that is held. */
  isOlder: boolean;
}

/** SQL: when the ECB set the rates of the day. */
const FILE_TIME = `(($day::date + time '16:00') AT TIME ZONE 'Europe/Berlin')`;

/** Whether the day is later than today where the file comes from. */
export async function isLaterDay(database: Database, { day }: EuroRates): Promise<boolean> {
  const statement = `SELECT $day::date > (now() AT TIME ZONE 'Europe/Berlin')::date AS later`;
  return (await oneRow<{ later: boolean }>(database, statement, { day })).later;
}

/** The rates that follow the feed, by pair. */
export function listFollowed(database: Database, { day }: EuroRates) {
  return rows<FollowedRate>(
    database,
    `SELECT source_currency AS source, destination_currency AS destination, trim_scale(rate)::text AS rate,
            trim_scale(spread_percent)::text AS "spreadPercent", trim_scale(held_rate)::text AS "heldRate",
            as_of < ${FILE_TIME} AND coalesce(held_as_of <= ${FILE_TIME}, true) AS "isOlder"
       FROM forex_rates WHERE spread_percent IS NOT NULL ORDER BY 1, 2`,
    { day },
  );
}

const ofPair = 'source_currency = $source AND destination_currency = $destination';

/** Sets the rate of the day. False if the rate is no longer `before`, or is as new as the day. */
export function setFollowed(
  database: Database,
  { source, destination, rate: before }: FollowedRate,
  { day, rate }: { day: string; rate: string },
): Promise<boolean> {
  return hasRow(
    database,
    `UPDATE forex_rates SET rate = $rate, as_of = ${FILE_TIME}, updated_at = now()
      WHERE ${ofPair} AND rate = $before AND as_of < ${FILE_TIME} RETURNING rate`,
    { source, destination, before, day, rate },
  );
}

/** Holds the rate of the day until a person accepts it. Replaces the held rate of an earlier day. */
export async function holdRate(
  database: Database,
  { source, destination }: Pair,
  held: { day: string; rate: string; reason: string },
): Promise<void> {
  await rows(
    database,
    `UPDATE forex_rates SET held_rate = $rate, held_as_of = ${FILE_TIME}, held_reason = $reason
      WHERE ${ofPair} AND (held_rate IS NULL OR held_as_of <= ${FILE_TIME})`,
    { source, destination, ...held },
  );
}

/** Makes the held rate the rate, with the time of its file. False if no such rate is held. */
export function acceptHeld(database: Database, pair: Pair, rate: string): Promise<boolean> {
  return hasRow(
    database,
    `UPDATE forex_rates SET rate = held_rate, as_of = held_as_of, updated_at = now()
      WHERE ${ofPair} AND held_rate = $rate RETURNING rate`,
    { ...pair, rate },
  );
}

/** Lets the rate follow the feed with the spread, or no longer; a held rate is then gone. False if the pair has no rate. */
export function setSpread(database: Database, pair: Pair, spreadPercent: string | null): Promise<boolean> {
  return hasRow(
    database,
    `UPDATE forex_rates SET spread_percent = $spreadPercent::numeric,
            (held_rate, held_as_of, held_reason) = (SELECT held_rate, held_as_of, held_reason WHERE $spreadPercent::numeric IS NOT NULL)
      WHERE ${ofPair} RETURNING rate`,
    { source: pair.source, destination: pair.destination, spreadPercent },
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
