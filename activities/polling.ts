/**
 * Polls that Temporal repeats by retries until something changes: a retry writes no event and wakes no workflow.
 * docs/decisions/0056-poll-by-retries-of-one-activity.md.
 */
import { isDeepStrictEqual } from 'node:util';
import { activityInfo, heartbeat } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import {
  failedPollDelayMs,
  isMonitoringOver,
  nextPollDelayMs,
  type EsimPoll,
  type MonitoredEsim,
} from '../src/domain/esims/esim-lifecycle';
import type { FulfilmentReport, OrderStart } from '../src/domain/orders/order-flow';
import { pollDelayMs } from '../src/domain/orders/purchase-timing';
import { unchangedType } from '../src/domain/polling';
import { retriedFailure, retryWaitMs } from './failures';

/**
 * Returns the polled report if it differs from the `known` one, else fails until the next poll. `since`: when the order began to
 * wait for its supplier (milliseconds since 1970). A failed poll is repeated at the latest when the next poll would be due.
 */
export async function untilReportChanges(
  { family }: OrderStart,
  { known, since, now }: { known: FulfilmentReport; since: number; now: number },
  poll: () => Promise<FulfilmentReport>,
): Promise<FulfilmentReport> {
  const waitMs = pollDelayMs(family, now - since, Math.random());
  const report = await poll().catch((error: unknown) => {
    throw retriedFailure(error, retryWaitMs(family, error, countFailedPoll(), waitMs));
  });
  return ifChanged(report, known, waitMs);
}

/** Returns the polled state if it differs from the `known` one or the monitoring is over, else fails until the next poll. */
export async function untilEsimChanges(
  { known, now }: { known: MonitoredEsim; now: number },
  poll: () => Promise<MonitoredEsim>,
): Promise<EsimPoll> {
  const esimState = await poll().catch((error: unknown) => {
    throw retriedFailure(error, failedPollDelayMs(known, now, countFailedPoll(), Math.random()));
  });
  const polled = { esimState, isOver: isMonitoringOver(esimState, now) };
  return ifChanged(
    polled,
    { esimState: known, isOver: false },
    nextPollDelayMs(esimState, now, Math.random()),
  );
}

/** The consecutive failed polls up to an attempt. The heartbeat of a failed attempt tells the next attempt. */
interface FailedPolls {
  attempt: number;
  count: number;
}

/**
 * Counts the failed poll of this attempt, and returns the number of consecutive ones. The number of the attempt would be too high,
 * because answered polls are attempts, too.
 */
function countFailedPoll(): number {
  const { attempt, ...info } = activityInfo();
  const last = info.heartbeatDetails as FailedPolls | undefined;
  const count = last?.attempt === attempt - 1 ? last.count + 1 : 1;
  heartbeat({ attempt, count } satisfies FailedPolls);
  return count;
}

/** The failure counts neither as an error in the log nor in metrics. */
function ifChanged<Value>(polled: Value, known: Value, waitMs: number): Value {
  if (!isDeepStrictEqual(polled, known)) return polled;
  const failure = ApplicationFailure.create({
    message: 'The supplier reports no change',
    type: unchangedType,
    category: ApplicationFailureCategory.BENIGN,
    nextRetryDelay: waitMs,
  });
  // Nothing went wrong in the program.
  failure.stack = '';
  throw failure;
}
