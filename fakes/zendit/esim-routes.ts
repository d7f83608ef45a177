/** The calls on eSIMs beyond their purchases. */
import { Router } from 'express';
import type { Modes } from '../kit/modes';
import { digitsIn, sendJson } from '../kit/responses';
import { ApiError } from './errors';
import { viewPlans } from './esims';
import type { Lookups } from './lookups';
import type { Parts } from './parts';
import type { Purchase } from './purchases';
import { viewRefund, type Refund } from './refunds';

/** A picture of one pixel. A buyer must not read the goods from it. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** The routes of eSIMs. */
export function esimRoutes({ context: { modes }, esims, refunds }: Parts, lookups: Lookups): Router {
  const routes = Router();
  const modesOf = ({ offer }: Pick<Purchase, 'offer'>): Modes => modes.of(offer.offerId);

  routes.get('/esim/purchases/:id/qrcode', (request, response) => {
    const purchase = lookups.known(request.params.id, 'esim');
    if (purchase.status !== 'DONE' || purchase.request.iccid !== undefined) throw new ApiError('NOT_FOUND');
    if (request.accepts(['application/json', 'image/png']) === 'image/png') {
      return void response.type('png').send(picture);
    }
    // The documentation says base64. It does not name the field.
    const body = { imageBase64: picture.toString('base64') };
    sendJson(response, 200, body, modesOf(purchase));
  });

  routes.get('/esim/:iccid/plans', (request, response) => {
    const esim = esims.find(request.params.iccid);
    if (!esim) throw new ApiError('NOT_FOUND');
    const text = digitsIn(modesOf(esim));
    sendJson(response, 200, viewPlans(esim, text), modesOf(esim));
  });

  routes.post('/esim/purchases/:id/refund', (request, response) => {
    const refund: Refund = refunds.request(lookups.known(request.params.id, 'esim'));
    sendJson(response, 200, viewRefund(refund), modesOf(refund.purchase));
  });

  routes.get('/esim/purchases/:id/refund', (request, response) => {
    const refund = refunds.find(lookups.known(request.params.id, 'esim'));
    if (!refund) throw new ApiError('NOT_FOUND');
    sendJson(response, 200, viewRefund(refund), modesOf(refund.purchase));
  });
  return routes;
}
