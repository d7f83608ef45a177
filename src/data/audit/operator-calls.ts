/**
 * Operators' calls to workflows, which maintenance copies from Temporal's histories into the audit, because the audit
 * keeps them longer. docs/decisions/0036-audit-operators-with-triggers.md.
 */
import { orderOfWorkflow } from '../../domain/orders/order-ids';
import { endpointOfWorkflow } from '../../domain/webhooks/delivery-rules';
import type { SentAction } from '../../domain/audit';
import { firstRow, rows, type Database } from '../database/database';
import { recordOperation } from './audit-entries';

export interface WorkflowRun {
  workflowId: string;
  runId: string;
}

const states = {
  order: `
    SELECT client_id AS "clientId", jsonb_build_object('status', status, 'delivered', delivered_quantity) AS state
      FROM orders WHERE id = $id AND nonce = $nonce`,
  webhook_endpoint: `
    SELECT client_id AS "clientId",
           jsonb_build_object('enabled', enabled, 'paused', paused, 'failing_since', rfc3339(failing_since)) AS state
      FROM webhook_endpoints WHERE id = $id AND nonce = $nonce`,
};

interface Subject {
  clientId: number;
  state: object;
}

/** The order or endpoint of a workflow, with its present state; for any other workflow, the workflow itself, without a state. */
async function subjectOf(database: Database, workflowId: string): Promise<{ object: string } & Partial<Subject>> {
  // The id of an eSIM monitor names its order.
  const order = orderOfWorkflow(workflowId.replace(/^esim-/, 'order-'));
  if (order) return stateOf('order', order.orderId, order.nonce);
  const endpoint = endpointOfWorkflow(workflowId);
  if (endpoint) return stateOf('webhook_endpoint', endpoint.endpointId, endpoint.nonce);
  return { object: `workflow/${workflowId}` };

  async function stateOf(kind: keyof typeof states, id: number, nonce: string) {
    return { object: `${kind}/${id}`, ...(await firstRow<Subject>(database, states[kind], { id, nonce })) };
  }
}

/** Records an operator's message to the run, with the present state of the order or endpoint. */
export async function recordOperatorCall(
  database: Database,
  { workflowId, runId }: WorkflowRun,
  ordinal: number | null,
): Promise<void> {
  const { state } = await subjectOf(database, workflowId);
  const sql = `
    INSERT INTO operator_messages (workflow_id, run_id, ordinal, before)
    VALUES ($workflowId, $runId, $ordinal, $before::jsonb)`;
  await rows(database, sql, { workflowId, runId, ordinal, before: state ? JSON.stringify(state) : null });
}

/** A run with the notes that `recordOperatorCall` wrote about its messages. */
export interface NotedRun extends WorkflowRun {
  notes: OperatorNote[];
  /** The id of the run's first note. Runs are listed in its order. */
  firstId: number;
}

export interface OperatorNote {
  id: number;
  ordinal: number | null;
  before: object | null;
  /** When the message arrived: a time in ISO 8601. */
  at: string;
}

const notedRuns = `
  SELECT workflow_id AS "workflowId", run_id AS "runId",
         jsonb_agg(jsonb_build_object('id', id, 'ordinal', ordinal, 'before', before, 'at', noted_at) ORDER BY id) AS notes,
         min(id) AS "firstId"
    FROM operator_messages GROUP BY 1, 2
  HAVING min(id) > $after AND is_older_than(max(noted_at), $olderThanMs * interval '1 ms')
   ORDER BY min(id) LIMIT $limit`;

/** Runs after `firstId` whose newest note is older than `olderThanMs`: their histories contain every recorded message. */
export function listNotedRuns(database: Database, part: { after: number; olderThanMs: number; limit: number }) {
  return rows<NotedRun>(database, notedRuns, part);
}

/** Deletes the notes of a run whose messages are in the audit. */
export async function deleteNotes(database: Database, { notes }: NotedRun): Promise<void> {
  await rows(database, 'DELETE FROM operator_messages WHERE id = ANY ($ids)', { ids: notes.map(({ id }) => id) });
}

/** A call of an operator in the history of a workflow. */
export interface OperatorCall {
  at: Date;
  action:
    | 'workflow.signalled'
    | 'workflow.updated'
    /** A message whose history was deleted: it may be a signal or an update. */
    | 'workflow.messaged'
    | 'workflow.cancelled'
    | 'workflow.terminated'
    | 'workflow.reset';
  /** The name of the message, or `cancel`, `terminate`, `reset`; `message <n>` if only its index is known. */
  command: string;
  /** The identity in Temporal; null without one. */
  operator: string | null;
  reason: string | null;
  /** Identifies the event of the history across all runs, so that it gets one audit entry. */
  source: string;
  /** The id in the header of a message that the operators' process sent. */
  messageId?: string | undefined;
  /** Arguments and answer of an update. */
  content: object;
}

/**
 * SQL: whether the entry from before the message was sent is by the same operator about the same object, and no other copy has joined it.
 * A sender who names the message of another one gets an entry of its own.
 */
const joinsSent = `
  EXISTS (SELECT FROM audit_entries sent
           WHERE sent.object = $object AND sent.source IS NULL AND sent.after ->> 'message_id' = $messageId
             AND 'ops/' || sent.operator = $operator)
  AND NOT EXISTS (SELECT FROM audit_entries copy
                   WHERE copy.object = $object AND copy.source IS NOT NULL AND copy.after ->> 'message_id' = $messageId)`;

// Temporal does not record who resets a run. A reset by the Temporal UI has an entry from before it was sent.
const auditStatement = `
  INSERT INTO audit_entries (at, actor_kind, client_id, operator, command, reason, source, action, object, before, after)
  VALUES ($at, 'OPERATOR', $clientId, coalesce($operator, (
            SELECT 'ops/' || sent.operator FROM audit_entries sent
             WHERE $action = 'workflow.reset' AND sent.action = 'workflow.reset_sent' AND sent.object = $object
               AND sent.after ->> 'run_id' = $runId
             ORDER BY sent.id DESC LIMIT 1)),
          $command, $reason, $source, $action, $object, $before::jsonb,
          $after::jsonb || CASE WHEN ${joinsSent} THEN jsonb_build_object('message_id', $messageId::text) ELSE '{}' END)
  ON CONFLICT (source) WHERE source IS NOT NULL DO NOTHING`;

/**
 * Writes the call into the audit once, with the state of its order or endpoint before and after it. `after`: the present state
 * if undefined. `auditDatabase`: logged in as the retention role, because PostgreSQL rejects entries of operators from the
 * service role.
 */
export async function auditOperatorCall(
  { database, auditDatabase }: { database: Database; auditDatabase: Database },
  { workflowId, runId }: WorkflowRun,
  { content, operator, reason, at, action, command, source, messageId }: OperatorCall,
  { before, after }: { before: object | null; after?: object | null | undefined },
): Promise<void> {
  const { object, clientId = null, state } = await subjectOf(database, workflowId);
  const said = JSON.parse(storableJson({ operator, reason })) as Pick<OperatorCall, 'operator' | 'reason'>;
  await rows(auditDatabase, auditStatement, {
    at,
    action,
    command,
    source,
    messageId: messageId ?? null,
    ...said,
    object,
    runId,
    clientId,
    before: before && JSON.stringify(before),
    after: storableJson({ ...content, ...(after === undefined ? state : after) }),
  });
}

/** The value as JSON, without the characters that PostgreSQL cannot store: NUL and unpaired surrogates. An operator may send any. */
function storableJson(value: object): string {
  return JSON.stringify(value).replace(
    /(\\\\)|\\u0000|\\ud[89a-f]../g,
    (_escape, backslash?: string) => backslash ?? '\ufffd',
  );
}

/**
 * Records that the acting person sends a call to the workflow, with the present state of its order or endpoint. `sent`: what the call
 * names, with `message_id` for a message.
 */
export async function recordSentCall(
  database: Database,
  { workflowId, action, sent }: { workflowId: string; action: SentAction; sent: object },
): Promise<void> {
  const { object, clientId, state } = await subjectOf(database, workflowId);
  await recordOperation(database, {
    action,
    object,
    after: sent,
    ...(clientId !== undefined && { clientId }),
    ...(state && { before: state }),
  });
}

/** Those of the given sources that have an audit entry. */
export async function auditedSources(database: Database, sources: readonly string[]): Promise<Set<string>> {
  const sql = 'SELECT source FROM audit_entries WHERE source = ANY ($sources)';
  const found = await rows<{ source: string }>(database, sql, { sources });
  return new Set(found.map(({ source }) => source));
}
