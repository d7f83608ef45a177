/** The rows of orders that all families share. */
import type { FailureCode } from '../../domain/orders/failure-codes';
import type { OrderKey } from '../../domain/orders/order-messages';
import type { OrderStatus } from '../../domain/orders/order-states';

/** An order as its client reads it. Amounts are decimal strings; `sealedEmail` is bound to `nonce`. */
export interface OrderRow {
  id: number;
  nonce: string;
  clientReference: string | null;
  productId: number;
  productName: string;
  countryCode: string;
  quantity: number;
  faceValue: string;
  listTotal: string;
  discount: string;
  productCurrency: string;
  walletId: number;
  walletCurrency: string;
  price: string;
  transactionId: number | null;
  status: OrderStatus;
  failureCode: FailureCode | null;
  /** The order and its unit that this order replaces; null if it replaces none. The unit is null for a family whose orders have one. */
  replacesOrderId: number | null;
  replacesUnit: number | null;
  /** The orders that replace units of this one; null without any. */
  replacements: { unit: number | null; order_id: number; replaced_at: string | null }[] | null;
  /** Whether it is under review: nothing is bought yet. */
  isHeld: boolean;
  deliveredQuantity: number;
  sealedEmail: Buffer | null;
  placedAt: Date;
  completedAt: Date | null;
  /** The sum of all credited refunds, and the first of them; null while there is none. */
  refund: string | null;
  refundTransactionId: number | null;
  /** Whether the automatic refund of undelivered units was credited. */
  isRefunded: boolean;
}

/** One voucher. `voucher-codes.ts` opens its codes. */
export interface VoucherRow {
  unit: number;
  sealedCodes: Buffer;
  expiresAt: Date | null;
}

/** The content of every family's mail. `sealedEmail` is bound to `nonce`. */
export interface MailableOrder extends OrderKey {
  clientName: string;
  productName: string;
  status: OrderStatus;
  failureCode: FailureCode | null;
  /** Whether the wallet was credited for the undelivered units. */
  refunded: boolean;
  quantity: number;
  delivered: number;
  /** Face value of one unit in the product's currency, whose minor unit is `minorUnit`. */
  faceValue: string;
  currency: string;
  minorUnit: number;
  placedAt: Date;
  sealedEmail: Buffer;
  /** Whether the client wants codes in its mails. */
  codesInMail: boolean;
}
