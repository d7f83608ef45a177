import { activityInfo, heartbeat } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { recordMailFailure, recordMailSuccess } from '../src/data/maintenance/mail-outage';
import { findOrderToMail, markMailed, reportUndeliverable } from '../src/data/orders/order-mails';
import type { OrderKey, OrderStart } from '../src/domain/orders/order-messages';
import { composeOrderMail } from '../src/notifications/mail/order-mail';
import { MailNotSent, type Mail } from '../src/notifications/mail/send';
import type { ActivityDependencies } from './dependencies';
import { withHeartbeat } from './heartbeat';

/** Mails are marked as sent after sending: a duplicate with the same Message-ID does less harm than a missing mail. */
export const mailing = ({ database, sealer, mailer }: ActivityDependencies) => ({
  /** Mails the result of the order to its notification address, unless a mail was sent before. */
  async mailOrder({ family, ...key }: OrderStart): Promise<void> {
    const order = await findOrderToMail(database, family, key);
    if (!order) return;
    await sendOnce({ database, mailer }, () => composeOrderMail(database, sealer, order));
    await markMailed(database, order.orderId, new Date());
  },

  /** Puts the order of an undeliverable mail on the attention list, unless the mail was sent. */
  reportUndeliverableMail: ({ orderId }: OrderKey) => reportUndeliverable(database, orderId),
});

/**
 * Sends the mail of an activity once, even if the caller fails to record it in the database: a heartbeat tells the next attempt
 * that the mail was sent. Records whether the mail server accepts mail.
 */
export async function sendOnce(
  { database, mailer }: Pick<ActivityDependencies, 'database' | 'mailer'>,
  compose: () => Promise<Mail>,
): Promise<void> {
  if (activityInfo().heartbeatDetails !== 'SENT') {
    const mail = await compose();
    try {
      await withHeartbeat(() => mailer.sendMail(mail));
    } catch (error) {
      if (!(error instanceof MailNotSent)) throw error;
      const { message, name, permanent } = error;
      if (!permanent) await recordMailFailure(database, message);
      throw ApplicationFailure.create({ message, type: name, nonRetryable: permanent });
    }
  }
  heartbeat('SENT');
  await recordMailSuccess(database);
}
