/** The result of a `retryNow` signal, read from the newest events: the workflow itself is not queried. */
import type { Client } from '@temporalio/client';
import { optionalTsToDate, optionalTsToMs } from '@temporalio/common';
import type { temporal } from '@temporalio/proto';
import { timeAt } from '../domain/time';

/** The attempt that a signal requested. */
export interface LatestAttempt {
  /** Whether the attempt has ended and the workflow waits for the next one. */
  isOver: boolean;
  /** When the workflow retries by itself; undefined if unknown. */
  nextAttemptAt: Date | undefined;
}

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

/** The newest 100 events of a workflow, newest first. An attempt writes about ten. */
export async function newestEvents(client: Client, workflowId: string): Promise<HistoryEvent[]> {
  const { history } = await client.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: client.options.namespace,
    execution: { workflowId },
    maximumPageSize: 100,
  });
  return history?.events ?? [];
}

/** The attempt that the newest signal of this name started. */
export async function latestAttempt(client: Client, workflowId: string, signal: string): Promise<LatestAttempt> {
  const events = await newestEvents(client, workflowId);
  const signalled = events.findIndex(
    ({ workflowExecutionSignaledEventAttributes: sent }) => sent?.signalName === signal,
  );
  const since = signalled === -1 ? events : events.slice(0, signalled);
  const timer = since.find(({ timerStartedEventAttributes }) => timerStartedEventAttributes);
  if (timer) return { isOver: true, nextAttemptAt: firesAt(timer) };
  const nextAttemptAt = await nextAttemptOf(client, workflowId, since);
  return { isOver: nextAttemptAt !== undefined, nextAttemptAt };
}

function firesAt({ eventTime, timerStartedEventAttributes: timer }: HistoryEvent): Date | undefined {
  const startedAt = optionalTsToMs(eventTime);
  return startedAt === undefined ? undefined : timeAt(startedAt + (optionalTsToMs(timer?.startToFireTimeout) ?? 0));
}

/** When an activity that these events scheduled is retried; undefined if no attempt has failed. */
async function nextAttemptOf(
  client: Client,
  workflowId: string,
  events: readonly HistoryEvent[],
): Promise<Date | undefined> {
  const scheduled = events.map((event) => event.activityTaskScheduledEventAttributes?.activityId);
  const { raw } = await client.workflow.getHandle(workflowId).describe();
  const failed = raw.pendingActivities?.find(
    ({ activityId, attempt }) => scheduled.includes(activityId) && (attempt ?? 0) > 1,
  );
  return optionalTsToDate(failed?.nextAttemptScheduleTime ?? failed?.scheduledTime);
}
