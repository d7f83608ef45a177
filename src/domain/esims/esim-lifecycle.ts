/**
 * The life of a delivered eSIM: what the status at its supplier means, and how often the supplier is
 * polled. docs/specification.md#esim-activation-status, docs/decisions/0012-monitor-each-esim-in-its-own-workflow.md.
 */
import type { OrderKey } from '../orders/order-flow';
import { day, hour, minute, second } from '../time';

export type ActivationStatus = 'NOT_INSTALLED' | 'ACTIVE' | 'EXPIRED';

/** What has happened to an eSIM so far, and when. */
export interface EsimTimes {
  installedAt: Date | null;
  activatedAt: Date | null;
  depletedAt: Date | null;
}

/**
 * The status of an eSIM at its supplier. A time is absent until the thing happened. The supplier's clock may be wrong:
 * any time may be reported, `Invalid Date` included.
 */
export interface EsimStatus {
  installedAt?: Date;
  firstUsedAt?: Date;
  /** The supplier's state says that the data is used up or the validity is over. */
  isDepleted?: boolean;
  /** When that was, if the supplier reports it. The time alone ends nothing. */
  depletedAt?: Date;
}

/** A delivered eSIM as it is on record. */
export interface DeliveredEsim extends EsimTimes {
  activationStatus: ActivationStatus;
  deliveredAt: Date;
  validityDays: number;
}

/** What a device does with a profile. First use proves installation; using up ends it. */
export const profileChanges = ['install', 'use', 'deplete'] as const;
export type ProfileChange = (typeof profileChanges)[number];

/** Why a device cannot do that with the profile as it stands; undefined where it can. */
export function reasonAgainst(
  change: ProfileChange,
  { activationStatus, activatedAt }: Pick<DeliveredEsim, 'activationStatus' | 'activatedAt'>,
): string | undefined {
  if (activationStatus === 'EXPIRED') return 'The eSIM is EXPIRED: that is final';
  if (change === 'deplete')
    return activationStatus === 'ACTIVE' ? undefined : 'The eSIM is not installed yet';
  if (change === 'use') return activatedAt === null ? undefined : 'The eSIM is used already';
  return activationStatus === 'ACTIVE' ? 'The eSIM is installed already' : undefined;
}

/** How an eSIM stands, as its workflow is told. Times in milliseconds since 1970. */
export interface MonitoredEsim {
  status: ActivationStatus;
  /** Its last change: delivery, installation or first use. */
  changedAt: number;
  /** Nothing is expected of it after this. */
  endsAt: number;
  /** Its supplier tells of changes by itself: polls only make up for pushes that got lost. */
  pushed: boolean;
  /** Its ICCID does not open, so its supplier cannot be polled; operators were told. */
  unreadable?: boolean;
}

/** What operators are told of an eSIM that is `unreadable`. */
export const unreadableIccid =
  'Its ICCID does not open: see secret-keys list. Until it does its supplier is not polled';

/** What one run of the workflow that follows an eSIM hands to the next. */
export interface MonitorState {
  /** The supplier has sent an update: poll at once. */
  supplierUpdated: boolean;
  /** Polls in a row without an answer. */
  failures: number;
}

/** The workflow that follows an eSIM. */
export type EsimMonitorFlow = (
  esim: OrderKey,
  life: MonitoredEsim,
  state?: MonitorState,
) => Promise<ActivationStatus>;

/** Clocks differ a little: a reported time that is off by no more is bounded, but operators need not know of it. */
const clockToleranceMs = minute;

/** An eSIM that nobody has used is followed for this long after its delivery: suppliers let it lapse in a year. */
const usableForMs = 365 * day;

/**
 * How often the supplier is polled if the last change is younger than `untilMs`; later every `idleMs`. Soon
 * at first: its push of a change just after delivery may come before there is anybody to hear it. Costs
 * of a poll: docs/developers/esim-life.md.
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

/** The wait after the first poll without an answer; four times as long after each further one. */
const firstRetryMs = 5 * second;

/** An eSIM as its workflow is told of it. Its days count from first use. `pushed`: see `MonitoredEsim`. */
export function monitoredEsim(esim: DeliveredEsim, pushed: boolean): MonitoredEsim {
  const changes = [esim.deliveredAt, esim.installedAt, esim.activatedAt];
  return {
    status: esim.activationStatus,
    changedAt: Math.max(...changes.map((time) => time?.getTime() ?? 0)),
    endsAt: validityEnd(esim)?.getTime() ?? esim.deliveredAt.getTime() + usableForMs,
    pushed,
  };
}

/** Its validity has ended, or it was not used while it could be. Only for a life just polled. */
export function isMonitoringOver({ status, endsAt }: MonitoredEsim, now: number): boolean {
  return status === 'EXPIRED' || now >= endsAt;
}

/**
 * The wait until the supplier is polled again, after so many polls in a row without an answer. `chance`
 * (0 to 1) lengthens it by up to a fifth, so that eSIMs delivered together are not polled together.
 */
export function nextPollDelayMs(life: MonitoredEsim, now: number, failures: number, chance: number): number {
  const { changedAt, endsAt, pushed, unreadable } = life;
  const cadence = pushed ? cadences.pushed : cadences.polled;
  // A change that is far in the future was stamped by a clock that has been corrected since.
  const age = Math.abs(now - changedAt);
  const planned = cadence.find(({ untilMs }) => age < untilMs)?.everyMs ?? idleMs;
  // Until an operator has put the key back there is nothing to be learned.
  const everyMs = unreadable ? idleMs : planned;
  const waitMs = failures === 0 ? everyMs : Math.min(everyMs, firstRetryMs * 4 ** (failures - 1));
  const wait = Math.round(waitMs * (1 + chance / 5));
  return endsAt > now ? Math.min(wait, endsAt - now) : wait;
}

/** Whether its days are over, whatever the supplier says. */
export function validityIsOver(esim: DeliveredEsim, now: Date): boolean {
  const end = validityEnd(esim);
  return end !== null && end <= now;
}

/**
 * What has happened to an eSIM by its status at the supplier, or undefined if nothing is new. Reported times are bounded
 * by delivery and `now`. Use proves installation; what was never installed does not expire. A time once known stays.
 */
export function timesAfter(esim: DeliveredEsim, seen: EsimStatus, now: Date): EsimTimes | undefined {
  const bound = (time: Date | undefined) => time && bounded(time, esim, now);
  const activatedAt = esim.activatedAt ?? bound(seen.firstUsedAt) ?? null;
  const installedAt = esim.installedAt ?? bound(seen.installedAt) ?? activatedAt;
  const known = { ...esim, activatedAt };
  const depleted = seen.isDepleted ? bounded(seen.depletedAt ?? now, esim, now) : null;
  const endedAt = depleted ?? (validityIsOver(known, now) ? validityEnd(known) : null);
  const depletedAt = esim.depletedAt ?? (installedAt && endedAt);
  const isNew =
    installedAt !== esim.installedAt || activatedAt !== esim.activatedAt || depletedAt !== esim.depletedAt;
  return isNew ? { installedAt, activatedAt, depletedAt } : undefined;
}

/** What operators are told of reported times in place of which `times` holds others; undefined if there are none. */
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

/** The time, or what is nearest to it between the delivery and now. */
function bounded(time: Date, { deliveredAt }: DeliveredEsim, now: Date): Date {
  const latest = Math.max(deliveredAt.getTime(), now.getTime());
  const at = Number.isNaN(time.getTime()) ? latest : time.getTime();
  return new Date(Math.min(Math.max(at, deliveredAt.getTime()), latest));
}

/** An eSIM that was stored with a time out of these bounds still ends. */
function validityEnd({ deliveredAt, activatedAt, validityDays }: DeliveredEsim): Date | null {
  if (!activatedAt) return null;
  const soldAt = deliveredAt.getTime();
  const usedAt = Math.min(Math.max(activatedAt.getTime(), soldAt), soldAt + usableForMs);
  return new Date(usedAt + validityDays * day);
}
