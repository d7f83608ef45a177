/** Offers, brands, promotions and the look-up of numbers. */
import { Router } from 'express';
import { sendJson, withAdditionalFields } from '../kit/responses';
import { brands, networkOf, type Brand } from './brands';
import { findOffer, offers } from './catalogue';
import { ApiError } from './errors';
import { families, viewOffer, type Family, type Offer } from './offers';
import { pageOf } from './paging';
import type { Parts } from './parts';
import { brandsQuery, offersQuery, pageQuery, validated, type OffersQuery } from './requests';

/** The routes of the catalogue. */
export function catalogueRoutes({ context: { modes } }: Parts): Router {
  const routes = Router();

  function isListed({ offerId }: Offer): boolean {
    return !modes.of(offerId).vanished;
  }

  function view(offer: Offer): unknown {
    const shown = viewOffer(offer);
    return withAdditionalFields(shown, modes.of(offer.offerId));
  }

  function addRoutes(family: Family): void {
    routes.get(`/${family}/offers`, (request, response) => {
      const query = validated(offersQuery, request.query);
      const found = offers.filter(
        (offer) => offer.family === family && isListed(offer) && matches(offer, query),
      );
      sendJson(response, 200, pageOf(found.map(view), query));
    });

    routes.get(`/${family}/offers/:id`, (request, response) => {
      const offer = findOffer(String(request.params['id']));
      if (offer?.family !== family || !isListed(offer)) throw new ApiError('NOT_FOUND');
      sendJson(response, 200, view(offer));
    });
  }

  families.forEach(addRoutes);

  routes.get('/brands', (request, response) => {
    const query = validated(brandsQuery, request.query);
    const found = listedBrands.filter(
      ({ brand, country }) =>
        (query.country === undefined || query.country === country) &&
        (query.deliveryType === undefined || deliveryTypesOf(brand).includes(query.deliveryType)),
    );
    sendJson(response, 200, pageOf(found.map(viewBrand), query), modes.of(''));
  });

  routes.get('/brands/:brand', (request, response) => {
    sendJson(response, 200, viewBrand(knownBrand(request.params.brand)), modes.of(''));
  });

  routes.get('/brands/:brand/redemptionInstructions', (request, response) => {
    const brand = knownBrand(request.params.brand);
    sendJson(response, 200, { brand: brand.brand, ...instructions }, modes.of(''));
  });

  routes.get('/promos', (request, response) => {
    const query = validated(pageQuery.unknown(), request.query);
    sendJson(response, 200, pageOf([], query), modes.of(''));
  });

  routes.get('/tools/phonenumberlookup/:msisdn', ({ params: { msisdn } }, response) => {
    const network = networkOf(msisdn);
    if (!network) throw new ApiError('NOT_FOUND');
    const { brand, mobileCountryCode, mobileNetworkCode } = network;
    const body = { brand: brand.brand, country: brand.country, mobileCountryCode, mobileNetworkCode, msisdn };
    sendJson(response, 200, body, modes.of(''));
  });
  return routes;
}

function matches({ brand, country, regions, subTypes }: Offer, query: OffersQuery): boolean {
  return [
    query.brand === undefined || query.brand === brand,
    query.country === undefined || query.country === country,
    query.regions === undefined || query.regions.some((region) => regions.includes(region)),
    query.subType === undefined || subTypes.includes(query.subType),
  ].every(Boolean);
}

const listedBrands: readonly Brand[] = Object.values(brands);

/** The documentation says that a brand has these contents by language. It does not name their fields. */
const instructions = { redemptionInstructions: { en: 'Enter the code at the checkout.' } };

function knownBrand(code: string): Brand {
  const brand = listedBrands.find((one) => one.brand === code);
  if (!brand) throw new ApiError('NOT_FOUND');
  return brand;
}

function viewBrand(brand: Brand) {
  const logo = `https://content.zendit.example/${brand.brand}.png`;
  return { ...brand, logo, terms: { en: 'The voucher cannot be exchanged for cash.' }, ...instructions };
}

function deliveryTypesOf(code: string): string[] {
  return offers.flatMap((offer) =>
    offer.family === 'vouchers' && offer.brand === code ? [offer.deliveryType] : [],
  );
}
