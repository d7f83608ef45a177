/** Purchases that a supplier took back after it had delivered them. */
import { rows, type Database } from '../database/database';

/** A supplier has told that a delivered purchase was reversed: it is asked about at the next turn. */
export async function scheduleReversalCheck(database: Database, reference: string): Promise<void> {
  await rows(
    database,
    `UPDATE supplier_purchases SET late_check_at = clock_timestamp() WHERE reference = $reference AND state = 'DELIVERED'`,
    { reference },
  );
}

/** The supplier has answered for a delivered purchase: it is not asked again. */
export async function endReversalCheck(database: Database, reference: string): Promise<void> {
  await rows(
    database,
    `UPDATE supplier_purchases SET late_check_at = NULL WHERE reference = $reference AND state = 'DELIVERED'`,
    { reference },
  );
}

/**
 * Puts the order on the operators' list with what the reversed units cost. Nothing else about it changes:
 * an order that has ended stays as it is, and no money moves by itself. Repeated, it changes nothing.
 */
export async function raiseReversal(database: Database, reference: string): Promise<void> {
  await rows(
    database,
    `INSERT INTO attention (kind, order_id, reason)
     SELECT 'PURCHASE_REVERSED', o.id, 'The supplier reversed ' || p.reference || ' after delivery: ' || p.units
            || ' of ' || o.quantity || ' units, which cost '
            || round(o.total_payable * p.units / o.quantity, c.minor_unit) || ' ' || o.deduction_currency
       FROM supplier_purchases p JOIN orders o ON o.id = p.order_id
       JOIN currencies c ON c.code = o.deduction_currency
      WHERE p.reference = $reference AND p.state = 'DELIVERED'
     ON CONFLICT (kind, order_id, supplier, endpoint_id)
     DO UPDATE SET reason = excluded.reason, cleared_at = NULL, settlement = NULL, mirrored = false
      WHERE attention.reason <> excluded.reason`,
    { reference },
  );
}
