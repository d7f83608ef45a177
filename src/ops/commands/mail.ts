/** `mail`: the mails with the results of orders. */
import type { Command } from 'commander';
import { recordOperation } from '../../data/operations/audit';
import type { Database } from '../../data/database/database';
import { findOrderState, type OrderStanding } from '../../data/operations/operator-reads';
import { findMailableOrder, markMailed } from '../../data/orders/order-mails';
import type { OrderToMail } from '../../data/purchases/families';
import { composeOrderMail } from '../../notifications/mail/order-mail';
import { createMailer } from '../../notifications/mail/send';
import { Sealer } from '../../security/sealing';
import * as read from '../arguments';
import { confirm, dangerous } from '../confirmation';
import { keysOf, onDatabase, type Session } from '../session';

export function addMailCommands(program: Command): void {
  const mail = program.command('mail').description('Mails with the results of orders');
  dangerous(mail.command('resend'))
    .description('Mail the result of an order again, to its address, with the same Message-ID')
    .argument('<order>', 'id', read.positiveInteger)
    .action(
      onDatabase(async (session, orderId: number) => {
        const order = await mailableOrder(session.database, orderId);
        await confirm(
          session.command,
          `Mails the result ${order.status} of order ${orderId} of ${order.clientName} to the order's address.`,
        );
        const messageId = await send(session, order);
        return `The mail server has accepted the mail of order ${orderId}, with the same Message-ID ${messageId}.`;
      }),
    );
}

/** Throws if the order has no mail address or has not ended. */
async function mailableOrder(database: Database, orderId: number): Promise<OrderToMail> {
  const state = await findOrderState(database, orderId);
  if (!state) throw new Error(`There is no order ${orderId}. Find it with: orders find`);
  const order = await findMailableOrder(database, state.family, { orderId, nonce: state.nonce });
  if (!order) throw new Error(whyNotMailable(orderId, state));
  return order;
}

function whyNotMailable(orderId: number, { isOver, status }: OrderStanding): string {
  return isOver
    ? `Order ${orderId} has no email address: give the client its goods in another way`
    : `Order ${orderId} is ${status}: the service mails its result when it ends`;
}

/** Sends the mail within the transaction that writes the audit entry, so that a rejected mail leaves no entry. */
async function send(session: Session, order: OrderToMail): Promise<string> {
  const { database, config } = session;
  const sealer = new Sealer(await keysOf(session));
  const mail = await composeOrderMail(database, sealer, order);
  const { orderId } = order;
  await database.transaction(async (transaction) => {
    await recordOperation(database, { action: 'mail.resent', object: `order/${orderId}` }, transaction);
    await createMailer(config.mail).sendMail(mail);
  });
  await markMailed(database, orderId, new Date());
  return mail.messageId;
}
