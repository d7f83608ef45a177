/** What somebody did to workflows in Temporal, on its way from their histories into the audit. */
import type { WorkflowCall, WorkflowRun } from '../../domain/operations/operator-messages';
import { orderOfWorkflow } from '../../domain/orders/orders';
import { endpointOfWorkflow } from '../../domain/webhooks';
import { firstRow, rows, type Database } from '../database/database';

/** What a workflow is about, as the audit names it; by itself where it is about neither an order nor an endpoint. */
function subjectOf(workflowId: string): {
  object: string;
  statement?: string;
  binds: { id?: number; nonce?: string };
} {
  // What follows an eSIM is about its order.
  const order = orderOfWorkflow(workflowId.replace(/^esim-/, 'order-'));
  if (order) {
    const { orderId: id, nonce } = order;
    return { object: `order/${id}`, statement: orderStanding, binds: { id, nonce } };
  }
  const endpoint = endpointOfWorkflow(workflowId);
  if (endpoint) {
    const { endpointId: id, nonce } = endpoint;
    return { object: `webhook_endpoint/${id}`, statement: endpointStanding, binds: { id, nonce } };
  }
  return { object: `workflow/${workflowId}`, binds: {} };
}

const orderStanding = `
  SELECT client_id AS "clientId", jsonb_build_object('status', status, 'delivered', delivered_quantity) AS standing
    FROM orders WHERE id = $id AND nonce = $nonce`;
const endpointStanding = `
  SELECT client_id AS "clientId",
         jsonb_build_object('enabled', enabled, 'paused', paused, 'failing_since', failing_since) AS standing
    FROM webhook_endpoints WHERE id = $id AND nonce = $nonce`;

interface Standing {
  clientId: number;
  standing: object;
}

async function standingOf(database: Database, workflowId: string): Promise<Standing | undefined> {
  const { statement, binds } = subjectOf(workflowId);
  return statement === undefined ? undefined : firstRow<Standing>(database, statement, binds);
}

const noteStatement = `
  INSERT INTO operator_messages (workflow_id, run_id, ordinal, before) VALUES ($workflowId, $runId, $ordinal, $before::jsonb)`;

/** Notes that the run was sent a message by somebody, and how what it is about stands now. */
export async function noteMessage(
  database: Database,
  { workflowId, runId }: WorkflowRun,
  ordinal: number | null,
): Promise<void> {
  const found = await standingOf(database, workflowId);
  const before = found ? JSON.stringify(found.standing) : null;
  await rows(database, noteStatement, { workflowId, runId, ordinal, before });
}

/** What was noted of one message. */
export interface Note {
  id: number;
  ordinal: number | null;
  before: object | null;
}

/** Runs of which something was noted at least that long ago, at most `limit`: by then it stands in their histories. */
export async function listNotedRuns(
  database: Database,
  olderThanMs: number,
  limit: number,
): Promise<WorkflowRun[]> {
  return rows<WorkflowRun>(
    database,
    `SELECT workflow_id AS "workflowId", run_id AS "runId" FROM operator_messages
      WHERE is_older_than(noted_at, $olderThanMs * interval '1 ms')
      GROUP BY 1, 2 ORDER BY min(id) LIMIT $limit`,
    { olderThanMs, limit },
  );
}

/** All that was noted of the run. */
export async function notesOf(database: Database, { workflowId, runId }: WorkflowRun): Promise<Note[]> {
  return rows<Note>(
    database,
    'SELECT id, ordinal, before FROM operator_messages WHERE workflow_id = $workflowId AND run_id = $runId',
    { workflowId, runId },
  );
}

/** The messages are in the audit. */
export async function forgetNotes(database: Database, notes: readonly Note[]): Promise<void> {
  await rows(database, 'DELETE FROM operator_messages WHERE id = ANY ($ids)', {
    ids: notes.map(({ id }) => id),
  });
}

const recordStatement = `
  INSERT INTO audit_entries (at, actor_kind, client_id, operator, command, reason, source, action, object, before, after)
  VALUES ($at, 'OPERATOR', $clientId, $operator, $command, $reason, $source, $action, $object, $before::jsonb, $after::jsonb)
  ON CONFLICT (source) WHERE source IS NOT NULL DO NOTHING`;

/**
 * Writes what was done to a workflow, once, with the present state of its order or endpoint. `auditDatabase`: logged in as
 * the retention role, because the service writes no entries of operators.
 */
export async function recordWorkflowCall(
  { database, auditDatabase }: { database: Database; auditDatabase: Database },
  call: WorkflowCall,
  before: object | null,
): Promise<void> {
  const { workflowId, runId, event, at, action, command, identity, reason, said } = call;
  const found = await standingOf(database, workflowId);
  await rows(auditDatabase, recordStatement, {
    at,
    action,
    command,
    reason,
    object: subjectOf(workflowId).object,
    clientId: found?.clientId ?? null,
    operator: identity,
    source: sourceOf({ workflowId, runId }, event),
    before: before && JSON.stringify(before),
    after: JSON.stringify({ ...said, ...found?.standing }),
  });
}

const sourceOf = ({ workflowId, runId }: WorkflowRun, event: string) => `${workflowId}/${runId}/${event}`;

/** Those of the runs whose end is not in the audit yet. */
export async function withoutRecordedEnd(
  database: Database,
  runs: readonly WorkflowRun[],
  event: string,
): Promise<WorkflowRun[]> {
  const sources = runs.map((run) => sourceOf(run, event));
  const recorded = await rows<{ source: string }>(
    database,
    'SELECT source FROM audit_entries WHERE source = ANY ($sources)',
    { sources },
  );
  const known = new Set(recorded.map(({ source }) => source));
  return runs.filter((run) => !known.has(sourceOf(run, event)));
}
