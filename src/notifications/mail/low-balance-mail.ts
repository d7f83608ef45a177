/** Mails to clients about low balances: one each time a debit takes a wallet below its threshold. docs/operators/mail.md. */
import type { Database } from '../../data/database/database';
import { recordMailFailure, recordMailSuccess } from '../../data/maintenance/mail-outage';
import {
  claimLowBalanceMails,
  endLowBalanceMail,
  retryLowBalanceMail,
  type LowBalanceMail,
} from '../../data/wallets/low-balance-mails';
import { Exact } from '../../domain/prices/money';
import { MailNotSent, type Mail, type Mailer } from './send';

/** Mails that one run sends, one after another. */
const MAX_MAILS = 100;

interface LowBalanceMailing {
  database: Database;
  mailer: Mailer;
  /** Called with the reason for each mail that is given up. */
  onGivenUp: (walletId: number, reason: string) => void;
}

/**
 * Sends the due mails. A mail that the mail server does not accept now is due again in a minute, for a day. Sends a mail twice only
 * if the process dies right after sending; both then have the same Message-ID.
 */
export async function sendLowBalanceMails({ database, mailer, onGivenUp }: LowBalanceMailing): Promise<void> {
  for (const mail of await claimLowBalanceMails(database, MAX_MAILS)) {
    const { eventId, walletId } = mail;
    try {
      await mailer.sendMail(mailAboutLowBalance(mail));
      await recordMailSuccess(database);
      await endLowBalanceMail(database, eventId);
    } catch (error) {
      if (!(error instanceof MailNotSent)) throw error;
      if (!error.permanent) await recordMailFailure(database, error.message);
      const isRetried = !error.permanent && (await retryLowBalanceMail(database, eventId));
      if (isRetried) continue;
      await endLowBalanceMail(database, eventId);
      onGivenUp(walletId, error.message);
    }
  }
}

/** The mail that tells a client about the low balance of its wallet, and what to do. */
export function mailAboutLowBalance(mail: LowBalanceMail): Mail {
  const { eventId, walletId, currency, minorUnit, crossedAt, email } = mail;
  const text = (amount: string) => `${new Exact(amount).toFixed(minorUnit)} ${currency}`;
  const paragraphs = [
    `On ${crossedAt.toISOString()} a debit left ${text(mail.balance)} in your wallet ${walletId}. Its threshold is ${text(mail.threshold)}.`,
    'Fund the wallet. An order that costs more than the balance is rejected with INSUFFICIENT_BALANCE.',
    `We mail you again when the balance has risen above the threshold and then falls below it. To change the threshold, call PATCH /api/v1/wallets/${walletId}.`,
  ];
  return {
    to: email,
    subject: `Low balance of wallet ${walletId} (${currency})`,
    text: `${paragraphs.join('\n\n')}\n`,
    html: paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n'),
    messageId: `low-balance-${eventId}`,
  };
}
