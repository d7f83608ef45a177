/** What somebody did to a workflow, read from its history: nothing is asked of the workflow, nor kept by it. */
import type { Client } from '@temporalio/client';
import { optionalTsToDate } from '@temporalio/common';
import type { temporal } from '@temporalio/proto';
import {
  operatorSignals,
  operatorUpdates,
  type WorkflowCall,
  type WorkflowRun,
} from '../domain/operations/operator-messages';
import { readReason, resolutions } from '../domain/orders/order-flow';
import { errorOf, valuesOf } from './open-payloads';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

/** The event of a run that was terminated: there is one at most. */
export const terminatedEvent = 'terminated';

/** In whose name Temporal ends a run that is reset: who asked for it stands nowhere. */
const RESETTER = 'history-resetter';

/** Everything that was done to a run from outside, oldest first; what the service itself does is left out. */
export async function callsOf(client: Client, run: WorkflowRun): Promise<WorkflowCall[]> {
  const { events } = await client.workflow.getHandle(run.workflowId, run.runId).fetchHistory();
  const reader = new HistoryReader(client, run, events ?? []);
  const calls: WorkflowCall[] = [];
  for (const event of events ?? []) {
    const call = await reader.callOf(event);
    if (call) calls.push(call);
  }
  return calls;
}

/** What differs from call to call. */
type Told = Pick<WorkflowCall, 'action' | 'command' | 'identity' | 'reason' | 'said'> & { event?: string };

class HistoryReader {
  /** Messages so far: they are counted as the workflow counts them. */
  private messages = 0;

  constructor(
    private readonly client: Client,
    private readonly run: WorkflowRun,
    private readonly events: readonly HistoryEvent[],
  ) {}

  async callOf(event: HistoryEvent): Promise<WorkflowCall | undefined> {
    const message = await this.messageOf(event);
    const ordinal = message ? ++this.messages : null;
    const told = message ?? this.orderOf(event);
    const at = optionalTsToDate(event.eventTime);
    return told && at && { ...this.run, ordinal, event: String(event.eventId), at, ...told };
  }

  /** A message that operators send, as they send it. */
  private async messageOf(event: HistoryEvent): Promise<Told | undefined> {
    const signal = event.workflowExecutionSignaledEventAttributes;
    if (signal && operatorSignals.includes(signal.signalName ?? '')) {
      // The service sends the same signal with a word: it is no operator.
      if ((signal.input?.payloads ?? []).length > 0) return undefined;
      const command = signal.signalName ?? '';
      return {
        action: 'workflow.signalled',
        command,
        identity: named(signal.identity),
        reason: null,
        said: {},
      };
    }
    const update = event.workflowExecutionUpdateAcceptedEventAttributes;
    const { meta, input } = update?.acceptedRequest ?? {};
    if (!update || !operatorUpdates.includes(input?.name ?? '')) return undefined;
    const asked = await this.decoded(input?.args?.payloads);
    const said = { asked, answer: await this.answerTo(event) };
    return {
      action: 'workflow.updated',
      command: input?.name ?? '',
      identity: named(meta?.identity),
      reason: reasonIn(asked),
      said,
    };
  }

  /** What Temporal itself was told to do with the run. */
  private orderOf(event: HistoryEvent): Told | undefined {
    const cancelled = event.workflowExecutionCancelRequestedEventAttributes;
    if (cancelled) {
      const { identity, cause } = cancelled;
      return {
        ...orderTo('cancel'),
        action: 'workflow.cancelled',
        identity: named(identity),
        reason: named(cause),
      };
    }
    const terminated = event.workflowExecutionTerminatedEventAttributes;
    if (!terminated) return undefined;
    const told = { event: terminatedEvent, reason: named(terminated.reason) };
    return terminated.identity === RESETTER
      ? { ...orderTo('reset'), action: 'workflow.reset', identity: null, ...told }
      : {
          ...orderTo('terminate'),
          action: 'workflow.terminated',
          identity: named(terminated.identity),
          ...told,
        };
  }

  private async answerTo({ eventId }: HistoryEvent): Promise<unknown> {
    const completed = this.events
      .map((event) => event.workflowExecutionUpdateCompletedEventAttributes)
      .find((attributes) => String(attributes?.acceptedEventId) === String(eventId));
    const { success, failure } = completed?.outcome ?? {};
    if (!failure) return (await this.decoded(success?.payloads))[0] ?? null;
    const { cause, message } = await errorOf(this.converter, failure);
    return { refused: cause instanceof Error ? cause.message : message };
  }

  /** What cannot be read is told as such: whoever sent it may have sent anything. */
  private async decoded(payloads: temporal.api.common.v1.IPayload[] | null | undefined): Promise<unknown[]> {
    try {
      return await valuesOf(this.converter, payloads);
    } catch {
      return ['unreadable'];
    }
  }

  private get converter() {
    return this.client.options.loadedDataConverter;
  }
}

/** Why, in what an update was given: words of decisions and ids of events are no reasons. */
function reasonIn(asked: readonly unknown[]): string | null {
  const texts = asked.map(readReason).filter((text) => text !== undefined);
  return texts.find((text) => !isWord(text)) ?? null;
}

const isWord = (text: string) => resolutions.some((word) => word === text) || text.startsWith('evt_');

const orderTo = (command: string) => ({ command, said: {} });

/** Temporal leaves empty what it was not told. */
function named(text: string | null | undefined): string | null {
  return text ? text : null;
}
