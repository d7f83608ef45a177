/** Lists every workflow that fails its tasks: nothing else tells of them. */
import type { Client } from '@temporalio/client';
import { listExactly, type AttentionEntry } from '../../data/operations/attention';
import type { Database } from '../../data/database/database';
import { placedAmong } from '../../data/orders/order-reads';
import {
  wholeService,
  type AttentionKind,
  type AttentionSubject,
} from '../../domain/operations/attention-kinds';
import { forEachItem } from '../../async/promises';
import { failingWorkflows } from '../../temporal/failing-workflows';

/** An entry names so many workflows at most. */
const MAX_NAMED = 5;

/**
 * Makes the attention list agree with the workflows that fail their tasks now. An entry that cannot be listed keeps no
 * other from the list; it makes the review fail once all others are listed.
 */
export async function reviewFailingWorkflows(database: Database, temporal: Client): Promise<void> {
  const { byOrder, byEndpoint, others } = await failingWorkflows(temporal);
  const placed = new Set(await placedAmong(database, [...byOrder.keys()]));
  const unplaced = [...byOrder].flatMap(([id, workflows]) => (placed.has(id) ? [] : workflows));
  const entries: [AttentionKind, AttentionEntry[]][] = [
    ['WORKFLOW_FAILING', entriesOf(byOrder, (orderId) => ({ orderId }), placed)],
    ['ENDPOINT_WORKFLOW_FAILING', entriesOf(byEndpoint, (endpointId) => ({ endpointId }))],
    ['UNPLACED_WORKFLOWS_FAILING', entryOf(unplaced, wholeService)],
    ['SERVICE_WORKFLOWS_FAILING', entryOf(others, wholeService)],
  ];
  await forEachItem(entries, ([kind, listed]) => listExactly(database, kind, listed));
}

function entriesOf(
  byId: ReadonlyMap<number, string[]>,
  subjectOf: (id: number) => AttentionSubject,
  among: ReadonlySet<number> = new Set(byId.keys()),
): AttentionEntry[] {
  return [...byId].flatMap(([id, workflows]) => (among.has(id) ? entryOf(workflows, subjectOf(id)) : []));
}

/** One entry for all of the workflows; none where there are none. */
function entryOf(workflows: readonly string[], subject: AttentionSubject): AttentionEntry[] {
  if (workflows.length === 0) return [];
  const named = workflows.toSorted().slice(0, MAX_NAMED).join(', ');
  const more = workflows.length > MAX_NAMED ? ` and ${workflows.length - MAX_NAMED} more` : '';
  const reason = `These workflows fail their tasks and do not go on: ${named}${more}. See the error in the Temporal UI`;
  return [{ subject, reason }];
}
