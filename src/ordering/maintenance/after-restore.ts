/**
 * The database was restored to an earlier moment: what Temporal and suppliers know of the time after it. Temporal's
 * workflows are ahead of the database, so they are ended, and begin anew from what is on record.
 * docs/operators/runbook.md#backup-and-restore.
 */
import { WorkflowNotFoundError, type Client, type WorkflowExecutionInfo } from '@temporalio/client';
import type { Database } from '../../data/database/database';
import { askBeforeBuying, knownOrders, namesOfClients, skipGivenIds } from '../../data/operations/restored';
import { families } from '../../domain/orders/families';
import { orderOfWorkflow, workflowOfPurchase } from '../../domain/orders/orders';
import { disabledMailWorkflow, endpointWorkflow } from '../../domain/webhooks';
import type { Supplier } from '../../suppliers/port';
import { esimMonitor } from '../../temporal/esim-monitor';
import { runningWorkflows } from '../../temporal/running-workflows';
import { clientId, orderStatus, productFamily } from '../../temporal/search-attributes';

export interface RestoreDependencies {
  database: Database;
  temporal: Client;
  suppliers: readonly Supplier[];
  /** Told now and then how far the work has come. */
  progress: (sentence: string) => void;
}

/** An order of the gap: others know it, the database does not. */
export interface LostOrder {
  orderId: number;
  workflowId: string;
  /** As far as Temporal knows it: when it was placed, whose it is, and how it stood last. */
  placedAt: Date | null;
  client: string | null;
  family: string | null;
  status: string | null;
  /** What suppliers sold for it, such as `simulator: 2 under order-17-...-0001`; null for nothing. */
  sold: string | null;
}

/** The clocks of others may be behind ours by this much (milliseconds). */
const CLOCK_MARGIN_MS = 3_600_000;
/** Workflows looked up in the database in one go. */
const PAGE = 500;

/** The orders that Temporal or a supplier has known since that moment and the database does not, by id. */
export async function lostOrders(deps: RestoreDependencies, since: Date): Promise<LostOrder[]> {
  const from = new Date(since.getTime() - CLOCK_MARGIN_MS);
  const lost = new Map<string, LostOrder>();
  for await (const page of pagesOf(workflowsSince(deps, from))) {
    for (const order of await unknownOrders(deps.database, page)) lost.set(order.workflowId, order);
  }
  for (const supplier of deps.suppliers) await addSales(deps, supplier, from, lost);
  return [...lost.values()].sort((one, other) => one.orderId - other.orderId);
}

const orderTypes = Object.values(families).map(({ workflow }) => workflow);
const ofTypes = (types: readonly string[]) =>
  `WorkflowType IN (${types.map((type) => `'${type}'`).join(', ')})`;

/** Runs that were started since then; of a workflow that went on in a new run, each. */
async function* workflowsSince(
  { temporal, progress }: RestoreDependencies,
  from: Date,
): AsyncGenerator<LostOrder> {
  const query = `${ofTypes(orderTypes)} AND StartTime >= '${from.toISOString()}'`;
  let read = 0;
  for await (const workflow of temporal.workflow.list({ query, pageSize: PAGE })) {
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

async function* pagesOf(orders: AsyncIterable<LostOrder>): AsyncGenerator<LostOrder[]> {
  let page: LostOrder[] = [];
  for await (const order of orders) {
    page.push(order);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  yield page;
}

/** Those of the page that the database does not know, with the names of their clients. */
async function unknownOrders(database: Database, page: readonly LostOrder[]): Promise<LostOrder[]> {
  const keys = page.map(({ workflowId }) => orderOfWorkflow(workflowId)).filter((key) => key !== undefined);
  const known = new Set(
    (await knownOrders(database, keys)).map(({ orderId, nonce }) => `${orderId}-${nonce}`),
  );
  const lost = page.filter(({ workflowId }) => !known.has(workflowId.slice('order-'.length)));
  const clients = [...new Set(lost.flatMap(({ client }) => (client === null ? [] : Number(client))))];
  const names = await namesOfClients(database, clients);
  return lost.map((order) => ({ ...order, client: names.get(Number(order.client)) ?? order.client }));
}

/** What the supplier sold since then under references of orders that are not on record. */
async function addSales(
  { database, progress }: RestoreDependencies,
  supplier: Supplier,
  from: Date,
  lost: Map<string, LostOrder>,
): Promise<void> {
  if (!supplier.statement) return;
  let read = 0;
  for await (const page of supplier.statement(from)) {
    const sales = page.flatMap((sale) => {
      const workflowId = workflowOfPurchase(sale.reference);
      const key = workflowId === undefined ? undefined : orderOfWorkflow(workflowId);
      return workflowId === undefined || !key ? [] : [{ ...sale, workflowId, orderId: key.orderId }];
    });
    const orders = sales.map(({ orderId, workflowId }) => ({ ...nothingKnown, orderId, workflowId }));
    const strange = new Map(
      (await unknownOrders(database, orders)).map((order) => [order.workflowId, order]),
    );
    for (const { workflowId, units, reference } of sales) {
      const order = lost.get(workflowId) ?? strange.get(workflowId);
      if (!order) continue;
      const sold = `${supplier.name}: ${units} under ${reference}`;
      lost.set(workflowId, { ...order, sold: order.sold === null ? sold : `${order.sold}; ${sold}` });
    }
    progress(`${supplier.name}: ${(read += page.length)} sales are read ...`);
  }
}

const nothingKnown = { placedAt: null, client: null, family: null, status: null, sold: null };

/** What was done so that the service may start on the restored database. */
export interface Preparation {
  lost: LostOrder[];
  /** Orders go on behind this id. */
  lastOrderId: number;
  /** Purchases that are asked about before they are sent. */
  asked: number;
  /** Workflows that were ended. */
  ended: number;
}

/**
 * Makes the service fit to start: no id of the gap is given again, nothing that may have been bought in it is bought
 * again, and no workflow goes on that is ahead of the database. API and worker must not run. It can be repeated.
 */
export async function prepareRestored(deps: RestoreDependencies, since: Date): Promise<Preparation> {
  const lost = await lostOrders(deps, since);
  const highest = Math.max(0, ...lost.map(({ orderId }) => orderId));
  const ended = await endWorkflows(deps);
  return {
    lost,
    ended,
    lastOrderId: await skipGivenIds(deps.database, highest),
    asked: await askBeforeBuying(deps.database),
  };
}

/** Whatever follows a row of the database: maintenance, or the outbox, starts each again from its row. */
const rowWorkflows = [...orderTypes, esimMonitor, endpointWorkflow, disabledMailWorkflow];

async function endWorkflows({ temporal, progress }: RestoreDependencies): Promise<number> {
  const ids = [...(await runningWorkflows(temporal, ofTypes(rowWorkflows)))];
  let ended = 0;
  for (const id of ids) {
    await temporal.workflow
      .getHandle(id)
      .terminate('The database was restored to an earlier moment')
      .catch(unlessItHasEnded);
    progress(`Temporal: ${++ended} of ${ids.length} workflows are ended ...`);
  }
  return ended;
}

function unlessItHasEnded(error: unknown): void {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}
