/** Mails to clients about low balances: one each time a debit leaves less available than the threshold of the wallet. docs/operators/mail.md. */
import { lowBalanceMails, type LowBalanceMail } from '../../data/wallets/low-balance-mails';
import { Exact } from '../../domain/prices/money';
import { sendDueMails, type DueMailing } from './due-mails';
import { bodyOf } from './paragraphs';
import type { Mail } from './send';

/** Sends the due mails, with the guarantees of `sendDueMails`. `onGivenUp` gets the wallet. */
export function sendLowBalanceMails(mailing: DueMailing): Promise<void> {
  return sendDueMails(mailing, lowBalanceMails, {
    about: ({ walletId }) => walletId,
    compose: ([mail]) => mailAboutLowBalance(mail),
  });
}

/** The mail that tells a client about the low balance of its wallet, and what to do. */
function mailAboutLowBalance(mail: LowBalanceMail): Mail {
  const { eventId, walletId, currency, minorUnit, crossedAt, email } = mail;
  const text = (amount: string) => `${new Exact(amount).toFixed(minorUnit)} ${currency}`;
  const hasCredit = mail.available !== mail.balance;
  const credit = hasCredit ? `, with its credit limit ${text(mail.available)} are available` : '';
  const spendable = hasCredit ? 'available amount' : 'balance';
  const paragraphs = [
    `On ${crossedAt.toISOString()} a debit left ${text(mail.balance)} in your wallet ${walletId}${credit}. Its threshold is ${text(mail.threshold)}.`,
    `Fund the wallet. An order that costs more than the ${spendable} is rejected with INSUFFICIENT_BALANCE.`,
    `We mail you again when the ${spendable} has risen above the threshold and then falls below it. To change the threshold, call PATCH /api/v1/wallets/${walletId}.`,
  ];
  return {
    to: email,
    subject: `Low balance of wallet ${walletId} (${currency})`,
    ...bodyOf(paragraphs),
    messageId: `low-balance-${eventId}`,
  };
}
