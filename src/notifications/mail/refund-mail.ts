/** Mails to clients about refunds after delivery, if the operator asks for one. docs/operators/mail.md. */
import { refundMails, type RefundMail } from '../../data/orders/refund-mails';
import { orderPath } from '../../domain/orders/families';
import type { RefundReason } from '../../domain/orders/refund-reasons';
import { Exact } from '../../domain/prices/money';
import { sendDueMails, type DueMailing } from './due-mails';
import { bodyOf } from './paragraphs';
import type { Mail } from './send';

/** Sends the due mails, with the guarantees of `sendDueMails`. `onGivenUp` gets the order. */
export function sendRefundMails(mailing: DueMailing): Promise<void> {
  return sendDueMails(mailing, refundMails, {
    about: ({ orderId }) => orderId,
    compose: ([mail]) => mailAboutRefund(mail),
  });
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
function mailAboutRefund(mail: RefundMail): Mail {
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
    ...bodyOf(paragraphs),
    messageId: `refund-order-${orderId}-r${number}`,
  };
}
