/** `mail`: the mails that tell how orders ended. */
import type { Command } from 'commander';
import { recordOperation } from '../../data/operations/audit';
import type { Config } from '../../config';
import type { Database } from '../../data/database/database';
import { findOrderState, type OrderState } from '../../data/operations/operator-reads';
import { findMailableOrder, markMailed } from '../../data/orders/order-mails';
import type { OrderToMail } from '../../data/purchases/families';
import { composeOrderMail } from '../../notifications/mail/order-mail';
import { createMailer } from '../../notifications/mail/send';
import { Sealer } from '../../security/sealing';
import * as read from '../arguments';
import { confirm, dangerous } from '../confirmation';
import { keysOf, withDatabase } from '../session';

export function addMailCommands(program: Command): void {
  const mail = program.command('mail').description('Mails that tell how orders ended');
  dangerous(mail.command('resend'))
    .description(
      'Mail how an order ended once more, to the address it has; the Message-ID is that of the first',
    )
    .argument('<order>', 'id', read.positiveInteger)
    .action((orderId: number, _options: object, command: Command) =>
      withDatabase(async (database, config) => {
        const order = await mailableOrder(database, orderId);
        await confirm(
          command,
          `Mails the address of order ${orderId} of ${order.clientName} that it is ${order.status}.`,
        );
        const messageId = await send(database, config, order);
        console.log(
          `The mail server has taken the mail of order ${orderId}, with the Message-ID ${messageId} of the first.`,
        );
      }),
    );
}

/** Throws a sentence where nothing is to be mailed. */
async function mailableOrder(database: Database, orderId: number): Promise<OrderToMail> {
  const state = await findOrderState(database, orderId);
  if (!state) throw new Error(`There is no order ${orderId}. Look for it with: orders find`);
  const order = await findMailableOrder(database, state.family, { orderId, nonce: state.nonce });
  if (!order) throw new Error(whyNot(orderId, state));
  return order;
}

function whyNot(orderId: number, { isOver, status }: OrderState): string {
  return isOver
    ? `Order ${orderId} has no address that a mail could go to`
    : `Order ${orderId} is ${status}: its mail goes out by itself when it has ended`;
}

/** What is written down of it and the mail go together: a mail that was not taken leaves nothing behind. */
async function send(database: Database, config: Config, order: OrderToMail): Promise<string> {
  const sealer = new Sealer(await keysOf(database, config));
  const mail = await composeOrderMail(database, sealer, order);
  const { orderId } = order;
  await database.transaction(async (transaction) => {
    await recordOperation(database, { action: 'mail.resent', object: `order/${orderId}` }, transaction);
    await createMailer(config.mail).sendMail(mail);
  });
  await markMailed(database, orderId, new Date());
  return mail.messageId;
}
