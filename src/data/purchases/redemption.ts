/** Vouchers of the house brand that pay for an order. docs/decisions/0024-let-a-voucher-pay.md. */
import type Decimal from 'decimal.js';
import { firstRow, type Database } from '../database/database';

/** One voucher: a unit of an order. */
export interface VoucherKey {
  orderId: number;
  unit: number;
}

/** What a voucher must be to pay for an order. */
export interface Redemption {
  clientId: number;
  /** The hashes the code may be stored under (see `Sealer.lookupHashes`). */
  codeHashes: Buffer[];
  currencyCode: string;
  /** Of the order: the voucher's face value is as much or more. */
  price: Decimal;
  now: Date;
}

// A pending order has shown its client no codes yet; of a failed one the delivered part was paid for.
const redeemableVoucher = `
  SELECT voucher.order_id AS "orderId", voucher.unit
    FROM vouchers voucher
    JOIN orders o ON o.id = voucher.order_id
    JOIN voucher_products product ON product.id = o.product_id
   WHERE voucher.code_hash = ANY ($codeHashes) AND product.redeemable
     AND o.client_id = $clientId AND o.status <> 'PENDING' AND o.base_currency = $currencyCode AND o.unit_amount >= $price
     AND voucher.redeemed_at IS NULL AND (voucher.expires_at IS NULL OR voucher.expires_at > $now)
   ORDER BY voucher.order_id, voucher.unit LIMIT 1`;

/** The voucher with the code, if it can pay. The placing transaction redeems it, or finds it taken. */
export async function findRedeemable(
  database: Database,
  { clientId, codeHashes, currencyCode, price, now }: Redemption,
): Promise<VoucherKey | undefined> {
  return firstRow<VoucherKey>(database, redeemableVoucher, {
    codeHashes,
    clientId,
    currencyCode,
    price: price.toFixed(),
    now,
  });
}
