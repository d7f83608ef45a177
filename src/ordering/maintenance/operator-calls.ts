/**
 * Copies operators' calls to workflows from Temporal's histories into the audit: signals, updates, cancellations, resets
 * and terminations. docs/decisions/0036-audit-operators-with-triggers.md.
 */
import type { Client } from '@temporalio/client';
import { optionalTsToDate } from '@temporalio/common';
import type { temporal } from '@temporalio/proto';
import { forEachItem, runAllSteps } from '../../async/promises';
import type { Database } from '../../data/database/database';
import {
  auditedSources,
  auditOperatorCall,
  deleteNotes,
  listNotedRuns,
  type NotedRun,
  type OperatorCall,
  type OperatorNote,
  type WorkflowRun,
} from '../../data/audit/operator-calls';
import { isOperatorSignal, isOperatorUpdate, messageIdHeader } from '../../domain/operators/operator-messages';
import { readReason, resolutions } from '../../domain/orders/order-messages';
import { day, minute, ownMoment } from '../../domain/time';
import { errorOf, valuesOf } from '../../temporal/codec';
import { historyOf } from '../../temporal/histories';

interface Dependencies {
  database: Database;
  auditDatabase: Database;
  temporal: Client;
}

/** Milliseconds after a message until the workflow task that took it is in the history. */
const SETTLED_AFTER_MS = 5_000;
/** An update without a result for this long will have none: an order limits its decisions to less. */
const UNFINISHED_AFTER_MS = 5 * minute;
/** Runs whose histories are read in one batch. */
const BATCH_SIZE = 500;

/**
 * Copies operators' calls from the runs that a worker has noted, and from runs that were terminated or reset. A run that cannot be
 * copied does not delay others.
 */
export function recordOperatorCalls(deps: Dependencies): Promise<void> {
  return runAllSteps(
    () => copyNoted(deps),
    () => copyTerminated(deps),
  );
}

async function copyNoted(deps: Dependencies, after = 0): Promise<void> {
  const { database } = deps;
  const part = { after, olderThanMs: SETTLED_AFTER_MS, limit: BATCH_SIZE };
  const runs = await listNotedRuns(database, part);
  const last = runs.at(-1);
  await runAllSteps(
    () =>
      forEachItem(runs, async (run) => {
        const calls = await callsOf(deps.temporal, run);
        if (!calls) await copyNotes(deps, run);
        else if (!(await copyCalls(deps, run, calls, run.notes))) return;
        await deleteNotes(database, run);
      }),
    async () => {
      if (last && runs.length === BATCH_SIZE) await copyNoted(deps, last.firstId);
    },
  );
}

/** Writes what the notes say of the messages to a run whose history was deleted. */
async function copyNotes(deps: Dependencies, run: NotedRun): Promise<void> {
  for (const [index, note] of run.notes.entries()) {
    const after = run.notes[index + 1]?.before;
    await auditOperatorCall(deps, run, unreadCall(run, note), { before: note.before, after });
  }
}

const DELETED = 'its history was deleted';

/** What a note says of a message that no history contains any more. */
function unreadCall(run: WorkflowRun, { ordinal, at }: OperatorNote): OperatorCall {
  const unread = { at: ownMoment(at), operator: null, reason: null };
  if (ordinal === null) {
    const source = sourceOf(run, `cancelled-${at}`);
    return { ...unread, action: 'workflow.cancelled', command: 'cancel', source, content: { known: DELETED } };
  }
  const command = `message ${ordinal}`;
  const source = sourceOf(run, `message-${ordinal}`);
  return { ...unread, action: 'workflow.messaged', command, source, content: { known: `${command}; ${DELETED}` } };
}

/** Finds terminated runs in Temporal's list, because a workflow cannot report its own termination. */
async function copyTerminated(deps: Dependencies): Promise<void> {
  const since = new Date(Date.now() - day).toISOString();
  const query = `ExecutionStatus = 'Terminated' AND CloseTime > '${since}'`;
  const ended: (WorkflowRun & { closeTime: Date | undefined })[] = [];
  for await (const { workflowId, runId, closeTime } of deps.temporal.workflow.list({ query }))
    ended.push({ workflowId, runId, closeTime });
  const audited = await auditedSources(deps.database, ended.map(terminationOf));
  const missing = ended.filter((run) => !audited.has(terminationOf(run)));
  await forEachItem(missing, async (run) => {
    const calls = await callsOf(deps.temporal, run);
    if (calls) await copyCalls(deps, run, calls, []);
    else await auditOperatorCall(deps, run, unreadTermination(run, run.closeTime), { before: null });
  });
}

/** The termination of a run that the list still names although its history was deleted. */
function unreadTermination(run: WorkflowRun, at = new Date()): OperatorCall {
  const by = { operator: null, reason: null, content: { known: DELETED } };
  return { at, action: 'workflow.terminated', command: 'terminate', source: terminationOf(run), ...by };
}

const sourceOf = ({ workflowId, runId }: WorkflowRun, event: string) => `${workflowId}/${runId}/${event}`;
const terminationOf = (run: WorkflowRun) => sourceOf(run, 'terminated');

/** Writes the calls to one run into the audit. Returns false if a running update has no result yet: it is copied later, with its result. */
async function copyCalls(
  deps: Dependencies,
  run: WorkflowRun,
  found: readonly CallInHistory[],
  notes: readonly OperatorNote[],
): Promise<boolean> {
  let isComplete = true;
  const calls = numbered(found, notes);
  for (const [index, { call, note, isMessage }] of calls.entries()) {
    const age = Date.now() - call.at.getTime();
    if (call.result === 'none' && age < UNFINISHED_AFTER_MS) isComplete = false;
    // A young message without a note is copied later: its note, with the state before the message, may still arrive.
    else if (note || !isMessage || age >= minute) {
      const before = note?.before ?? null;
      const next = calls.slice(index + 1).find((later) => later.note)?.note;
      await auditOperatorCall(deps, run, call, { before, after: call.result === 'rejected' ? before : next?.before });
    }
  }
  return isComplete;
}

/** The calls with their notes. The workflow numbers messages in the same way (`workflows/reported-messages.ts`). */
function numbered(calls: readonly CallInHistory[], notes: readonly OperatorNote[]) {
  let messages = 0;
  return calls.map((call) => {
    const isMessage = call.action === 'workflow.signalled' || call.action === 'workflow.updated';
    // A workflow reports neither its termination nor its reset.
    const isNoted = isMessage || call.action === 'workflow.cancelled';
    const ordinal = isMessage ? ++messages : null;
    return { call, isMessage, note: isNoted ? notes.find((one) => one.ordinal === ordinal) : undefined };
  });
}

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;
/** `result`: of an update. A rejected one has changed nothing. */
type CallInHistory = OperatorCall & { result?: 'none' | 'rejected' | 'answered' };
type Content = Omit<CallInHistory, 'at' | 'source'> & { source?: string };

/** Every call of an operator to a run, oldest first; undefined if the history was deleted. */
async function callsOf(client: Client, run: WorkflowRun): Promise<CallInHistory[] | undefined> {
  const history = await historyOf(client, run);
  if (!history) return undefined;
  const { events } = history;
  const calls: CallInHistory[] = [];
  for (const event of events ?? []) {
    const content =
      (await signalIn(client, event)) ?? (await updateIn(client, event, events ?? [])) ?? endIn(event, run);
    const at = optionalTsToDate(event.eventTime);
    if (content && at) calls.push({ at, source: sourceOf(run, String(event.eventId)), ...content });
  }
  return calls;
}

async function signalIn(
  client: Client,
  { workflowExecutionSignaledEventAttributes: signal }: HistoryEvent,
): Promise<Content | undefined> {
  const name = signal?.signalName ?? '';
  if (!isOperatorSignal(name, signal?.input?.payloads ?? [])) return undefined;
  const operator = signal?.identity || null;
  const messageId = await messageIdIn(client, signal?.header);
  return { action: 'workflow.signalled', command: name, operator, reason: null, content: {}, messageId };
}

/** The id of a message that the operators' process sent; undefined for every other message. */
async function messageIdIn(
  client: Client,
  header: temporal.api.common.v1.IHeader | null | undefined,
): Promise<string | undefined> {
  const payload = header?.fields?.[messageIdHeader];
  if (!payload) return undefined;
  const [id] = await valuesOf(client.options.loadedDataConverter, [payload]);
  return typeof id === 'string' ? id : undefined;
}

async function updateIn(
  client: Client,
  { eventId, workflowExecutionUpdateAcceptedEventAttributes: update }: HistoryEvent,
  events: readonly HistoryEvent[],
): Promise<Content | undefined> {
  const { meta, input } = update?.acceptedRequest ?? {};
  const command = input?.name ?? '';
  if (!isOperatorUpdate(command)) return undefined;
  const { loadedDataConverter: converter } = client.options;
  const asked = await valuesOf(converter, input?.args?.payloads);
  const completed = events
    .map((event) => event.workflowExecutionUpdateCompletedEventAttributes)
    .find((attributes) => attributes && String(attributes.acceptedEventId) === String(eventId));
  const { success, failure } = completed?.outcome ?? {};
  const answer = failure
    ? { refused: causeOf(await errorOf(converter, failure)) }
    : ((await valuesOf(converter, success?.payloads))[0] ?? null);
  const operator = meta?.identity || null;
  return {
    action: 'workflow.updated',
    command,
    operator,
    reason: reasonIn(asked),
    content: { asked, answer },
    messageId: await messageIdIn(client, input?.header),
    result: failure ? 'rejected' : completed ? 'answered' : 'none',
  };
}

/** Cancellation, termination and reset. Temporal ends a reset run itself and does not record who requested the reset. */
function endIn(event: HistoryEvent, run: WorkflowRun): Content | undefined {
  const { workflowExecutionCancelRequestedEventAttributes: cancelled } = event;
  const { workflowExecutionTerminatedEventAttributes: terminated } = event;
  if (cancelled) {
    const by = { operator: cancelled.identity || null, reason: cancelled.cause || null };
    return { action: 'workflow.cancelled', command: 'cancel', ...by, content: {} };
  }
  if (!terminated) return undefined;
  const end = { reason: terminated.reason || null, content: {}, source: terminationOf(run) };
  return terminated.identity === 'history-resetter'
    ? { action: 'workflow.reset', command: 'reset', operator: null, ...end }
    : { action: 'workflow.terminated', command: 'terminate', operator: terminated.identity || null, ...end };
}

const causeOf = ({ cause, message }: Error) => (cause instanceof Error ? cause.message : message);

/** The reason among the arguments of an update: the first text that is neither a resolution nor the id of an event. */
function reasonIn(asked: readonly unknown[]): string | null {
  const texts = asked.map(readReason).filter((text) => text !== undefined);
  const isOtherArgument = (text: string) => resolutions.some((word) => word === text) || text.startsWith('evt_');
  return texts.find((text) => !isOtherArgument(text)) ?? null;
}
