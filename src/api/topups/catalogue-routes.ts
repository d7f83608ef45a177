/** The top-up catalogue and its charges. docs/specification.md#top-up-products-variants-charges. */
import type { Router } from 'express';
import Joi from 'joi';
import {
  findTopup,
  findTopupVariant,
  listTopups,
  topupVariantsOf,
  type TopupFilter,
} from '../../data/catalogue/topups';
import type { Dependencies } from '../dependencies';
import { clientOf } from '../middleware/authenticate';
import { requireFeature } from '../middleware/require-feature';
import { listQuery } from '../shared/pagination';
import { validQuery } from '../shared/validation';
import { variantCatalogueRoutes } from '../shared/variant-catalogue-routes';
import { variantFields, type VariantBody } from '../shared/variant-fields';
import { topupDetailView, topupVariantView, topupView } from './catalogue-view';
import { mobileLookup } from './mobile-lookup';
import { topupOffer } from './offer';

export const topupProductsQuery = listQuery<TopupFilter>(
  { defaultSize: 50, maxSize: 500 },
  {
    type: Joi.valid('GAMING', 'MOBILE', 'UTILITY').description('Only products of this type.'),
    search: Joi.string().empty('').description('In the name, case ignored.'),
  },
);

export const lookupQuery = Joi.object<{ number: string }>({
  number: Joi.string()
    .allow('')
    .default('')
    .description('A number in international form, with `+`, `00` or nothing before the country code.')
    .meta({ isRequired: true }),
});

export const topupChargesBody = Joi.object<VariantBody>(variantFields);

/** The routes of a catalogue of variants, and GET /mobile-lookup. */
export function topupCatalogueRoutes(deps: Dependencies): Router {
  const { database } = deps;
  const router = variantCatalogueRoutes(deps, {
    feature: 'topups',
    listQuery: topupProductsQuery,
    listProducts: (client, filter, rows) => listTopups(database, client, filter, rows),
    findProduct: (client, id) => findTopup(database, client, id),
    findVariants: (client, product) => topupVariantsOf(database, client, product.id),
    findVariant: (client, id) => findTopupVariant(database, client, id),
    views: {
      product: topupView,
      productDetail: topupDetailView,
      variant: topupVariantView,
      variantDetail: topupVariantView,
    },
    chargesBody: topupChargesBody,
    findOffer: (client, body) => topupOffer(database, client, body),
  });

  router.get('/mobile-lookup', requireFeature('topups'), async (request, response) => {
    const { number } = validQuery(lookupQuery, request);
    response.json(await mobileLookup(database, clientOf(response), number));
  });

  return router;
}
