import { activityInfo, heartbeat } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { findOrderToMail, markMailed, type OrderToMail } from '../src/data/orders/mails';
import { listVouchers } from '../src/data/orders/order-reads';
import type { OrderStart } from '../src/domain/order-flow';
import { orderMail, showsVouchers } from '../src/notifications/mail/order-mail';
import { MailNotSent, type Mail } from '../src/notifications/mail/send';
import type { ActivityContext } from './context';
import { withHeartbeat } from './heartbeat';

/**
 * Mails. One is marked as sent after it was sent: what arrives twice, with the same Message-ID, does
 * less harm than what never arrives. A try that sends but cannot write the mark tells the next one.
 */
export const mailing = ({ database, sealer, mailer }: ActivityContext) => {
  /** Tells the address attached to the order how it ended, if no mail did so before. */
  async function mailOrder({ family, ...key }: OrderStart): Promise<void> {
    const order = await findOrderToMail(database, family, key);
    if (!order) return;
    if (activityInfo().heartbeatDetails !== 'SENT') await send(await compose(order));
    heartbeat('SENT');
    await markMailed(database, order.orderId, new Date());
  }

  async function compose(order: OrderToMail): Promise<Mail> {
    const vouchers = showsVouchers(order) ? await listVouchers(database, order.orderId) : [];
    return orderMail(sealer, order, vouchers);
  }

  async function send(mail: Mail): Promise<void> {
    try {
      await withHeartbeat(
        () => mailer.sendMail(mail),
        () => 'SENDING',
      );
    } catch (error) {
      throw error instanceof MailNotSent ? failureOf(error) : error;
    }
  }

  return { mailOrder };
};

function failureOf({ message, name, permanent }: MailNotSent): ApplicationFailure {
  return ApplicationFailure.create({ message, type: name, nonRetryable: permanent });
}
