/** A client's orders as lines. docs/specification.md#statements. */
import type { Period } from '../data/wallets/wallet-statement';
import type { StatedOrder } from '../data/orders/order-statement';
import type { Family } from '../domain/orders/families';
import type { OrderStatus } from '../domain/orders/orders';

/** One line. The last one is END: a file with it is complete. */
export type OrderLine = OrderColumns | { line: 'END'; placed_at: string };

interface OrderColumns {
  line: 'ORDER';
  placed_at: string;
  family: Family;
  id: number;
  client_reference: string | null;
  product_id: number;
  product: string;
  quantity: number;
  delivered_quantity: number;
  status: OrderStatus;
  failure_code: string | null;
  wallet_id: number;
  charged_amount: string;
  charged_currency: string;
  refunded_amount: string;
  transaction_id: number | null;
  refund_transaction_id: number | null;
  completed_at: string | null;
}

export const orderColumns = [
  ...(['line', 'placed_at', 'family', 'id', 'client_reference', 'product_id', 'product'] as const),
  ...(['quantity', 'delivered_quantity', 'status', 'failure_code', 'wallet_id'] as const),
  ...(['charged_amount', 'charged_currency', 'refunded_amount'] as const),
  ...(['transaction_id', 'refund_transaction_id', 'completed_at'] as const),
] satisfies (keyof OrderColumns)[];

/** The lines in their order, read as they are asked for. */
export async function* orderLines(
  orders: AsyncIterable<StatedOrder>,
  { to }: Period,
): AsyncGenerator<OrderLine> {
  for await (const order of orders) yield lineOf(order);
  yield { line: 'END', placed_at: to.toISOString() };
}

function lineOf(order: StatedOrder): OrderColumns {
  return {
    line: 'ORDER',
    placed_at: order.placedAt.toISOString(),
    family: order.family,
    id: order.id,
    client_reference: order.clientReference,
    product_id: order.productId,
    product: order.product,
    quantity: order.quantity,
    delivered_quantity: order.deliveredQuantity,
    status: order.status,
    failure_code: order.failureCode,
    wallet_id: order.walletId,
    charged_amount: order.charged,
    charged_currency: order.currency,
    refunded_amount: order.refunded,
    transaction_id: order.transactionId,
    refund_transaction_id: order.refundTransactionId,
    completed_at: order.completedAt?.toISOString() ?? null,
  };
}
