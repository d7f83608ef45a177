/** The calls on eSIMs beyond their purchases. */
import { Router } from 'express';
import type { Modes } from '../kit/modes';
import { digitsIn, sendJson } from '../kit/responses';
import { ApiError } from './errors';
import { viewPlans } from './esims';
import type { Parts } from './parts';
import type { Purchase } from './purchases';
import { viewRefund } from './refunds';

/** The routes of eSIMs. */
export function esimRoutes({ context: { modes }, esims, purchases, refunds }: Parts): Router {
  const routes = Router();
  const modesOf = ({ offer }: Pick<Purchase, 'offer'>): Modes => modes.of(offer.offerId);

  routes.get('/esim/:iccid/plans', (request, response) => {
    const esim = esims.get(request.params.iccid);
    if (!esim) throw new ApiError('NOT_FOUND');
    const text = digitsIn(modesOf(esim));
    sendJson(response, 200, viewPlans(esim, text), modesOf(esim));
  });

  routes.post('/esim/purchases/:id/refund', (request, response) => {
    const refund = refunds.request(purchases.known(request.params.id, 'esim'));
    sendJson(response, 200, viewRefund(refund), modesOf(refund.purchase));
  });
  return routes;
}
