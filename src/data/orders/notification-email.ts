import type { Family } from '../../domain/families';
import { firstRow, type Database } from '../database';

/**
 * Attaches the sealed address while the order is still pending: the row decides, so a terminal
 * transition at the same moment either mails to the new address or locks it. False when locked.
 */
export async function attachEmail(
  database: Database,
  family: Family,
  clientId: number,
  orderId: number,
  sealedEmail: Buffer,
): Promise<boolean> {
  const changed = await firstRow(
    database,
    `UPDATE orders SET sealed_email = $sealedEmail
      WHERE id = $orderId AND client_id = $clientId AND family = $family AND status = 'PENDING' RETURNING id`,
    { orderId, clientId, family, sealedEmail },
  );
  return changed !== undefined;
}
