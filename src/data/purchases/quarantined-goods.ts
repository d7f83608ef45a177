/**
 * Quarantined goods: paid for, but shown to no client, because they arrived too late, in excess or unusable. Also goods that an
 * operator entered for a waiting order. docs/decisions/0009-close-an-ended-order-everywhere.md.
 */
import type { OrderKey } from '../../domain/orders/order-messages';
import { safeText, type SafeText } from '../../domain/safe-text';
import { firstRow, hasRow, oneRow, rows, type Database } from '../database/database';
import { reopenAttention } from '../attention/attention';
import { costText } from './costs';
import type { Purchase } from './purchase-reads';

/** One unit, sealed for its order; `position` counts the units of the supplier's report from 1. */
export interface SealedUnit {
  position: number;
  sealed: Buffer;
  /** Why it cannot be delivered, without its contents; null if it is usable. */
  defect: SafeText | null;
  /** The hashes of its unique texts, at most two. */
  hashes: readonly Buffer[];
}

/** SQL: the same unit is quarantined already, because it is unusable. */
const isQuarantined = `
  EXISTS (SELECT FROM quarantined_goods same
           WHERE same.reference = $reference AND same.position = unit.position AND same.reason = 'UNREADABLE'
             AND same.code_hash IS NOT DISTINCT FROM unit.code_hash)`;

/** SQL: quarantines the units that meet the condition. */
const insertUnits = (condition: string) => `
  INSERT INTO quarantined_goods (order_id, reference, position, reason, sealed, defect, code_hash, second_hash)
  SELECT $orderId, $reference, unit.position, $reason, unit.sealed, unit.defect, unit.code_hash, unit.second_hash
    FROM unnest($positions::integer[], $sealed::bytea[], $defects::text[], $codeHashes::bytea[], $secondHashes::bytea[])
      AS unit (position, sealed, defect, code_hash, second_hash)
   WHERE ${condition}
  ON CONFLICT DO NOTHING`;

const keepStatement = `
WITH kept AS (
  ${insertUnits('NOT ' + isQuarantined)} RETURNING units
), quarantined AS (
  SELECT sum(units) AS units FROM (
    SELECT units FROM kept UNION ALL
    SELECT units FROM quarantined_goods WHERE reference = $reference AND reason IN ('LATE', 'EXTRA')) all_kept
)
INSERT INTO attention (kind, order_id, reference, reason)
SELECT 'GOODS_APART', o.id, $reference, quarantined.units || ' of its units came ' ||
       CASE WHEN $reason = 'EXTRA' THEN 'beyond what was ordered'
            WHEN p.state = 'REPLACED' THEN 'after another purchase had replaced it'
            WHEN o.completed_at IS NULL THEN 'after the purchase had been given up'
            ELSE 'after the order had ended' END
       || ' and are quarantined; ' || ${costText('p', 'quarantined.units')} || ' (' || $reference || ')'
  FROM orders o JOIN supplier_purchases p ON p.order_id = o.id, quarantined
 WHERE o.id = $orderId AND p.reference = $reference AND EXISTS (SELECT FROM kept)
${reopenAttention}`;

/** Quarantines units of a purchase and puts the order on the attention list. Idempotent. */
export async function quarantineGoods(
  database: Database,
  { orderId, reference }: Purchase,
  reason: 'LATE' | 'EXTRA',
  units: readonly SealedUnit[],
): Promise<void> {
  await rows(database, keepStatement, { orderId, reference, reason, ...columnsOf(units) });
}

/** Quarantines unusable units, sealed, while their purchase waits for an operator. Idempotent. */
export async function quarantineUnreadable(
  database: Database,
  { orderId, reference }: Purchase,
  units: readonly SealedUnit[],
): Promise<void> {
  await rows(database, insertUnits('true'), { orderId, reference, reason: 'UNREADABLE', ...columnsOf(units) });
}

/** The units as the arrays that a statement unnests. */
function columnsOf(units: readonly SealedUnit[]) {
  return {
    positions: units.map(({ position }) => position),
    sealed: units.map(({ sealed }) => sealed),
    defects: units.map(({ defect }) => defect),
    codeHashes: units.map(({ hashes }) => hashes[0] ?? null),
    secondHashes: units.map(({ hashes }) => hashes[1] ?? null),
  };
}

/**
 * The 1-based positions of the units of a purchase that its order shows. Empty for a replaced purchase: the order shows the units
 * of its successors.
 */
export async function listShownPositions(
  database: Database,
  { reference }: Pick<Purchase, 'reference'>,
): Promise<number[]> {
  const found = await rows<{ position: number }>(
    database,
    `SELECT v.unit - p.first_unit + 1 AS position
       FROM supplier_purchases p JOIN vouchers v ON v.order_id = p.order_id
        AND v.unit BETWEEN p.first_unit AND p.first_unit + p.units - 1
      WHERE p.reference = $reference AND p.state <> 'REPLACED'
     UNION ALL
     SELECT 1 FROM supplier_purchases p JOIN orders o ON o.id = p.order_id
      WHERE p.reference = $reference AND p.state <> 'REPLACED' AND o.family <> 'VOUCHER' AND o.delivered_quantity > 0`,
    { reference },
  );
  return found.map(({ position }) => position);
}

/**
 * The positions of the units that an operator delivered in place of the supplier, which may still deliver them: all units of the
 * purchase except those that arrived unusable. Empty if no operator delivered the purchase.
 */
export async function listReplacedByHand(
  database: Database,
  { reference }: Pick<Purchase, 'reference'>,
): Promise<number[]> {
  const found = await rows<{ position: number }>(
    database,
    `SELECT one.position FROM supplier_purchases p CROSS JOIN generate_series(1, p.units) AS one (position)
      WHERE p.reference = $reference AND p.state = 'DELIVERED' AND p.detail = $detail
        AND NOT EXISTS (SELECT FROM quarantined_goods quarantined
                         WHERE quarantined.reference = p.reference AND quarantined.position = one.position AND quarantined.reason = 'UNREADABLE')`,
    { reference, detail: DELIVERED_BY_HAND },
  );
  return found.map(({ position }) => position);
}

/** The hashes among these under which a unit is stored: a unit of the order if one is given, otherwise of any order. */
export async function listKnownHashes(
  database: Database,
  hashes: readonly Buffer[],
  orderId?: number,
): Promise<Buffer[]> {
  const ofOrder = '($orderId::bigint IS NULL OR order_id = $orderId)';
  const found = await rows<{ hash: Buffer }>(
    database,
    `SELECT hash FROM unnest($hashes::bytea[]) AS given (hash)
      WHERE EXISTS (SELECT FROM vouchers WHERE code_hash = given.hash AND ${ofOrder})
         OR EXISTS (SELECT FROM vouchers WHERE claim_hash = given.hash AND ${ofOrder})
         OR EXISTS (SELECT FROM esim_orders WHERE iccid_hash = given.hash AND ${ofOrder})
         OR EXISTS (SELECT FROM esim_orders WHERE activation_hash = given.hash AND ${ofOrder})`,
    { hashes, orderId: orderId ?? null },
  );
  return found.map(({ hash }) => hash);
}

/**
 * SQL: the units of the order with a code that is quarantined for another unit. `hashed`: SQL for the units with their hashes.
 * `hashes`: all these hashes as an array. A code belongs to the unit for which it was quarantined first. A surplus unit belongs to
 * no unit of its order.
 */
export const quarantinedElsewhere = (hashed: string, hashes: string, orderId: string): string => `
  WITH quarantined AS MATERIALIZED (
    SELECT quarantined.id, quarantined.code_hash, quarantined.second_hash, quarantined.order_id,
           CASE WHEN quarantined.reason <> 'EXTRA' THEN bought.first_unit + quarantined.position - 1 END AS unit
      FROM quarantined_goods quarantined JOIN supplier_purchases bought ON bought.reference = quarantined.reference
     WHERE quarantined.code_hash = ANY (${hashes}) OR quarantined.second_hash = ANY (${hashes})
  ), holder AS (
    SELECT DISTINCT ON (hashed.unit, hashed.hash) hashed.unit, quarantined.order_id, quarantined.unit AS own_unit
      FROM quarantined JOIN (${hashed}) AS hashed (unit, hash) ON hashed.hash IN (quarantined.code_hash, quarantined.second_hash)
     ORDER BY hashed.unit, hashed.hash, quarantined.id
  )
  SELECT unit FROM holder WHERE (order_id, own_unit) IS DISTINCT FROM (${orderId}, unit)`;

/** Codes by their hashes, each with the unit of the order that is to get it. */
export interface UnitCode {
  unit: number;
  hash: Buffer;
}

const elsewhereStatement = `
  SELECT FROM (${quarantinedElsewhere(
    'SELECT * FROM unnest($units::integer[], $hashes::bytea[])',
    '$hashes::bytea[]',
    '$orderId::bigint',
  )}) elsewhere LIMIT 1`;

/** Whether one of the codes is quarantined for another unit, of this or another order. */
export function isQuarantinedElsewhere(
  database: Database,
  orderId: number,
  codes: readonly UnitCode[],
): Promise<boolean> {
  const [units, hashes] = [codes.map(({ unit }) => unit), codes.map(({ hash }) => hash)];
  return hasRow(database, elsewhereStatement, { orderId, units, hashes });
}

/** Stores an operator's goods for the order: JSON sealed for it. Returns their id. */
export async function addOperatorGoods(
  database: Database,
  orderId: number,
  sealed: Buffer,
  units: number,
): Promise<number> {
  return (
    await oneRow<{ id: number }>(
      database,
      `INSERT INTO quarantined_goods (order_id, reason, sealed, units) 
     VALUES ($orderId, 'OPERATOR', $sealed, $units) RETURNING id`,
      { orderId, sealed, units },
    )
  ).id;
}

/** An operator's sealed goods for the order; undefined if there are none with the id, or if they were erased with their recipient. */
export function findOperatorGoods(database: Database, orderId: number, id: number) {
  return firstRow<{ sealed: Buffer }>(
    database,
    `SELECT sealed FROM quarantined_goods 
      WHERE id = $id AND order_id = $orderId AND reason = 'OPERATOR' AND sealed IS NOT NULL`,
    { id, orderId },
  );
}

/** Records that an operator's goods have become the order's. */
export async function markOperatorGoodsUsed(database: Database, id: number): Promise<void> {
  await rows(database, 'UPDATE quarantined_goods SET used_at = now() WHERE id = $id AND used_at IS NULL', { id });
}

/** Records that an operator has delivered a top-up, which has no goods. Idempotent. */
export async function markDeliveredByHand(database: Database, orderId: number, sealed: Buffer): Promise<void> {
  await rows(
    database,
    `INSERT INTO quarantined_goods (order_id, reason, sealed, used_at)
     SELECT id, 'OPERATOR', $sealed, now() FROM orders o WHERE id = $orderId AND family = 'TOPUP'
        AND NOT EXISTS (SELECT FROM quarantined_goods WHERE order_id = o.id AND reason = 'OPERATOR')`,
    { orderId, sealed },
  );
}

/** The detail of a purchase that an operator delivered. */
export const DELIVERED_BY_HAND = safeText`Operator: DELIVERED`;

/** SQL: whether this detail says that an operator delivered the purchase, or its missing part. */
export const saysByHand = (detail: string): string => `${detail} IS NOT DISTINCT FROM '${DELIVERED_BY_HAND}'`;

/** Whether an operator has delivered a purchase of the order. */
export function isDeliveredByHand(database: Database, { orderId, nonce }: OrderKey): Promise<boolean> {
  const sql = `SELECT FROM supplier_purchases p JOIN orders o ON o.id = p.order_id
                WHERE o.id = $orderId AND o.nonce = $nonce AND p.state = 'DELIVERED' AND p.detail = $detail LIMIT 1`;
  return hasRow(database, sql, { orderId, nonce, detail: DELIVERED_BY_HAND });
}
