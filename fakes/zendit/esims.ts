/** The eSIM profiles that were sold, and their life on devices. */
import { dayMs, isoTime, timeOrNull } from '../kit/times';
import { profileOf } from './goods';
import type { EsimOffer, Offer } from './offers';
import type { PurchaseRequest } from './requests';

/** The changes of `POST /control/esims/:iccid/:change`. */
export const esimChanges = ['install', 'activate', 'use', 'deplete'] as const;
export type EsimChange = (typeof esimChanges)[number];

interface PlanOnEsim {
  readonly offer: EsimOffer;
  remainingGB: number;
  startAt: number | undefined;
  endAt: number | undefined;
}

export interface Esim {
  readonly iccid: string;
  readonly offer: EsimOffer;
  plans: PlanOnEsim[];
  installedAt: number | undefined;
}

/** A completed purchase. */
interface Sold {
  readonly id: bigint;
  readonly offer: Offer;
  readonly request: PurchaseRequest;
}

/** Makes the profile of a completed purchase, or adds its plan to the eSIM that it names. */
export function deliver(esims: Map<string, Esim>, { id, offer, request }: Sold): void {
  if (offer.family !== 'esim') return;
  const plan: PlanOnEsim = { offer, remainingGB: offer.plan.dataGB, startAt: undefined, endAt: undefined };
  if (request.iccid !== undefined) {
    // Zendit sells a plan for an unknown number too: the documentation does not say that it checks the number.
    esims.get(request.iccid)?.plans.push(plan);
    return;
  }
  const { iccid } = profileOf(id);
  esims.set(iccid, { iccid, offer, plans: [plan], installedAt: undefined });
}

/** Moves the eSIM through its life. Earlier steps that have not happened yet happen now, too. */
export function changeEsim(esim: Esim, change: EsimChange): void {
  const now = Date.now();
  esim.installedAt ??= now;
  if (change === 'install') return;
  const [first] = esim.plans;
  if (first && first.startAt === undefined) start(first, now);
  if (change === 'activate') return;
  if (change === 'use') {
    // A fifth of the plan is left.
    for (const plan of esim.plans) plan.remainingGB = plan.offer.plan.dataGB * 0.2;
    return;
  }
  // The documentation shows in two ways that a plan is over: it is no longer listed, or `endAt` is past (here unlimited plans).
  esim.plans = esim.plans.filter(({ offer }) => offer.plan.dataUnlimited);
  for (const plan of esim.plans) {
    plan.startAt ??= now;
    plan.endAt = now;
  }
}

function start(plan: PlanOnEsim, now: number): void {
  plan.startAt = now;
  plan.endAt = now + plan.offer.plan.durationDays * dayMs;
}

/**
 * The result of `GET /esim/{iccId}/plans`. A plan is QUEUED before its first use. The documentation does not say what
 * `firstInstalledAt` is before the installation.
 */
export function viewPlans({ iccid, installedAt, plans }: Esim, text: (digits: string) => unknown) {
  return {
    firstInstalledAt: timeOrNull(installedAt),
    total: plans.length,
    list: plans.map(({ offer, remainingGB, startAt, endAt }) => ({
      offerId: offer.offerId,
      iccid: text(iccid),
      status: startAt === undefined ? 'QUEUED' : 'ACTIVE',
      initialDataGB: offer.plan.dataGB,
      remainingDataGB: remainingGB,
      ...(startAt !== undefined && { startAt: isoTime(startAt) }),
      ...(endAt !== undefined && { endAt: isoTime(endAt) }),
      unlimited: offer.plan.dataUnlimited,
    })),
  };
}
