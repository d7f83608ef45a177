/** Reference rates, which value costs in margins, floors and reports. docs/operators/catalogue.md#reference-rates. */
import { firstRow, hasRow, rateStopOf, rows, type Database } from '../database/database';
import { rateExists } from './rate-ages';

/** One unit of `source` is worth `rate` of `destination`: a decimal string. */
export interface ReferenceRate {
  source: string;
  destination: string;
  rate: string;
}

/** All reference rates as they were set. */
export function listReferenceRates(database: Database, currency: string | undefined) {
  return rows<ReferenceRate & { updated_at: Date }>(
    database,
    `SELECT source_currency AS source, destination_currency AS destination, trim_scale(rate)::text AS rate, updated_at
       FROM reference_rates WHERE $currency::text IS NULL OR $currency IN (source_currency, destination_currency)
      ORDER BY source_currency, destination_currency`,
    { currency: currency ?? null },
  );
}

type Pair = Omit<ReferenceRate, 'rate'>;

/** The rate of exactly this pair in a table, named in SQL. */
async function findRate(database: Database, table: string, { source, destination }: Pair): Promise<string | undefined> {
  const found = await firstRow<{ rate: string }>(
    database,
    `SELECT trim_scale(rate)::text AS rate FROM ${table} rated
      WHERE source_currency = $source AND destination_currency = $destination`,
    { source, destination },
  );
  return found?.rate;
}

/** The reference rate of the pair, or the inverse of that of the opposite pair; undefined if neither is set. */
export function findReferenceRate(database: Database, pair: Pair): Promise<string | undefined> {
  return findRate(database, '(SELECT * FROM cost_rates WHERE is_reference)', pair);
}

/** The reference rate of exactly this pair; undefined if it is not set. */
export function findStoredReferenceRate(database: Database, pair: Pair): Promise<string | undefined> {
  return findRate(database, 'reference_rates', pair);
}

/** The rate that values costs of the pair: a reference rate or, if there is none, the clients' rate; undefined if neither is set. */
export async function findCostRate(database: Database, pair: Pair): Promise<string | undefined> {
  return pair.source === pair.destination ? '1' : findRate(database, 'cost_rates', pair);
}

const storeStatement = `
INSERT INTO reference_rates (source_currency, destination_currency, rate)
SELECT source, destination, rate FROM jsonb_to_recordset($rates::jsonb) AS given (source text, destination text, rate numeric)
ON CONFLICT (source_currency, destination_currency) DO UPDATE SET rate = excluded.rate, updated_at = now()`;

/** Stores all of the rates or none. A pair may occur once. */
export async function storeReferenceRates(database: Database, rates: readonly ReferenceRate[]): Promise<void> {
  await rows(database, storeStatement, { rates: JSON.stringify(rates) });
}

/** Returns false if the pair has no reference rate of its own. */
export function deleteReferenceRate(database: Database, { source, destination }: Pair): Promise<boolean> {
  return hasRow(
    database,
    `DELETE FROM reference_rates WHERE source_currency = $source AND destination_currency = $destination RETURNING rate`,
    { source, destination },
  );
}

/** A rate that nobody has set or confirmed for some time. */
export interface OldRate {
  kind: 'reference rate' | 'rate';
  source: string;
  destination: string;
  asOf: Date;
  /** Whether it is too old for orders. */
  hasStopped: boolean;
  /** Whether it is older than the installation permits, or too old for orders. Otherwise it is older than a rate that follows a feed should be. */
  isTooOld: boolean;
}

/** The ECB's longest gap, Easter, is 120 hours. */
export const FOLLOWED_MAX_HOURS = 130;

/**
 * The rates of clients and the reference rates that are older than `maxAgeHours` (0 allows every age), those that have stopped, and those
 * that follow a feed and are older than 130 hours. The oldest comes first.
 */
export function listOldRates(database: Database, maxAgeHours: number) {
  return rows<OldRate>(
    database,
    `SELECT kind, source_currency AS source, destination_currency AS destination, as_of AS "asOf", stopped AS "hasStopped",
            too_old AS "isTooOld"
       FROM (SELECT 'rate' AS kind, source_currency, destination_currency, as_of, NOT ${rateExists('forex')} AS stopped,
                    spread_percent IS NOT NULL AS follows FROM forex_rates forex
             UNION ALL SELECT 'reference rate', source_currency, destination_currency, updated_at, false, false FROM reference_rates) rate
      CROSS JOIN LATERAL (SELECT stopped OR $maxAgeHours > 0 AND as_of < now() - $maxAgeHours * interval '1 hour' AS too_old) age
      WHERE too_old OR follows AND as_of < now() - interval '${FOLLOWED_MAX_HOURS} hours' ORDER BY as_of, source, destination, kind`,
    { maxAgeHours, ...rateStopOf(database) },
  );
}
