/** `orders`: what operators look at and decide when an order does not come to its end by itself. */
import { InvalidArgumentError, type Command } from 'commander';
import { firstRow, rows, type Database } from '../../data/database';
import { refundOverdue } from '../../data/orders/move-order';
import { orderMessages, type Resolution } from '../../domain/order-flow';
import { orderWorkflowId } from '../../domain/orders';
import { KeyRing } from '../../security/key-ring';
import * as read from '../arguments';
import { show, type Row } from '../output';
import { withDatabase } from '../session';

export function addOrderCommands(program: Command): void {
  const orders = program.command('orders').description('Orders of all clients');

  orders
    .command('attention')
    .description('Orders that wait for an operator, the oldest first')
    .action((_options: object, command: Command) =>
      withDatabase(async (database) => show(command, await rows<Row>(database, ordersWithAttention))),
    );

  orders
    .command('show')
    .description('An order with its ledger entries and purchases, as JSON; codes and addresses stay sealed')
    .argument('<order>', 'id', read.positiveInteger)
    .action((orderId: number) =>
      withDatabase(async (database) => {
        const found = await firstRow<{ nonce: string; dossier: object }>(database, orderDossier, [orderId]);
        if (!found) throw new Error(`There is no order ${orderId}`);
        const workflowId = orderWorkflowId(orderId, found.nonce);
        console.log(JSON.stringify({ workflow_id: workflowId, ...found.dossier }, null, 2));
      }),
    );

  orders
    .command('cancel')
    .description('Call an order off; it works as long as nothing was bought for it')
    .argument('<order>', 'id', read.positiveInteger)
    .option('--reason <text>', 'kept in the history of the workflow', 'Called off by an operator')
    .action(async (orderId: number, { reason }: { reason: string }) => {
      await tellWorkflow(orderId, orderMessages.cancel, reason);
      console.log(`Order ${orderId} was asked to stop. See what came of it with: orders show ${orderId}`);
    });

  orders
    .command('refund')
    .description('Credit the refund that was due while the wallet was closed; reopen the wallet first')
    .argument('<order>', 'id', read.positiveInteger)
    .action((orderId: number) =>
      withDatabase(async (database) => {
        console.log(`Order ${orderId}: ${await refundOverdue(database, orderId)} credited`);
      }),
    );

  orders
    .command('resolve')
    .description('Decide an order whose purchase could not be found out about')
    .argument('<order>', 'id', read.positiveInteger)
    .argument('<decision>', 'ask-again, or not-bought to fail and refund it', resolution)
    .action(async (orderId: number, decision: Resolution) => {
      await tellWorkflow(orderId, orderMessages.resolve, decision);
      console.log(`Order ${orderId} was told ${decision}. See what came of it with: orders show ${orderId}`);
    });
}

const ordersWithAttention = `
  SELECT o.id, o.client_id, o.family, o.status, o.product_name, o.total_payable,
         o.deduction_currency AS currency, o.placed_at, a.kind, a.reason AS attention
    FROM attention a JOIN orders o ON o.id = a.order_id WHERE a.cleared_at IS NULL ORDER BY a.since, a.id`;

const orderDossier = `
  SELECT o.nonce, to_jsonb(o) - 'sealed_email' || jsonb_build_object(
           'transactions', (SELECT coalesce(jsonb_agg(to_jsonb(t) ORDER BY t.id), '[]')
                              FROM transactions t WHERE t.order_id = o.id),
           'purchases', (SELECT coalesce(jsonb_agg(to_jsonb(p) ORDER BY p.batch), '[]')
                           FROM supplier_purchases p WHERE p.order_id = o.id),
           'events', (SELECT coalesce(jsonb_agg(to_jsonb(e) ORDER BY e.sequence), '[]')
                        FROM events e WHERE e.order_id = o.id)) AS dossier
    FROM orders o WHERE o.id = $1`;

function resolution(text: string): Resolution {
  const decisions: Readonly<Record<string, Resolution>> = {
    'ask-again': 'ASK_AGAIN',
    'not-bought': 'NOT_BOUGHT',
  };
  const decision = decisions[text];
  if (!decision) throw new InvalidArgumentError('Give ask-again or not-bought.');
  return decision;
}

/** Signals the workflow of an unfinished order. Throws a sentence where there is nothing to tell. */
async function tellWorkflow(orderId: number, signal: string, argument: string): Promise<void> {
  await withDatabase(async (database, config) => {
    const workflowId = await openWorkflow(database, orderId);
    // Loaded only here: the other commands start in a fraction of the time without it.
    const { connectTemporal } = await import('../../temporal/connection.js');
    const temporal = await connectTemporal(config, new KeyRing(config.secretKeys));
    try {
      await temporal.workflow.getHandle(workflowId).signal(signal, argument);
    } finally {
      await temporal.connection.close();
    }
  });
}

async function openWorkflow(database: Database, orderId: number): Promise<string> {
  const order = await firstRow<{ nonce: string; status: string; isOver: boolean }>(
    database,
    'SELECT nonce, status, completed_at IS NOT NULL AS "isOver" FROM orders WHERE id = $1',
    [orderId],
  );
  if (!order) throw new Error(`There is no order ${orderId}`);
  if (order.isOver) throw new Error(`Order ${orderId} is ${order.status}: that is final`);
  return orderWorkflowId(orderId, order.nonce);
}
