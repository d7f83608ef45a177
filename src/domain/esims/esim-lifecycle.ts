/**
 * The life of a delivered eSIM: what the status at its supplier means, and how often the supplier is
 * polled. docs/specification.md#esim-activation-status, docs/decisions/0012-poll-by-retries-of-one-activity.md.
 */
import type { OrderKey } from '../orders/order-messages';
import { pollIntervalMs, spread, type Cadence } from '../polling';
import { day, hour, minute, second } from '../time';
import type { EsimUsage } from './esim-usage';

export type ActivationStatus = 'NOT_INSTALLED' | 'ACTIVE' | 'EXPIRED';

/** When each change of an eSIM happened; null until it has. */
export interface EsimTimes {
  installedAt: Date | null;
  activatedAt: Date | null;
  depletedAt: Date | null;
}

/**
 * The status that a supplier reports of an eSIM. A time is absent until the change has happened. The supplier's clock may be
 * wrong, so a time can be any date, even `Invalid Date`.
 */
export interface EsimStatus {
  installedAt?: Date;
  firstUsedAt?: Date;
  /** Set if, by the supplier's state, the data is used up or the validity has ended. */
  isDepleted?: boolean;
  /** When the data was used up or the validity ended, if the supplier reports it. Without `isDepleted` it has no effect. */
  depletedAt?: Date;
  /** Absent if the supplier reports no usage. */
  usage?: EsimUsage;
}

export interface DeliveredEsim extends EsimTimes {
  activationStatus: ActivationStatus;
  deliveredAt: Date;
  validityDays: number;
}

/**
 * The changes of a profile: those that a device makes, and the end of its validity. First use implies installation. Depletion
 * and expiry are final.
 */
export const profileChanges = ['install', 'use', 'deplete', 'expire'] as const;
export type ProfileChange = (typeof profileChanges)[number];

/** Why the change cannot happen now; undefined if it can. `use` without `megabytes` is the first use, made only once. */
export function reasonAgainst(
  change: ProfileChange,
  { activationStatus, activatedAt }: Pick<DeliveredEsim, 'activationStatus' | 'activatedAt'>,
  megabytes?: number,
): string | undefined {
  if (activationStatus === 'EXPIRED') return 'The eSIM is EXPIRED: that is final';
  if (change === 'deplete' || change === 'expire')
    return activationStatus === 'ACTIVE' ? undefined : 'The eSIM is not installed yet';
  if (change === 'use')
    return activatedAt === null || megabytes !== undefined ? undefined : 'The eSIM is used already';
  return activationStatus === 'ACTIVE' ? 'The eSIM is installed already' : undefined;
}

/** The state of an eSIM in its monitor. Times in milliseconds since 1970. */
export interface MonitoredEsim {
  status: ActivationStatus;
  /** When the eSIM last changed: the time of delivery, installation or first use. */
  changedAt: number;
  /** The monitor ends after this time: the end of the validity or, before first use, a year after delivery. */
  endsAt: number;
  /** Whether the supplier pushes changes. If so, polls only replace lost pushes, and are rarer. */
  pushed: boolean;
  /** Milliseconds for which the supplier returns a cached status, so that a second poll is useless; absent if it caches none. */
  cachedMs?: number;
  /** Set if the ICCID cannot be decrypted: the supplier cannot be polled, and the eSIM is on the attention list. */
  unreadable?: boolean;
}

/** The attention reason of an `unreadable` eSIM. */
export const unreadableIccid =
  'Its ICCID cannot be decrypted, because a key is missing or wrong. Its supplier is not polled until the key is back';

/** The result of a poll that found a change. */
export interface EsimPoll {
  esimState: MonitoredEsim;
  /** Whether the monitor ends: see `isMonitoringOver`. */
  isOver: boolean;
}

/** `pollsAtOnce`: whether the run begins with a poll, as the first run does. A later run first waits for the next poll. */
export type EsimMonitorFlow = (
  esim: OrderKey,
  esimState: MonitoredEsim,
  pollsAtOnce: boolean,
) => Promise<ActivationStatus>;

/** An eSIM is put on the attention list if `clamped` moves a reported time by more than this. */
const clockToleranceMs = minute;

/** An unused eSIM is monitored for this time after its delivery, because suppliers let it expire after a year. */
const usableForMs = 365 * day;

/**
 * How often an eSIM is polled since its last change. The first poll is early, because the push of a change right after delivery may
 * arrive before the monitor runs. Costs of a poll: docs/decisions/0012-poll-by-retries-of-one-activity.md.
 */
const firstPoll = { untilMs: 5 * second, everyMs: 5 * second };
const idleMs = day;
const cadences = {
  pushed: {
    phases: [
      firstPoll,
      { untilMs: 10 * minute, everyMs: 5 * minute },
      { untilMs: 2 * hour, everyMs: 30 * minute },
      { untilMs: day, everyMs: 6 * hour },
    ],
    laterMs: idleMs,
  },
  polled: {
    phases: [
      firstPoll,
      { untilMs: 10 * minute, everyMs: 45 * second },
      { untilMs: 70 * minute, everyMs: 7.5 * minute },
      { untilMs: day, everyMs: hour },
      { untilMs: 7 * day, everyMs: 6 * hour },
    ],
    laterMs: idleMs,
  },
} satisfies Record<string, Cadence>;

/** The wait after the first failed poll; each further failure multiplies the wait by four, up to a quarter of the planned one. */
const firstRetryMs = 5 * second;

/** The monitor's state of a stored eSIM. The validity counts from first use. `pushed`, `cachedMs`: see `MonitoredEsim`. */
export function monitoredEsim(esim: DeliveredEsim, pushed: boolean, cachedMs?: number): MonitoredEsim {
  const unused = newEsim(esim.deliveredAt, pushed, cachedMs);
  const changes = [esim.deliveredAt, esim.installedAt, esim.activatedAt];
  return {
    ...unused,
    status: esim.activationStatus,
    changedAt: Math.max(...changes.map((time) => time?.getTime() ?? 0)),
    endsAt: validityEnd(esim)?.getTime() ?? unused.endsAt,
  };
}

/** The monitor's state of an eSIM that has just been delivered. */
export function newEsim(deliveredAt: Date, pushed: boolean, cachedMs?: number): MonitoredEsim {
  const changedAt = deliveredAt.getTime();
  return {
    status: 'NOT_INSTALLED',
    changedAt,
    endsAt: changedAt + usableForMs,
    pushed,
    ...(cachedMs !== undefined && { cachedMs }),
  };
}

/** Whether the eSIM is EXPIRED, or `endsAt` has passed. Call it only right after a poll: a first use moves `endsAt`. */
export function isMonitoringOver({ status, endsAt }: MonitoredEsim, now: number): boolean {
  return status === 'EXPIRED' || now >= endsAt;
}

/** The wait until the next poll. `chance`: see `spread`. */
export function nextPollDelayMs(esim: MonitoredEsim, now: number, chance: number): number {
  return untilTheEnd(esim, now, spread(plannedWaitMs(esim, now), chance));
}

/** The wait after a failed poll: it grows with the number of `failures` in a row. */
export function failedPollDelayMs(
  esim: MonitoredEsim,
  now: number,
  failures: number,
  chance: number,
): number {
  const grownMs = firstRetryMs * 4 ** Math.min(failures - 1, 20);
  const wait = Math.max(firstRetryMs, Math.min(grownMs, plannedWaitMs(esim, now) / 4));
  return untilTheEnd(esim, now, spread(wait, chance));
}

/** The wait, at most until the end of the validity: the poll that stores the end is never late. */
function untilTheEnd({ endsAt }: MonitoredEsim, now: number, wait: number): number {
  return endsAt > now ? Math.min(wait, endsAt - now) : wait;
}

function plannedWaitMs({ changedAt, pushed, cachedMs = 0, unreadable }: MonitoredEsim, now: number): number {
  // A poll is useless until an operator restores the key.
  if (unreadable) return idleMs;
  return Math.max(pollIntervalMs(pushed ? cadences.pushed : cadences.polled, now - changedAt), cachedMs);
}

/** Whether the validity that counts from the stored first use has ended, whatever the supplier reports. */
export function validityIsOver(esim: DeliveredEsim, now: Date): boolean {
  const end = validityEnd(esim);
  return end !== null && end <= now;
}

/**
 * The times of an eSIM after the supplier's report; undefined if nothing has changed. Clamps reported times to the range from
 * delivery to `now`. First use implies installation. An eSIM that was never installed does not expire. A known time never changes.
 */
export function timesAfter(esim: DeliveredEsim, seen: EsimStatus, now: Date): EsimTimes | undefined {
  const clamp = (time: Date | undefined) => time && clamped(time, esim, now);
  const activatedAt = esim.activatedAt ?? clamp(seen.firstUsedAt) ?? null;
  const installedAt = esim.installedAt ?? clamp(seen.installedAt) ?? activatedAt;
  const known = { ...esim, activatedAt };
  const depleted = seen.isDepleted ? clamped(seen.depletedAt ?? now, esim, now) : null;
  const endedAt = depleted ?? (validityIsOver(known, now) ? validityEnd(known) : null);
  const depletedAt = esim.depletedAt ?? (installedAt && endedAt);
  const isNew =
    installedAt !== esim.installedAt || activatedAt !== esim.activatedAt || depletedAt !== esim.depletedAt;
  return isNew ? { installedAt, activatedAt, depletedAt } : undefined;
}

/** The attention reason if `timesAfter` moved a reported time by more than the tolerance; undefined if it did not. */
export function implausibleTimes(
  esim: DeliveredEsim,
  seen: EsimStatus,
  times: EsimTimes,
): string | undefined {
  const changes = [
    ['its installation', esim.installedAt, seen.installedAt, times.installedAt],
    ['its first use', esim.activatedAt, seen.firstUsedAt, times.activatedAt],
    ['its end', esim.depletedAt, seen.depletedAt, times.depletedAt],
  ] as const;
  const doubted = changes.flatMap(([name, known, reported, taken]) => {
    if (known !== null || reported === undefined || taken === null) return [];
    if (Math.abs(reported.getTime() - taken.getTime()) <= clockToleranceMs) return [];
    return [`${name} ${timeOf(reported)} (${timeOf(taken)} counts)`];
  });
  return doubted.length === 0 ? undefined : `The supplier's clock is wrong: it reports ${doubted.join(', ')}`;
}

function timeOf(time: Date): string {
  return Number.isNaN(time.getTime()) ? 'at no date' : `at ${time.toISOString()}`;
}

/** The nearest time between delivery and now. */
function clamped(time: Date, { deliveredAt }: DeliveredEsim, now: Date): Date {
  const latest = Math.max(deliveredAt.getTime(), now.getTime());
  const at = Number.isNaN(time.getTime()) ? latest : time.getTime();
  return new Date(Math.min(Math.max(at, deliveredAt.getTime()), latest));
}

/**
 * The end of the validity; null before first use. Clamps the stored time of first use, too, so that every validity ends even if
 * that time is wrong.
 */
function validityEnd({ deliveredAt, activatedAt, validityDays }: DeliveredEsim): Date | null {
  if (!activatedAt) return null;
  const soldAt = deliveredAt.getTime();
  const usedAt = Math.min(Math.max(activatedAt.getTime(), soldAt), soldAt + usableForMs);
  return new Date(usedAt + validityDays * day);
}
