/** Mails to clients about refunds after delivery, if the operator asks for one. docs/operators/mail.md. */
import type { Database } from '../../data/database/database';
import { recordMailFailure, recordMailSuccess } from '../../data/maintenance/mail-outage';
import {
  claimRefundMails,
  endRefundMail,
  retryRefundMail,
  type RefundMail,
} from '../../data/orders/refund-mails';
import { escapeHtml } from '../../domain/escape-html';
import { orderPath } from '../../domain/orders/families';
import type { RefundReason } from '../../domain/orders/refund-reasons';
import { Exact } from '../../domain/prices/money';
import { MailNotSent, type Mail, type Mailer } from './send';

/** Mails that one run sends, one after another. */
const MAX_MAILS = 100;

interface RefundMailing {
  database: Database;
  mailer: Mailer;
  /** Called with the reason for each mail that is given up. */
  onGivenUp: (orderId: number, reason: string) => void;
}

/**
 * Sends the due mails. A mail that the mail server does not accept now is due again in a minute, for a day. Sends a mail twice only
 * if the process dies right after sending; both then have the same Message-ID.
 */
export async function sendRefundMails({ database, mailer, onGivenUp }: RefundMailing): Promise<void> {
  for (const mail of await claimRefundMails(database, MAX_MAILS)) {
    try {
      await mailer.sendMail(mailAboutRefund(mail));
      await recordMailSuccess(database);
      await endRefundMail(database, mail);
    } catch (error) {
      if (!(error instanceof MailNotSent)) throw error;
      if (!error.permanent) await recordMailFailure(database, error.message);
      const isRetried = !error.permanent && (await retryRefundMail(database, mail));
      if (isRetried) continue;
      await endRefundMail(database, mail);
      onGivenUp(mail.orderId, error.message);
    }
  }
}

const reasons: Readonly<Record<RefundReason, string>> = {
  GOODWILL: 'goodwill',
  INVALID_GOODS: 'the goods were not valid',
  NOT_RECEIVED: 'the goods were not received',
  WRONG_PRICE: 'the price was wrong',
  DUPLICATE: 'the order was a duplicate',
  OTHER: 'another reason',
};

/** The mail that tells a client which order was refunded, and by how much. It never shows the operator's note. */
export function mailAboutRefund(mail: RefundMail): Mail {
  const { orderId, number, family, walletId, currency, minorUnit, reasonCode, clientReference, email } = mail;
  const amount = `${new Exact(mail.amount).toFixed(minorUnit)} ${currency}`;
  const reference = clientReference === null ? '' : `, your reference ${clientReference}`;
  const paragraphs = [
    `We refunded ${amount} of your order ${orderId} (${mail.productName}${reference}) to your wallet ${walletId}. Reason: ${reasons[reasonCode]}.`,
    `The order keeps its state. To list its refunds, call GET ${orderPath(family, orderId)}/refunds.`,
  ];
  return {
    to: email,
    subject: `Refund of ${amount} for order ${orderId}`,
    text: `${paragraphs.join('\n\n')}\n`,
    html: paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n'),
    messageId: `refund-order-${orderId}-r${number}`,
  };
}
