/** `orders retry|cancel|resolve`: operators' decisions about open orders, and their results. */
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
} from '../../domain/orders/order-messages';
import { orderField, Sealer } from '../../security/sealing';
import * as read from '../arguments';
import { confirm, dangerous } from '../confirmation';
import type { OpenOrder } from '../open-order';
import { readGoodsFile } from '../operator-goods';
import { withProgress } from '../output';
import { onDatabase, withTemporal, type Session } from '../session';

/** A lazy import: commands that do not need Temporal start in a fraction of the time. */
const importOpenOrder = () => import('../open-order.js');

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
      'At once poll the supplier or send the purchase, and print the result. With --supplier: for all its open orders, after an outage',
    )
    .argument('[order]', 'id', read.positiveInteger)
    .option('--supplier <name>', 'all open orders of this supplier')
    .option(
      '--since <time>',
      'with --supplier: orders placed since this time, or in the last 90m, 12h, 1d',
      read.timeOrAge,
    )
    .option('--dry-run', 'with --supplier: only count the orders')
    .action(
      onDatabase(async (session, orderId: number | undefined, { supplier, since, dryRun }: RetryOptions) => {
        if (supplier !== undefined && orderId === undefined)
          return retrySupplier(session, { supplier, since }, dryRun);
        if (supplier !== undefined || orderId === undefined)
          throw new Error('Name an order, or a supplier with --supplier');
        const { retryOrder, withOpenOrder } = await importOpenOrder();
        return withOpenOrder(session, orderId, (order) =>
          withProgress((progress) => retryOrder(order, progress)),
        );
      }),
    );
}

async function retrySupplier(session: Session, bulk: OpenOrdersOf, dryRun = false): Promise<string> {
  const { database, command } = session;
  const { orders, worth } = await countOpenOrders(database, bulk);
  if (orders === 0) return `Supplier ${bulk.supplier} has no open orders.`;
  const counted = `${orders} open orders of supplier ${bulk.supplier} (${worth})`;
  if (dryRun) return `${counted} would retry at once.`;
  await confirm(command, `Makes ${counted} retry at once.`);
  const { retryAll } = await importOpenOrder();
  const { signalled, restarted, failures } = await withTemporal(session, (temporal) =>
    withProgress((progress) => retryAll({ database, temporal }, bulk, progress)),
  );
  for (const failure of failures) console.error(failure);
  if (failures.length > 0) process.exitCode = 1;
  const result = `${signalled} orders retry at once; ${restarted} had no workflow and were restarted; ${failures.length} failed.`;
  if (failures.length > 0) return result;
  return `${result}\nList the orders that stay open: orders find --supplier ${bulk.supplier} --status pending`;
}

function addCancel(orders: Command): void {
  dangerous(orders.command('cancel'))
    .description('Cancel an order for which nothing was bought')
    .argument('<order>', 'id', read.positiveInteger)
    .requiredOption('--reason <text>', 'the reason, for the workflow history and the audit log', read.reason)
    .action(
      onDatabase(async (session, orderId: number, { reason }: { reason: string }) => {
        const { updateWorkflow, withOpenOrder } = await importOpenOrder();
        return withOpenOrder(
          session,
          orderId,
          (order) => updateWorkflow(order, orderMessages.cancel, reason),
          async () => {
            const outcome = await findOrderOutcome(session.database, orderId);
            await confirm(session.command, `Cancels ${describe(orderId, outcome)}.`);
          },
        );
      }),
    );
}

interface ResolveOptions {
  reason?: string;
  goods?: string;
}

function addResolve(orders: Command): void {
  dangerous(orders.command('resolve'))
    .description(
      'Resolve an order whose purchase has an unknown outcome or unusable goods. Except for unusable, the service first polls the supplier once more',
    )
    .argument('<order>', 'id', read.positiveInteger)
    .argument(
      '<decision>',
      'ask-again, not-bought (fails and refunds it), delivered, elsewhere (the next source buys), or unusable (refunds units whose goods are unusable)',
      readResolution,
    )
    .option(
      '--reason <text>',
      'the reason, for the workflow history and the audit log; required for all but ask-again',
    )
    .option('--goods <file>', 'with delivered: JSON array of the vouchers, or of the one eSIM')
    .action(
      onDatabase(async (session, orderId: number, resolution: Resolution, options: ResolveOptions) => {
        const { database, command } = session;
        const { updateWorkflow, withOpenOrder } = await importOpenOrder();
        return withOpenOrder(
          session,
          orderId,
          async (order) => {
            const goods = options.goods && (await storeGoods(order, options.goods));
            const decision: OperatorDecision = {
              resolution,
              ...(options.reason && { reason: options.reason }),
              ...(goods && { goods }),
            };
            return updateWorkflow(order, orderMessages.resolve, decision);
          },
          async (order) => {
            if (resolution !== 'ASK_AGAIN')
              await confirm(command, await effectOf(database, order, resolution));
          },
        );
      }),
    );
}

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

function readResolution(text: string): Resolution {
  const name = text.toUpperCase().replace(/-/g, '_');
  const known = resolutions.find((resolution) => resolution === name);
  if (!known) throw new InvalidArgumentError('Give ask-again, not-bought, delivered, elsewhere or unusable.');
  return known;
}

/** Stores the sealed goods of the file. Returns their id, because Temporal must not get the goods. */
async function storeGoods(
  { orderId, nonce, family, database, keyRing }: OpenOrder,
  file: string,
): Promise<number> {
  const goods = readGoodsFile(family, file);
  const sealed = new Sealer(keyRing).seal(orderField(nonce, 'goods'), JSON.stringify(goods));
  return addOperatorGoods(database, orderId, sealed, goods.length);
}
