/** The costs of purchases as suppliers report them, with the exchange rates of that moment. */
import { rows, type Database } from '../database/database';
import type { Purchase } from './purchase-reads';

/** SQL: the present rate from $costCurrency to the wallet currency of the order of purchase `p`. No row if none is stored. */
export const rateOfCost = `
  SELECT forex.rate FROM orders o JOIN forex_rates forex
      ON forex.source_currency = $costCurrency::text AND forex.destination_currency = o.deduction_currency
   WHERE o.id = p.order_id`;

/** Stores the cost of a purchase whose goods came after the purchase had ended. A repeated report changes nothing. */
export async function recordLateCost(
  database: Database,
  { reference }: Pick<Purchase, 'reference'>,
  { amount, currency }: { amount: string; currency: string },
): Promise<void> {
  await rows(
    database,
    `UPDATE supplier_purchases p
        SET cost = $cost::numeric, cost_currency = $costCurrency::text, cost_rate = (${rateOfCost})
      WHERE reference = $reference AND (cost, cost_currency) IS DISTINCT FROM ($cost::numeric, $costCurrency::text)`,
    { reference, cost: amount, costCurrency: currency },
  );
}
