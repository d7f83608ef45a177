/** The JSON representations of the simulator. */
import { depletedAt, leftMb, totalMb, validityEndsAt, type Esim } from './store';
import type { EsimOffer, Offer } from './catalogue';
import { goodsOf, type UnitGoods } from './goods';
import { orderIdOf, soldAt, statusAt, unitsAt, type Purchase, type PurchaseStatus } from './purchases';

/** A purchase as JSON. */
export interface PurchaseView {
  id: string;
  reference: string;
  sku: string;
  family: Purchase['family'];
  units: number;
  status: PurchaseStatus;
  /** Only when rejected. */
  failure_code?: string;
  created_at: string;
  goods: UnitGoods[];
}

/** A purchase in its current state, with its existing goods. */
export function viewPurchase(purchase: Purchase): PurchaseView {
  const now = Date.now();
  const status = statusAt(purchase, now);
  return {
    id: purchase.id,
    reference: purchase.reference,
    sku: purchase.sku,
    family: purchase.family,
    units: purchase.units,
    status,
    ...(status === 'REJECTED' && { failure_code: purchase.ending }),
    created_at: isoTime(purchase.at),
    goods: goodsOf(purchase, unitsAt(purchase, now)),
  };
}

/** A purchase with sold units; undefined without any. */
export function viewBought(purchase: Purchase) {
  const units = unitsAt(purchase, Date.now());
  if (units === 0) return undefined;
  return {
    reference: purchase.reference,
    order_id: orderIdOf(purchase.reference),
    family: purchase.family,
    units,
    at: isoTime(purchase.at),
  };
}

/** A line of the statement; undefined if nothing was sold. `sold_at` is the time of the latest sold unit. */
export function viewSold(purchase: Purchase) {
  const now = Date.now();
  const sold = soldAt(purchase, now);
  if (sold === undefined) return undefined;
  const { id, reference } = purchase;
  return { id, reference, units: unitsAt(purchase, now), sold_at: isoTime(sold) };
}

/** An eSIM. Times are null until their event has happened, amounts of data if the plan has no limit. */
export function viewEsim(esim: Esim) {
  return {
    iccid: esim.iccid,
    sku: esim.purchase.sku,
    status: esimStatus(esim),
    installed_at: optionalTime(esim.changedAt.install),
    first_used_at: optionalTime(esim.changedAt.use),
    depleted_at: optionalTime(depletedAt(esim)),
    data_total_mb: totalMb(esim) ?? null,
    data_left_mb: leftMb(esim) ?? null,
    validity_ends_at: optionalTime(validityEndsAt(esim)),
  };
}

function esimStatus(esim: Esim): 'NEW' | 'INSTALLED' | 'IN_USE' | 'DEPLETED' {
  if (depletedAt(esim) !== undefined) return 'DEPLETED';
  if (esim.changedAt.use !== undefined) return 'IN_USE';
  return esim.changedAt.install === undefined ? 'NEW' : 'INSTALLED';
}

/** A line of the stock report; only vouchers are counted. */
export function viewStock(offer: Offer) {
  const available = offer.family === 'VOUCHER' ? offer.available : null;
  return { sku: offer.sku, active: offer.active, available };
}

/** A plan of an eSIM product; the price is a decimal string. */
export function viewPlan(plan: EsimOffer) {
  return {
    sku: plan.sku,
    name: plan.name,
    description: plan.description,
    currency: plan.currency,
    price: plan.price,
    data_amount_gb: plan.dataAmountGb,
    validity_days: plan.validityDays,
    regions: plan.regions,
    networks: plan.networks,
    is_rechargeable: plan.isRechargeable,
    ...(plan.isRechargeOnly && { is_recharge_only: true }),
    activation_policy: 'first-usage',
  };
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

function optionalTime(ms: number | undefined): string | null {
  return ms === undefined ? null : isoTime(ms);
}
