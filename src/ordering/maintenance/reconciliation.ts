/**
 * Compares the database with the statements of suppliers and the running workflows of Temporal. Finds sales without a
 * delivery, orders without a workflow, and workflows without an order.
 */
import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import { raiseAttention } from '../../data/operations/attention';
import { hasRow, rows, type Database } from '../../data/database/database';
import { listOpenOrders } from '../../data/orders/order-search';
import { isOpen } from '../../data/orders/order-reads';
import {
  compareSales,
  type UnaccountedSale,
  type UnsoldDelivery,
} from '../../data/purchases/statement-comparison';
import type { AttentionKind } from '../../domain/operations/attention-kinds';
import type { OrderKey } from '../../domain/orders/order-flow';
import { orderOfWorkflow, orderWorkflowId } from '../../domain/orders/order-ids';
import { isSupplierError, type Supplier } from '../../suppliers/port';
import { ofTypes, orderWorkflowTypes } from '../order-workflow';
import { pagesById, pagesOf } from '../pages';
import { restartOrders, statusOf } from './order-restarts';

export type DiscrepancyKind =
  | 'sold-unaccounted'
  | 'sold-unknown'
  | 'delivered-unsold'
  | 'statement-unreadable'
  | 'order-without-workflow'
  | 'workflow-without-order';

export interface Discrepancy {
  kind: DiscrepancyKind;
  /** Such as `order 17`, `supplier simulator` or `workflow order-17-...`. */
  subject: string;
  detail: string;
  /** The repair that was made; null if none was. */
  done: string | null;
}

export interface ReconciliationDependencies {
  database: Database;
  /** Whether to only report, without writing or starting anything. */
  dryRun: boolean;
  /** Called from time to time with a progress message. */
  progress: (sentence: string) => void;
}

export interface Reconciliation {
  /** One line for operators, such as `simulator: 12 sales of 40 units`. */
  summary: string;
  discrepancies: Discrepancy[];
}

/** The largest expected clock difference to a supplier in milliseconds. Statements are read from that much earlier. */
const CLOCK_MARGIN_MS = 3_600_000;

/**
 * Compares the supplier's sales since `since` with delivered, quarantined and unresolved purchases. Puts unaccounted sales on the
 * attention list with their cost. An unreadable statement is a discrepancy, too. Undefined for a supplier without statements.
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
    const report = (sales: number) => progress(`${name}: ${sales} sales are read ...`);
    const compared = await compareSales(database, name, statement, since, report);
    const unlisted = await unlistedGoods(database, name, compared.unaccounted);
    if (!dryRun)
      for (const { subject, reason } of unlisted)
        await raiseAttention(database, subject, GOODS_APART, reason);
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
  const name = 'orderId' in subject ? `order ${subject.orderId}` : `supplier ${subject.supplier}`;
  return { kind, subject: name, detail: reason, done: dryRun ? null : 'put on the attention list' };
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

/** Goods that belong on the attention list and are not there. */
interface UnlistedGoods {
  kind: 'sold-unaccounted' | 'sold-unknown';
  subject: { orderId: number; reference: string } | { supplier: string };
  reason: string;
}

const GOODS_APART: AttentionKind = 'GOODS_APART';

/** One entry for each sale of an order, and one for all sales without an order. Leaves out listed and settled entries. */
async function unlistedGoods(
  database: Database,
  supplier: string,
  sales: UnaccountedSale[],
): Promise<UnlistedGoods[]> {
  const goods: UnlistedGoods[] = [];
  const withoutOrder: UnaccountedSale[] = [];
  for (const sale of sales) {
    const { orderId, reference } = sale;
    if (orderId === null) withoutOrder.push(sale);
    else if (!sale.isListed && !isSettled(sale)) {
      const reason = `${supplier} sold what nothing accounts for: ${excessText(sale)}`;
      goods.push({ kind: 'sold-unaccounted', subject: { orderId, reference }, reason });
    }
  }
  if (withoutOrder.length === 0) return goods;
  const reason = unknownSalesText(supplier, withoutOrder);
  if (await isListed(database, supplier, reason)) return goods;
  return [...goods, { kind: 'sold-unknown', subject: { supplier }, reason }];
}

/** Whether the list has exactly this entry about the supplier, or had it until an operator settled it. */
function isListed(database: Database, supplier: string, reason: string): Promise<boolean> {
  return hasRow(
    database,
    'SELECT FROM attention WHERE kind = $kind AND supplier = $supplier AND reason = $reason AND (cleared_at IS NULL OR settlement IS NOT NULL)',
    { kind: GOODS_APART, supplier, reason },
  );
}

/** Whether an operator has settled an entry about exactly this sale. */
function isSettled(sale: UnaccountedSale): boolean {
  return sale.settledReason?.includes(` ${excessText(sale)}`) ?? false;
}

function excessText(sale: UnaccountedSale): string {
  const { reference, sold, sales: times, delivered, apart, excess, cost } = sale;
  const inSales = times > 1 ? ` in ${times} sales` : '';
  return `${excess} units (${cost} of the order's price) under ${reference}: ${sold} sold${inSales}, ${delivered} delivered, ${apart} kept apart`;
}

function unknownSalesText(supplier: string, sales: UnaccountedSale[]): string {
  const units = sales.reduce((sum, { sold }) => sum + sold, 0);
  return `${supplier} sold ${units} units under ${sales.length} references of no order, the first is ${sales[0]?.reference}`;
}

const PAGE_SIZE = 500;

/**
 * Compares open orders with running workflows. Restarts the missing workflows of orders; only reports a workflow without an
 * order. Ignores stray workflows that started at or after `placedBefore`, whose orders may not be placed yet.
 */
export async function reconcileWorkflows(
  deps: ReconciliationDependencies,
  temporal: Client,
  placedBefore: Date,
): Promise<Reconciliation> {
  const running = new Set<string>();
  const stray: Discrepancy[] = [];
  const query = `ExecutionStatus = 'Running' AND ${ofTypes(orderWorkflowTypes)}`;
  for await (const page of pagesOf(temporal.workflow.list({ query, pageSize: PAGE_SIZE }), PAGE_SIZE)) {
    for (const { workflowId } of page) running.add(workflowId);
    stray.push(...(await strayWorkflows(deps, temporal, page, placedBefore)));
    deps.progress(`Temporal: ${running.size} running workflows are read ...`);
  }
  const lost = await lostOrders(deps, temporal, running);
  if (lost.length > 0 && !deps.dryRun) {
    deps.progress('Temporal: lost workflows are restarted ...');
    await restartOrders({ database: deps.database, temporal });
  }
  return { summary: `Temporal: ${running.size} running workflows`, discrepancies: [...lost, ...stray] };
}

/** The workflows of the page that have no order. Asks Temporal about each one, because Temporal's list may be outdated. */
async function strayWorkflows(
  { database }: ReconciliationDependencies,
  temporal: Client,
  page: readonly WorkflowExecutionInfo[],
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

/** Open orders without a running workflow, except those whose ended workflow is on the attention list already. */
async function lostOrders(
  { database, dryRun, progress }: ReconciliationDependencies,
  temporal: Client,
  running: ReadonlySet<string>,
): Promise<Discrepancy[]> {
  const lost: Discrepancy[] = [];
  for await (const page of pagesById((after, limit) => listOpenOrders(database, after, limit), PAGE_SIZE)) {
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
  return lost;
}

/** Whether the order is still open and its ended workflow is not on the attention list. */
async function isUnattended(database: Database, orderId: number): Promise<boolean> {
  const isListed = await hasRow(
    database,
    `SELECT FROM attention WHERE kind = 'WORKFLOW_ENDED' AND order_id = $orderId AND cleared_at IS NULL`,
    { orderId },
  );
  return !isListed && (await isOpen(database, orderId));
}
