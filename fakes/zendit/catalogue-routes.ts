/** Offers and our balance. */
import { Router } from 'express';
import { sendJson, withAdditionalFields } from '../kit/responses';
import { WALLET_CURRENCY, WALLET_DIVISOR } from './account';
import { offers } from './catalogue';
import { families, viewOffer, type Offer } from './offers';
import { pageOf } from './paging';
import type { Parts } from './parts';
import { offersQuery, validated, type OffersQuery } from './requests';

/** The routes of the catalogue and the balance. */
export function catalogueRoutes({ context: { modes }, account }: Parts): Router {
  const routes = Router();

  function isListed({ offerId }: Offer): boolean {
    return !modes.of(offerId).vanished;
  }

  function view(offer: Offer): unknown {
    const shown = viewOffer(offer);
    return withAdditionalFields(shown, modes.of(offer.offerId));
  }

  for (const family of families) {
    routes.get(`/${family}/offers`, (request, response) => {
      const query = validated(offersQuery, request.query);
      const found = offers.filter(
        (offer) => offer.family === family && isListed(offer) && matches(offer, query),
      );
      sendJson(response, 200, pageOf(found.map(view), query));
    });
  }

  routes.get('/balance', (_request, response) => {
    const balance = {
      availableBalance: account.available,
      currency: WALLET_CURRENCY,
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
