/** What a round of attempts tells: when the failures are tried again, and how the endpoint is doing. */
import type { Transaction } from 'sequelize';
import {
  backlogOf,
  recordAttempts,
  releaseRetries,
  type Attempt,
  type Target,
} from '../../data/webhooks/deliveries';
import { disableEndpoint, markVerified, recordHealth } from '../../data/webhooks/health';
import {
  healthAfter,
  healthy,
  isCircuitOpen,
  isGone,
  isVerificationTest,
  isSuccess,
  planRetry,
  shouldDisable,
  SUSPECT_AFTER_ATTEMPTS,
  type EndpointHealth,
} from '../../domain/webhooks';
import type { DeliveryDependencies } from './delivery-dependencies';
import { attemptOf, countsFor, type AttemptedDelivery } from './round-sender';

export class RoundOutcome {
  constructor(private readonly dependencies: Pick<DeliveryDependencies, 'database'>) {}

  /**
   * Records the failures of a round with their retries, and what the round tells about the endpoint's health;
   * unless its client has reset the endpoint since. Delays count from now, the end of the round.
   */
  async conclude(target: Target, attempted: AttemptedDelivery[], now: Date): Promise<void> {
    const sent = attempted.filter(countsFor);
    const answeredAt = firstSuccess(sent);
    if (!target.verified && answeredAt) await markVerified(this.dependencies.database, target, answeredAt);
    const failures = attempted.filter(({ result }) => !isSuccess(result));
    if (failures.length === 0 && target.failingSince === null) return;
    const { database } = this.dependencies;
    const health = sent.length === 0 ? target : await this.judge(target, sent, now);
    await database.transaction(async (transaction) => {
      const isCurrent =
        sent.length === 0 || (await this.updateHealth(target, sent, health, now, transaction));
      const attempts = failures.map((one) => failedBy(one, isCurrent ? health : 'RESET', now));
      await recordAttempts(database, target.id, now, attempts, transaction);
    });
  }

  private async judge(target: Target, sent: AttemptedDelivery[], now: Date): Promise<EndpointHealth> {
    const succeeded = sent.some(({ result }) => isSuccess(result));
    // Something requested between two probes: its failure tells nothing new.
    if (!succeeded && isCircuitOpen(target, now)) return target;
    const retryAfterMs = Math.max(...sent.map(({ result }) => result.retryAfterMs));
    const onlySuspectFailed = !succeeded && (await this.isLoneSuspect(target.id, sent));
    return healthAfter(target, { succeeded, retryAfterMs, onlySuspectFailed }, now);
  }

  /** Records the health of the endpoint, or disables it. False if its client has changed it during the round. */
  private async updateHealth(
    target: Target,
    sent: AttemptedDelivery[],
    health: EndpointHealth,
    now: Date,
    transaction: Transaction,
  ): Promise<boolean> {
    const { database } = this.dependencies;
    if (sent.some(({ result }) => isGone(result)))
      return disableEndpoint(database, target, 'GONE', transaction);
    if (shouldDisable(health, now)) return disableEndpoint(database, target, 'FAILING', transaction);
    if (health.failingSince === null && target.failingSince === null) return true;
    const isCurrent = await recordHealth(database, target, health, transaction);
    if (isCurrent && health.failingSince === null && target.failingSince !== null) {
      await releaseRetries(database, target.id, target.failingSince, transaction);
    }
    return isCurrent;
  }

  private async isLoneSuspect(endpointId: number, sent: AttemptedDelivery[]): Promise<boolean> {
    const [only, another] = sent;
    if (!only || another || only.delivery.attempts + 1 < SUSPECT_AFTER_ATTEMPTS) return false;
    const { pending, unbuildable } = await backlogOf(this.dependencies.database, endpointId);
    return pending - unbuildable === 1;
  }
}

/** When the endpoint first answered with 2xx; undefined if it did not. */
function firstSuccess(sent: AttemptedDelivery[]): Date | undefined {
  const times = sent
    .filter(({ result }) => isSuccess(result))
    .map(({ at, result }) => at.getTime() + result.durationMs);
  return times.length === 0 ? undefined : new Date(Math.min(...times));
}

/** An event that cannot be built uses up its attempts whatever the endpoint does. */
function failedBy(attempted: AttemptedDelivery, health: EndpointHealth | 'RESET', now: Date): Attempt {
  const { delivery, built, result } = attempted;
  if (isVerificationTest(delivery)) return { ...attemptOf(attempted), state: 'FAILED', nextAttemptAt: null };
  if (health === 'RESET') return { ...attemptOf(attempted), state: 'DUE', nextAttemptAt: null };
  const event = { attempts: delivery.attempts + 1, firstFailedAt: delivery.firstFailedAt ?? now };
  const retry = planRetry(event, built ? health : healthy, result.retryAfterMs, now);
  return {
    ...attemptOf(attempted),
    state: retry.state,
    nextAttemptAt: retry.state === 'RETRY' ? retry.at : null,
  };
}
