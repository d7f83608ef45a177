/** The eSIM profiles that were sold, and their life on devices. */
import { hourMs, timeOrNull } from '../kit/times';
import { isEsimTopup, type Outcome } from './outcomes';
import { profileOf } from './goods';
import type { Benefit, Product, Validity } from './products';
import type { TransactionRequest } from './requests';

/** The changes of `POST /control/esims/:iccid/:change`. */
export const esimChanges = ['install', 'activate', 'use', 'deplete'] as const;
export type EsimChange = (typeof esimChanges)[number];

interface Balance {
  readonly benefit: Benefit;
  readonly product: Product;
  amount: number;
  /** Undefined before the first use, and for plans with an unlimited validity. */
  expiresAt: number | undefined;
}

export interface Esim {
  readonly iccid: string;
  readonly product: Product;
  readonly balances: Balance[];
  installedAt: number | undefined;
  activatedAt: number | undefined;
}

const hoursOf: Readonly<Record<Validity['unit'], number>> = { HOUR: 1, DAY: 24, WEEK: 168, MONTH: 720 };

/** A completed transaction. */
interface Sold {
  readonly id: bigint;
  readonly product: Product;
  readonly request: TransactionRequest;
  readonly outcome: Outcome;
}

/** Makes the profile of a completed transaction, or adds its plan to the eSIM that it names. */
export function deliver(esims: Map<string, Esim>, { id, product, request, outcome }: Sold): void {
  if (outcome.goods === 'PROFILE') {
    const { iccid } = profileOf(id);
    const esim: Esim = { iccid, product, balances: [], installedAt: undefined, activatedAt: undefined };
    esims.set(iccid, esim);
    addPlan(esim, product);
  }
  if (!isEsimTopup(product, request)) return;
  // DT One sells a plan for an unknown number too: the documentation does not say that it checks the number.
  const esim = esims.get(request.credit_party_identifier?.account_number ?? '');
  if (esim) addPlan(esim, product);
}

/** Moves the eSIM through its life. Earlier steps that have not happened yet happen now, too. */
export function changeEsim(esim: Esim, change: EsimChange): void {
  const now = Date.now();
  esim.installedAt ??= now;
  if (change === 'install') return;
  if (esim.activatedAt === undefined) {
    esim.activatedAt = now;
    for (const balance of esim.balances) balance.expiresAt = expiryFrom(now, balance.product);
  }
  if (change === 'activate') return;
  if (change === 'use') {
    // A fifth of the plan is left.
    for (const balance of esim.balances) {
      if (balance.amount !== -1) balance.amount = balance.benefit.amount * 0.2;
    }
    return;
  }
  for (const balance of esim.balances) {
    // Unlimited data end only when their validity ends.
    if (balance.amount === -1) balance.expiresAt = now;
    else balance.amount = 0;
  }
}

/** The result of `POST /lookup/credit-party-status`. */
export function viewEsimStatus({ installedAt, activatedAt }: Esim) {
  return { installation_date: timeOrNull(installedAt), activation_date: timeOrNull(activatedAt) };
}

/** The rows of `POST /lookup/credit-party-benefits`. */
export function viewBalances({ balances }: Esim) {
  return balances.map(({ benefit, product, amount, expiresAt }) => ({
    ...benefit,
    amount,
    expiration_date: timeOrNull(expiresAt),
    country: product.operator.country,
  }));
}

function addPlan(esim: Esim, product: Product): void {
  const expiresAt = esim.activatedAt === undefined ? undefined : expiryFrom(Date.now(), product);
  for (const benefit of product.benefits) {
    esim.balances.push({ benefit, product, amount: benefit.amount, expiresAt });
  }
}

function expiryFrom(at: number, { validity }: Product): number | undefined {
  if (validity === null || validity.quantity === -1) return undefined;
  return at + validity.quantity * hoursOf[validity.unit] * hourMs;
}
