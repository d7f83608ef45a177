/** What orders earned, compared with the wallets and the ledgers of the fakes. */
import { Decimal } from 'decimal.js';
import { query } from '../../stack/postgres';
import type { Broken } from './broken';
import type { OrderFact } from './facts';
import { replacementsOf } from './inherited';

/** An ended order as the database has it. Decimals are strings. */
export interface StoredMargin {
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

export function readMargins(databaseUrl: string): Promise<StoredMargin[]> {
  return query<StoredMargin>(databaseUrl, MARGINS);
}

/**
 * The ended orders of the fakes whose stored margin is not the wallet's debits less its credits and the fakes' ledgers, to the cent. The
 * orders that replace their units cost them, too. Leaves out those that an operator decided, perhaps with goods from elsewhere, and
 * those of which a supplier stated another cost.
 */
export function wrongMargins(orders: readonly OrderFact[], margins: readonly StoredMargin[]): Broken[] {
  const stored = new Map(margins.map((margin) => [margin.id, margin]));
  return orders.flatMap((order) => {
    const bought = [order, ...replacementsOf(order.id, orders)];
    return bought.every(hasKnownCost) ? wrongMargin(bought, stored) : [];
  });
}

function hasKnownCost({ supplier, isDecided, changes }: OrderFact): boolean {
  const isMisstated = changes.has('cost') || changes.has('impossible cost');
  return supplier !== 'simulator' && !isDecided && !isMisstated;
}

/** Of the first of the orders; the others replace its units. */
function wrongMargin(bought: readonly OrderFact[], margins: ReadonlyMap<number, StoredMargin>): Broken[] {
  const [order] = bought;
  const stored = order && margins.get(order.id);
  if (!stored) return [];
  const costs = bought.map((one) => costOf(one, margins.get(one.id)?.rates ?? {}));
  const expected = Decimal.sub(keptBy(order), Decimal.sum(...costs)).toDecimalPlaces(2);
  if (stored.margin !== null && new Decimal(stored.margin).toDecimalPlaces(2).equals(expected)) return [];
  const detail = `order ${order.id}: ${stored.margin ?? 'a purchase has no cost'}, expected ${expected.toFixed()}`;
  return [{ guarantee: "every margin is the debit less the fakes' ledgers", orderIds: [order.id], detail }];
}

function keptBy({ debited, credited, refunded, redeemed }: OrderFact): Decimal {
  return debited.minus(credited).minus(refunded).plus(redeemed);
}

function costOf({ sales }: OrderFact, rates: Record<string, string>): Decimal {
  return sales.reduce(
    (sum, { cost }) => (cost ? sum.plus(new Decimal(cost.amount).times(rates[cost.currency] ?? NaN)) : sum),
    new Decimal(0),
  );
}
