/** The eSIMs that were sold, and their life on devices. */
import type { Sim } from './goods';
import type { Order } from './orders';
import type { Package } from './packages';

/** The changes of `POST /control-esim/:iccid/:change`. */
export const esimChanges = ['install', 'activate', 'use', 'deplete', 'expire', 'recycle', 'lose'] as const;
export type EsimChange = (typeof esimChanges)[number];

export type EsimStatus = 'NOT_ACTIVE' | 'ACTIVE' | 'FINISHED' | 'EXPIRED' | 'UNKNOWN' | 'RECYCLED';

/** A package on an eSIM: the original one or a top-up. */
export interface Plan {
  readonly id: number;
  readonly pkg: Package;
  /** Megabytes, minutes and messages. */
  remaining: { data: number; voice: number; text: number };
  activatedAt: number | undefined;
  expiresAt: number | undefined;
  finishedAt: number | undefined;
}

export interface Esim {
  readonly sim: Sim;
  readonly order: Order;
  readonly plans: Plan[];
  /** States that do not come from the plans. */
  override: 'UNKNOWN' | 'RECYCLED' | undefined;
}

const dayMs = 86_400_000;

export class Esims {
  private readonly byIccid = new Map<string, Esim>();

  find(iccid: string): Esim | undefined {
    return this.byIccid.get(iccid);
  }

  /** Makes the eSIMs of a completed order, or adds its package to the eSIM of a top-up. */
  deliver(order: Order, sims: readonly Sim[]): void {
    for (const sim of sims) {
      const plans = [planOf(order)];
      this.byIccid.set(sim.iccid, { sim, order, plans, override: undefined });
    }
    const esim = this.byIccid.get(order.request.iccid ?? '');
    if (!esim) return;
    const plan = planOf(order);
    if (esim.plans.some(({ activatedAt }) => activatedAt !== undefined)) activate(plan);
    esim.plans.push(plan);
  }

  clear(): void {
    this.byIccid.clear();
  }
}

/** Moves the eSIM through its life. Airalo has no signal for an installation, so `install` changes nothing to see. */
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
      for (const plan of esim.plans) changePlan(plan, change);
  }
}

function changePlan(plan: Plan, change: 'activate' | 'use' | 'deplete' | 'expire'): void {
  if (plan.activatedAt === undefined) activate(plan);
  if (change === 'expire') plan.expiresAt = Date.now();
  if (change === 'use') plan.remaining = part(plan.pkg, 0.2);
  if (change !== 'deplete') return;
  plan.remaining = part(plan.pkg, 0);
  // Unlimited data ends by its time only.
  if (plan.pkg.isUnlimited) plan.expiresAt = Date.now();
  else plan.finishedAt ??= Date.now();
}

/** The state in the words of `usage`. */
export function statusOf({ plans, override }: Esim): EsimStatus {
  if (override) return override;
  const all = plans.map(planStatusOf);
  const live = (['ACTIVE', 'NOT_ACTIVE'] as const).find((status) => all.includes(status));
  return live ?? all.at(-1) ?? 'UNKNOWN';
}

export function planStatusOf({ activatedAt, expiresAt = Infinity, finishedAt }: Plan): EsimStatus {
  if (activatedAt === undefined) return 'NOT_ACTIVE';
  if (finishedAt !== undefined) return 'FINISHED';
  return Date.now() < expiresAt ? 'ACTIVE' : 'EXPIRED';
}

/** What is left and was bought in total, in the packages that have not ended, or else in all of them. */
export function usageOf({ plans }: Esim) {
  const live = plans.filter((plan) => ['ACTIVE', 'NOT_ACTIVE'].includes(planStatusOf(plan)));
  const counted = live.length > 0 ? live : plans;
  const sum = (read: (plan: Plan) => number): number =>
    counted.reduce((total, plan) => total + read(plan), 0);
  const expiries = counted.flatMap(({ expiresAt }) => expiresAt ?? []);
  return {
    remaining: sum(({ remaining }) => remaining.data),
    total: sum(({ pkg }) => pkg.amount),
    expiresAt: expiries.length > 0 ? Math.max(...expiries) : undefined,
    isUnlimited: counted.some(({ pkg }) => pkg.isUnlimited),
    remainingVoice: sum(({ remaining }) => remaining.voice),
    remainingText: sum(({ remaining }) => remaining.text),
    totalVoice: sum(({ pkg }) => pkg.voice ?? 0),
    totalText: sum(({ pkg }) => pkg.text ?? 0),
  };
}

function planOf({ id, pkg }: Order): Plan {
  const remaining = part(pkg, 1);
  return { id, pkg, remaining, activatedAt: undefined, expiresAt: undefined, finishedAt: undefined };
}

function activate(plan: Plan): void {
  plan.activatedAt = Date.now();
  plan.expiresAt = plan.activatedAt + plan.pkg.day * dayMs;
}

function part({ amount, voice, text }: Package, factor: number): Plan['remaining'] {
  const of = (whole: number | null): number => Math.floor((whole ?? 0) * factor);
  return { data: of(amount), voice: of(voice), text: of(text) };
}
