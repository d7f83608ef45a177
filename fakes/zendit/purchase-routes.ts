/** The calls on purchases. */
import { Router } from 'express';
import { shownStates, type Modes } from '../kit/modes';
import { sendJson, sendPurchase } from '../kit/responses';
import { ApiError } from './errors';
import { families, type Family } from './offers';
import { pageOf } from './paging';
import type { Parts } from './parts';
import type { Purchase } from './purchases';
import { periodOf, purchasesQuery, validated } from './requests';
import { contradicting } from './statuses';
import { viewAccepted, viewPurchase } from './views';

/** The routes of purchases of all families. */
export function purchaseRoutes({ context: { modes }, creator, purchases, refunds }: Parts) {
  const routes = Router();

  function rowsOf(purchase: Purchase, current: Modes): object[] {
    const { status } = purchase;
    return shownStates(current, status, contradicting(status)).map((shown) =>
      viewPurchase(purchase, current, refunds.find(purchase), shown),
    );
  }

  function addRoutes(family: Family): void {
    routes.post(`/${family}/purchases`, async (request, response) => {
      const { purchase, failure } = creator.create(family, request.body);
      const { offerId } = purchase.offer;
      const sent = {
        status: failure?.status ?? 200,
        body: failure?.body ?? viewAccepted(purchase, modes.of(offerId)),
        errorUnder200: new ApiError('SYSTEM_UNAVAILABLE').body,
        finish: () => purchases.finish(purchase),
      };
      await sendPurchase(response, sent, modes, offerId);
    });

    routes.get(`/${family}/purchases/:id`, (request, response) => {
      const purchase = purchases.known(String(request.params['id']), family);
      const body = viewPurchase(purchase, modes.of(purchase.offer.offerId), refunds.find(purchase));
      sendJson(response, 200, body);
    });

    routes.get(`/${family}/purchases`, (request, response) => {
      const query = validated(purchasesQuery, request.query);
      const isInPeriod = periodOf(query.createdAt);
      const rows = purchases
        .list()
        .filter((one) => one.offer.family === family && isInPeriod(one.createdAt) && purchases.isVisible(one))
        .filter(({ status }) => query.status === undefined || status === query.status)
        .flatMap((one) => rowsOf(one, modes.of(one.offer.offerId)));
      sendJson(response, 200, pageOf(rows, query));
    });
  }

  families.forEach(addRoutes);
  return routes;
}
