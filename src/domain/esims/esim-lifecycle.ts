/**
 * The life of a delivered eSIM: what the status at its supplier means. docs/specification.md#esim-activation-status.
 * Rule: the states of an eSIM, and which reported times are believed
 */
import type { OrderKey } from '../orders/order-messages';
import { day, minute } from '../time';
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
  if (change === 'use') return activatedAt === null || megabytes !== undefined ? undefined : 'The eSIM is used already';
  return activationStatus === 'ACTIVE' ? 'The eSIM is installed already' : undefined;
}

/** The state of an eSIM in its monitor. Times in milliseconds since 1970. */
export interface MonitoredEsim {
  status: ActivationStatus;
  /** Whether its data was used: the validity counts from first use. */
  isUsed: boolean;
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

/** The result of a poll. */
export interface EsimPoll {
  esimState: MonitoredEsim;
  /** Whether the monitor ends: see `isMonitoringOver`. */
  isOver: boolean;
}

/** What a run of a monitor passes to the next. Times in milliseconds since 1970. */
export interface MonitorProgress {
  /** Whether the run begins with a poll, as the first run does. A later run first waits for the next poll. */
  isDue: boolean;
  /** When the oldest step began since which all polls have failed; null if the last step was answered. */
  failingSince: number | null;
}

export type EsimMonitorFlow = (
  esim: OrderKey,
  esimState: MonitoredEsim,
  progress: MonitorProgress,
) => Promise<ActivationStatus>;

/** An eSIM is put on the attention list if `clamped` moves a reported time by more than this. */
const clockToleranceMs = minute;

/** An unused eSIM is monitored for this time after its delivery, because suppliers let it expire after a year. */
const usableForMs = 365 * day;

/** The monitor's state of a stored eSIM. The validity counts from first use. `pushed`, `cachedMs`: see `MonitoredEsim`. */
export function monitoredEsim(esim: DeliveredEsim, pushed: boolean, cachedMs?: number): MonitoredEsim {
  const unused = newEsim(esim.deliveredAt, pushed, cachedMs);
  const changes = [esim.deliveredAt, esim.installedAt, esim.activatedAt];
  return {
    ...unused,
    status: esim.activationStatus,
    isUsed: esim.activatedAt !== null,
    changedAt: Math.max(...changes.map((time) => time?.getTime() ?? 0)),
    endsAt: validityEnd(esim)?.getTime() ?? unused.endsAt,
  };
}

/** The monitor's state of an eSIM that has just been delivered. */
export function newEsim(deliveredAt: Date, pushed: boolean, cachedMs?: number): MonitoredEsim {
  const changedAt = deliveredAt.getTime();
  return {
    status: 'NOT_INSTALLED',
    isUsed: false,
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
  const isNew = installedAt !== esim.installedAt || activatedAt !== esim.activatedAt || depletedAt !== esim.depletedAt;
  return isNew ? { installedAt, activatedAt, depletedAt } : undefined;
}

/** The attention reason if `timesAfter` moved a reported time by more than the tolerance; undefined if it did not. */
export function implausibleTimes(esim: DeliveredEsim, seen: EsimStatus, times: EsimTimes): string | undefined {
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
