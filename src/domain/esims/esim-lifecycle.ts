/**
 * The life of a delivered eSIM: what the status at its supplier means, and how often the supplier is
 * polled. docs/specification.md#esim-activation-status, docs/decisions/0012-monitor-each-esim-in-its-own-workflow.md.
 */
import type { OrderKey } from '../orders/order-flow';
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
  /** Set if, by the supplier's state, the data is used up or the validity is over. */
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

/** The changes that a device makes to a profile. First use implies installation. Depletion is final. */
export const profileChanges = ['install', 'use', 'deplete'] as const;
export type ProfileChange = (typeof profileChanges)[number];

/** Why a device cannot make the change now; undefined if it can. `use` without `megabytes` is the first use, made only once. */
export function reasonAgainst(
  change: ProfileChange,
  { activationStatus, activatedAt }: Pick<DeliveredEsim, 'activationStatus' | 'activatedAt'>,
  megabytes?: number,
): string | undefined {
  if (activationStatus === 'EXPIRED') return 'The eSIM is EXPIRED: that is final';
  if (change === 'deplete')
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
  'Its ICCID cannot be decrypted: see secret-keys list. Its supplier is not polled until then';

/** The state that one run of an eSIM monitor passes to the next. */
export interface MonitorState {
  /** Whether to poll at once, because the supplier has sent an update or the monitor has just started. */
  supplierUpdated: boolean;
  /** Polls in a row without an answer. */
  failures: number;
}

export type EsimMonitorFlow = (
  esim: OrderKey,
  life: MonitoredEsim,
  state?: MonitorState,
) => Promise<ActivationStatus>;

/** An eSIM is put on the attention list if `clamped` moves a reported time by more than this. */
const clockToleranceMs = minute;

/** An unused eSIM is monitored for this time after its delivery, because suppliers let it expire after a year. */
const usableForMs = 365 * day;

/**
 * The poll interval is `everyMs` of the first row whose `untilMs` exceeds the age of the last change; `idleMs` if there is none.
 * The first poll is early, because the push of a change right after delivery may arrive before the monitor runs. Costs of a
 * poll: docs/developers/esim-life.md.
 */
const firstPoll = { untilMs: 5 * second, everyMs: 5 * second };
const cadences = {
  pushed: [
    firstPoll,
    { untilMs: 10 * minute, everyMs: 5 * minute },
    { untilMs: 2 * hour, everyMs: 30 * minute },
    { untilMs: day, everyMs: 6 * hour },
  ],
  polled: [
    firstPoll,
    { untilMs: 10 * minute, everyMs: 45 * second },
    { untilMs: 70 * minute, everyMs: 7.5 * minute },
    { untilMs: day, everyMs: hour },
    { untilMs: 7 * day, everyMs: 6 * hour },
  ],
};
const idleMs = day;

/** The wait after the first failed poll; each further failure multiplies the wait by four. */
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

/**
 * The wait until the next poll. `failures`: consecutive failed polls. `chance` (0 to 1) lengthens the wait by up to a fifth,
 * so that eSIMs that were delivered together are not polled together.
 */
export function nextPollDelayMs(esim: MonitoredEsim, now: number, failures: number, chance: number): number {
  const { changedAt, endsAt, pushed, cachedMs = 0, unreadable } = esim;
  const cadence = pushed ? cadences.pushed : cadences.polled;
  // The time of a change may be in the future, if a clock was ahead and has been corrected.
  const age = Math.abs(now - changedAt);
  const planned = cadence.find(({ untilMs }) => age < untilMs)?.everyMs ?? idleMs;
  // A poll is useless until an operator restores the key.
  const everyMs = unreadable ? idleMs : Math.max(planned, cachedMs);
  const waitMs = failures === 0 ? everyMs : Math.min(everyMs, firstRetryMs * 4 ** (failures - 1));
  const wait = Math.round(waitMs * (1 + chance / 5));
  return endsAt > now ? Math.min(wait, endsAt - now) : wait;
}

/** Whether the validity that counts from the stored first use is over, whatever the supplier reports. */
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
  const steps = [
    ['its installation', esim.installedAt, seen.installedAt, times.installedAt],
    ['its first use', esim.activatedAt, seen.firstUsedAt, times.activatedAt],
    ['its end', esim.depletedAt, seen.depletedAt, times.depletedAt],
  ] as const;
  const doubted = steps.flatMap(([name, known, reported, taken]) => {
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
