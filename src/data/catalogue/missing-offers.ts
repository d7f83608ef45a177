/**
 * Counts the offers that are missing from a supplier's list, and makes their sources inactive.
 * Rule: when an offer that a supplier's lists lack is gone
 */
import type { ListSize } from '../../domain/prices/doubted-lists';
import { oneRow, rows, type Database, type Transaction } from '../database/database';

/** An offer is withdrawn once this number of lists in a row lack it. */
export const LISTS_TO_WITHDRAW = 2;

// An offer that is listed but cannot be sold counts as missing, too: only an offer that can be sold renews `sellable_at`.
const isMissing = 'sellable_at < $listedAt';

const sizeStatement = `
SELECT family, count(*) FILTER (WHERE last_seen_at >= $listedAt) AS listed,
       count(*) FILTER (WHERE sellable_at IS NOT NULL AND gone_at IS NULL) AS known,
       count(*) FILTER (WHERE ${isMissing} AND gone_at IS NULL) AS missing,
       count(*) FILTER (WHERE ${isMissing} AND gone_at IS NULL AND last_seen_at < $listedAt) AS absent
  FROM supplier_offers WHERE supplier = $supplier GROUP BY family ORDER BY family`;

/** Compares the list whose reading began at `listedAt` with the stored offers, by family. */
export function measureList(
  database: Database,
  supplier: string,
  listedAt: Date,
  transaction: Transaction,
): Promise<ListSize[]> {
  return rows<ListSize>(database, sizeStatement, { supplier, listedAt }, transaction);
}

const withdrawStatement = `
WITH missed AS (
  -- A gone offer that returned with a change which waits can become gone again.
  UPDATE supplier_offers offer SET missed = missed + 1, missed_at = $listedAt
   WHERE supplier = $supplier AND (gone_at IS NULL OR held IS NOT NULL) AND ${isMissing} 
     AND (coalesce(missed_at < $listedAt::timestamptz - interval '6 hours', true) OR $lists = 1)
  RETURNING id, family, sku, missed
), gone AS (
  SELECT id, family, sku FROM missed WHERE missed >= $lists
), withdrawn AS (
  UPDATE product_sources source SET active = false
    FROM gone
   WHERE source.supplier = $supplier AND source.family = gone.family AND source.sku = gone.sku AND source.active
  RETURNING source.id, gone.id AS offer_id
)
SELECT (SELECT json_agg(id) FROM gone) AS gone,
       (SELECT json_agg(json_build_object('id', id, 'offerId', offer_id)) FROM withdrawn) AS withdrawn`;

// A separate statement, because a statement can change a row only once, and `withdrawStatement` changes these offers, too.
const goneStatement = `
WITH gone AS (
  UPDATE supplier_offers offer
     SET gone_at = now(), held = NULL,
         withdrawn = withdrawn || ARRAY(SELECT (source ->> 'id')::integer FROM jsonb_array_elements($withdrawn::jsonb) source
                            WHERE (source ->> 'offerId')::integer = offer.id)
   WHERE id IN (SELECT value::integer FROM jsonb_array_elements_text($gone::jsonb) AS gone (value))
  RETURNING id, supplier, family, sku
), unheld AS (
  UPDATE product_sources source SET held_cost = NULL
    FROM gone WHERE (source.supplier, source.family, source.sku) = (gone.supplier, gone.family, gone.sku)
)
SELECT count(*) AS gone FROM gone`;

interface Withdrawn {
  gone: number[] | null;
  withdrawn: object[] | null;
}

/**
 * Counts the list as missed for each offer that it lacks. If an offer was missing from `lists` lists in a row, its sources become
 * inactive and the offer is gone. Of several lists within six hours, one counts: a repeated read of a wrong list is no second
 * proof. `lists` 1: an operator confirms that the offers are gone. Returns the number of offers that have become gone.
 */
export async function withdrawMissing(
  database: Database,
  supplier: string,
  { listedAt, lists }: { listedAt: Date; lists: number },
  transaction: Transaction,
): Promise<number> {
  const binds = { supplier, listedAt, lists };
  const { gone, withdrawn } = await oneRow<Withdrawn>(database, withdrawStatement, binds, transaction);
  if (!gone) return 0;
  const found = { gone: JSON.stringify(gone), withdrawn: JSON.stringify(withdrawn ?? []) };
  return (await oneRow<{ gone: number }>(database, goneStatement, found, transaction)).gone;
}
