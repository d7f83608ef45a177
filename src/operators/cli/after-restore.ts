/**
 * Repairs the service after the database was restored to an earlier moment. The gap is the time from that moment to the restore.
 * The database has lost the orders of the gap, but Temporal and suppliers know them. Temporal's workflows are ahead of the
 * database, so they are terminated and restarted from its rows. docs/operators/runbook.md#backup-and-restore.
 */
import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import type { Database } from '../../data/database/database';
import {
  knownOrders,
  markBoughtInGap,
  namesOfClients,
  ordersBoughtInGap,
  pollBeforeBuying,
  skipGivenIds,
} from '../../data/maintenance/restored';
import { orderOfWorkflow, workflowOfPurchase } from '../../domain/orders/order-ids';
import { refundImportWorkflow } from '../../domain/orders/refund-imports';
import { disabledMailWorkflow, endpointWorkflow } from '../../domain/webhooks/delivery-rules';
import type { Supplier } from '../../domain/suppliers/port';
import { isWorkflowNotFound } from '../../temporal/connection';
import { runningWorkflows } from '../../temporal/running-workflows';
import { clientId, orderStatus, productFamily } from '../../temporal/search-attributes';
import { esimMonitorType } from '../../ordering/esims/esim-monitors';
import { ofTypes, orderWorkflowTypes } from '../../ordering/order-workflow';
import { pagesOf } from '../../ordering/pages';

export interface RestoreDependencies {
  database: Database;
  temporal: Client;
  suppliers: readonly Supplier[];
  /** Called from time to time with a progress message. */
  progress: (sentence: string) => void;
}

/** An order of the gap, which the database has lost. */
export interface LostOrder {
  orderId: number;
  workflowId: string;
  /** From Temporal's search attributes; null if Temporal does not know the order. */
  placedAt: Date | null;
  client: string | null;
  family: string | null;
  status: string | null;
  /** The sales of suppliers, such as `simulator: 2 under order-17-...-0001`; null if there are none. */
  sold: string | null;
}

/** The most milliseconds by which another clock may be behind ours. */
const CLOCK_MARGIN_MS = 3_600_000;
const PAGE_SIZE = 500;

/** What happened after the moment to which the database was restored. */
export interface Gap {
  /** The orders that Temporal or a supplier knows and the database does not, by id. */
  lost: LostOrder[];
  /** The ids of open orders for which a supplier sold under a reference that the database has lost. */
  boughtInGap: number[];
}

/** Reads the gap from Temporal and the statements of the suppliers. Changes nothing. */
export async function readGap(deps: RestoreDependencies, since: Date): Promise<Gap> {
  const from = new Date(since.getTime() - CLOCK_MARGIN_MS);
  const lost = new Map<string, LostOrder>();
  for await (const page of pagesOf(workflowsSince(deps, from), PAGE_SIZE)) {
    for (const order of await unknownOrders(deps.database, page)) lost.set(order.workflowId, order);
  }
  const boughtInGap = new Set<number>();
  for (const supplier of deps.suppliers) await addSales(deps, supplier, from, { lost, boughtInGap });
  const byId = [...lost.values()].sort((one, other) => one.orderId - other.orderId);
  return { lost: byId, boughtInGap: [...boughtInGap].sort((one, other) => one - other) };
}

/** The order of each run that started at or after `from`. A workflow that continued as new has several runs. */
async function* workflowsSince({ temporal, progress }: RestoreDependencies, from: Date): AsyncGenerator<LostOrder> {
  const query = `${ofTypes(orderWorkflowTypes)} AND StartTime >= '${from.toISOString()}'`;
  let read = 0;
  for await (const workflow of temporal.workflow.list({ query, pageSize: PAGE_SIZE })) {
    const order = orderOf(workflow);
    if (order) yield order;
    progress(`Temporal: ${++read} workflows are read ...`);
  }
}

function orderOf({ workflowId, startTime, typedSearchAttributes: shown }: WorkflowExecutionInfo) {
  const key = orderOfWorkflow(workflowId);
  if (!key) return undefined;
  const client = shown.get(clientId);
  return {
    orderId: key.orderId,
    workflowId,
    placedAt: startTime,
    client: client === undefined ? null : String(client),
    family: shown.get(productFamily) ?? null,
    status: shown.get(orderStatus) ?? null,
    sold: null,
  };
}

/** The orders of the page that the database does not have, with the names of their clients. */
async function unknownOrders(database: Database, page: readonly LostOrder[]): Promise<LostOrder[]> {
  const keys = page.map(({ workflowId }) => orderOfWorkflow(workflowId)).filter((key) => key !== undefined);
  const known = new Set((await knownOrders(database, keys)).map(({ orderId, nonce }) => `${orderId}-${nonce}`));
  const lost = page.filter(({ workflowId }) => !known.has(workflowId.slice('order-'.length)));
  const clients = [...new Set(lost.flatMap(({ client }) => (client === null ? [] : Number(client))))];
  const names = await namesOfClients(database, clients);
  return lost.map((order) => ({ ...order, client: names.get(Number(order.client)) ?? order.client }));
}

/** Adds the supplier's sales since `from` whose orders or purchases the database does not have. */
async function addSales(
  { database, progress }: RestoreDependencies,
  supplier: Supplier,
  from: Date,
  { lost, boughtInGap }: { lost: Map<string, LostOrder>; boughtInGap: Set<number> },
): Promise<void> {
  if (!supplier.statement) return;
  let read = 0;
  for await (const page of supplier.statement(from)) {
    const sales = page.flatMap((sale) => {
      if (sale.kind === 'refund') return [];
      const workflowId = workflowOfPurchase(sale.reference);
      const key = workflowId === undefined ? undefined : orderOfWorkflow(workflowId);
      return workflowId === undefined || !key ? [] : [{ ...sale, ...key, workflowId }];
    });
    for (const orderId of await ordersBoughtInGap(database, sales)) boughtInGap.add(orderId);
    const orders = sales.map(({ orderId, workflowId }) => ({ ...nothingKnown, orderId, workflowId }));
    const unknown = new Map((await unknownOrders(database, orders)).map((order) => [order.workflowId, order]));
    for (const { workflowId, units, reference } of sales) {
      const order = lost.get(workflowId) ?? unknown.get(workflowId);
      if (!order) continue;
      const sold = `${supplier.name}: ${units} under ${reference}`;
      lost.set(workflowId, { ...order, sold: order.sold === null ? sold : `${order.sold}; ${sold}` });
    }
    read += page.length;
    progress(`${supplier.name}: ${read} sales are read ...`);
  }
}

const nothingKnown = { placedAt: null, client: null, family: null, status: null, sold: null };

export interface Preparation extends Gap {
  /** The last skipped order id. New orders get higher ids. */
  lastOrderId: number;
  /** The number of purchases that are looked up before they are sent. */
  asked: number;
  /** The number of terminated workflows. */
  ended: number;
}

/**
 * Prepares the restored database for a start of the service: skips the ids of the gap, marks purchases that may have run in
 * the gap for a lookup, stops buying for orders that bought in the gap under a lost reference, and terminates the workflows of
 * database rows. Idempotent. API and worker must not run.
 */
export async function prepareRestored(deps: RestoreDependencies, since: Date): Promise<Preparation> {
  const { lost, boughtInGap } = await readGap(deps, since);
  const highest = Math.max(0, ...lost.map(({ orderId }) => orderId));
  const ended = await endWorkflows(deps);
  await markBoughtInGap(deps.database, boughtInGap);
  return {
    lost,
    boughtInGap,
    ended,
    lastOrderId: await skipGivenIds(deps.database, highest),
    asked: await pollBeforeBuying(deps.database),
  };
}

/** Workflows that belong to a database row. Maintenance or the outbox poller restarts each from its row. */
const rowWorkflows = [
  ...orderWorkflowTypes,
  esimMonitorType,
  endpointWorkflow,
  disabledMailWorkflow,
  refundImportWorkflow,
];

async function endWorkflows({ temporal, progress }: RestoreDependencies): Promise<number> {
  const ids = [...(await runningWorkflows(temporal, ofTypes(rowWorkflows)))];
  let ended = 0;
  for (const id of ids) {
    await temporal.workflow
      .getHandle(id)
      .terminate('The database was restored to an earlier moment')
      .catch((error: unknown) => {
        if (!isWorkflowNotFound(error)) throw error;
      });
    progress(`Temporal: ${++ended} of ${ids.length} workflows are ended ...`);
  }
  return ended;
}
