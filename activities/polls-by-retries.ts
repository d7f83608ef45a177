/**
 * Polls that Temporal repeats by retries until something changes, those of an eSIM only in a burst: a retry writes no event and
 * wakes no workflow. docs/decisions/0012-poll-by-retries-of-one-activity.md.
 */
import { isDeepStrictEqual } from 'node:util';
import { activityInfo, heartbeat } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { isMonitoringOver, type EsimPoll, type MonitoredEsim } from '../src/domain/esims/esim-lifecycle';
import { isInBurst, needsOperator } from '../src/domain/esims/esim-polling';
import type { FulfilmentReport, OrderStart } from '../src/domain/orders/order-messages';
import { pollDelayMs, supplierCallLimitMs, unreachableAfterMs } from '../src/domain/orders/purchase-timing';
import { unchangedType } from '../src/domain/poll-cadence';
import { retriedFailure } from './failures';
import { retryWaitMs, timeLeftMs } from './retry-waits';

/**
 * Returns the polled report if it differs from the `known` one, else fails until the next poll. `since`: when the order began to
 * wait for its supplier (milliseconds since 1970). Retries a failed poll no later than the next planned poll. If no time is left for
 * a retry, treats the failure as no change, unless polls have failed for an hour.
 */
export async function untilReportChanges(
  { family }: OrderStart,
  { known, since, now }: { known: FulfilmentReport; since: number; now: number },
  poll: () => Promise<FulfilmentReport>,
): Promise<FulfilmentReport> {
  const waitMs = pollDelayMs(family, now - since, Math.random());
  const report = await poll().catch((error: unknown) => {
    const { count, forMs } = countFailedPoll(now);
    const retryMs = retryWaitMs(family, error, count, waitMs);
    const mayBeLast = supplierCallLimitMs + retryMs > timeLeftMs(now);
    throw forMs < unreachableAfterMs && mayBeLast
      ? unchangedFailure('The supplier cannot be polled, but answered within the hour', retryMs)
      : retriedFailure(error, retryMs);
  });
  return ifChanged(report, known, waitMs);
}

/**
 * Returns the polled state. In a burst, an unchanged one fails instead, until the next poll of the burst. Reports each poll that fails
 * while the eSIM `needsOperator` (`failingSince`: milliseconds since 1970; null if the last poll was answered).
 */
export async function pollOfEsim(
  { known, failingSince, now }: { known: MonitoredEsim; failingSince: number | null; now: number },
  poll: () => Promise<MonitoredEsim>,
  reportFailing: (error: unknown) => Promise<void>,
): Promise<EsimPoll> {
  const esimState = await poll().catch(async (error: unknown) => {
    if (needsOperator(failingSince, now)) await reportFailing(error);
    throw retriedFailure(error);
  });
  const polled = { esimState, isOver: isMonitoringOver(esimState, now) };
  if (!isInBurst(known, now)) return polled;
  return ifChanged(polled, { esimState: known, isOver: false });
}

/** The consecutive failed polls up to an attempt. The heartbeat of a failed attempt passes them to the next attempt. */
interface FailedPolls {
  attempt: number;
  count: number;
  /** When the first of them began (milliseconds since 1970). */
  since: number;
}

/**
 * Counts the failed poll of this attempt. Returns the number of consecutive ones, and the milliseconds since the first of them. The
 * number of the attempt would be too high, because answered polls are attempts, too.
 */
function countFailedPoll(now: number): { count: number; forMs: number } {
  const { attempt, ...info } = activityInfo();
  const last = info.heartbeatDetails as FailedPolls | undefined;
  const earlier = last?.attempt === attempt - 1 ? last : { count: 0, since: now };
  const failed: FailedPolls = { attempt, count: earlier.count + 1, since: earlier.since };
  heartbeat(failed);
  return { count: failed.count, forMs: now - failed.since };
}

function ifChanged<Value>(polled: Value, known: Value, waitMs?: number): Value {
  if (!isDeepStrictEqual(polled, known)) return polled;
  throw unchangedFailure('The supplier reports no change', waitMs);
}

/** The failure counts neither as an error in the log nor in metrics. */
function unchangedFailure(message: string, nextRetryDelay?: number): ApplicationFailure {
  const category = ApplicationFailureCategory.BENIGN;
  const failure = ApplicationFailure.create({
    message,
    type: unchangedType,
    category,
    ...(nextRetryDelay !== undefined && { nextRetryDelay }),
  });
  // Nothing went wrong in the program.
  failure.stack = '';
  return failure;
}
