/** Voucher orders as JSON. docs/specification.md#voucher-order. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { VoucherInJson } from '../../data/orders/families/voucher';
import type { OrderRow } from '../../data/orders/order-reads';
import { toJsonNumber } from '../../domain/money';
import { orderField, voucherField } from '../../security/encryption-context';
import type { Sealer } from '../../security/sealing';
import { failureView } from '../shared/failure-view';
import { moneyView, refundText, transactionView } from '../shared/order-money-view';

function messageOf(order: OrderRow): string {
  switch (order.status) {
    case 'PENDING':
      return 'Order accepted; the vouchers are being prepared';
    case 'PARTIALLY_DELIVERED':
      return 'Some vouchers are delivered; the rest is being prepared';
    case 'DELIVERED':
      return 'All vouchers are delivered';
    case 'FAILED':
      return `The order could not be fulfilled; ${refundText(order)}`;
    case 'CANCELLED':
      return `The order was cancelled; ${refundText(order)}`;
  }
}

/** Vouchers opened in one turn of the event loop, so that a large order delays no other request. */
const OPENED_AT_ONCE = 250;

/** The answer to a create. `vouchers`: empty where none may be shown. */
export function createdView(order: OrderRow, email: string | null, vouchers: object[]): object {
  return wholeView(order, email, { wallet_id: order.walletId }, vouchers);
}

/** One order, read later. */
export function detailView(order: OrderRow, email: string | null, vouchers: object[]): object {
  const placed = { ...transactionView(order), placed_at: order.placedAt.toISOString() };
  return wholeView(order, email, placed, vouchers);
}

/** One order in a list. */
export function listView(order: OrderRow, email: string | null): object {
  return {
    id: order.id,
    product_id: order.productId,
    product_name: order.productName,
    ...(order.clientReference !== null && { client_reference: order.clientReference }),
    ...transactionView(order),
    denomination: toJsonNumber(order.faceValue),
    quantity: order.quantity,
    amount: toJsonNumber(order.listTotal),
    currency: order.productCurrency,
    status: order.status,
    email: email ?? '',
    placed_at: order.placedAt.toISOString(),
  };
}

/** Assigned, not spread: so many members spread into one take 6 us, and 2 more when they are serialised, instead of 1 each. */
function wholeView(order: OrderRow, email: string | null, own: object, vouchers: object[]): object {
  const outcome = { ...moneyView(order), message: messageOf(order), vouchers };
  return Object.assign(goodsView(order, email), own, failureView(order), outcome);
}

function goodsView(order: OrderRow, email: string | null) {
  return {
    id: order.id,
    ...(order.clientReference !== null && { client_reference: order.clientReference }),
    product_id: order.productId,
    product_name: order.productName,
    denomination: toJsonNumber(order.faceValue),
    quantity: order.quantity,
    discount: toJsonNumber(order.discount),
    amount: toJsonNumber(order.listTotal),
    status: order.status,
    ...(email !== null && { email }),
    base_currency: order.productCurrency,
    deduction_currency: order.walletCurrency,
  };
}

/** The notification address, opened. */
export function emailOf(sealer: Sealer, order: OrderRow): string | null {
  return sealer.openForView(orderField(order.nonce, 'email'), order.sealedEmail);
}

/** The vouchers, opened. */
export async function voucherViews(
  sealer: Sealer,
  orderId: number,
  vouchers: VoucherInJson[],
): Promise<object[]> {
  const views: object[] = [];
  for (let start = 0; start < vouchers.length; start += OPENED_AT_ONCE) {
    if (start > 0) await nextTurn();
    const opened = vouchers.slice(start, start + OPENED_AT_ONCE);
    views.push(...opened.map((voucher) => voucherView(sealer, orderId, voucher)));
  }
  return views;
}

function voucherView(sealer: Sealer, orderId: number, voucher: VoucherInJson): object {
  const open = (field: string, sealed: string | null) =>
    sealer.openForView(
      voucherField(orderId, voucher.unit, field),
      sealed === null ? null : Buffer.from(sealed.slice('\\x'.length), 'hex'),
    );
  return {
    card_number: open('card_number', voucher.cardNumber),
    pin_code: open('pin_code', voucher.pinCode),
    claim_url: open('claim_url', voucher.claimUrl),
    expires_at: voucher.expiresAt && new Date(voucher.expiresAt).toISOString(),
    voucher_reference_number: open('voucher_reference_number', voucher.referenceNumber),
  };
}
