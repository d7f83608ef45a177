/** The calls on eSIMs. */
import { Router } from 'express';
import type { Modes } from '../kit/modes';
import { sendJson } from '../kit/responses';
import { packages } from './catalogue';
import { validationError } from './errors';
import { planStatusOf, statusOf, usageOf, type Esim, type Plan } from './esims';
import { timeOf, viewSim } from './order-views';
import { viewPackage, type Pricing } from './packages';
import type { Parts } from './parts';
import { refundBody, validated } from './requests';

const success = { message: 'success' };
const minuteMs = 60_000;
/** The stricter of two published figures: once for each ICCID. */
const perIccidMs = 15 * minuteMs;
const usageCacheMs = 20 * minuteMs;
const sandboxUsageCacheMs = 60 * minuteMs;

/** The routes of eSIMs. */
export function esimRoutes(parts: Parts): Router {
  const { context, esims, limits, pricing, usageCache, isSandbox, timeScale } = parts;
  const { modes } = context;
  const routes = Router();
  const modesOf = ({ order }: Esim): Modes => modes.of(order.pkg.id);
  const cacheMs = (isSandbox ? sandboxUsageCacheMs : usageCacheMs) * timeScale;

  function known(iccid: string): Esim {
    const esim = esims.find(iccid);
    const hiddenMs = esim ? (modesOf(esim).lookup_after_ms ?? 0) : 0;
    // The documentation has the status, and no body.
    if (!esim || Date.now() - esim.order.createdAt < hiddenMs) {
      throw validationError({ iccid: 'The requested eSIM is invalid.' }, 404);
    }
    return esim;
  }

  routes.get('/sims/:iccid', (request, response) => {
    const esim = known(request.params.iccid);
    const data = viewSim(esim.sim, esim.order, modesOf(esim));
    sendJson(response, 200, { data, meta: success }, modesOf(esim));
  });

  routes.get('/sims/:iccid/usage', (request, response) => {
    const { iccid } = request.params;
    limits.take('usage', 5, 1_000);
    const esim = known(iccid);
    limits.take(`usage ${iccid}`, 1, perIccidMs * timeScale);
    const cached = usageCache.get(iccid);
    const isFresh = cached !== undefined && Date.now() - cached.at < cacheMs;
    const data = isFresh ? cached.body : viewUsage(esim, modesOf(esim).unknown_state);
    if (!isFresh) usageCache.set(iccid, { at: Date.now(), body: data });
    sendJson(response, 200, { data, meta: success }, modesOf(esim));
  });

  routes.get('/sims/:iccid/packages', (request, response) => {
    const { iccid } = request.params;
    const esim = known(iccid);
    limits.take(`history ${iccid}`, 1, perIccidMs * timeScale);
    const data = esim.plans.map((plan) => viewPlan(plan, pricing));
    sendJson(response, 200, { data, meta: success }, modesOf(esim));
  });

  routes.get('/sims/:iccid/topups', (request, response) => {
    const esim = known(request.params.iccid);
    const { operator } = esim.order.pkg;
    const data = packages
      .filter((one) => one.type === 'topup' && one.operator === operator && !modes.of(one.id).vanished)
      .map((one) => viewPackage(one, pricing));
    sendJson(response, 200, { data, meta: success }, modesOf(esim));
  });

  /** The documentation does not give the form of the steps. */
  routes.get('/sims/:iccid/instructions', (request, response) => {
    const esim = known(request.params.iccid);
    const steps = { 1: 'Open the settings.', 2: 'Add an eSIM.', 3: 'Scan the QR code.' };
    const data = { instructions: { language: 'EN', ios: [steps], android: [steps] } };
    sendJson(response, 200, { data, meta: success }, modesOf(esim));
  });

  /** A person decides about it later, so nothing changes here. */
  routes.post('/refund', (request, response) => {
    limits.take('refund', 5, minuteMs);
    const { iccids } = validated(refundBody, request.body);
    for (const iccid of iccids) known(iccid);
    const data = { refund_id: `r-${Date.now()}`, created_at: timeOf(Date.now()) };
    sendJson(response, 200, { data, meta: success }, modes.of(''));
  });
  return routes;
}

function viewUsage(esim: Esim, hasUnknownState = false) {
  const usage = usageOf(esim);
  return {
    // Unlimited packages give 0 in both.
    remaining: usage.isUnlimited ? 0 : usage.remaining,
    total: usage.isUnlimited ? 0 : usage.total,
    expired_at: usage.expiresAt === undefined ? null : timeOf(usage.expiresAt),
    is_unlimited: usage.isUnlimited ? true : null,
    status: hasUnknownState ? 'SUSPENDED' : statusOf(esim),
    remaining_voice: usage.remainingVoice,
    remaining_text: usage.remainingText,
    total_voice: usage.totalVoice,
    total_text: usage.totalText,
  };
}

function viewPlan(plan: Plan, pricing: Pricing) {
  const { id, pkg, remaining, activatedAt, expiresAt, finishedAt } = plan;
  const shown = viewPackage(pkg, pricing);
  const timeOrNull = (ms: number | undefined): string | null => (ms === undefined ? null : timeOf(ms));
  return {
    id,
    status: planStatusOf(plan),
    remaining: remaining.data,
    activated_at: timeOrNull(activatedAt),
    expired_at: timeOrNull(expiresAt),
    finished_at: timeOrNull(finishedAt),
    package: {
      id: shown.id,
      type: shown.type,
      price: shown.price,
      net_price: shown.net_price,
      amount: shown.amount,
      day: shown.day,
      is_unlimited: shown.is_unlimited,
      title: shown.title,
      data: shown.data,
    },
  };
}
