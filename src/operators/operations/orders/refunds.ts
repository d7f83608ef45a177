/** `orders refund|refundable`: refunds of one order, after its delivery or when its wallet is open again. */
import { atomically } from '../../../data/database/acting-person';
import type { Database } from '../../../data/database/database';
import { listCards, type OrderCard } from '../../../data/orders/card-states';
import {
  findRefundable,
  listUnitSums,
  refundOrder,
  type OrderRefund,
  type RefundableOrder,
  type RequestedRefund,
} from '../../../data/orders/stored-refunds';
import { readOrderMoney } from '../../../data/orders/order-story';
import { creditDeferredRefund } from '../../../data/orders/settle-order';
import { refundReasons } from '../../../domain/orders/refund-reasons';
import type { Family } from '../../../domain/orders/families';
import { Exact } from '../../../domain/prices/money';
import { flag, inTerminal, InvalidArgument, option, options, word, type ArgumentValues } from '../arguments';
import type { Context } from '../context';
import { count, id, oneOf, positiveDecimal } from '../kinds';
import { everyRole, operation, type Plain } from '../operation';
import { plural, table, wrapped } from '../text';
import { tried } from '../tried';
import { assertRefundable } from './order-checks';
import { extentOf, MAX_REFERENCE, noteText, refundReference } from './refund-kinds';

const refundArguments = {
  order: word(id, 'id'),
  units: option(count, 'refund so many delivered units at their price'),
  unit: options(count, 'refund these gift cards, counted from 1, and void their codes'),
  amount: inTerminal(
    option(positiveDecimal, "refund this amount, in the wallet's currency"),
    "refund this amount, in the wallet's currency; with --unit, for this unit",
  ),
  reasonCode: option(oneOf('code', refundReasons), 'why; the client reads it'),
  note: option(noteText, 'for operators'),
  reference: option(refundReference, 'a unique reference of the refund, such as the number of a ticket'),
  mail: flag("mail the client's contact when the refund is credited"),
  expectedSum: option(positiveDecimal, 'refund nothing unless exactly this sum moves'),
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
  preview: (context, values) => previewOf(context, values, (found, sum) => `${balanceText(found, sum)} `),
  basis: async (context, values) => (await previewOf(context, values, () => '')) ?? '',
  async run({ database, reason }, values) {
    const requested = requestedBy(values);
    if (requested) return (await refundAll(database, requested, values.expectedSum)).map(shown);
    if (reason === undefined) throw new InvalidArgument('Give the reason with --reason, for the audit log.');
    return `Order ${values.order}: ${await creditDeferredRefund(database, values.order)} credited`;
  },
});

const sumOf = (made: readonly MadeRefund[]): Exact => Exact.sum(...made.map(({ amount }) => amount));

/** A refund as it was requested, once it is made. */
type MadeRefund = OrderRefund & { isNew: boolean };

/**
 * Makes all refunds or none. Throws if only some of them are repeated, because their reference belongs to another request then, and if they
 * move another sum than the expected one.
 */
function refundAll(
  database: Database,
  requested: readonly RequestedRefund[],
  expectedSum: Exact | undefined,
): Promise<MadeRefund[]> {
  return atomically(database, async () => {
    const made: MadeRefund[] = [];
    // In sequence: each one counts the ones before it.
    for (const one of requested) made.push(await refundOrder(database, one));
    const [repeated] = made.filter(({ isNew }) => !isNew);
    if (repeated && made.some(({ isNew }) => isNew))
      throw new Error(
        `Unit ${repeated.unit} of order ${repeated.order_id} is refunded with this reference already. Give another reference for the others`,
      );
    const sum = sumOf(made);
    if (expectedSum && !expectedSum.equals(sum))
      throw new Error(
        `The refund would move ${sum.toFixed()} and not ${expectedSum.toFixed()} ${made[0]?.currency}: look at what is left of the order`,
      );
    return made;
  });
}

/** `walletText`: what the preview says about the wallet. */
async function previewOf(
  context: Context,
  values: ArgumentValues<typeof refundArguments>,
  walletText: (found: RefundableOrder, sum: Exact) => string,
): Promise<string | undefined> {
  const requested = requestedBy(values);
  const [first] = requested ?? [];
  if (!requested || !first) return dueText(context, values.order);
  const { orderId } = first;
  const found = await findRefundable(context.database, orderId);
  if (!found) throw new Error(`There is no order ${orderId}`);
  // Without the note, which may name a person.
  const given = requested.map((one) => ({ ...one, note: undefined }));
  const made = await tried(context, ({ database }) => refundAll(database, given, values.expectedSum));
  const { client, status, currency, kept, settled, settledUnits, delivered, left } = found;
  const sum = sumOf(made);
  const amount = `${sum.toFixed()} ${currency}`;
  if (made.every(({ isNew }) => !isNew))
    return `Nothing changes: order ${orderId} of ${client} has the refund of ${amount} with the reference ${values.reference} already.`;
  return (
    `Refunds ${amount}${unitsText(requested)} of order ${orderId} of ${client}, which is ${status}. ` +
    walletText(found, sum) +
    `The order kept ${kept} ${currency}. Of this, ${settled} ${currency} and ${settledUnits} of ${delivered} delivered units were ` +
    `refunded or replaced before; ${new Exact(left).minus(sum).toFixed()} ${currency} are left then.`
  );
}

/** The balance before and after the refund. A closed wallet gets it when it is opened. */
export function balanceText(
  { walletId, balance, currency, isWalletClosed }: RefundableOrder,
  sum: Exact | string,
): string {
  if (isWalletClosed) return `It waits, because wallet ${walletId} is closed.`;
  return `Wallet ${walletId}: ${balance} ${currency} → ${new Exact(balance).plus(sum).toFixed()} ${currency}.`;
}

/** What crediting a refund that was due does. The command never asked about it. */
async function dueText(context: Context, orderId: number): Promise<string | undefined> {
  const due = await tried(context, ({ database }) => creditDeferredRefund(database, orderId));
  if (context.account.door === 'CLI') return undefined;
  return `Credits the refund of ${due} that order ${orderId} was due while its wallet was closed.`;
}

/** The refunds after delivery that the operator asks for, one for each named gift card; undefined without any of its options. */
function requestedBy(values: ArgumentValues<typeof refundArguments>): RequestedRefund[] | undefined {
  const { order: orderId, units, unit: named, amount, reasonCode, note, reference, mail } = values;
  const isGiven = named.length > 0 || [units, amount, reasonCode, note, reference].some((one) => one !== undefined);
  if (!isGiven && !mail) return undefined;
  const cards = [...new Set(named)].sort((one, other) => one - other);
  const extents =
    cards.length < 2 ? [extentOf({ units, unit: cards[0], amount })] : cards.map((unit) => extentOf({ units, unit }));
  if (cards.length > 1 && amount !== undefined)
    throw new InvalidArgument('Give one --unit with --amount. Several units are refunded whole.');
  return extents.map((extent) => {
    if (!extent) throw new InvalidArgument('Give one of --units, --unit and --amount. An amount can have a unit.');
    if (reasonCode === undefined) throw new InvalidArgument('Give the code with --reason-code.');
    if (reference === undefined) throw new InvalidArgument('Give a reference with --reference.');
    return { orderId, extent, reasonCode, note, reference: referenceOf(reference, extent, cards), mail };
  });
}

/** The reference of one of several gift cards: each refund of an order has its own. */
function referenceOf(reference: string, extent: RequestedRefund['extent'], cards: readonly number[]): string {
  if (cards.length < 2 || !('unit' in extent)) return reference;
  const own = `${reference}-unit-${extent.unit}`;
  if (own.length <= MAX_REFERENCE) return own;
  throw new InvalidArgument(`--reference: Give at most ${MAX_REFERENCE - 10} characters for several units.`);
}

/** The units of the refunds; empty for an amount of the order. */
function unitsText(requested: readonly RequestedRefund[]): string {
  const [first] = requested;
  if (first && 'units' in first.extent) return ` for ${plural(first.extent.units, 'unit')}`;
  const named = requested.flatMap(({ extent }) => ('unit' in extent ? [extent.unit] : []));
  const last = named.pop();
  if (last === undefined) return '';
  return named.length === 0 ? ` for unit ${last}` : ` for units ${named.join(', ')} and ${last}`;
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

/** What is left to refund of an order, and what each choice moves. */
interface Refundable {
  order_id: number;
  family: Family;
  client: string;
  wallet_id: number;
  is_wallet_closed: boolean;
  currency: string;
  balance: string;
  kept: string;
  settled: string;
  left: string;
  /** The refund of undelivered units that a closed wallet could not get; null without one. */
  due: string | null;
  /** The sum of one unit, of two, and so on, up to all that can be refunded whole. */
  unit_sums: string[];
  /** The delivered gift cards; none of another family. */
  cards: OrderCard[];
}

export const refundable = operation({
  name: 'orders refundable',
  button: 'Show what is left',
  about: 'What is left to refund of an order, and the sum that one more unit, two more, and so on would move',
  roles: everyRole,
  effect: 'reads',
  arguments: { order: word(id, 'id') },
  async run({ database }, { order: orderId }): Promise<Refundable> {
    const found = await findRefundable(database, orderId);
    if (!found) throw new Error(`There is no order ${orderId}`);
    const { client, family, walletId, isWalletClosed, currency, balance, kept, settled, left } = found;
    return {
      order_id: orderId,
      family,
      client,
      wallet_id: walletId,
      is_wallet_closed: isWalletClosed,
      currency,
      balance,
      kept,
      settled,
      left,
      due: (await readOrderMoney(database, orderId)).refundDue,
      unit_sums: await listUnitSums(database, orderId),
      cards: await listCards(database, orderId),
    };
  },
  text: (
    { order_id: orderId, client, currency, kept, settled, left, unit_sums: sums, cards }: Plain<Refundable>,
    { columns, tableColumns },
  ) =>
    [
      wrapped(
        `Order ${orderId} of ${client} kept ${kept} ${currency}, of which ${settled} ${currency} are refunded or replaced: ${left} ${currency} are left. ` +
          `${plural(sums.length, 'unit')} can be refunded whole${sums.length === 0 ? '' : `, one for ${sums[0]} ${currency}`}.`,
        columns,
      ),
      ...(cards.length > 0 ? [table(cards, tableColumns)] : []),
    ].join('\n'),
});
