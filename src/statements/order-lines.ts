/** The orders of a client as lines. docs/specification.md#statements. */
import type { StatedOrder } from '../data/orders/order-statement';
import type { Period } from '../data/wallets/wallet-statement';

/** The columns, in this order, with their values for an order. */
const columns = {
  line: () => 'ORDER',
  placed_at: ({ placedAt }) => placedAt.toISOString(),
  family: ({ family }) => family,
  id: ({ id }) => id,
  client_reference: ({ clientReference }) => clientReference,
  product_id: ({ productId }) => productId,
  product: ({ product }) => product,
  quantity: ({ quantity }) => quantity,
  delivered_quantity: ({ deliveredQuantity }) => deliveredQuantity,
  status: ({ status }) => status,
  failure_code: ({ failureCode }) => failureCode,
  wallet_id: ({ walletId }) => walletId,
  charged_amount: ({ charged }) => charged,
  charged_currency: ({ currency }) => currency,
  refunded_amount: ({ refunded }) => refunded,
  transaction_id: ({ transactionId }) => transactionId,
  refund_transaction_id: ({ refundTransactionId }) => refundTransactionId,
  completed_at: ({ completedAt }) => completedAt?.toISOString() ?? null,
} satisfies Readonly<Record<string, (order: StatedOrder) => string | number | null>>;

export const orderColumns = Object.keys(columns);

/** A line for each order, read on demand, then END with the end of the period as `placed_at`. A file with END is complete. */
export async function* orderLines(
  orders: AsyncIterable<StatedOrder>,
  { to }: Period,
): AsyncGenerator<object> {
  for await (const order of orders) {
    yield Object.fromEntries(Object.entries(columns).map(([name, valueOf]) => [name, valueOf(order)]));
  }
  yield { line: 'END', placed_at: to.toISOString() };
}
