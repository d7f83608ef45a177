/**
 * The life of a delivered eSIM: what sightings of its supplier mean, and how often the supplier is
 * asked. Specification, "eSIM activation status" and "eSIM orders"; decisions, "Orders".
 */
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
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** An eSIM that nobody has used is followed for this long after its delivery: suppliers let it lapse in a year. */
const usableFor = 365 * day;

/**
 * How often the supplier is asked while the last change is younger than `until`; later once a day. Soon
 * at first: its push of a change just after delivery may come before there is anybody to hear it.
 */
const cadence = [
  { until: 5 * second, every: 5 * second },
  { until: 10 * minute, every: 45 * second },
  { until: 70 * minute, every: 7.5 * minute },
  { until: day, every: hour },
  { until: 7 * day, every: 6 * hour },
];

/** An eSIM at the moment of its delivery. */
export function newLife(deliveredAt: number): EsimLife {
  return { status: 'NOT_INSTALLED', changedAt: deliveredAt, endsAt: deliveredAt + usableFor };
}

/** An eSIM as its workflow is told of it. Its days count from first use. */
export function lifeOf(esim: DeliveredEsim): EsimLife {
  const changes = [esim.deliveredAt, esim.installedAt, esim.activatedAt];
  return {
    status: esim.activationStatus,
    changedAt: Math.max(...changes.map((time) => time?.getTime() ?? 0)),
    endsAt: validityEnd(esim)?.getTime() ?? esim.deliveredAt.getTime() + usableFor,
  };
}

/** Its validity has ended, or it was not used while it could be. Only of a life just looked at. */
export function isOver({ status, endsAt }: EsimLife, now: number): boolean {
  return status === 'EXPIRED' || now >= endsAt;
}

/** The wait until the supplier is asked again; `unreachable`: the last question got no answer. */
export function nextLook({ changedAt, endsAt }: EsimLife, now: number, unreachable: boolean): number {
  const every = cadence.find(({ until }) => now - changedAt < until)?.every ?? day;
  const wait = endsAt > now ? Math.min(every, endsAt - now) : every;
  return unreachable ? Math.min(wait, hour) : wait;
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
