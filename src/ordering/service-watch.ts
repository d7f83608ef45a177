/**
 * Puts conditions of the service as a whole on the attention list. It runs in the API, because neither workers nor maintenance
 * could list their own absence. docs/decisions/0016-keep-one-attention-list.md.
 */
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { listKindsExactly, type AttentionEntry } from '../data/attention/attention';
import type { Database } from '../data/database/database';
import { nameOfKey } from '../data/keys/data-keys';
import { listKeys } from '../data/keys/rotation';
import { findMailOutage } from '../data/maintenance/mail-outage';
import { listTaskDelays } from '../data/maintenance/task-results';
import { listRunningProcesses } from '../data/maintenance/running-processes';
import { addOrderRejections, recentOrderRejections } from '../data/orders/order-results';
import { wholeService, type AttentionKind } from '../domain/attention/attention-kinds';
import { listedDelayMs } from '../domain/maintenance';
import { minute, second } from '../domain/time';
import { MAX_VALUES } from '../security/aes-gcm';
import { pause, runAllSteps } from '../async/promises';
import { countPinned, listVersions } from '../temporal/deployment';
import type { OrderWorkers } from './placement/order-workers';

export interface WatchDependencies {
  database: Database;
  temporal: Client;
  orderWorkers: Pick<OrderWorkers, 'areAvailable' | 'pollers'>;
  rejections: OrderRejections;
  log: Logger;
}

/** Milliseconds between two reviews of what stops orders, and of what takes long to become a condition. */
const REVIEW_MS = { prompt: 15 * second, slow: minute };
/** Milliseconds that Temporal may take to answer one call of a review. */
const ANSWER_MS = 3_000;
/** The attention list shows order requests answered with 503 or 504 once there are at least `min` of them in `minutes` minutes. */
const REJECTIONS = { minutes: 5, min: 3 };
/** The attention list names a key that has encrypted so many values. At the same traffic, the rest lasts three times as long. */
const WORN_VALUES = MAX_VALUES / 4;

type Check = readonly [AttentionKind, (deps: WatchDependencies) => Promise<string | undefined>];

const checks: Readonly<Record<keyof typeof REVIEW_MS, readonly Check[]>> = {
  prompt: [
    ['NO_WORKERS', missingWorkers],
    ['ORDERS_REJECTED', rejectedOrders],
    ['VERSION_WITHOUT_WORKERS', abandonedVersions],
  ],
  slow: [
    ['MAINTENANCE_FAILING', failingMaintenance],
    ['MAIL_FAILING', failingMail],
    ['KEY_WORN', wornKeys],
  ],
};

/** Reviews the service until the signal aborts. Several processes may do so: they write the same result. */
export async function watchService(deps: WatchDependencies, stopping: AbortSignal): Promise<void> {
  const watch = async (speed: keyof typeof checks) => {
    while (await pause(REVIEW_MS[speed], stopping))
      await reviewService(deps, checks[speed]).catch((err: unknown) =>
        deps.log.error({ err }, 'the service could not be reviewed'),
      );
  };
  await Promise.all([watch('prompt'), watch('slow')]);
}

/** Replaces the service's attention entries with the current conditions. A check that fails does not prevent the others. */
export async function reviewService(
  deps: WatchDependencies,
  due: readonly Check[] = Object.values(checks).flat(),
): Promise<void> {
  const { database, rejections } = deps;
  const listed = new Map<AttentionKind, AttentionEntry[]>();
  const reviews = due.map(([kind, check]) => async () => {
    const reason = await check(deps);
    listed.set(kind, reason === undefined ? [] : [{ subject: wholeService, reason }]);
  });
  await runAllSteps(
    () => rejections.store(database),
    ...reviews,
    () => listKindsExactly(database, listed),
  );
}

async function missingWorkers({ database, orderWorkers }: WatchDependencies): Promise<string | undefined> {
  if (!orderWorkers.areAvailable)
    return 'No worker of the current version takes orders: order requests are rejected until one does. Start its workers';
  const processes = await listRunningProcesses(database);
  return processes.some(({ role }) => role === 'bulk-worker')
    ? undefined
    : 'No bulk worker runs: large orders stay PENDING until one does. Start it';
}

async function rejectedOrders({ database }: WatchDependencies): Promise<string | undefined> {
  const { requests, reason } = await recentOrderRejections(database, REJECTIONS.minutes);
  return requests < REJECTIONS.min
    ? undefined
    : `${requests} order requests were answered with 503 or 504 in ${REJECTIONS.minutes} minutes, most often because of ${reason}`;
}

async function failingMaintenance({ database }: WatchDependencies): Promise<string | undefined> {
  const late = (await listTaskDelays(database)).filter(({ task, overdue }) => overdue * second > listedDelayMs(task));
  if (late.length === 0) return undefined;
  const named = late.map(({ task, lastError }) => `${task} (${lastError ?? 'does not run'})`);
  return `Maintenance tasks are overdue: ${named.join(', ')}. See their runs in the Temporal UI`;
}

async function failingMail({ database }: WatchDependencies): Promise<string | undefined> {
  const outage = await findMailOutage(database);
  if (!outage) return undefined;
  const { failingSince, lastError } = outage;
  return `No mail has gone out since ${failingSince.toISOString()}: ${lastError}. Repair the mail server or its address; due mails then go out by themselves`;
}

async function wornKeys({ database }: WatchDependencies): Promise<string | undefined> {
  const worn = (await listKeys(database)).filter(
    ({ state, encryptedValues }) => state === 'promoted' && encryptedValues >= WORN_VALUES,
  );
  if (worn.length === 0) return undefined;
  const named = worn.map(nameOfKey).join(', ');
  return `Keys have encrypted a quarter or more of the 2^32 values that they may: ${named}. Add and promote another key of the purpose`;
}

async function abandonedVersions({ orderWorkers, temporal }: WatchDependencies): Promise<string | undefined> {
  const { pollers } = orderWorkers;
  if (!pollers) throw new Error('no check of the workers was answered yet');
  const polled = new Set(pollers.filter(({ processes }) => processes.length > 0).map(({ version }) => version));
  const pinned = await temporal.withDeadline(Date.now() + ANSWER_MS, async () => {
    const versions = (await listVersions(temporal)).filter(
      ({ version, isCurrent }) => !isCurrent && !polled.has(version),
    );
    return Promise.all(
      versions.map(async ({ version }) => ({ version, orders: await countPinned(temporal, version) })),
    );
  });
  const abandoned = pinned.filter(({ orders }) => orders > 0);
  if (abandoned.length === 0) return undefined;
  const named = abandoned.map(({ version, orders }) => `${orders} to ${version}`);
  return `Open orders are pinned to versions without workers: ${named.join(', ')}. Start these workers, or move the orders`;
}

/** Counts the order requests that this process answers with 503 or 504, until a review stores them. */
export class OrderRejections {
  private counted = new Map<string, number>();

  /** `reason`: the kind of error (`src/domain/errors.ts`). */
  count(reason: string, requests = 1): void {
    this.counted.set(reason, (this.counted.get(reason) ?? 0) + requests);
  }

  /** Stores the counts since the last call. If that fails, the next call stores them. */
  async store(database: Database): Promise<void> {
    if (this.counted.size === 0) return;
    const counted = this.counted;
    this.counted = new Map();
    try {
      await addOrderRejections(database, counted);
    } catch (error) {
      for (const [reason, requests] of counted) this.count(reason, requests);
      throw error;
    }
  }
}
