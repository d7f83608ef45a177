/** Changing calls as the proxy sends them to Temporal: in the name of the person, and as the audit records them. */
import { randomUUID } from 'node:crypto';
import { opsIdentity, type SentAction } from '../../../domain/audit';
import { messageIdHeader } from '../../../domain/operators/operator-messages';
import { jsonName } from '../../operations/json-arguments';
import type { Change, Names } from './listed-calls';
import { isObject } from '../../../domain/unknown-values';

/** A JSON object that a person's browser sent. */
export type CallBody = Readonly<Record<string, unknown>>;

/** What the audit records of a call. */
export interface SentCall {
  workflowId: string;
  action: SentAction;
  /** The name of the message; of other calls, what they do, such as `reset`. As the copies of histories name them. */
  command: string;
  /** What the person wrote as the reason. */
  reason: string | undefined;
  /** What the call names, without its encrypted arguments. */
  sent: Readonly<Partial<Record<string, string>>>;
}

/** Workflows of Temporal itself, such as those behind schedules and deployments: a signal to one is a change of a schedule. */
const ofTemporal = /^temporal-sys-/i;

/** The call for the audit; undefined if it must not pass: it names no workflow of ours, or brings other calls with it. */
export function sentCall({ action }: Change, names: Names, body: CallBody): SentCall | undefined {
  // A reset carries out these afterwards, in no name.
  if ('postResetOperations' in body || 'post_reset_operations' in body) return undefined;
  const execution = objectIn(body, names['workflow'] === undefined ? 'execution' : 'workflowExecution');
  const workflowId = names['workflow'] ?? textIn(execution, 'workflowId');
  if (workflowId === undefined || ofTemporal.test(workflowId)) return undefined;
  return {
    workflowId,
    action,
    reason: textIn(body, 'reason'),
    command: names['message'] ?? verbOf(action),
    sent: definedTexts({
      workflow_id: workflowId,
      run_id: textIn(execution, 'runId') ?? textIn(body, 'runId'),
      first_run_id: textIn(body, 'firstExecutionRunId'),
      // The copy of the message from its history joins this entry.
      message_id: names['message'] === undefined ? undefined : randomUUID(),
      update_id: textIn(objectIn(objectIn(body, 'request'), 'meta'), 'updateId'),
      reset_to_event: textIn(body, 'workflowTaskFinishEventId'),
      activity_id: names['activity'] ?? textIn(body, 'id'),
      activity_type: textIn(body, 'type'),
    }),
  };
}

/** The body with the operator as the caller, and with the id of a recorded message, whatever the browser sent. */
export function inNameOf(operator: string, { identityIn }: Change, body: CallBody, messageId?: string): CallBody {
  const identity = opsIdentity(operator);
  if (identityIn === 'request') return { ...withMessageId(body, messageId), identity };
  const request = objectIn(body, 'request');
  const meta = { ...objectIn(request, 'meta'), identity };
  if (messageId === undefined) return { ...body, request: { ...request, meta } };
  return { ...body, request: { ...request, meta, input: withMessageId(objectIn(request, 'input'), messageId) } };
}

/** The content of the message with the header that names it, as JSON of Temporal's API. */
function withMessageId(content: CallBody, messageId: string | undefined): CallBody {
  if (messageId === undefined) return content;
  const header = objectIn(content, 'header');
  const payload = { metadata: { encoding: base64('json/plain') }, data: base64(JSON.stringify(messageId)) };
  return { ...content, header: { ...header, fields: { ...objectIn(header, 'fields'), [messageIdHeader]: payload } } };
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** `workflow.signal_sent` is `signal`, `activity.update_options_sent` is `update_options`. */
function verbOf(action: SentAction): string {
  return action.replace(/^\w+\./, '').replace(/_sent$/, '');
}

function objectIn(body: CallBody, name: string): CallBody {
  const value = body[name] ?? body[jsonName(name)];
  return isObject(value) ? value : {};
}

/** The longest text of a call that the audit keeps. */
const MAX_TEXT = 2_000;

/** A text of the body, without what PostgreSQL cannot store. Temporal accepts both names of a field, and not both at once. */
function textIn(body: CallBody, name: string): string | undefined {
  const value = body[name] ?? body[jsonName(name)];
  if (typeof value !== 'string' || value === '') return undefined;
  return value.slice(0, MAX_TEXT).replace(/[\0\ud800-\udfff]/gu, '\ufffd');
}

function definedTexts(texts: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
