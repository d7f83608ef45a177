/**
 * Redeemable vouchers, which pay for an order. docs/decisions/0005-place-an-order-with-one-statement.md.
 * Rule: which voucher can pay for an order
 */
import type Decimal from 'decimal.js';
import { firstRow, type Database } from '../database/database';

/** One voucher: a unit of an order. */
export interface VoucherKey {
  orderId: number;
  unit: number;
}

export interface Redemption {
  clientId: number;
  /** The possible hashes of the code (see `Sealer.lookupHashes`). */
  codeHashes: Buffer[];
  currencyCode: string;
  /** The price of the order: the voucher must be worth at least as much (`redemption_value`). */
  price: Decimal;
  now: Date;
}

// A voucher that was sold at a discount, before its product became redeemable, would be worth more than its price. One that replaces it is
// worth that price.
// Vouchers of a pending order cannot pay, because the client has not seen their codes yet. Delivered vouchers of a failed order
// can pay, because they are not refunded.
const redeemableVoucher = `
  SELECT voucher.order_id AS "orderId", voucher.unit
    FROM vouchers voucher
    JOIN orders o ON o.id = voucher.order_id
    JOIN voucher_products product ON product.id = o.product_id
   WHERE voucher.code_hash = ANY ($codeHashes) AND product.redeemable AND o.discount = 0
     AND o.client_id = $clientId AND o.status <> 'PENDING' AND o.base_currency = $currencyCode AND redemption_value(o) >= $price
     AND voucher.redeemed_at IS NULL AND voucher.voided_at IS NULL
     -- An amount or units that were refunded without a name may stand for this voucher: its product became redeemable later. Of a replacement,
     -- the paid order has the refunds.
     AND NOT EXISTS (SELECT FROM order_refunds unnamed
                      WHERE unnamed.order_id = (paid_unit(o.id, voucher.unit)).order_id AND unnamed.unit IS NULL)
     AND (voucher.expires_at IS NULL OR voucher.expires_at > $now)
   ORDER BY voucher.order_id, voucher.unit LIMIT 1`;

/** The voucher with the code, if it can pay. The placing transaction redeems it, or finds it redeemed already. */
export function findRedeemable(database: Database, { clientId, codeHashes, currencyCode, price, now }: Redemption) {
  return firstRow<VoucherKey>(database, redeemableVoucher, {
    codeHashes,
    clientId,
    currencyCode,
    price: price.toFixed(),
    now,
  });
}
