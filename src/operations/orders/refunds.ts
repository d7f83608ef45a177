/** `orders refund`: refunds of one order, after its delivery or when its wallet is open again. */
import {
  findRefundable,
  refundOrder,
  type OrderRefund,
  type RequestedRefund,
} from '../../data/orders/order-refunds';
import { creditDeferredRefund } from '../../data/orders/settle-order';
import { refundReasons } from '../../domain/orders/refund-reasons';
import { flag, inTerminal, InvalidArgument, option, word, type ArgumentValues } from '../arguments';
import type { Context } from '../context';
import { count, id, oneOf, positiveDecimal } from '../kinds';
import { operation } from '../operation';
import { tried } from '../tried';
import { assertRefundable } from './order-checks';
import { extentOf, noteText, refundReference } from './refund-kinds';

const refundArguments = {
  order: word(id, 'id'),
  units: option(count, 'refund so many delivered units at their price'),
  unit: option(count, 'refund this gift card, from 1, and void its code'),
  amount: inTerminal(
    option(positiveDecimal, "refund this amount, in the wallet's currency"),
    "refund this amount, in the wallet's currency; with --unit, for this unit",
  ),
  reasonCode: option(oneOf('code', refundReasons), 'why; the client reads it'),
  note: option(noteText, 'for operators'),
  reference: option(refundReference, 'a unique reference of the refund, such as the number of a ticket'),
  mail: flag("mail the client's contact when the refund is credited"),
};

export const refund = operation({
  name: 'orders refund',
  about:
    'Refund an ended order: units, one gift card, or an amount of the order or for one unit. Repeated with the same reference, it changes nothing',
  inTerminal:
    'Refund an ended order: units, one gift card, or an amount of the order or for one unit. Repeated with the same reference, it changes nothing. Without options, ' +
    'credit a refund that was due while the wallet was closed; reopen the wallet first',
  roles: ['support', 'finance'],
  effect: 'money',
  approval: 'REFUND',
  arguments: refundArguments,
  trial: 'PREVIEW',
  check: assertRefundable,
  async preview(context, values) {
    const requested = requestedBy(values);
    if (!requested) return dueText(context, values.order);
    const { orderId, extent, reference } = requested;
    const found = await findRefundable(context.database, orderId);
    if (!found) throw new Error(`There is no order ${orderId}`);
    // Without the note, which may name a person.
    const given = { ...requested, note: undefined };
    const refunded = await tried(context, ({ database }) => refundOrder(database, given));
    const { client, status, currency, kept, settled, settledUnits, left, delivered } = found;
    if (!refunded.isNew)
      return `Nothing changes: order ${orderId} of ${client} has refund ${refunded.number} with the reference ${reference} already.`;
    const waits = refunded.transaction_id === null ? ' It waits, because the wallet is closed.' : '';
    return (
      `Refunds ${extentText(extent, currency)} of order ${orderId} of ${client}, which is ${status} and kept ${kept} ${currency}. ` +
      `Of this, ${settled} ${currency} and ${settledUnits} of ${delivered} delivered units are refunded or replaced: at most ` +
      `${left} ${currency} are left.${waits}`
    );
  },
  async run({ database, reason }, values) {
    const requested = requestedBy(values);
    if (requested) return [shown(await refundOrder(database, requested))];
    if (reason === undefined) throw new InvalidArgument('reason: Give the reason, for the audit log.');
    return `Order ${values.order}: ${await creditDeferredRefund(database, values.order)} credited`;
  },
});

/** What crediting a refund that was due does. The command never asked about it. */
async function dueText(context: Context, orderId: number): Promise<string | undefined> {
  const due = await tried(context, ({ database }) => creditDeferredRefund(database, orderId));
  if (context.account.door === 'CLI') return undefined;
  return `Credits the refund of ${due} that order ${orderId} was due while its wallet was closed.`;
}

/** The refund after delivery that the operator asks for; undefined without any of its options. */
function requestedBy(values: ArgumentValues<typeof refundArguments>): RequestedRefund | undefined {
  const { order: orderId, reasonCode, note, reference, mail } = values;
  const extent = extentOf(values);
  const hasExtent = [values.units, values.unit, values.amount].some((value) => value !== undefined);
  if (!hasExtent && [reasonCode, note, reference].every((value) => value === undefined) && !mail)
    return undefined;
  if (!extent)
    throw new InvalidArgument('Give one of --units, --unit and --amount. An amount can have a unit.');
  if (reasonCode === undefined) throw new InvalidArgument('reasonCode: Give the code with --reason-code.');
  if (reference === undefined) throw new InvalidArgument('reference: Give a reference with --reference.');
  return { orderId, extent, reasonCode, note, reference, mail };
}

function extentText(extent: RequestedRefund['extent'], currency: string): string {
  if ('units' in extent) return `${extent.units} units`;
  const unit = 'unit' in extent ? `unit ${extent.unit}` : undefined;
  if (!('amount' in extent)) return unit ?? '';
  const amount = `${extent.amount.toFixed()} ${currency}`;
  return unit === undefined ? amount : `${amount} for ${unit}`;
}

function shown({ isNew, ...refunded }: OrderRefund & { isNew: boolean }) {
  const outcome =
    refunded.transaction_id === null
      ? 'waits: the wallet is closed. Credit it with: wallets reopen'
      : isNew
        ? 'credited'
        : 'refunded before, nothing changed';
  const { order_id, number, amount, currency, units, unit, transaction_id } = refunded;
  return { order_id, number, amount, currency, units, unit, transaction_id, outcome };
}
