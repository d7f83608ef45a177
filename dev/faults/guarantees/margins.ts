/** What orders earned, compared with the wallets and the ledgers of the fakes. */
import { Decimal } from 'decimal.js';
import { query } from '../../stack/postgres';
import type { Broken } from './broken';
import type { OrderFact } from './facts';

/** An ended order as the database has it. Decimals are strings. */
interface StoredMargin {
  id: number;
  /** In the wallet's currency; null if the service does not know what a purchase cost. */
  margin: string | null;
  /** What one unit of a currency costs in the wallet's currency, as stored with the order. */
  rates: Record<string, string>;
}

const MARGINS = `
  SELECT o.id::integer, trim_scale(earned.margin)::text AS margin,
         jsonb_build_object(o.base_currency, o.forex_rate::text)
           || coalesce((SELECT jsonb_object_agg(source->'costRate'->>'currency', source->'costRate'->>'rate')
                          FROM jsonb_array_elements(o.sources) AS source WHERE source ? 'costRate'), '{}')
           || jsonb_build_object(o.deduction_currency, '1') AS rates
    FROM orders o CROSS JOIN LATERAL order_margin(o) AS earned`;

/**
 * The ended orders of the fakes whose stored margin is not the wallet's debits less its credits and the fakes' ledgers, to the cent.
 * Leaves out those that an operator decided, perhaps with goods from elsewhere, and those of which a supplier stated another cost.
 */
export async function wrongMargins(orders: readonly OrderFact[], databaseUrl: string): Promise<Broken[]> {
  const margins = await query<StoredMargin>(databaseUrl, MARGINS);
  const stored = new Map(margins.map((margin) => [margin.id, margin]));
  return orders
    .filter(({ supplier, isDecided, changes }) => {
      const isMisstated = changes.has('cost') || changes.has('impossible cost');
      return supplier !== 'simulator' && !isDecided && !isMisstated;
    })
    .flatMap((order) => wrongMargin(order, stored.get(order.id)));
}

function wrongMargin(order: OrderFact, stored: StoredMargin | undefined): Broken[] {
  if (!stored) return [];
  const expected = earned(order, stored.rates).toDecimalPlaces(2);
  if (stored.margin !== null && new Decimal(stored.margin).toDecimalPlaces(2).equals(expected)) return [];
  const detail = `order ${order.id}: ${stored.margin ?? 'a purchase has no cost'}, expected ${expected.toFixed()}`;
  return [{ guarantee: "every margin is the debit less the fakes' ledgers", orderIds: [order.id], detail }];
}

function earned(
  { debited, credited, refunded, redeemed, sales }: OrderFact,
  rates: Record<string, string>,
): Decimal {
  const kept = debited.minus(credited).minus(refunded).plus(redeemed);
  return sales.reduce(
    (left, { cost }) =>
      cost ? left.minus(new Decimal(cost.amount).times(rates[cost.currency] ?? NaN)) : left,
    kept,
  );
}
