/** The calls on purchases. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Router } from 'express';
import type { Modes } from '../kit/modes';
import { sendJson, sendPurchase } from '../kit/responses';
import { ApiError } from './errors';
import type { Lookups } from './lookups';
import { families, type Family } from './offers';
import { pageOf } from './paging';
import type { Parts } from './parts';
import type { Purchase } from './purchases';
import { periodOf, purchasesQuery, validated } from './requests';
import { contradicting } from './statuses';
import { viewAccepted, viewPurchase } from './views';

/** The time by which an early webhook precedes the response. */
const earlyMs = 250;

/** The routes of purchases of all families. */
export function purchaseRoutes({ context: { modes }, creator, purchases, refunds }: Parts, lookups: Lookups) {
  const routes = Router();

  /** The purchase. In mode `second_row`, the same purchase with another result follows. */
  function rowsOf(purchase: Purchase, current: Modes): unknown[] {
    const refund = refunds.find(purchase);
    const row = viewPurchase(purchase, current, refund);
    if (!current.second_row) return [row];
    return [row, viewPurchase(purchase, current, refund, contradicting(purchase.status))];
  }

  function addRoutes(family: Family): void {
    routes.post(`/${family}/purchases`, async (request, response) => {
      const { purchase, failure } = creator.create(family, request.body);
      const { offerId } = purchase.offer;
      const body = viewAccepted(purchase, modes.of(offerId));
      if (modes.of(offerId).webhook === 'early') {
        purchases.finish(purchase);
        await sleep(earlyMs, undefined, { ref: false });
      }
      const sent = { status: failure?.status ?? 200, body: failure?.body ?? body };
      await sendPurchase(response, sent, modes, offerId, new ApiError('SYSTEM_UNAVAILABLE').body);
    });

    routes.get(`/${family}/purchases/:id`, (request, response) => {
      const purchase = lookups.known(String(request.params['id']), family);
      const body = viewPurchase(purchase, modes.of(purchase.offer.offerId), refunds.find(purchase));
      sendJson(response, 200, body);
    });

    routes.get(`/${family}/purchases`, (request, response) => {
      const query = validated(purchasesQuery, request.query);
      const isInPeriod = periodOf(query.createdAt);
      const rows = purchases
        .list()
        .filter((one) => one.offer.family === family && isInPeriod(one.createdAt) && lookups.isVisible(one))
        .filter(({ status }) => query.status === undefined || status === query.status)
        .flatMap((one) => rowsOf(one, modes.of(one.offer.offerId)));
      sendJson(response, 200, pageOf(rows, query));
    });
  }

  families.forEach(addRoutes);
  return routes;
}
