/** The messages of the stream as JSON. docs/developers/console.md#the-stream. */
import type { LiveAttempt, LiveEvent, LiveOrder, LiveWallet } from '../../data/clients/live-account';
import { families } from '../../domain/orders/families';
import { toJsonNumber } from '../../domain/prices/money';
import { utcTime } from '../../domain/time';
import { outcomeView } from '../webhooks/event-routes';

export function liveWalletView({ id, currency, balance, available }: LiveWallet) {
  return { id, currency_code: currency, balance: toJsonNumber(balance), available: toJsonNumber(available) };
}

/** An order as in a list, without codes, phone numbers and inputs. A page that shows these reads the order from the API. */
export function orderView(order: LiveOrder) {
  return {
    id: order.id,
    family: families[order.family].feature,
    product_name: order.productName,
    ...(order.clientReference !== null && { client_reference: order.clientReference }),
    status: order.status,
    quantity: order.quantity,
    delivered_quantity: order.deliveredQuantity,
    ...amountOf(order),
    placed_at: utcTime(order.placedAt),
  };
}

/** As in the lists of orders: the total face value of vouchers, the price of other orders. */
function amountOf(order: LiveOrder) {
  return order.family === 'VOUCHER'
    ? { amount: toJsonNumber(order.listTotal), currency: order.productCurrency }
    : { amount: toJsonNumber(order.price), currency: order.walletCurrency };
}

export function eventView({ id, type, orderId, createdAt }: LiveEvent) {
  return { id, type, order_id: orderId, created_at: utcTime(createdAt) };
}

export function attemptView(attempt: LiveAttempt) {
  return {
    event_id: attempt.eventId,
    endpoint_id: attempt.endpointId,
    attempted_at: utcTime(attempt.attemptedAt),
    ...outcomeView(attempt),
  };
}
