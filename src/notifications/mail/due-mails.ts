/** Sends the mails that are due to clients. docs/operators/mail.md. */
import type { Database } from '../../data/database/database';
import { claimMails, endMails, retryMails, type ClaimedMail, type DueMails } from '../../data/maintenance/due-mails';
import { recordMailFailure, recordMailSuccess } from '../../data/maintenance/mail-outage';
import { MailNotSent, type Mail, type Mailer } from './send';

/** Due mails that one run claims. It sends them one after another. */
const MAX_CLAIMED = 100;

export interface DueMailing {
  database: Database;
  mailer: Mailer;
  /** Called with the reason for each mail that is given up. `id`: what the mail is about. */
  onGivenUp: (id: number, reason: string) => void;
}

/** Rows that one mail is about. */
type Together<Row> = [ClaimedMail<Row>, ...ClaimedMail<Row>[]];

interface DueMailKind<Row> {
  /** Due mails that one run claims. */
  limit?: number;
  /** Equal for rows that one mail is about. Default: each row has a mail. */
  together?: (row: Row) => string;
  /** The id for `onGivenUp`. */
  about: (row: Row) => number;
  compose: (rows: Together<Row>) => Mail | Promise<Mail>;
}

/**
 * Sends the due mails. A mail that the mail server does not accept now is due again in a minute, for a day. Sends a mail twice only if
 * the process dies right after sending; if it has the same rows, it then has the same Message-ID.
 */
export async function sendDueMails<Row extends object>(
  { database, mailer, onGivenUp }: DueMailing,
  due: DueMails<Row>,
  { limit = MAX_CLAIMED, together, about, compose }: DueMailKind<Row>,
): Promise<void> {
  const mails = new Map<string, Together<Row>>();
  for (const row of await claimMails(database, due, limit)) {
    const key = together?.(row) ?? JSON.stringify(row.key);
    const known = mails.get(key);
    if (known) known.push(row);
    else mails.set(key, [row]);
  }
  for (const claimed of mails.values()) {
    try {
      await mailer.sendMail(await compose(claimed));
      await recordMailSuccess(database);
      await endMails(database, due, claimed);
    } catch (error) {
      if (!(error instanceof MailNotSent)) throw error;
      if (!error.permanent) await recordMailFailure(database, error.message);
      const retried = error.permanent ? 0 : await retryMails(database, due, claimed);
      if (retried > 0) continue;
      await endMails(database, due, claimed);
      onGivenUp(about(claimed[0]), error.message);
    }
  }
}
