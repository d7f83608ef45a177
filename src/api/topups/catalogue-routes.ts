/** The top-up catalogue and its charges. Specification, "Top-up products, variants, charges". */
import { Router } from 'express';
import Joi from 'joi';
import {
  findTopup,
  findTopupVariant,
  listTopups,
  topupVariantsOf,
  type TopupFilter,
} from '../../data/catalogue/topups';
import type { Client } from '../../data/clients';
import type { TopupProduct } from '../../data/models/catalogue';
import { errors } from '../../domain/errors';
import type { Dependencies } from '../dependencies';
import { clientOf } from '../middleware/authenticate';
import { requireFeature } from '../middleware/require-feature';
import { offsetOf, pageQuery, sendPage } from '../shared/pagination';
import { jsonObject, pathId, validBody, validQuery } from '../shared/validation';
import { topupCharges, topupChargesBody } from './charges';
import { mobileLookup } from './mobile-lookup';
import { topupDetailView, topupVariantView, topupView } from './catalogue-view';

const listQuery = Joi.object<TopupFilter & { page: number; per_page: number }>({
  ...pageQuery({ sizeName: 'per_page', defaultSize: 50, maxSize: 500 }),
  type: Joi.valid('GAMING', 'MOBILE', 'UTILITY'),
  search: Joi.string().empty(''),
});

const lookupQuery = Joi.object<{ number: string }>({ number: Joi.string().allow('').default('') });

/** GET /products, /products/:id, /products/:id/variants, /variants/:id, /mobile-lookup; POST /charges. */
export function topupCatalogueRoutes({ database }: Dependencies): Router {
  const router = Router();
  const topups = requireFeature('topups');

  router.get('/products', topups, async (request, response) => {
    const { page, per_page: size, type, search } = validQuery(listQuery, request);
    const limits = { limit: size, offset: offsetOf({ page, size }) };
    const { total, rows } = await listTopups(database, clientOf(response), { type, search }, limits);
    sendPage(response, { page, size, total }, rows.map(topupView));
  });

  router.get('/products/:id', topups, async (request, response) => {
    response.json(topupDetailView(await visibleProduct(clientOf(response), request.params.id)));
  });

  router.get('/products/:id/variants', topups, async (request, response) => {
    const client = clientOf(response);
    const product = await visibleProduct(client, request.params.id);
    response.json((await topupVariantsOf(database, client, product.id)).map(topupVariantView));
  });

  router.get('/variants/:id', topups, async (request, response) => {
    const id = pathId(request.params.id, () => errors.validation('Invalid variant ID'));
    const variant = await findTopupVariant(database, clientOf(response), id);
    if (!variant) throw errors.notFound('Variant');
    response.json(topupVariantView(variant));
  });

  router.post('/charges', topups, async (request, response) => {
    const body = validBody(topupChargesBody, jsonObject(request));
    response.json(await topupCharges(database, clientOf(response), body));
  });

  router.get('/mobile-lookup', topups, async (request, response) => {
    const { number } = validQuery(lookupQuery, request);
    response.json(await mobileLookup(database, clientOf(response), number));
  });

  async function visibleProduct(
    client: Client,
    idText: string | string[] | undefined,
  ): Promise<TopupProduct> {
    const id = pathId(idText, () => errors.validation('Invalid product ID'));
    const product = await findTopup(database, client, id);
    if (!product) throw errors.notFound('Product');
    return product;
  }

  return router;
}
