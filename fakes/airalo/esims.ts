/** The eSIMs that were sold, and their life on devices. */
import type { Accepted } from '../kit/ledger';
import { dayMs } from '../kit/times';
import type { Sim } from './goods';
import type { Package } from './packages';

/** The changes of `POST /control/esims/:iccid/:change`. */
export const esimChanges = ['install', 'activate', 'use', 'deplete', 'expire', 'recycle', 'lose'] as const;
export type EsimChange = (typeof esimChanges)[number];

export type EsimStatus = 'NOT_ACTIVE' | 'ACTIVE' | 'FINISHED' | 'EXPIRED' | 'UNKNOWN' | 'RECYCLED';

/** The package on an eSIM. */
export interface Plan {
  readonly id: number;
  readonly pkg: Package;
  /** Megabytes, minutes and messages. */
  remaining: { data: number; voice: number; text: number };
  activatedAt: number | undefined;
  expiresAt: number | undefined;
  finishedAt: number | undefined;
}

/** The order of a package. */
interface Order extends Accepted {
  readonly id: number;
  readonly pkg: Package;
}

export interface Esim {
  readonly sim: Sim;
  readonly order: Order;
  /** The package that the eSIM was sold with. */
  readonly plan: Plan;
  /** Those of its recharges. */
  readonly topups: Plan[];
  /** A state that replaces the state of the plan. */
  override: 'UNKNOWN' | 'RECYCLED' | undefined;
}

/** An eSIM of a completed order. */
export function newEsim(sim: Sim, order: Order): Esim {
  return { sim, order, plan: newPlan(order), topups: [], override: undefined };
}

function newPlan({ id, pkg }: Order): Plan {
  const times = { activatedAt: undefined, expiresAt: undefined, finishedAt: undefined };
  return { id, pkg, remaining: part(pkg, 1), ...times };
}

/** Adds the package of a recharge. */
export function addPlan(esim: Esim, order: Order): void {
  esim.topups.push(newPlan(order));
}

/** The package in use: the first that has not ended, or the last one. */
export function currentPlan({ plan, topups }: Esim): Plan {
  const plans = [plan, ...topups];
  return plans.find((one) => ['NOT_ACTIVE', 'ACTIVE'].includes(planStatusOf(one))) ?? plans.at(-1) ?? plan;
}

/** Moves the eSIM through its life. Airalo does not report an installation, so `install` changes nothing visible. */
export function changeEsim(esim: Esim, change: EsimChange): void {
  switch (change) {
    case 'install':
      return;
    case 'recycle':
      esim.override = 'RECYCLED';
      return;
    case 'lose':
      esim.override = 'UNKNOWN';
      return;
    case 'activate':
    case 'use':
    case 'deplete':
    case 'expire':
      if (esim.override === 'UNKNOWN') esim.override = undefined;
      changePlan(currentPlan(esim), change);
  }
}

function changePlan(plan: Plan, change: 'activate' | 'use' | 'deplete' | 'expire'): void {
  if (plan.activatedAt === undefined) activate(plan);
  if (change === 'expire') plan.expiresAt = Date.now();
  if (change === 'use') plan.remaining = part(plan.pkg, 0.2);
  if (change !== 'deplete') return;
  plan.remaining = part(plan.pkg, 0);
  // Unlimited data end only when their validity ends.
  if (plan.pkg.isUnlimited) plan.expiresAt = Date.now();
  else plan.finishedAt ??= Date.now();
}

/** The state, as the call for the usage shows it. */
export function statusOf(esim: Esim): EsimStatus {
  return esim.override ?? planStatusOf(currentPlan(esim));
}

export function planStatusOf({ activatedAt, expiresAt = Infinity, finishedAt }: Plan): EsimStatus {
  if (activatedAt === undefined) return 'NOT_ACTIVE';
  if (finishedAt !== undefined) return 'FINISHED';
  return Date.now() < expiresAt ? 'ACTIVE' : 'EXPIRED';
}

function activate(plan: Plan): void {
  plan.activatedAt = Date.now();
  plan.expiresAt = plan.activatedAt + plan.pkg.day * dayMs;
}

function part({ amount, voice, text }: Package, factor: number): Plan['remaining'] {
  const of = (whole: number | null): number => Math.floor((whole ?? 0) * factor);
  return { data: of(amount), voice: of(voice), text: of(text) };
}
