/** The due mails to clients about refunds after delivery. `carry_out_refund` writes them (`schema/functions/refunds.sql`). */
import type { Family } from '../../domain/orders/families';
import type { RefundReason } from '../../domain/orders/refund-reasons';
import { countRows, rows, type Database } from '../database/database';

export interface RefundMail {
  orderId: number;
  number: number;
  family: Family;
  clientReference: string | null;
  productName: string;
  walletId: number;
  /** A decimal string in `currency`. */
  amount: string;
  currency: string;
  minorUnit: number;
  reasonCode: RefundReason;
  /** The client's contact address. */
  email: string;
}

/** How long a mail belongs to the process that claimed it: longer than the mail server may take. */
const CLAIMED_FOR = `interval '15 minutes'`;
/** The wait after a failed attempt. */
const RETRY_AFTER = `interval '1 minute'`;
/** For how long attempts continue. */
const GIVEN_UP_AFTER = `interval '1 day'`;

/** Claims due mails, the oldest first, at most `limit`. Another process can claim them only after 15 minutes. */
export function claimRefundMails(database: Database, limit: number) {
  return rows<RefundMail>(
    database,
    `UPDATE refund_mails mail SET due_at = now() + ${CLAIMED_FOR}
       FROM order_refunds refund
       JOIN orders o ON o.id = refund.order_id
       JOIN clients client ON client.id = o.client_id
       JOIN currencies currency ON currency.code = o.deduction_currency
      WHERE refund.order_id = mail.order_id AND refund.number = mail.number AND (mail.order_id, mail.number) IN (
        SELECT order_id, number FROM refund_mails WHERE due_at <= now()
         ORDER BY due_at, order_id, number LIMIT $limit FOR UPDATE SKIP LOCKED)
     RETURNING mail.order_id AS "orderId", mail.number, o.family, o.client_reference AS "clientReference",
               o.product_name AS "productName", o.wallet_id AS "walletId", refund.amount, currency.code AS currency,
               currency.minor_unit AS "minorUnit", refund.reason_code AS "reasonCode", client.contact_email AS email`,
    { limit },
  );
}

type RefundKey = Pick<RefundMail, 'orderId' | 'number'>;

/** Ends a mail that was sent, or that the mail server rejected for good. */
export async function endRefundMail(database: Database, { orderId, number }: RefundKey): Promise<void> {
  const statement = 'DELETE FROM refund_mails WHERE order_id = $orderId AND number = $number';
  await rows(database, statement, { orderId, number });
}

/** Makes a mail due again in a minute. Returns false, and changes nothing, if it has failed for a day. */
export async function retryRefundMail(database: Database, { orderId, number }: RefundKey): Promise<boolean> {
  const retried = await countRows(
    database,
    `UPDATE refund_mails SET due_at = now() + ${RETRY_AFTER}
      WHERE order_id = $orderId AND number = $number AND credited_at > now() - ${GIVEN_UP_AFTER} RETURNING number`,
    { orderId, number },
  );
  return retried > 0;
}
