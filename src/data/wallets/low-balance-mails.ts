/** The due mails to clients about low balances. `post_entry` writes them (`functions/ledger.sql`). */
import { countRows, rows, type Database } from '../database/database';

/** A mail, with the amounts at the moment of the debit as decimal strings. */
export interface LowBalanceMail {
  eventId: string;
  walletId: number;
  balance: string;
  threshold: string;
  currency: string;
  minorUnit: number;
  crossedAt: Date;
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
export function claimLowBalanceMails(database: Database, limit: number) {
  return rows<LowBalanceMail>(
    database,
    `UPDATE low_balance_mails mail SET due_at = now() + ${CLAIMED_FOR}
       FROM wallets JOIN clients client ON client.id = wallets.client_id
                    JOIN currencies currency ON currency.code = wallets.currency_code
      WHERE wallets.id = mail.wallet_id AND mail.event_id IN (
        SELECT event_id FROM low_balance_mails WHERE due_at <= now()
         ORDER BY due_at LIMIT $limit FOR UPDATE SKIP LOCKED)
     RETURNING mail.event_id AS "eventId", mail.wallet_id AS "walletId", mail.balance, mail.threshold,
               currency.code AS currency, currency.minor_unit AS "minorUnit", mail.crossed_at AS "crossedAt",
               client.contact_email AS email`,
    { limit },
  );
}

/** Ends a mail that was sent, or that the mail server rejected for good. */
export async function endLowBalanceMail(database: Database, eventId: string): Promise<void> {
  await rows(database, 'DELETE FROM low_balance_mails WHERE event_id = $eventId', { eventId });
}

/** Makes a mail due again in a minute. Returns false, and changes nothing, if it has failed for a day. */
export async function retryLowBalanceMail(database: Database, eventId: string): Promise<boolean> {
  const retried = await countRows(
    database,
    `UPDATE low_balance_mails SET due_at = now() + ${RETRY_AFTER}
      WHERE event_id = $eventId AND crossed_at > now() - ${GIVEN_UP_AFTER} RETURNING event_id`,
    { eventId },
  );
  return retried > 0;
}
