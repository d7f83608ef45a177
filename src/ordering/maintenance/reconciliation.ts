/**
 * Compares what others know of orders with the database: suppliers what they sold, Temporal which workflows
 * run. Finds goods that were paid for and reached nobody, and orders and workflows that have lost one another.
 */
import type { Client } from '@temporalio/client';
import { raiseAttention } from '../../data/operations/attention';
import { firstRow, rows, type Database } from '../../data/database/database';
import { listOpenOrders, type UnfinishedOrder } from '../../data/orders/open-orders';
import { isOpen } from '../../data/orders/order-reads';
import { compareSales, type UnaccountedSale, type UnsoldDelivery } from '../../data/verification/sales';
import { families } from '../../domain/orders/families';
import type { AttentionKind } from '../../domain/operations/attention-kinds';
import { type OrderKey } from '../../domain/orders/order-flow';
import { orderOfWorkflow, orderWorkflowId } from '../../domain/orders/orders';
import { isSupplierError, type Supplier } from '../../suppliers/port';
import { restartOrders, statusOf } from './order-restarts';

export type DiscrepancyKind =
  | 'sold-unaccounted'
  | 'sold-unknown'
  | 'delivered-unsold'
  | 'statement-unreadable'
  | 'order-without-workflow'
  | 'workflow-without-order';

/** One thing that does not agree. */
export interface Discrepancy {
  kind: DiscrepancyKind;
  /** `order 17`, `supplier simulator`, `workflow order-17-...`. */
  subject: string;
  detail: string;
  /** What was done about it; null if nothing was, or can be. */
  done: string | null;
}

export interface ReconciliationDependencies {
  database: Database;
  /** Only tells: nothing is written and nothing started. */
  dryRun: boolean;
  /** Told now and then how far the work has come. */
  progress: (sentence: string) => void;
}

/** What agreed and what did not. */
export interface Reconciliation {
  /** One line for people, such as `simulator: 12 sales of 40 units`. */
  summary: string;
  discrepancies: Discrepancy[];
}

/** A supplier's clock and ours may differ by this much (milliseconds): its statement is read from so much earlier. */
const CLOCK_MARGIN_MS = 3_600_000;

/**
 * Compares everything the supplier sold since with what was delivered, is kept apart or is unresolved. What
 * nothing accounts for is put on the attention list with what it cost. A statement that cannot be read is a
 * discrepancy itself. Undefined for a supplier that gives no statement.
 */
export async function reconcileSupplier(
  deps: ReconciliationDependencies,
  supplier: Supplier,
  since: Date,
): Promise<Reconciliation | undefined> {
  const { database, dryRun, progress } = deps;
  const { name } = supplier;
  if (!supplier.statement) return undefined;
  const statement = supplier.statement(new Date(since.getTime() - CLOCK_MARGIN_MS));
  try {
    const tell = (sales: number) => progress(`${name}: ${sales} sales are read ...`);
    const compared = await compareSales(database, name, statement, since, tell);
    const unlisted = await unlistedGoods(database, name, compared.unaccounted);
    if (!dryRun) await list(database, unlisted);
    return {
      summary: `${name}: ${compared.sales} sales of ${compared.units} units`,
      discrepancies: [
        ...unlisted.map((goods) => soldDiscrepancy(goods, dryRun)),
        ...compared.unsold.map((delivery) => unsoldDiscrepancy(name, delivery)),
      ],
    };
  } catch (error) {
    if (!isSupplierError(error)) throw error;
    const detail = `Its statement cannot be read: ${error.message}`;
    const subject = `supplier ${name}`;
    return {
      summary: `${name}: not compared`,
      discrepancies: [{ kind: 'statement-unreadable', subject, detail, done: null }],
    };
  }
}

function soldDiscrepancy({ kind, subject, reason }: UnlistedGoods, dryRun: boolean): Discrepancy {
  return {
    kind,
    subject: nameOf(subject),
    detail: reason,
    done: dryRun ? null : 'put on the attention list',
  };
}

function unsoldDiscrepancy(
  supplier: string,
  { orderId, reference, delivered, sold }: UnsoldDelivery,
): Discrepancy {
  return {
    kind: 'delivered-unsold',
    subject: `order ${orderId}`,
    detail: `${delivered} units of ${reference} were delivered, ${supplier} says it sold ${sold}`,
    done: null,
  };
}

/** Goods that the attention list should tell of. */
interface UnlistedGoods {
  kind: 'sold-unaccounted' | 'sold-unknown';
  subject: { orderId: number } | { supplier: string };
  reason: string;
}

const GOODS_APART: AttentionKind = 'GOODS_APART';

/** One for each order that is not on the list already, and one for everything that is of no order. */
async function unlistedGoods(
  database: Database,
  supplier: string,
  sales: UnaccountedSale[],
): Promise<UnlistedGoods[]> {
  const ofOrders = new Map<number, UnaccountedSale[]>();
  const ofNone: UnaccountedSale[] = [];
  for (const sale of sales) {
    if (sale.orderId === null) ofNone.push(sale);
    else if (!sale.isListed) ofOrders.set(sale.orderId, [...(ofOrders.get(sale.orderId) ?? []), sale]);
  }
  const goods = [...ofOrders].map(([orderId, ofOrder]): UnlistedGoods => ({
    kind: 'sold-unaccounted',
    subject: { orderId },
    reason: reasonOf(supplier, ofOrder),
  }));
  if (ofNone.length === 0) return goods;
  const reason = reasonOfUnknown(supplier, ofNone);
  if (await isListed(database, supplier, reason)) return goods;
  return [...goods, { kind: 'sold-unknown', subject: { supplier }, reason }];
}

/** Whether the list tells exactly this of the supplier. */
async function isListed(database: Database, supplier: string, reason: string): Promise<boolean> {
  const told = await firstRow(
    database,
    'SELECT FROM attention WHERE kind = $kind AND supplier = $supplier AND reason = $reason AND (cleared_at IS NULL OR settlement IS NOT NULL)',
    { kind: GOODS_APART, supplier, reason },
  );
  return told !== undefined;
}

function reasonOf(supplier: string, sales: UnaccountedSale[]): string {
  const parts = sales.map(
    ({ reference, sold, sales: times, delivered, apart, excess, cost }) =>
      `${excess} units (${cost} of the order's price) under ${reference}: ${sold} sold${
        times > 1 ? ` in ${times} sales` : ''
      }, ${delivered} delivered, ${apart} kept apart`,
  );
  return `${supplier} sold what nothing accounts for: ${parts.join('; ')}`;
}

function reasonOfUnknown(supplier: string, sales: UnaccountedSale[]): string {
  const units = sales.reduce((sum, { sold }) => sum + sold, 0);
  return `${supplier} sold ${units} units under ${sales.length} references of no order, the first is ${sales[0]?.reference}`;
}

async function list(database: Database, goods: UnlistedGoods[]): Promise<void> {
  for (const { subject, reason } of goods) await raiseAttention(database, subject, GOODS_APART, reason);
}

function nameOf(subject: UnlistedGoods['subject']): string {
  return 'orderId' in subject ? `order ${subject.orderId}` : `supplier ${subject.supplier}`;
}

/** Workflows and open orders looked at in one go. */
const PAGE = 500;

/**
 * Compares open orders with running workflows. An order that Temporal has lost gets its workflow again, and so
 * has one whose workflow ended; a workflow without an order is only told of. What is
 * younger than `placedBefore` is on its way and left alone.
 */
export async function reconcileWorkflows(
  deps: ReconciliationDependencies,
  temporal: Client,
  placedBefore: Date,
): Promise<Reconciliation> {
  const running = new Set<string>();
  const stray: Discrepancy[] = [];
  for await (const page of runningWorkflows(temporal)) {
    for (const { workflowId } of page) running.add(workflowId);
    stray.push(...(await strayWorkflows(deps, temporal, page, placedBefore)));
    deps.progress(`Temporal: ${running.size} running workflows are read ...`);
  }
  const lost = await lostOrders(deps, temporal, running);
  if (lost.length > 0 && !deps.dryRun) {
    deps.progress('Temporal: starting lost workflows again ...');
    await restartOrders({ database: deps.database, temporal });
  }
  return { summary: `Temporal: ${running.size} running workflows`, discrepancies: [...lost, ...stray] };
}

interface RunningWorkflow {
  workflowId: string;
  startTime: Date;
}

async function* runningWorkflows(temporal: Client): AsyncGenerator<RunningWorkflow[]> {
  const types = Object.values(families)
    .map(({ workflow }) => workflow)
    .map((name) => `'${name}'`);
  const query = `ExecutionStatus = 'Running' AND WorkflowType IN (${types.join(', ')})`;
  let page: RunningWorkflow[] = [];
  for await (const { workflowId, startTime } of temporal.workflow.list({ query, pageSize: PAGE })) {
    page.push({ workflowId, startTime });
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  yield page;
}

/** The workflows of the page that are of no order, and really run: the list of Temporal is a little behind. */
async function strayWorkflows(
  { database }: ReconciliationDependencies,
  temporal: Client,
  page: RunningWorkflow[],
  placedBefore: Date,
): Promise<Discrepancy[]> {
  const orderIds = page
    .map(({ workflowId }) => orderOfWorkflow(workflowId)?.orderId)
    .filter((id) => id !== undefined);
  const found = await rows<OrderKey>(
    database,
    'SELECT id AS "orderId", nonce FROM orders WHERE id = ANY ($orderIds::bigint[])',
    { orderIds },
  );
  const known = new Set(found.map(({ orderId, nonce }) => orderWorkflowId(orderId, nonce)));
  const stray: Discrepancy[] = [];
  for (const { workflowId, startTime } of page) {
    if (known.has(workflowId) || startTime >= placedBefore) continue;
    if ((await statusOf(temporal, workflowId)) !== 'RUNNING') continue;
    const detail = `Runs since ${startTime.toISOString()}, but there is no such order: terminate it in the Temporal UI`;
    stray.push({ kind: 'workflow-without-order', subject: `workflow ${workflowId}`, detail, done: null });
  }
  return stray;
}

/** Open orders that no workflow follows, but for those that the attention list tells of already. */
async function lostOrders(
  { database, dryRun, progress }: ReconciliationDependencies,
  temporal: Client,
  running: ReadonlySet<string>,
): Promise<Discrepancy[]> {
  const lost: Discrepancy[] = [];
  let page: UnfinishedOrder[];
  for (let lastId = 0; ; lastId = page.at(-1)?.orderId ?? lastId) {
    page = await listOpenOrders(database, lastId, PAGE);
    if (page.length === 0) return lost;
    progress(`Temporal: open orders up to ${page.at(-1)?.orderId} are looked up ...`);
    for (const { orderId, nonce } of page) {
      const workflowId = orderWorkflowId(orderId, nonce);
      if (running.has(workflowId)) continue;
      const status = await statusOf(temporal, workflowId);
      if (status === 'RUNNING' || !(await isUnattended(database, orderId))) continue;
      lost.push({
        kind: 'order-without-workflow',
        subject: `order ${orderId}`,
        detail:
          status === undefined
            ? `Temporal does not know ${workflowId}`
            : `${workflowId} ended (${status}) before the order did`,
        done: dryRun ? null : 'started again',
      });
    }
  }
}

/** The order is still open, and nobody was told that its workflow ended. */
async function isUnattended(database: Database, orderId: number): Promise<boolean> {
  const listed = await firstRow(
    database,
    `SELECT FROM attention WHERE kind = 'WORKFLOW_ENDED' AND order_id = $orderId AND cleared_at IS NULL`,
    { orderId },
  );
  return listed === undefined && (await isOpen(database, orderId));
}
