/** The statement of orders: all orders of a client that were placed in a period, with their debits and credited refunds. */
import { orderStatuses, type OrderStatus } from '../../domain/orders/order-states';
import { familyIds, type Family } from '../../domain/orders/families';
import { oneRow, rows, type Database } from '../database/database';
import type { Period } from '../wallets/wallet-statement';
import { indexedOrders } from './indexed-orders';
import { creditedRefunds } from './stored-refunds';
import { replacedColumns } from './order-reads';

/** Amounts are decimal strings with as many decimals as the wallet's currency has. */
export interface StatedOrder {
  id: number;
  family: Family;
  clientReference: string | null;
  productId: number;
  product: string;
  quantity: number;
  deliveredQuantity: number;
  status: OrderStatus;
  failureCode: string | null;
  walletId: number;
  charged: string;
  currency: string;
  refunded: string;
  transactionId: number | null;
  refundTransactionId: number | null;
  placedAt: Date;
  completedAt: Date | null;
  /** The order and its unit that this order replaces; null if it replaces none. The unit is null for a family whose orders have one. */
  replacesOrderId: number | null;
  replacesUnit: number | null;
}

/** Orders read by one statement. */
const PAGE = 1_000;

/** The orders of the period after the position. Only the rows of a page are fetched. */
const following = indexedOrders({
  families: familyIds,
  statuses: orderStatuses.map((status) => `'${status}'`),
  conditions: ['(placed_at, id) > ($after::timestamptz, $afterId::bigint)', 'placed_at < $end::timestamptz'],
  sequence: 'oldest first',
  limit: PAGE,
});

/** The columns of a `StatedOrder`, from the orders `o` with `statedJoins`. */
export const statedColumns = `
  o.id, o.family, o.client_reference AS "clientReference", o.product_id AS "productId", o.product_name AS product,
  o.quantity, o.delivered_quantity AS "deliveredQuantity", o.status, o.failure_code AS "failureCode",
  o.wallet_id AS "walletId", o.deduction_currency AS currency,
  round(CASE WHEN o.transaction_id IS NULL THEN 0 ELSE o.total_payable END, currency.minor_unit) AS charged,
  round(coalesce(refund.amount, 0), currency.minor_unit) AS refunded,
  o.transaction_id AS "transactionId", refund.id AS "refundTransactionId",
  o.placed_at AS "placedAt", o.completed_at AS "completedAt", ${replacedColumns}`;
export const statedJoins = `
  JOIN currencies currency ON currency.code = o.deduction_currency
  ${creditedRefunds}`;

const pageStatement = `-- plan: orders_listed
  WITH page AS MATERIALIZED (${following} LIMIT ${PAGE})
  SELECT ${statedColumns}, o.placed_at::text AS "exactlyAt"
    FROM page JOIN orders o USING (id) ${statedJoins}
   ORDER BY o.placed_at, o.id`;

/**
 * The end of the statement: `$to`, or the present moment if that is earlier. Closes the client's time, so that no further
 * order gets a time before this end. Waits for uncommitted placements, and holds no lock afterwards.
 */
const endStatement = `
  SELECT least($to::timestamptz, close_time($clientId, $to) + interval '1 microsecond')::text AS end`;

/**
 * Returns the orders, oldest first, with at most a page in memory. Each has the state at the time of its read. Omits orders
 * that are placed after the read began. For a past period, each call returns the same orders.
 * docs/decisions/0019-list-in-commit-order.md.
 */
export async function* statedOrders(
  database: Database,
  clientId: number,
  { from, to }: Period,
): AsyncGenerator<StatedOrder> {
  const { end } = await oneRow<{ end: string }>(database, endStatement, { clientId, to });
  // As text, because moments of PostgreSQL are finer than those of JavaScript.
  let position = { after: from.toISOString(), afterId: 0 };
  for (;;) {
    const binds = { clientId, end, ...position };
    const page = await rows<StatedOrder & { exactlyAt: string }>(database, pageStatement, binds);
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    position = { after: last.exactlyAt, afterId: last.id };
  }
}
