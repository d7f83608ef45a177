/**
 * What an order moved in the wallet, as every single order shows it. docs/specification.md#money-of-an-order.
 */
import type { OrderRow } from '../../data/orders/order-rows';
import { toJsonNumber } from '../../domain/prices/money';

/** What was debited and what was credited back, in the wallet's currency. An order may debit nothing. */
export function moneyView(order: OrderRow) {
  return {
    charged_amount: order.transactionId === null ? 0 : toJsonNumber(order.price),
    charged_currency: order.walletCurrency,
    refunded_amount: toJsonNumber(order.refund ?? 0),
    ...(order.refundTransactionId !== null && { refund_transaction_id: order.refundTransactionId }),
  };
}

/** The entry that debited the wallet; nothing where none did. */
export function transactionView({ transactionId }: OrderRow) {
  return transactionId === null ? {} : { transaction_id: transactionId };
}

/**
 * The end of a text about an order that failed or was cancelled. It speaks of a refund only once the
 * wallet was credited: a closed wallet makes it wait for operations.
 */
export function refundText(order: OrderRow): string {
  if (order.refundTransactionId !== null) return 'what was not delivered has been refunded';
  return order.transactionId === null ? 'nothing was debited' : 'no refund has been credited yet';
}
