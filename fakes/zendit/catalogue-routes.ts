/** Offers and our balance. */
import { Router } from 'express';
import { ACCOUNT_CURRENCY } from '../kit/account';
import { viewListed } from '../kit/catalogue';
import { sendJson } from '../kit/responses';
import { findOffer, offers } from './catalogue';
import { ApiError } from './errors';
import { families, skuOf, viewOffer, WALLET_DIVISOR, type Offer } from './offers';
import { pageOf } from './paging';
import type { Parts } from './parts';
import { offersQuery, validated, type OffersQuery } from './requests';

/** The routes of the catalogue and the balance. */
export function catalogueRoutes({ context: { account, modes } }: Parts): Router {
  const routes = Router();

  for (const family of families) {
    routes.get(`/${family}/offers/:id`, (request, response) => {
      const offer = findOffer(String(request.params['id']));
      const [listed] = viewListed(offer?.family === family ? [offer] : [], modes, skuOf, viewOffer);
      if (!listed) throw new ApiError('NOT_FOUND');
      sendJson(response, 200, listed);
    });

    routes.get(`/${family}/offers`, (request, response) => {
      const query = validated(offersQuery, request.query);
      const found = offers.filter((offer) => offer.family === family && matches(offer, query));
      sendJson(response, 200, pageOf(viewListed(found, modes, skuOf, viewOffer), query));
    });
  }

  routes.get('/balance', (_request, response) => {
    const balance = {
      availableBalance: account.available.times(WALLET_DIVISOR).floor().toNumber(),
      currency: ACCOUNT_CURRENCY,
      currencyDivisor: WALLET_DIVISOR,
    };
    sendJson(response, 200, balance, modes.of(''));
  });
  return routes;
}

function matches({ brand, country }: Offer, query: OffersQuery): boolean {
  const isOfBrand = query.brand === undefined || query.brand === brand;
  return isOfBrand && (query.country === undefined || query.country === country);
}
