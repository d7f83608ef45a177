/** `orders retry|cancel|release|resolve`: operators' decisions about open orders, and their results. */
import type { Database } from '../../../data/database/database';
import { findOrderOutcome, type OrderOutcome } from '../../../data/orders/operator-reads';
import { findHeld } from '../../../data/orders/held-orders';
import { addOperatorGoods } from '../../../data/purchases/quarantined-goods';
import { countOpenOrders, type OpenOrdersOf } from '../../../data/orders/order-search';
import { listPurchases, openStates, unitsMissing } from '../../../data/purchases/purchase-reads';
import {
  orderMessages,
  resolutions,
  type OperatorDecision,
  type OrderKey,
  type Resolution,
} from '../../../domain/orders/order-messages';
import { orderField, Sealer } from '../../../security/sealing';
import { confidential, flag, inTerminal, option, optionalWord, requiredOption, word } from '../arguments';
import type { Context } from '../context';
import { fileOption } from '../files/file-arguments';
import type { UploadedFile } from '../files/uploaded-file';
import { id, nameText, oneOf, reasonText } from '../kinds';
import { timeOrAge } from '../time-kinds';
import { operation } from '../operation';
import type { OpenOrder } from './open-order';
import { assertChoice, assertDecision, assertReleasable, endedText, unfinishedOrder } from './order-checks';
import { plural } from '../text';

/** A lazy import: commands that do not need Temporal start in a fraction of the time. */
const importOpenOrder = () => import('./open-order.js');

const retry = operation({
  name: 'orders retry',
  about:
    'At once poll the supplier or send the purchase, for one order, or after an outage for all open orders of a supplier',
  inTerminal:
    'At once poll the supplier or send the purchase, and print the result. With --supplier: for all its open orders, after an outage',
  roles: ['support'],
  effect: 'changes',
  givesAccess: false,
  isLong: true,
  alternatives: [['order'], ['supplier', 'since', 'dryRun']],
  arguments: {
    order: optionalWord(id, 'id'),
    supplier: option(nameText, 'all open orders of this supplier'),
    since: inTerminal(
      option(timeOrAge, 'only orders of the supplier that were placed since this time'),
      'with --supplier: orders placed since this time, or in the last 90m, 12h, 1d',
    ),
    dryRun: inTerminal(flag('only count the orders of the supplier'), 'with --supplier: only count the orders'),
  },
  trial: 'NONE',
  async check(context, { order, supplier }) {
    if ((order === undefined) === (supplier === undefined))
      throw new Error('Name an order, or a supplier with --supplier');
    if (order !== undefined) await assertChoice(context, order, 'RETRY');
  },
  async preview({ database }, { order, supplier, since, dryRun }) {
    if (order !== undefined || supplier === undefined || dryRun) return undefined;
    const counted = await countedOrders(database, { supplier, since });
    return counted && `Makes ${counted} retry at once.`;
  },
  async run(context, { order: orderId, supplier, since, dryRun }) {
    if (supplier !== undefined) return retrySupplier(context, { supplier, since }, dryRun);
    const order = await unfinishedOrder(context.database, orderId ?? 0);
    const { retryOrder, withOpenOrder } = await importOpenOrder();
    return withOpenOrder(context, order, retryOrder);
  },
});

async function retrySupplier(context: Context, bulk: OpenOrdersOf, dryRun: boolean): Promise<string> {
  const counted = await countedOrders(context.database, bulk);
  if (counted === undefined) return `Supplier ${bulk.supplier} has no open orders.`;
  if (dryRun) return `${counted} would retry at once.`;
  const { retryAll } = await importOpenOrder();
  const { signalled, restarted, failures } = await context.withTemporal((temporal) =>
    retryAll(context, temporal, bulk),
  );
  for (const failure of failures) context.remark(failure);
  if (failures.length > 0) context.mark(1);
  const result = `${plural(signalled, 'order retries', 'orders retry')} at once; ${restarted} had no workflow and were restarted; ${failures.length} failed.`;
  if (failures.length > 0) return result;
  return `${result}\nSee the orders that stay open with: orders find --supplier ${bulk.supplier} --status pending`;
}

/** The number of open orders, with what they are worth; undefined without any. */
async function countedOrders(database: Database, bulk: OpenOrdersOf): Promise<string | undefined> {
  const { orders, worth } = await countOpenOrders(database, bulk);
  return orders === 0 ? undefined : `${orders} open orders of supplier ${bulk.supplier} (${worth})`;
}

const historyReason = 'the reason, for the workflow history and the audit log';

const cancel = operation({
  name: 'orders cancel',
  about: 'Cancel an order for which nothing was bought',
  roles: ['support'],
  effect: 'money',
  isLong: true,
  arguments: { order: word(id, 'id'), reason: requiredOption(reasonText, historyReason) },
  trial: 'NONE',
  check: async (context, { order }) => order === undefined || assertChoice(context, order, 'CANCEL'),
  async preview({ database }, { order: orderId }) {
    const outcome = await findOrderOutcome(database, orderId);
    const sure = outcome.open === 0 ? '' : ' The supplier may have bought it by then: the order goes on in that case.';
    return `Cancels ${describe(orderId, outcome)}.${sure}`;
  },
  async run(context, { order: orderId, reason }) {
    const order = await unfinishedOrder(context.database, orderId);
    const { updateWorkflow, withOpenOrder } = await importOpenOrder();
    return withOpenOrder(context, order, (open) => updateWorkflow(open, orderMessages.cancel, reason));
  },
});

const release = operation({
  name: 'orders release',
  about: 'Buy an order that is held for review. Its sources and their margins are judged once more',
  roles: ['support'],
  effect: 'money',
  isLong: true,
  arguments: { order: word(id, 'id'), reason: requiredOption(reasonText, historyReason) },
  trial: 'NONE',
  check: async (context, { order }) => order === undefined || assertReleasable(context, order),
  async preview({ database }, { order: orderId }) {
    const held = await findHeld(database, orderId);
    return `Buys ${describe(orderId, await findOrderOutcome(database, orderId))}, which is held. ${held?.because ?? ''}.`;
  },
  async run(context, { order: orderId, reason }) {
    const order = await unfinishedOrder(context.database, orderId);
    const { updateWorkflow, withOpenOrder } = await importOpenOrder();
    await withOpenOrder(context, order, (open) => updateWorkflow(open, orderMessages.release, reason));
    return releasedText(orderId, await findOrderOutcome(context.database, orderId));
  },
});

const resolve = operation({
  name: 'orders resolve',
  about:
    'Resolve an order whose purchase has an unknown outcome or unusable goods. Except for unusable, the service first polls the supplier once more',
  roles: ['support'],
  effect: 'money',
  isLong: true,
  arguments: {
    order: word(id, 'id'),
    decision: inTerminal(
      word(
        oneOf('decision', resolutions),
        'what became of the purchase. Ask again: the service looks it up once more. Not bought: the order fails and is refunded. Delivered: you have the goods. Elsewhere: the next supplier sells it. Unusable: units whose goods are unusable are refunded',
      ),
      'ask-again, not-bought (fails and refunds it), delivered, elsewhere (the next source buys), or unusable (refunds units whose goods are unusable)',
    ),
    reason: inTerminal(
      option(reasonText, `${historyReason}; needed unless the supplier is asked again`),
      `${historyReason}; required for all but ask-again`,
    ),
    goods: confidential(
      inTerminal(
        fileOption('goods', 'a file with the goods that you have, if you decide that it was delivered'),
        'with delivered: JSON array of the vouchers, or of the one eSIM',
      ),
    ),
  },
  trial: 'NONE',
  check: assertDecision,
  async preview({ database }, { order: orderId, decision }) {
    const order = await unfinishedOrder(database, orderId);
    return decision === 'ASK_AGAIN' ? undefined : effectOf(database, order, decision);
  },
  async run(context, { order: orderId, decision: resolution, reason, goods: file }) {
    const order = await unfinishedOrder(context.database, orderId);
    const { updateWorkflow, withOpenOrder } = await importOpenOrder();
    const result = await withOpenOrder(context, order, async (open) => {
      const goods = file && (await storeGoods(open, file));
      const decision: OperatorDecision = {
        resolution,
        ...(reason !== undefined && { reason }),
        ...(goods && { goods }),
      };
      return updateWorkflow(open, orderMessages.resolve, decision);
    });
    return resolvedText(resolution, result, orderId, await findOrderOutcome(context.database, orderId));
  },
});

/** What a release has done. */
function releasedText(orderId: number, outcome: OrderOutcome): string {
  if (outcome.isHeld) return `Order ${orderId} is still held: ${outcome.attention ?? 'a rule holds it'}.`;
  return outcome.isOver
    ? `Order ${orderId} is released. ${endedText(outcome)}`
    : `Order ${orderId} is released and is being bought.`;
}

/** What a decision has done. `result`: what the workflow says, with the reason if the order is as open as before. */
function resolvedText(decision: Resolution, result: string, orderId: number, outcome: OrderOutcome): string {
  const [, open] = /; still open: (.*)$/s.exec(result) ?? [];
  if (open !== undefined) return `Order ${orderId} stays open: ${open}.`;
  if (outcome.isOver) return `Order ${orderId} is resolved. ${endedText(outcome)}`;
  return resolvedAs[decision](`order ${orderId}`);
}

const resolvedAs: Readonly<Record<Resolution, (order: string) => string>> = {
  ASK_AGAIN: (order) => `The supplier was asked again, and ${order} goes on.`,
  NOT_BOUGHT: (order) => `Nothing was bought: ${order} ends, and what was not delivered is refunded.`,
  ELSEWHERE: (order) => `The next source buys ${order}.`,
  DELIVERED: (order) => `The goods are stored, and ${order} is being completed.`,
  UNUSABLE: (order) => `The unusable units of ${order} are refunded.`,
};

/** Describes the effect of a decision, with amounts and units. */
async function effectOf(database: Database, order: OrderKey, resolution: Resolution): Promise<string> {
  const outcome = await findOrderOutcome(database, order.orderId);
  const text = describe(order.orderId, outcome);
  if (resolution === 'NOT_BOUGHT')
    return `Fails ${text} and refunds the undelivered units, unless the supplier reports a purchase.`;
  if (resolution === 'ELSEWHERE')
    return `Buys the open units of ${text} from the next source, unless the supplier reports a purchase.`;
  if (resolution === 'UNUSABLE')
    return `Refunds the units of ${text} whose goods are unusable, whatever the supplier says. They stay in quarantine.`;
  const open = unitsMissing(await listPurchases(database, order, openStates));
  const rejected = outcome.quantity - outcome.delivered - open;
  return rejected === 0
    ? `Ends ${text} as delivered: nothing is refunded.`
    : `Delivers ${open} units of ${text}; ${rejected} units that the supplier rejected are refunded.`;
}

function describe(orderId: number, { delivered, quantity, price, currency, client }: OrderOutcome): string {
  return `order ${orderId} of ${client} (${price} ${currency}, ${delivered} of ${quantity} units delivered)`;
}

/** Stores the sealed goods of the file. Returns their id, because Temporal must not get the goods. */
async function storeGoods(
  { orderId, nonce, family, database, keyRing }: OpenOrder,
  file: UploadedFile<'goods'>,
): Promise<number> {
  const { goods } = await file.read({ family, now: new Date() });
  const sealed = new Sealer(keyRing).seal(orderField(nonce, 'goods'), JSON.stringify(goods));
  return addOperatorGoods(database, orderId, sealed, goods.length);
}

export const decisionOperations = [retry, cancel, release, resolve];
