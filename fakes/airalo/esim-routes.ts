/** The calls on eSIMs. */
import { Router } from 'express';
import type { Modes } from '../kit/modes';
import { sendJson } from '../kit/responses';
import { minuteMs, plainTime, timeOrNull } from '../kit/times';
import { checkLimit, validationError } from './errors';
import { topupsOf } from './catalogue';
import { currentPlan, planStatusOf, statusOf, type Esim, type Plan } from './esims';
import { viewPackage } from './packages';
import type { Parts } from './parts';

const success = { message: 'success' };
/** One call for each ICCID in this time: the stricter of two published limits. */
const perIccidMs = 15 * minuteMs;
const usageCacheMs = 20 * minuteMs;

/** The routes of eSIMs. */
export function esimRoutes(parts: Parts): Router {
  const { context, esims, limits, usageCache, timeScale } = parts;
  const { modes } = context;
  const routes = Router();
  const modesOf = ({ order }: Esim): Modes => modes.of(order.pkg.id);

  function known(iccid: string): Esim {
    const esim = esims.get(iccid);
    // The documentation names the status, but no body.
    if (!esim || !modes.isVisible(esim.order.pkg.id, esim.order.createdAt)) {
      throw validationError({ iccid: 'The requested eSIM is invalid.' }, 404);
    }
    return esim;
  }

  routes.get('/sims/:iccid/usage', (request, response) => {
    const { iccid } = request.params;
    checkLimit(limits, 'usage', 5, 1_000);
    const esim = known(iccid);
    checkLimit(limits, `usage ${iccid}`, 1, perIccidMs * timeScale);
    const cached = usageCache.get(iccid);
    const isFresh = cached !== undefined && Date.now() - cached.at < usageCacheMs * timeScale;
    const data = isFresh ? cached.body : viewUsage(esim, modesOf(esim).unknown_state);
    if (!isFresh) usageCache.set(iccid, { at: Date.now(), body: data });
    sendJson(response, 200, { data, meta: success }, modesOf(esim));
  });

  routes.get('/sims/:iccid/packages', (request, response) => {
    const { iccid } = request.params;
    const esim = known(iccid);
    checkLimit(limits, `history ${iccid}`, 1, perIccidMs * timeScale);
    const data = [esim.plan, ...esim.topups].map(viewPlan);
    sendJson(response, 200, { data, meta: success }, modesOf(esim));
  });

  routes.get('/sims/:iccid/topups', (request, response) => {
    const esim = known(request.params.iccid);
    const data = topupsOf(esim.plan.pkg).map(viewPackage);
    sendJson(response, 200, { data, meta: success }, modesOf(esim));
  });

  return routes;
}

function viewUsage(esim: Esim, hasUnknownState = false) {
  const { pkg, remaining, expiresAt } = currentPlan(esim);
  return {
    // Unlimited packages report 0 in `remaining` and in `total`.
    remaining: pkg.isUnlimited ? 0 : remaining.data,
    total: pkg.isUnlimited ? 0 : pkg.amount,
    expired_at: timeOrNull(expiresAt, plainTime),
    is_unlimited: pkg.isUnlimited ? true : null,
    status: hasUnknownState ? 'SUSPENDED' : statusOf(esim),
    remaining_voice: remaining.voice,
    remaining_text: remaining.text,
    total_voice: pkg.voice ?? 0,
    total_text: pkg.text ?? 0,
  };
}

function viewPlan(plan: Plan) {
  const { id, pkg, remaining, activatedAt, expiresAt, finishedAt } = plan;
  const shown = viewPackage(pkg);
  return {
    id,
    status: planStatusOf(plan),
    remaining: remaining.data,
    activated_at: timeOrNull(activatedAt, plainTime),
    expired_at: timeOrNull(expiresAt, plainTime),
    finished_at: timeOrNull(finishedAt, plainTime),
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
