/** The mail about the end of an order: its content, its address and its state. */
import type { OrderKey } from '../../domain/orders/order-messages';
import type { Family } from '../../domain/orders/families';
import { clearAttention, raiseAttention } from '../attention/attention';
import { firstRow, rows, type Database } from '../database/database';
import { familyStorage, type OrderToMail } from '../purchases/families';
import type { OwnColumns } from '../purchases/families/family-storage';
import type { AuditedCaller } from '../../domain/audit';
import { recordAudit } from '../audit/audit-entries';

const mailableStatement = ({ columns, join }: OwnColumns) => `
  SELECT o.id AS "orderId", o.nonce, o.family, c.name AS "clientName", o.product_name AS "productName",
         o.status, o.failure_code AS "failureCode", o.quantity,
         EXISTS (SELECT FROM transactions t WHERE t.order_id = o.id AND t.kind = 'REFUND') AS refunded,
         o.delivered_quantity AS delivered, o.unit_amount AS "faceValue", o.base_currency AS currency,
         m.minor_unit AS "minorUnit", o.placed_at AS "placedAt", o.sealed_email AS "sealedEmail",
         ${['c.codes_in_mail AS "codesInMail"', ...columns].join(', ')}
    FROM orders o
    JOIN clients c ON c.id = o.client_id
    JOIN currencies m ON m.code = o.base_currency ${join}
   WHERE o.id = $orderId AND o.nonce = $nonce AND o.family = $family
     AND o.sealed_email IS NOT NULL AND o.completed_at IS NOT NULL`;

/** The order if its mail is due: it has ended, an address is attached, and no mail was sent or given up by an operator. */
export function findOrderToMail(database: Database, family: Family, { orderId, nonce }: OrderKey) {
  const due = `${mailableStatement(familyStorage[family].mail)} AND o.mailed_at IS NULL AND o.mail_given_up_at IS NULL`;
  return firstRow<OrderToMail>(database, due, { orderId, nonce, family });
}

/** The order if it can be mailed, even again: it has ended, and an address is attached. */
export function findMailableOrder(database: Database, family: Family, { orderId, nonce }: OrderKey) {
  const mailable = mailableStatement(familyStorage[family].mail);
  return firstRow<OrderToMail>(database, mailable, { orderId, nonce, family });
}

/** Marks the mail of the order as sent and clears its attention entry. A repetition keeps the first time. */
export async function markMailed(database: Database, orderId: number, now: Date): Promise<void> {
  await database.transaction(async (transaction) => {
    const mark = 'UPDATE orders SET mailed_at = $now WHERE id = $orderId AND mailed_at IS NULL';
    await rows(database, mark, { orderId, now }, transaction);
    await clearAttention(database, { orderId }, ['MAIL_UNDELIVERABLE'], transaction);
  });
}

/** Puts the order on the attention list, because its mail was given up. Does nothing if no mail is due (any more). */
export async function reportUndeliverable(database: Database, orderId: number): Promise<void> {
  await database.transaction(async (transaction) => {
    // The lock prevents a report after another process has marked the mail as sent.
    const unmailed = `SELECT FROM orders WHERE id = $orderId AND mailed_at IS NULL AND mail_given_up_at IS NULL
                         AND sealed_email IS NOT NULL AND completed_at IS NOT NULL FOR NO KEY UPDATE`;
    if (!(await firstRow(database, unmailed, { orderId }, transaction))) return;
    const reason = 'The notification mail could not be sent';
    await raiseAttention(database, { orderId }, 'MAIL_UNDELIVERABLE', reason, transaction);
  });
}

/**
 * Attaches the sealed address and its lookup hashes. Returns false if the order is no longer pending. If the order ends at the same
 * moment, either its mail goes to this address or the result is false. The audit records the change, not the address.
 */
export async function attachEmail(
  database: Database,
  family: Family,
  caller: AuditedCaller,
  orderId: number,
  address: { sealedEmail: Buffer; emailHash: Buffer; mailboxHash: Buffer | null },
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const changed = await firstRow(
      database,
      `UPDATE orders SET sealed_email = $sealedEmail, email_hash = $emailHash, mailbox_hash = $mailboxHash
        WHERE id = $orderId AND client_id = $clientId AND family = $family AND status = 'PENDING' RETURNING id`,
      { orderId, clientId: caller.clientId, family, ...address },
      transaction,
    );
    if (!changed) return false;
    const entry = { action: 'notification_email.changed', object: `order/${orderId}` } as const;
    await recordAudit(database, caller, entry, transaction);
    return true;
  });
}
