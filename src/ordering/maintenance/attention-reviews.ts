/** Reviews that maintenance runs to keep the attention list up to date: failing workflows and unusual failures of orders. */
import type { Client } from '@temporalio/client';
import { firstNames } from '../../domain/first-names';
import { listExactly, listKindsExactly, type AttentionEntry } from '../../data/attention/attention';
import type { Database } from '../../data/database/database';
import { bySupplier } from '../../data/suppliers/supplier-health';
import { placedAmong } from '../../data/orders/order-reads';
import { listUnusualFailures, type UnusualFailure } from '../../data/orders/order-results';
import { wholeService, type AttentionKind, type AttentionSubject } from '../../domain/attention/attention-kinds';
import { failingWorkflows } from '../../temporal/failing-workflows';

/**
 * Makes the attention list show exactly the workflows whose tasks fail now. If an entry cannot be listed, lists all
 * others and then throws.
 */
export async function reviewFailingWorkflows(database: Database, temporal: Client): Promise<void> {
  const { byOrder, byEndpoint, others } = await failingWorkflows(temporal);
  const placed = new Set((await placedAmong(database, [...byOrder.keys()])).map(({ orderId }) => orderId));
  const unplaced = [...byOrder].flatMap(([id, workflows]) => (placed.has(id) ? [] : workflows));
  const listed = new Map<AttentionKind, AttentionEntry[]>([
    ['WORKFLOW_FAILING', entriesOf(byOrder, (orderId) => ({ orderId }), placed)],
    ['ENDPOINT_WORKFLOW_FAILING', entriesOf(byEndpoint, (endpointId) => ({ endpointId }))],
    ['UNPLACED_WORKFLOWS_FAILING', entryOf(unplaced, wholeService)],
    ['SERVICE_WORKFLOWS_FAILING', entryOf(others, wholeService)],
  ]);
  await listKindsExactly(database, listed);
}

function entriesOf(
  byId: ReadonlyMap<number, string[]>,
  subjectOf: (id: number) => AttentionSubject,
  among: ReadonlySet<number> = new Set(byId.keys()),
): AttentionEntry[] {
  return [...byId].flatMap(([id, workflows]) => (among.has(id) ? entryOf(workflows, subjectOf(id)) : []));
}

/** One entry that names the workflows; no entry if there are none. */
function entryOf(workflows: readonly string[], subject: AttentionSubject): AttentionEntry[] {
  if (workflows.length === 0) return [];
  const named = firstNames(workflows.toSorted(), ', ');
  const reason = `These workflows fail their tasks and do not continue: ${named}. See the error in the Temporal UI`;
  return [{ subject, reason }];
}

/** Makes the attention list show exactly the failures of orders that are much more frequent now than on the day before. */
export async function reviewUnusualFailures(database: Database): Promise<void> {
  // Failures of all products of a supplier come first.
  const unusual = await listUnusualFailures(database);
  await listExactly(database, 'FAILURES_UNUSUAL', bySupplier(unusual, reasonOf));
}

function reasonOf(failure: UnusualFailure): string {
  const { family, productId, failureCode, minutes, ended, failed, endedBefore, failedBefore } = failure;
  const products = productId === null ? 'All products' : `${family} product ${productId}`;
  const before =
    endedBefore === 0
      ? '; there were no orders on the day before'
      : `, compared with ${failedBefore} of ${endedBefore} on the day before`;
  return `${products}: ${failed} of ${ended} orders failed with ${failureCode} in ${minutes} minutes${before}`;
}
