/** `mail`: the mails with the results of orders. */
import { recordOperation } from '../../../data/audit/audit-entries';
import type { Database } from '../../../data/database/database';
import type { OrderStanding } from '../../../data/orders/operator-reads';
import { findMailableOrder, markMailed } from '../../../data/orders/order-mails';
import type { OrderToMail } from '../../../data/purchases/families';
import { composeOrderMail } from '../../../notifications/mail/order-mail';
import { createMailer, type Mail } from '../../../notifications/mail/send';
import { Sealer } from '../../../security/sealing';
import { word } from '../arguments';
import type { Context } from '../context';
import { id } from '../kinds';
import { operation } from '../operation';
import { orderStanding } from './order-checks';

const resend = operation({
  name: 'mail resend',
  button: 'Resend the email',
  about: 'Mail the result of an order again, to its address, with the same Message-ID',
  roles: ['support'],
  effect: 'changes',
  harmless: 'It sends a mail again to the address of its order.',
  arguments: { order: word(id, 'id') },
  trial: 'NONE',
  check: async ({ database }, { order }) => order === undefined || mailableOrder(database, order),
  async preview({ database }, { order: orderId }) {
    const { status, clientName } = await mailableOrder(database, orderId);
    return `Mails the result ${status} of order ${orderId} of ${clientName} to the order's address.`;
  },
  async run(context, { order: orderId }) {
    const { to, messageId } = await send(context, await mailableOrder(context.database, orderId));
    const sent = `The mail of order ${orderId} went to ${masked(to)}`;
    return context.account.door === 'PAGE' ? `${sent}.` : `${sent}, with the same Message-ID ${messageId}.`;
  },
});

/** Throws if the order has no mail address or has not ended. */
async function mailableOrder(database: Database, orderId: number): Promise<OrderToMail> {
  const state = await orderStanding(database, orderId);
  const order = await findMailableOrder(database, state.family, { orderId, nonce: state.nonce });
  if (!order) throw new Error(whyNotMailable(orderId, state));
  return order;
}

function whyNotMailable(orderId: number, { isOver, status }: OrderStanding): string {
  return isOver
    ? `Order ${orderId} has no email address: give the client its goods in another way`
    : `Order ${orderId} is ${status}: the service mails its result when it ends`;
}

/** The address without what names a person: `orders reveal` shows it, and leaves an entry in the audit. */
function masked(address: string): string {
  return address.replace(/^(.).*(?=@)/, '$1…');
}

/** Sends the mail within the transaction that writes the audit entry, so that a rejected mail leaves no entry. */
async function send(context: Context, order: OrderToMail): Promise<Mail> {
  const { database, config } = context;
  const sealer = new Sealer(await context.keyRing());
  const mail = await composeOrderMail(database, sealer, order);
  const { orderId } = order;
  await database.transaction(async (transaction) => {
    await recordOperation(database, { action: 'mail.resent', object: `order/${orderId}` }, transaction);
    await createMailer(config.mail).sendMail(mail);
  });
  await markMailed(database, orderId, new Date());
  return mail;
}

export const mailOperations = [resend];
