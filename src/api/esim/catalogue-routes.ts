/** The eSIM catalogue and its charges. Specification, "eSIM products, variants, charges". */
import { Router } from 'express';
import Joi from 'joi';
import { syncVariants } from '../../catalogue/variant-sync';
import { esimVariantsOf, findEsim, findEsimVariant, listEsims } from '../../data/catalogue/esims';
import type { Client } from '../../data/clients';
import type { EsimProduct } from '../../data/models/catalogue';
import { errors } from '../../domain/errors';
import type { Dependencies } from '../dependencies';
import { clientOf } from '../middleware/authenticate';
import { requireFeature } from '../middleware/require-feature';
import { offsetOf, pageQuery, sendPage } from '../shared/pagination';
import { jsonObject, pathId, validBody, validQuery } from '../shared/validation';
import { esimCharges, esimChargesBody } from './charges';
import { esimVariantDetailView, esimVariantView, esimView } from './catalogue-view';

interface ListQuery {
  page: number;
  per_page: number;
  country_code?: string;
  search?: string;
}

const listQuery = Joi.object<ListQuery>({
  ...pageQuery({ sizeName: 'per_page', defaultSize: 50, maxSize: 500 }),
  country_code: Joi.string().pattern(/^[A-Z]{3}$/),
  search: Joi.string().empty(''),
});

/** GET /products, /products/:id, /products/:id/variants, /variants/:id; POST /charges. */
export function esimCatalogueRoutes(deps: Dependencies): Router {
  const { database } = deps;
  const router = Router();
  const esim = requireFeature('esim');

  router.get('/products', esim, async (request, response) => {
    const { page, per_page: size, country_code: countryCode, search } = validQuery(listQuery, request);
    const limits = { limit: size, offset: offsetOf({ page, size }) };
    const { total, rows } = await listEsims(database, clientOf(response), { countryCode, search }, limits);
    sendPage(response, { page, size, total }, rows.map(esimView));
  });

  router.get('/products/:id', esim, async (request, response) => {
    const client = clientOf(response);
    const product = await visibleProduct(client, request.params.id);
    response.json({ ...esimView(product), variants: await variantViews(client, product) });
  });

  router.get('/products/:id/variants', esim, async (request, response) => {
    const client = clientOf(response);
    response.json(await variantViews(client, await visibleProduct(client, request.params.id)));
  });

  router.get('/variants/:id', esim, async (request, response) => {
    const id = pathId(request.params.id, () => errors.validation('Invalid variant ID'));
    const listing = await findEsimVariant(database, clientOf(response), id);
    if (!listing) throw errors.notFound('Variant');
    response.json(esimVariantDetailView(listing));
  });

  router.post('/charges', esim, async (request, response) => {
    const body = validBody(esimChargesBody, jsonObject(request));
    response.json(await esimCharges(deps, clientOf(response), body));
  });

  async function visibleProduct(client: Client, idText: string | string[] | undefined): Promise<EsimProduct> {
    const id = pathId(idText, () => errors.validation('Invalid product ID'));
    const product = await findEsim(database, client, id);
    if (!product) throw errors.notFound('Product');
    return product;
  }

  async function variantViews(client: Client, product: EsimProduct) {
    if (product.variantsSyncedAt === null) await syncVariants(deps, product);
    const listings = await esimVariantsOf(database, client, product);
    return listings.map(esimVariantView);
  }

  return router;
}
