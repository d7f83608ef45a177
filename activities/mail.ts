import { activityInfo, heartbeat } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { findOrderToMail, markMailed, reportUndeliverable } from '../src/data/orders/mails';
import type { OrderStart } from '../src/domain/orders/order-flow';
import { composeOrderMail } from '../src/notifications/mail/order-mail';
import { MailNotSent, type Mail, type Mailer } from '../src/notifications/mail/send';
import type { ActivityDependencies } from './dependencies';
import { withHeartbeat } from './heartbeat';

/**
 * Mails. One is marked as sent after it was sent: what arrives twice, with the same Message-ID, does
 * less harm than what never arrives.
 */
export const mailing = ({ database, sealer, mailer }: ActivityDependencies) => {
  /** Tells the address attached to the order how it ended, if no mail did so before. */
  async function mailOrder({ family, ...key }: OrderStart): Promise<void> {
    const order = await findOrderToMail(database, family, key);
    if (!order) return;
    await sendOnce(mailer, () => composeOrderMail(database, sealer, order));
    await markMailed(database, order.orderId, new Date());
  }

  /** Puts an order whose mail was given up on the list of what needs a person; one that was mailed it does not. */
  async function reportUndeliverableMail({ orderId }: Pick<OrderStart, 'orderId'>): Promise<void> {
    await reportUndeliverable(database, orderId);
  }

  return { mailOrder, reportUndeliverableMail };
};

/**
 * Sends the mail of an activity, which then writes down that it did. A try that sent it but could not
 * write that down tells the next one.
 */
export async function sendOnce(mailer: Mailer, compose: () => Promise<Mail>): Promise<void> {
  if (activityInfo().heartbeatDetails !== 'SENT') {
    const mail = await compose();
    try {
      await withHeartbeat(
        () => mailer.sendMail(mail),
        () => 'SENDING',
      );
    } catch (error) {
      throw error instanceof MailNotSent ? failureOf(error) : error;
    }
  }
  heartbeat('SENT');
}

function failureOf({ message, name, permanent }: MailNotSent): ApplicationFailure {
  return ApplicationFailure.create({ message, type: name, nonRetryable: permanent });
}
