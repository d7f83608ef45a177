/** `orders`: what operators look for, look at and decide. */
import type { Command } from 'commander';
import type { Config } from '../../config';
import { recordOperation } from '../../data/operations/audit';
import type { Database } from '../../data/database/database';
import {
  findOrderReport,
  listOrdersWithAttention,
  type ListedAttention,
  type OrderWithAttention,
} from '../../data/operations/operator-reads';
import { creditDeferredRefund } from '../../data/orders/settle-order';
import { listRawResponses } from '../../data/purchases/purchase-polls';
import { orderWorkflowId } from '../../domain/orders/orders';
import { supplierWords } from '../../security/encryption-context';
import { Sealer } from '../../security/sealing';
import * as read from '../arguments';
import { reasoned } from '../confirmation';
import { jsonText, show, type Row } from '../output';
import { keysOf, withDatabase } from '../session';
import { addDecisionCommands } from './order-decisions';
import { addFindCommand } from './order-find';

export function addOrderCommands(program: Command): void {
  const orders = program.command('orders').description('Orders of all clients');
  addFindCommand(orders);

  orders
    .command('attention')
    .description('Orders that wait for an operator, the oldest first')
    .action((_options: object, command: Command) =>
      withDatabase(async (database) => show(command, rowsOf(await listOrdersWithAttention(database)))),
    );

  addShow(orders);
  addDecisionCommands(orders);

  reasoned(orders.command('refund'))
    .description('Credit the refund that was due while the wallet was closed; reopen the wallet first')
    .argument('<order>', 'id', read.positiveInteger)
    .action((orderId: number) =>
      withDatabase(async (database) => {
        console.log(`Order ${orderId}: ${await creditDeferredRefund(database, orderId)} credited`);
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
        console.log(jsonText(shown));
      }),
    );
}

/** What the supplier said of the order's purchases; null if the keys at hand do not open it. */
async function openSupplierWords(database: Database, config: Config, orderId: number): Promise<Row[]> {
  const words = await listRawResponses(database, orderId);
  if (words.length === 0) return [];
  // It may repeat what a customer entered: who reads it is written down before it is shown.
  await recordOperation(database, { action: 'supplier_words.read', object: `order/${orderId}` });
  const sealer = new Sealer(await keysOf(database, config));
  return words.map(({ reference, sealed, at }) => ({
    reference,
    at,
    words: sealer.openForView(supplierWords(reference), sealed),
  }));
}

function rowsOf(listed: readonly (ListedAttention | OrderWithAttention)[]): Row[] {
  return listed.map((one) => ({ ...one }));
}
