/** Costs that suppliers charge above their lists: they count as the cost of the source until a person or a later sale changes them. */
import type { Family } from '../../domain/orders/families';
import { firstNames, MAX_NAMED } from '../../domain/first-names';
import { markedCost } from '../../domain/cost-texts';
import type { SourceCost } from '../../domain/orders/source-costs';
import { clearAttention, raiseAttention } from '../attention/attention';
import { firstRow, hasRow, rows, type Database } from '../database/database';

/** SQL: the cost of `source` as JSON (`SourceCost`). */
const costColumns = `
  trim_scale(source.cost_percent)::text AS "costPercent", trim_scale(source.cost_fixed)::text AS "costFixed",
  trim_scale(source.fee)::text AS fee, source.cost_currency AS "costCurrency"`;

/** The listed cost of the source; undefined if the source was removed. */
export function findListedCost(database: Database, sourceId: number) {
  return firstRow<SourceCost>(
    database,
    `SELECT ${costColumns} FROM product_sources source WHERE source.id = $sourceId`,
    { sourceId },
  );
}

const storeStatement = `
UPDATE product_sources source SET reported_cost = $reported::jsonb
 WHERE id = $sourceId AND reported_cost IS DISTINCT FROM $reported::jsonb
   AND (cost_percent, cost_fixed, fee, cost_currency) IS NOT DISTINCT FROM
       ($costPercent::numeric, $costFixed::numeric, $fee::numeric, $costCurrency::text)
RETURNING id`;

/** Sets the reported cost, or removes it, unless the listed cost has changed since it was read. Updates the attention list. */
export async function storeReportedCost(
  database: Database,
  { sourceId, supplier }: { sourceId: number; supplier: string },
  listed: SourceCost,
  reported: SourceCost | null,
): Promise<void> {
  const binds = { sourceId, ...listed, reported: reported && JSON.stringify(reported) };
  if (await hasRow(database, storeStatement, binds)) await reportHigherCosts(database, supplier);
}

interface HigherCost extends SourceCost {
  family: Family;
  itemId: number;
  sku: string;
  reported: SourceCost;
  count: number;
}

/** Puts the supplier on the attention list while it charges more for a source than it lists. */
export async function reportHigherCosts(database: Database, supplier: string): Promise<void> {
  const higher = await rows<HigherCost>(
    database,
    `SELECT source.family, source.item_id AS "itemId", source.sku, ${costColumns}, source.reported_cost AS reported,
            count(*) OVER () AS count
       FROM product_sources source WHERE supplier = $supplier AND reported_cost IS NOT NULL ORDER BY id LIMIT $limit`,
    { supplier, limit: MAX_NAMED },
  );
  const [first] = higher;
  if (!first) return clearAttention(database, { supplier }, ['COST_ABOVE_LISTED']);
  const named = higher.map(
    ({ family, itemId, sku, reported, ...listed }) =>
      `${family} item ${itemId} (${sku}): listed ${textOf(listed)}, charged ${textOf(reported)}`,
  );
  const reason = `The supplier charges more than the known cost (${first.count}): ${firstNames(named, '. ', first.count)}. The charged cost counts`;
  await raiseAttention(database, { supplier }, 'COST_ABOVE_LISTED', reason);
}

/** Clears the entries of suppliers whose charged costs no longer count, for example because a catalogue file set other costs. */
export async function reviewHigherCosts(database: Database): Promise<void> {
  const listed = await rows<{ supplier: string }>(
    database,
    `SELECT supplier FROM attention WHERE kind = 'COST_ABOVE_LISTED' AND supplier IS NOT NULL AND cleared_at IS NULL`,
  );
  for (const { supplier } of listed) await reportHigherCosts(database, supplier);
}

function textOf({ costPercent, costFixed, fee, costCurrency }: SourceCost): string {
  const cost = costPercent === null ? costFixed : `${costPercent} %`;
  if (cost === null) return 'unknown';
  return markedCost(`${cost}${fee === '0' ? '' : ` + ${fee}`} ${costCurrency ?? ''}`.trim());
}

/** A currency of ISO 4217 with the rate that values it. */
export interface ValuedCurrency {
  /** To the wallet's currency; null if no rate is known. */
  rate: string | null;
}

/** The currency and its present value in the wallet's currency; undefined if it is not in ISO 4217. */
export function findValuedCurrency(database: Database, currency: string, walletCurrency: string) {
  return firstRow<ValuedCurrency>(
    database,
    `SELECT CASE WHEN known.code = $walletCurrency THEN '1' ELSE rate.rate::text END AS rate
       FROM currencies known
       LEFT JOIN cost_rates rate ON rate.source_currency = known.code AND rate.destination_currency = $walletCurrency
      WHERE known.code = $currency`,
    { currency, walletCurrency },
  );
}
