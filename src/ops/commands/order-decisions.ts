/** `orders retry|cancel|resolve`: what operators decide about orders that have not ended, and what came of it. */
import { InvalidArgumentError, type Command } from 'commander';
import type { Database } from '../../data/database/database';
import { findOrderOutcome, type OrderOutcome } from '../../data/operations/operator-reads';
import { addOperatorGoods } from '../../data/purchases/quarantined-goods';
import { countOpenOrders, type OpenOrdersOf } from '../../data/orders/order-search';
import { listPurchases, openStates, unitsMissing } from '../../data/purchases/purchase-reads';
import {
  orderMessages,
  resolutions,
  type OperatorDecision,
  type OrderKey,
  type Resolution,
} from '../../domain/orders/order-flow';
import { orderField } from '../../security/encryption-context';
import { Sealer } from '../../security/sealing';
import * as read from '../arguments';
import { confirm, dangerous } from '../confirmation';
import type { OpenOrder } from '../open-order';
import { readGoodsFile } from '../operator-goods';
import { withProgress } from '../progress';
import { withDatabase, withTemporal } from '../session';

/** Loaded only when an order is told something: the other commands start in a fraction of the time without Temporal. */
const orderTools = () => import('../open-order.js');
const retryTools = () => import('../retry.js');

export function addDecisionCommands(orders: Command): void {
  addRetry(orders);
  addCancel(orders);
  addResolve(orders);
}

interface RetryOptions {
  supplier?: string;
  since?: Date;
  dryRun?: boolean;
}

function addRetry(orders: Command): void {
  dangerous(orders.command('retry'))
    .description(
      'Ask the supplier, or buy, at once instead of at the next try, and tell what came of it; with --supplier all ' +
        'its open orders, after an outage',
    )
    .argument('[order]', 'id', read.positiveInteger)
    .option('--supplier <name>', 'all open orders that are bought from it')
    .option(
      '--since <time>',
      'with --supplier: those placed since then, or so long ago: 90m, 12h, 1d',
      read.since,
    )
    .option('--dry-run', 'with --supplier: only tell how many')
    .action(async (orderId: number | undefined, options: RetryOptions, command: Command) => {
      const { supplier, since } = options;
      if ((orderId === undefined) === (supplier === undefined))
        throw new Error('Name an order, or a supplier with --supplier');
      if (supplier !== undefined) return retrySupplier({ supplier, since }, options, command);
      const { withOpenOrder } = await orderTools();
      const { retryOrder } = await retryTools();
      await withOpenOrder(orderId as number, async (order) => {
        console.log(await withProgress((tell) => retryOrder(order, tell)));
      });
    });
}

async function retrySupplier(bulk: OpenOrdersOf, { dryRun }: RetryOptions, command: Command): Promise<void> {
  await withDatabase(async (database, config) => {
    const { orders, worth } = await countOpenOrders(database, bulk);
    if (orders === 0) return console.log(`Supplier ${bulk.supplier} has no open orders.`);
    const what = `${orders} open orders of supplier ${bulk.supplier} (${worth})`;
    if (dryRun) return console.log(`${what} would try at once.`);
    await confirm(command, `Has ${what} try at once.`);
    const { retryAll } = await retryTools();
    await withTemporal(database, config, async (temporal) => {
      const { told, restarted, failures } = await withProgress((tell) =>
        retryAll({ database, temporal }, bulk, tell),
      );
      for (const failure of failures) console.error(failure);
      console.log(
        `${told} orders try at once; ${restarted} had no workflow and were started again; ${failures.length} could not be told.`,
      );
      if (failures.length > 0) process.exitCode = 1;
      else
        console.log(`What is left after a while: orders find --supplier ${bulk.supplier} --status pending`);
    });
  });
}

function addCancel(orders: Command): void {
  dangerous(orders.command('cancel'))
    .description('Call an order off; it works as long as nothing was bought for it')
    .argument('<order>', 'id', read.positiveInteger)
    .requiredOption('--reason <text>', 'kept in the history of the workflow and in the audit', read.reason)
    .action(async (orderId: number, { reason }: { reason: string }, command: Command) => {
      const { askWorkflow, withOpenOrder } = await orderTools();
      await withOpenOrder(
        orderId,
        async (order) => console.log(await askWorkflow(order, orderMessages.cancel, reason)),
        async (_order, database) => confirm(command, `Calls off ${await described(database, orderId)}.`),
      );
    });
}

interface ResolveOptions {
  reason?: string;
  goods?: string;
}

function addResolve(orders: Command): void {
  dangerous(orders.command('resolve'))
    .description(
      'Decide an order whose purchase could not be found out about; the supplier is asked once more',
    )
    .argument('<order>', 'id', read.positiveInteger)
    .argument('<decision>', 'ask-again, not-bought (fails and refunds it) or delivered', resolution)
    .option(
      '--reason <text>',
      'needed for not-bought and delivered; kept in the history of the workflow and in the audit',
    )
    .option('--goods <file>', 'with delivered: JSON array of the vouchers, or of the one eSIM')
    .action(async (orderId: number, decision: Resolution, options: ResolveOptions, command: Command) => {
      const { askWorkflow, withOpenOrder } = await orderTools();
      await withOpenOrder(
        orderId,
        async (order) => {
          const goods = options.goods && (await storeGoods(order, options.goods));
          const sent: OperatorDecision = {
            resolution: decision,
            ...(options.reason && { reason: options.reason }),
            ...(goods && { goods }),
          };
          console.log(await askWorkflow(order, orderMessages.resolve, sent));
        },
        async (order, database) => {
          if (decision !== 'ASK_AGAIN') await confirm(command, await consequence(database, order, decision));
        },
      );
    });
}

/** What a decision does, in figures. */
async function consequence(database: Database, order: OrderKey, decision: Resolution): Promise<string> {
  const outcome = await findOrderOutcome(database, order.orderId);
  const text = describe(order.orderId, outcome);
  if (decision === 'NOT_BOUGHT')
    return `Fails ${text}, and refunds what was not delivered, unless the supplier says otherwise.`;
  const open = unitsMissing(await listPurchases(database, order, openStates));
  const rejected = outcome.quantity - outcome.delivered - open;
  return rejected === 0
    ? `Ends ${text} as delivered: nothing is refunded.`
    : `Delivers ${open} units of ${text}; ${rejected} units that the supplier rejected are refunded.`;
}

async function described(database: Database, orderId: number): Promise<string> {
  return describe(orderId, await findOrderOutcome(database, orderId));
}

function describe(orderId: number, { delivered, quantity, price, currency, client }: OrderOutcome): string {
  return `order ${orderId} of ${client} (${price} ${currency}, ${delivered} of ${quantity} units delivered)`;
}

function resolution(text: string): Resolution {
  const word = text.toUpperCase().replace(/-/g, '_');
  const known = resolutions.find((candidate) => candidate === word);
  if (!known) throw new InvalidArgumentError('Give ask-again, not-bought or delivered.');
  return known;
}

/** Seals the goods into the database; Temporal is given only the number they have there. */
async function storeGoods(
  { orderId, nonce, family, database, keyRing }: OpenOrder,
  file: string,
): Promise<number> {
  const goods = readGoodsFile(family, file);
  const sealed = new Sealer(keyRing).seal(orderField(nonce, 'goods'), JSON.stringify(goods));
  return addOperatorGoods(database, orderId, sealed, goods.length);
}
