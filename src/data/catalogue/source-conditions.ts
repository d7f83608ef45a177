/** SQL about the sources of items: see src/domain/orders/sources.ts. */
import type { Family } from '../../domain/orders/families';
import { STOPPED } from '../../domain/orders/sources';
import { isStoppedAmount } from './sale-stop-conditions';

// The arguments of these functions are SQL, never input.

/** The sources of the items as JSON (`Source[]`), or null if they have none. `currency`: the currency of items and amount. */
export function sourcesOf(family: Family, items: string, amount: string, currency: string): string {
  return `(
    SELECT json_agg(json_build_object(${fieldsOf(currency, obstacleTo(family, amount))}, 'servesAmount', ${servesAmount(amount)},
                                      'isCircuitOpen', source.is_circuit_open))
      FROM source_states source WHERE source.family = '${family}' AND source.item_id IN (${items}))`;
}

/** SQL: why `source` cannot sell the amount. Only the amounts of vouchers are stopped apart from their items. */
function obstacleTo(family: Family, amount: string): string {
  if (family !== 'VOUCHER') return 'source.obstacle';
  return `coalesce(source.obstacle, CASE WHEN ${isStoppedAmount('source.item_id', amount)} THEN '${STOPPED}' END)`;
}

/** SQL: the fields of `source` as JSON (`SellingSource`). It serves the amount. `currency`: the currency of the item. */
export function servingSource(currency: string): string {
  return `json_build_object(${fieldsOf(currency)}, 'servesAmount', true)`;
}

const fieldsOf = (currency: string, obstacle = 'source.obstacle') => `
             'id', source.id, 'supplier', source.supplier, 'sku', source.sku, 'data', source.data,
             'priority', source.priority, 'stock', source.stock, 'costPercent', source.cost_percent::text,
             'costFixed', source.cost_fixed::text, 'fee', source.fee::text,
             'costCurrency', nullif(source.cost_currency, ${currency}),
             'reportedCost', source.reported_cost || jsonb_build_object(
                               'costCurrency', nullif(source.reported_cost ->> 'costCurrency', ${currency})),
             'heldCost', source.held_cost || jsonb_build_object(
                           'costCurrency', nullif(source.held_cost ->> 'costCurrency', ${currency})),
             'obstacle', ${obstacle}`;

/** SQL, in the SET of an update of `product_sources`: a person accepts the terms, so no earlier report or list counts. */
export const acceptsTerms = 'reported_cost = NULL, accepted_terms = NULL';

/** A condition: `source` delivers units of the amount. A source without amounts of its own delivers every amount. */
export function servesAmount(amount: string): string {
  return `(source.fixed_amounts IS NULL AND source.min_amount IS NULL
           OR ${amount} = ANY (source.fixed_amounts)
           OR ${amount} BETWEEN source.min_amount AND source.max_amount) IS TRUE`;
}

/** A condition: at least one source sells the item now and, if `amount` is given, delivers units of that amount. */
export function isOnSale(family: Family, item: string, amount?: string): string {
  return `EXISTS (SELECT FROM source_states source WHERE ${sells(family, item, amount)})`;
}

/** Joins `best`: the best source that sells the item now and, if `amount` is given, delivers units of that amount. */
export function joinBestSource(family: Family, item: string, amount?: string): string {
  return `
    JOIN LATERAL (SELECT source.priority, source.cost_percent, source.reported_cost, source.stock FROM source_states source
                   WHERE ${sells(family, item, amount)}
                   ORDER BY ${bestFirst('source')} LIMIT 1) best ON true`;
}

function sells(family: Family, item: string, amount: string | undefined): string {
  const onSale = `source.family = '${family}' AND source.item_id = ${item} AND source.obstacle IS NULL`;
  return amount === undefined ? onSale : `${onSale} AND ${servesAmount(amount)}`;
}

/** The sort order of sources: by priority, then cost in percent (other costs last), then most stock (an unknown stock first). */
export function bestFirst(source: string): string {
  return `${source}.priority, coalesce((${source}.reported_cost ->> 'costPercent')::numeric, ${source}.cost_percent), ${source}.stock DESC NULLS FIRST`;
}
