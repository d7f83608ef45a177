/**
 * Compares the database with the statements of suppliers and the running workflows of Temporal. Finds sales without a
 * delivery, orders without a workflow, and workflows without an order.
 */
import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import type { Database } from '../../../data/database/database';
import { listedReason } from '../../../data/attention/attention';
import { listOpenOrders } from '../../../data/orders/order-search';
import { isOrderOpen, placedAmong } from '../../../data/orders/order-reads';
import {
  listDifferences,
  type SettlementDifference,
  type DifferenceKind,
} from '../../../data/purchases/settlement-differences';
import { orderOfWorkflow, orderWorkflowId } from '../../../domain/orders/order-ids';
import { restartOrders, statusOf } from '../../../ordering/maintenance/order-restarts';
import { compareWith } from '../../../ordering/maintenance/statement-differences';
import { ofTypes, orderWorkflowTypes } from '../../../ordering/order-workflow';
import { pagesById, pagesOf } from '../../../ordering/pages';
import type { Supplier } from '../../../domain/suppliers/port';
import { isSupplierError } from '../../../domain/suppliers/supplier-errors';

export type DiscrepancyKind =
  | DifferenceKind
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

/**
 * Compares the supplier's sales since `since` with delivered, quarantined and unresolved purchases, and reports the differences that
 * no operator accepted. An unreadable statement is a discrepancy, too. Undefined for a supplier without statements.
 */
export async function reconcileSupplier(
  deps: ReconciliationDependencies,
  supplier: Supplier,
  since: Date,
): Promise<Reconciliation | undefined> {
  const { database, dryRun, progress } = deps;
  const { name, statement } = supplier;
  if (!statement) return undefined;
  try {
    const differences: SettlementDifference[] = [];
    const compared = await compareWith(
      database,
      supplier,
      { statement, since },
      {
        source: dryRun ? undefined : 'STATEMENT',
        progress: (sales) => progress(`${name}: ${sales} sales are read ...`),
        found: (some) => void differences.push(...some),
      },
    );
    const accepted = new Set((await listDifferences(database, { supplier: name, accepted: true })).map(keyOf));
    return {
      summary: `${name}: ${compared.sales} sales of ${compared.units} units`,
      discrepancies: differences
        .filter((difference) => !accepted.has(keyOf(difference)))
        .map((difference) => discrepancyOf(name, difference, dryRun)),
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

const keyOf = ({ kind, reference, detail }: SettlementDifference) => JSON.stringify([kind, reference, detail]);

function discrepancyOf(
  supplier: string,
  { kind, orderId, detail }: SettlementDifference,
  dryRun: boolean,
): Discrepancy {
  const subject = orderId === null ? `supplier ${supplier}` : `order ${orderId}`;
  return { kind, subject, detail, done: dryRun ? null : 'put on the attention list' };
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
  const orderIds = page.map(({ workflowId }) => orderOfWorkflow(workflowId)?.orderId).filter((id) => id !== undefined);
  const placed = await placedAmong(database, orderIds);
  const known = new Set(placed.map(({ orderId, nonce }) => orderWorkflowId(orderId, nonce)));
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
  if ((await listedReason(database, orderId, 'WORKFLOW_ENDED')) !== undefined) return false;
  return isOrderOpen(database, orderId);
}
