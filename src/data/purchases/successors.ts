/** SQL for purchases that are replaced: docs/decisions/0051-fail-over-between-sources.md. */
import { SUCCESSOR_STEP } from '../../domain/orders/order-ids';

/**
 * The locked purchases of an order, `purchase`, that were replaced while the statement waited for their locks: their successors are
 * not visible to it.
 */
export const hiddenSuccessors = `
  SELECT FROM purchase replaced WHERE state = 'REPLACED' AND NOT EXISTS (
    SELECT FROM purchase WHERE batch = (replaced.batch / ${SUCCESSOR_STEP} + 1) * ${SUCCESSOR_STEP} + replaced.first_unit)`;

/** The pause before the next round: 5 s after the first round through all sources, doubled after each round, at most 5 minutes. */
const pause = `
  least(300, 5 * 2 ^ least(outcome.batch / ${SUCCESSOR_STEP} / jsonb_array_length(o.sources), 10)) * interval '1 second'`;

/**
 * Inserts the successors of the purchase in `outcome`, if that is REPLACED. Together the successors buy its units at the next
 * source (`outcome.source`). If `outcome.is_later`, they are due after the pause.
 */
export const successor = `
successor AS (
  INSERT INTO supplier_purchases (reference, order_id, batch, first_unit, units, source_id, supplier, sku, data, why, replaces,
                                  due_at)
  SELECT purchase_reference(o.id, o.nonce, next.batch), o.id, next.batch, next.first_unit, next.units,
         (outcome.source->>'id')::integer, outcome.source->>'supplier', outcome.source->>'sku',
         nullif(outcome.source->'data', 'null'), 'after ' || outcome.supplier || ' (' || outcome.because || '): ' || outcome.detail,
         outcome.reference, CASE WHEN outcome.is_later THEN clock_timestamp() + ${pause} END
    FROM outcome JOIN orders o ON o.id = outcome.order_id
   CROSS JOIN LATERAL successor_batches(outcome.batch, outcome.first_unit, outcome.units, outcome.source) next
   WHERE outcome.state = 'REPLACED'
)`;
