/** The costs of purchases as suppliers report them, with the exchange rates of that moment. */
import { markedCostSql } from '../../domain/cost-texts';
import { rows, type Database } from '../database/database';
import type { Purchase } from './purchase-reads';

/** SQL: the present rate that values $costCurrency in the wallet currency of the order of purchase `p`. */
const presentRate = (column: string) => `(
  SELECT rate.${column} FROM orders o JOIN cost_rates rate
      ON rate.source_currency = $costCurrency::text AND rate.destination_currency = o.deduction_currency
   WHERE o.id = p.order_id)`;

/** SQL: sets the rate of the cost of purchase `p` in $costCurrency. Without a $costCurrency, the rate stays as it is. */
export const setCostRate = `
         cost_rate = CASE WHEN $costCurrency::text IS NULL THEN p.cost_rate ELSE ${presentRate('rate')} END,
         cost_rate_is_reference = CASE WHEN $costCurrency::text IS NULL THEN p.cost_rate_is_reference
                                       ELSE coalesce(${presentRate('is_reference')}, false) END`;

/**
 * SQL: what so many units of the purchase cost, as the supplier reported it. Never the client's price. `p`: the alias of the
 * purchase.
 */
export const costText = (p: string, units: string): string => `
  CASE WHEN ${p}.cost IS NULL THEN 'the supplier did not report their cost'
       ELSE 'they cost ' || ${markedCostSql(`trim_scale(round(${p}.cost * (${units}) / ${p}.units, 4)) || ' ' || ${p}.cost_currency`)} END`;

/** Stores the cost of a purchase whose goods came after the purchase had ended. A repeated report changes nothing. */
export async function recordLateCost(
  database: Database,
  { reference }: Pick<Purchase, 'reference'>,
  { amount, currency }: { amount: string; currency: string },
): Promise<void> {
  await rows(
    database,
    `UPDATE supplier_purchases p
        SET cost = $cost::numeric, cost_currency = $costCurrency::text, ${setCostRate}
      WHERE reference = $reference AND (cost, cost_currency) IS DISTINCT FROM ($cost::numeric, $costCurrency::text)`,
    { reference, cost: amount, costCurrency: currency },
  );
}
