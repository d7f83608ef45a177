import type { Caller } from '../../domain/operations/audit';
import type { Family } from '../../domain/orders/families';
import { recordAudit } from '../operations/audit';
import { firstRow, type Database } from '../database/database';

/**
 * Attaches the sealed address, and the hash it is found by, while the order is still pending: the row decides, so a terminal
 * transition at the same moment either mails to the new address or locks it. False when locked. That it was
 * changed is written down, the address is not.
 */
export async function attachEmail(
  database: Database,
  family: Family,
  caller: Caller,
  orderId: number,
  { sealedEmail, emailHash }: { sealedEmail: Buffer; emailHash: Buffer },
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const changed = await firstRow(
      database,
      `UPDATE orders SET sealed_email = $sealedEmail, email_hash = $emailHash
        WHERE id = $orderId AND client_id = $clientId AND family = $family AND status = 'PENDING' RETURNING id`,
      { orderId, clientId: caller.clientId, family, sealedEmail, emailHash },
      transaction,
    );
    if (!changed) return false;
    const entry = { action: 'notification_email.changed', object: `order/${orderId}` } as const;
    await recordAudit(database, caller, entry, transaction);
    return true;
  });
}
