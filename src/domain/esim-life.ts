/**
 * The life of a delivered eSIM: what sightings of its supplier mean, and how often the supplier is
 * asked. Specification, "eSIM activation status" and "eSIM orders"; decisions, "Orders".
 */
import type { OrderKey } from './order-flow';
import { day, hour, minute, second } from './time';

export type ActivationStatus = 'NOT_INSTALLED' | 'ACTIVE' | 'EXPIRED';

/** What has happened to an eSIM so far, and when. */
export interface EsimTimes {
  installedAt: Date | null;
  activatedAt: Date | null;
  depletedAt: Date | null;
}

/** What a supplier tells of an eSIM. A time is absent until the thing happened. */
export interface EsimSighting {
  installedAt?: Date;
  firstUsedAt?: Date;
  depletedAt?: Date;
}

/** A delivered eSIM as it is on record. */
export interface DeliveredEsim extends EsimTimes {
  activationStatus: ActivationStatus;
  deliveredAt: Date;
  validityDays: number;
}

/** How an eSIM stands, as its workflow is told. Times in milliseconds since 1970. */
export interface EsimLife {
  status: ActivationStatus;
  /** Its last change: delivery, installation or first use. */
  changedAt: number;
  /** Nothing is expected of it after this. */
  endsAt: number;
  /** Its supplier tells of changes by itself: looks only make up for what got lost. */
  pushed: boolean;
}

/** What one run of the workflow that follows an eSIM hands to the next. */
export interface FollowState {
  /** The supplier is to be asked at once. */
  news: boolean;
  /** Looks in a row that got no answer. */
  failures: number;
}

/** The workflow that follows an eSIM. */
export type FollowEsim = (esim: OrderKey, life: EsimLife, state?: FollowState) => Promise<ActivationStatus>;

/** An eSIM that nobody has used is followed for this long after its delivery: suppliers let it lapse in a year. */
const usableFor = 365 * day;

/**
 * How often the supplier is asked while the last change is younger than `until`; later `idle`. Soon at
 * first: its push of a change just after delivery may come before there is anybody to hear it. Costs
 * of a look: docs/developers/esim-life.md.
 */
const firstLook = { until: 5 * second, every: 5 * second };
const cadences = {
  pushed: [
    firstLook,
    { until: 10 * minute, every: 5 * minute },
    { until: 2 * hour, every: 30 * minute },
    { until: day, every: 6 * hour },
  ],
  polled: [
    firstLook,
    { until: 10 * minute, every: 45 * second },
    { until: 70 * minute, every: 7.5 * minute },
    { until: day, every: hour },
    { until: 7 * day, every: 6 * hour },
  ],
};
const idle = day;

/** The wait after the first look without an answer; four times as long after each further one. */
const firstRetry = 5 * second;

/** An eSIM at the moment of its delivery. */
export function newLife(deliveredAt: number): EsimLife {
  return { status: 'NOT_INSTALLED', changedAt: deliveredAt, endsAt: deliveredAt + usableFor, pushed: false };
}

/** An eSIM as its workflow is told of it. Its days count from first use. `pushed`: see `EsimLife`. */
export function lifeOf(esim: DeliveredEsim, pushed: boolean): EsimLife {
  const changes = [esim.deliveredAt, esim.installedAt, esim.activatedAt];
  return {
    status: esim.activationStatus,
    changedAt: Math.max(...changes.map((time) => time?.getTime() ?? 0)),
    endsAt: validityEnd(esim)?.getTime() ?? esim.deliveredAt.getTime() + usableFor,
    pushed,
  };
}

/** Its validity has ended, or it was not used while it could be. Only of a life just looked at. */
export function isOver({ status, endsAt }: EsimLife, now: number): boolean {
  return status === 'EXPIRED' || now >= endsAt;
}

/**
 * The wait until the supplier is asked again, after so many looks in a row without an answer. `chance`
 * (0 to 1) lengthens it by up to a fifth, so that eSIMs delivered together are not asked about together.
 */
export function nextLook(life: EsimLife, now: number, failures: number, chance: number): number {
  const { changedAt, endsAt, pushed } = life;
  const cadence = pushed ? cadences.pushed : cadences.polled;
  const every = cadence.find(({ until }) => now - changedAt < until)?.every ?? idle;
  const planned = failures === 0 ? every : Math.min(every, firstRetry * 4 ** (failures - 1));
  const wait = Math.round(planned * (1 + chance / 5));
  return endsAt > now ? Math.min(wait, endsAt - now) : wait;
}

/** Whether its days are over, whatever the supplier says. */
export function validityIsOver(esim: DeliveredEsim, now: Date): boolean {
  const end = validityEnd(esim);
  return end !== null && end <= now;
}

/**
 * What has happened to an eSIM by a new sighting, or undefined where nothing is new. Use proves
 * installation; what was never installed does not expire. A time once known stays.
 */
export function timesAfter(esim: DeliveredEsim, seen: EsimSighting, now: Date): EsimTimes | undefined {
  const activatedAt = esim.activatedAt ?? seen.firstUsedAt ?? null;
  const installedAt = esim.installedAt ?? seen.installedAt ?? activatedAt;
  const known = { ...esim, activatedAt };
  const endedAt = seen.depletedAt ?? (validityIsOver(known, now) ? validityEnd(known) : null);
  const depletedAt = esim.depletedAt ?? (installedAt && endedAt);
  const isNews =
    installedAt !== esim.installedAt || activatedAt !== esim.activatedAt || depletedAt !== esim.depletedAt;
  return isNews ? { installedAt, activatedAt, depletedAt } : undefined;
}

function validityEnd({ activatedAt, validityDays }: DeliveredEsim): Date | null {
  return activatedAt && new Date(activatedAt.getTime() + validityDays * day);
}
