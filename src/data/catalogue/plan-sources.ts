/** Makes sources of an eSIM plan inactive when the plan's own supplier changes what the plan contains. */
import { joinOffer, samePlanMark } from './same-plan-marks';
import { rows, type Database, type Transaction } from '../database/database';

// Locks the offers before the sources, as the synchronisation of offers does.
const keepStatement = `
WITH other AS (
  SELECT source.id, source.supplier, source.item_id, offer.id AS offer_id
    FROM esim_variants plan JOIN esim_products product ON product.id = plan.product_id
    JOIN product_sources source ON source.family = 'ESIM' AND source.item_id = plan.id AND source.active
    ${joinOffer}
   WHERE plan.id IN (SELECT value::integer FROM jsonb_array_elements_text($planIds::jsonb) AS changed (value))
     AND (source.supplier, source.sku) <> (product.supplier, plan.supplier_sku)
     AND (CASE plan.data_amount_gb WHEN 0 THEN source.same_plan IS DISTINCT FROM ${samePlanMark} ELSE false END
          OR ((offer.terms #>> '{plan,dataAmountGb}')::numeric, (offer.terms #>> '{plan,validityDays}')::integer)
             IS DISTINCT FROM (plan.data_amount_gb, plan.validity_days))
), kept AS (
  UPDATE supplier_offers offer SET withdrawn = offer.withdrawn || ids
    FROM (SELECT offer_id, array_agg(id) AS ids FROM other GROUP BY offer_id) stopped WHERE stopped.offer_id = offer.id
)
SELECT id, supplier, item_id AS "itemId" FROM other ORDER BY id`;

const stopStatement = `
UPDATE product_sources SET active = false
 WHERE id IN (SELECT value::integer FROM jsonb_array_elements_text($stopped::jsonb) AS stopped (value))`;

export interface StoppedSource {
  id: number;
  supplier: string;
  itemId: number;
}

/**
 * Makes the sources of these plans at other suppliers inactive, unless the offer of the source has the same data and validity and, if they
 * are unlimited, is still named as the same plan. Returns these sources. One whose offer is stored becomes active again once the list of its supplier has the same data and validity.
 */
export async function stopOtherSources(
  database: Database,
  planIds: readonly number[],
  transaction: Transaction,
): Promise<StoppedSource[]> {
  if (planIds.length === 0) return [];
  const binds = { planIds: JSON.stringify(planIds) };
  const stopped = await rows<StoppedSource>(database, keepStatement, binds, transaction);
  const ids = { stopped: JSON.stringify(stopped.map(({ id }) => id)) };
  if (stopped.length > 0) await rows(database, stopStatement, ids, transaction);
  return stopped;
}
