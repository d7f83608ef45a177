/** `orders`: what operators look at and decide when an order does not come to its end by itself. */
import { InvalidArgumentError, type Command } from 'commander';
import type { WorkflowHandle } from '@temporalio/client';
import type { Config } from '../../config';
import type { Database } from '../../data/database';
import {
  findOrderReport,
  findOrderState,
  listOrdersWithAttention,
  type ListedAttention,
  type OrderWithAttention,
} from '../../data/operator-reads';
import { loadKeyRing } from '../../data/keys/load-keys';
import { addOperatorGoods } from '../../data/orders/goods-apart';
import { creditDeferredRefund } from '../../data/orders/settle-order';
import { listSupplierWords } from '../../data/orders/supplier-words';
import {
  orderMessages,
  resolutions,
  type OperatorDecision,
  type OrderKey,
  type OrderStatusText,
  type Resolution,
} from '../../domain/order-flow';
import type { Family } from '../../domain/families';
import { orderWorkflowId } from '../../domain/orders';
import { LocalKeyEncryption } from '../../security/key-encryption';
import type { KeyRing } from '../../security/key-ring';
import { orderField, supplierWords } from '../../security/encryption-context';
import { Sealer } from '../../security/sealing';
import * as read from '../arguments';
import { readGoodsFile } from '../operator-goods';
import { show, type Row } from '../output';
import { withDatabase } from '../session';

export function addOrderCommands(program: Command): void {
  const orders = program.command('orders').description('Orders of all clients');

  orders
    .command('attention')
    .description('Orders that wait for an operator, the oldest first')
    .action((_options: object, command: Command) =>
      withDatabase(async (database) => show(command, rowsOf(await listOrdersWithAttention(database)))),
    );

  addShow(orders);

  orders
    .command('retry')
    .description('Ask the supplier, or buy, at once instead of at the next try')
    .argument('<order>', 'id', read.positiveInteger)
    .action((orderId: number) =>
      withOpenOrder(orderId, async ({ workflow }) => {
        await workflow.signal(orderMessages.retryNow);
        console.log(`Order ${orderId} tries at once. See what came of it with: orders show ${orderId}`);
      }),
    );

  orders
    .command('cancel')
    .description('Call an order off; it works as long as nothing was bought for it')
    .argument('<order>', 'id', read.positiveInteger)
    .requiredOption('--reason <text>', 'kept in the history of the workflow')
    .action((orderId: number, { reason }: { reason: string }) =>
      withOpenOrder(orderId, async ({ workflow }) => {
        console.log(await tell(workflow, orderMessages.cancel, reason));
      }),
    );

  orders
    .command('refund')
    .description('Credit the refund that was due while the wallet was closed; reopen the wallet first')
    .argument('<order>', 'id', read.positiveInteger)
    .action((orderId: number) =>
      withDatabase(async (database) => {
        console.log(`Order ${orderId}: ${await creditDeferredRefund(database, orderId)} credited`);
      }),
    );

  orders
    .command('resolve')
    .description(
      'Decide an order whose purchase could not be found out about; the supplier is asked once more',
    )
    .argument('<order>', 'id', read.positiveInteger)
    .argument('<decision>', 'ask-again, not-bought (fails and refunds it) or delivered', resolution)
    .option('--reason <text>', 'needed for not-bought and delivered; kept in the history of the workflow')
    .option('--goods <file>', 'with delivered: JSON array of the vouchers, or of the one eSIM')
    .action((orderId: number, decision: Resolution, options: { reason?: string; goods?: string }) =>
      withOpenOrder(orderId, async (order) => {
        const goods = options.goods && (await storeGoods(order, options.goods));
        const sent: OperatorDecision = {
          resolution: decision,
          ...(options.reason && { reason: options.reason }),
          ...(goods && { goods }),
        };
        console.log(await tell(order.workflow, orderMessages.resolve, sent));
      }),
    );
}

function addShow(orders: Command): void {
  orders
    .command('show')
    .description(
      'An order with its ledger entries and purchases, as JSON; codes and addresses stay sealed. What its supplier ' +
        'said of a purchase is opened: it may repeat what the customer entered',
    )
    .argument('<order>', 'id', read.positiveInteger)
    .action((orderId: number) =>
      withDatabase(async (database, config) => {
        const found = await findOrderReport(database, orderId);
        if (!found) throw new Error(`There is no order ${orderId}`);
        const shown = {
          workflow_id: orderWorkflowId(orderId, found.nonce),
          ...found.report,
          supplier_said: await openSupplierWords(database, config, orderId),
        };
        console.log(JSON.stringify(shown, null, 2));
      }),
    );
}

/** What the supplier said of the order's purchases; null if the keys at hand do not open it. */
async function openSupplierWords(database: Database, config: Config, orderId: number): Promise<Row[]> {
  const words = await listSupplierWords(database, orderId);
  if (words.length === 0) return [];
  const sealer = new Sealer(await loadKeyRing(database, new LocalKeyEncryption(config.secretKeys)));
  return words.map(({ reference, sealed, at }) => ({
    reference,
    at,
    words: sealer.openForView(supplierWords(reference), sealed),
  }));
}

function rowsOf(listed: readonly (ListedAttention | OrderWithAttention)[]): Row[] {
  return listed.map((one) => ({ ...one }));
}

function resolution(text: string): Resolution {
  const word = text.toUpperCase().replace(/-/g, '_');
  const known = resolutions.find((candidate) => candidate === word);
  if (!known) throw new InvalidArgumentError('Give ask-again, not-bought or delivered.');
  return known;
}

/** An order that has not ended, with its workflow. */
interface OpenOrder extends OrderKey {
  family: Family;
  workflow: WorkflowHandle;
  database: Database;
  keyRing: KeyRing;
}

/** Throws a sentence if there is no such order, or it has ended. */
async function withOpenOrder(orderId: number, work: (order: OpenOrder) => Promise<void>): Promise<void> {
  await withDatabase(async (database, config) => {
    const order = await findOpenOrder(database, orderId);
    // Loaded only here: the other commands start in a fraction of the time without it.
    const { connectTemporal } = await import('../../temporal/connection.js');
    const keyRing = await loadKeyRing(database, new LocalKeyEncryption(config.secretKeys));
    const temporal = await connectTemporal(config, keyRing);
    try {
      const workflow = temporal.workflow.getHandle(orderWorkflowId(orderId, order.nonce));
      await work({ orderId, ...order, workflow, database, keyRing });
    } finally {
      await temporal.connection.close();
    }
  });
}

async function findOpenOrder(
  database: Database,
  orderId: number,
): Promise<{ nonce: string; family: Family }> {
  const order = await findOrderState(database, orderId);
  if (!order) throw new Error(`There is no order ${orderId}`);
  if (order.isOver) throw new Error(`Order ${orderId} is ${order.status}: that is final`);
  return order;
}

/** Sends an update and returns its answer. Throws the refusal as the workflow words it. */
async function tell(workflow: WorkflowHandle, update: string, argument: unknown): Promise<OrderStatusText> {
  try {
    return await workflow.executeUpdate<OrderStatusText, [unknown]>(update, { args: [argument] });
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    throw cause instanceof Error ? new Error(cause.message) : error;
  }
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
