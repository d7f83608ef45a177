/**
 * SQL that replaces supplier and workflow in database tests: it stores units and closes purchases.
 * Only this test code knows how purchases are stored.
 */
import { randomBytes } from 'node:crypto';
import { rows, type Database } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';

/** The fields of stored vouchers. Other families ignore them. */
export interface StoredVouchers {
  /** Keyed hashes of the codes, one for each unit. */
  codeHashes?: Buffer[];
  expiresAt?: Date;
}

const storeVouchers = `
  INSERT INTO vouchers (order_id, unit, sealed_codes, code_hash, claim_hash, expires_at)
  SELECT o.id, o.delivered_quantity + n, 'sealed', ($codeHashes::bytea[])[n], ($claimHashes::bytea[])[n], $expiresAt
    FROM open_order o, generate_series(1, least($count::integer, o.quantity - o.delivered_quantity)) n
   WHERE o.family = 'VOUCHER'
  RETURNING unit`;
const storeProfile = `
  UPDATE esim_orders SET iccid = 'sealed', activation_code = 'sealed', iccid_hash = ($codeHashes::bytea[])[1],
         activation_status = 'NOT_INSTALLED'
   WHERE order_id IN (SELECT id FROM open_order WHERE family = 'ESIM' AND delivered_quantity = 0 AND $count > 0)
  RETURNING 1 AS unit`;
const storeRecharge = `
  SELECT 1 AS unit FROM open_order WHERE family = 'TOPUP' AND delivered_quantity = 0 AND $count > 0`;

/** Stores the next `count` units of an open order, at most its missing units. */
export async function storeUnits(
  database: Database,
  orderId: number,
  count: number,
  { codeHashes, expiresAt }: StoredVouchers = {},
): Promise<void> {
  const hashes = () => Array.from({ length: count }, () => randomBytes(32));
  await rows(
    database,
    `WITH open_order AS MATERIALIZED (SELECT * FROM orders WHERE id = $orderId AND completed_at IS NULL FOR UPDATE),
          voucher AS (${storeVouchers}), profile AS (${storeProfile}), recharge AS (${storeRecharge}),
          stored AS (SELECT unit FROM voucher UNION ALL SELECT unit FROM profile UNION ALL SELECT unit FROM recharge),
          purchase AS (
            UPDATE supplier_purchases p
               SET stored = stored + (SELECT count(*) FROM stored
                                       WHERE unit BETWEEN p.first_unit AND p.first_unit + p.units - 1)
             WHERE p.order_id IN (SELECT id FROM open_order))
     UPDATE orders SET delivered_quantity = delivered_quantity + (SELECT count(*) FROM stored)
      WHERE id IN (SELECT id FROM open_order) AND EXISTS (SELECT FROM stored)`,
    { orderId, count, codeHashes: codeHashes ?? hashes(), claimHashes: hashes(), expiresAt: expiresAt ?? null },
  );
}

/** Closes the order's purchases: delivered if every unit is stored, otherwise rejected by the supplier. */
export async function closePurchases(database: Database, orderId: number): Promise<void> {
  await sql(database)`UPDATE supplier_purchases
       SET state = CASE WHEN stored = units THEN 'DELIVERED' ELSE 'REJECTED' END
      WHERE order_id = ${orderId} AND state IN ('READY', 'SENT', 'PENDING')`;
}
