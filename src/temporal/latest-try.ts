/** What came of telling a workflow to try at once, from its newest events: nothing is asked of the workflow. */
import type { Client } from '@temporalio/client';
import { optionalTsToDate, optionalTsToMs } from '@temporalio/common';
import type { temporal } from '@temporalio/proto';

/** How the try that a signal asked for stands. */
export interface LatestTry {
  /** It is over: what the workflow waits for now is the next one. */
  isOver: boolean;
  /** When the workflow tries by itself; undefined where it does not say. */
  nextTryAt: Date | undefined;
}

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

/** Events looked through, the newest first: a try writes some ten. */
const EVENTS = 100;

/** The try that the newest signal of the name has begun. */
export async function latestTry(client: Client, workflowId: string, signal: string): Promise<LatestTry> {
  const { history } = await client.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: client.options.namespace,
    execution: { workflowId },
    maximumPageSize: EVENTS,
  });
  const events = history?.events ?? [];
  const signalled = events.findIndex(
    ({ workflowExecutionSignaledEventAttributes: sent }) => sent?.signalName === signal,
  );
  const since = signalled === -1 ? events : events.slice(0, signalled);
  const timer = since.find(({ timerStartedEventAttributes }) => timerStartedEventAttributes);
  if (timer) return { isOver: true, nextTryAt: firesAt(timer) };
  const nextTryAt = await nextAttemptOf(client, workflowId, since);
  return { isOver: nextTryAt !== undefined, nextTryAt };
}

function firesAt({ eventTime, timerStartedEventAttributes: timer }: HistoryEvent): Date | undefined {
  const startedAt = optionalTsToMs(eventTime);
  return startedAt === undefined
    ? undefined
    : new Date(startedAt + (optionalTsToMs(timer?.startToFireTimeout) ?? 0));
}

/** When an activity that was begun since is tried again; undefined where none has failed yet. */
async function nextAttemptOf(
  client: Client,
  workflowId: string,
  since: readonly HistoryEvent[],
): Promise<Date | undefined> {
  const begun = since.map((event) => event.activityTaskScheduledEventAttributes?.activityId);
  const { raw } = await client.workflow.getHandle(workflowId).describe();
  const failed = raw.pendingActivities?.find(
    ({ activityId, attempt }) => begun.includes(activityId) && (attempt ?? 0) > 1,
  );
  return optionalTsToDate(failed?.nextAttemptScheduleTime ?? failed?.scheduledTime);
}
