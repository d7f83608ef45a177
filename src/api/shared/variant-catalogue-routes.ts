/**
 * The catalogue and the charges of top-ups and eSIMs, which are sold as variants of a product.
 * docs/specification.md#top-up-products-variants-charges, docs/specification.md#esim-products-variants-charges.
 */
import { Router, type Request } from 'express';
import type Joi from 'joi';
import type { Offer } from '../../data/catalogue/offers';
import type { PageOf, PageRequest } from '../../data/catalogue/visibility';
import type { Client } from '../../data/clients/clients';
import type { Feature } from '../../domain/orders/families';
import { errors } from '../../domain/errors';
import { quoteOrder } from '../../ordering/placement/quotes';
import type { Dependencies } from '../dependencies';
import { clientOf } from '../middleware/authenticate';
import { requireFeature } from '../middleware/require-feature';
import { variantChargesView } from './charges-view';
import { CATALOGUE_CACHE_CONTROL, type Content } from './kept-answers';
import { pageOf, rowsOf, type PageQuery } from './pagination';
import { jsonObject, pathId, validBody, validQuery } from './validation';

/** What is the family's own in its catalogue. Finders see what the client can buy and nothing else. */
export interface VariantCatalogue<Product, Variant, Filter, Body extends { wallet_id?: number }> {
  feature: Feature;
  listQuery: Joi.ObjectSchema<PageQuery & Filter>;
  listProducts: (client: Client, filter: Filter, rows: PageRequest) => Promise<PageOf<Product>>;
  findProduct: (client: Client, id: number) => Promise<Product | null>;
  findVariants: (client: Client, product: Product) => Promise<Variant[]>;
  findVariant: (client: Client, id: number) => Promise<Variant | undefined>;
  views: {
    product: (product: Product) => object;
    productDetail: (product: Product, client: Client) => object | Promise<object>;
    variant: (variant: Variant) => object;
    variantDetail: (variant: Variant) => object;
  };
  chargesBody: Joi.ObjectSchema<Body>;
  /** What the body of charges names. Throws 404 or 400 if that is not on sale. */
  findOffer: (client: Client, body: Body) => Promise<Offer>;
}

/** GET /products, /products/:id, /products/:id/variants, /variants/:id; POST /charges. */
export function variantCatalogueRoutes<Product, Variant, Filter, Body extends { wallet_id?: number }>(
  { database, keptAnswers }: Pick<Dependencies, 'database' | 'keptAnswers'>,
  catalogue: VariantCatalogue<Product, Variant, Filter, Body>,
): Router {
  const { views } = catalogue;
  const feature = requireFeature(catalogue.feature);
  const router = Router();

  const read = <Asked>(
    ask: (request: Request) => Asked,
    make: (asked: Asked, client: Client) => Promise<Content>,
  ) => [feature, keptAnswers.handler(CATALOGUE_CACHE_CONTROL, ask, make)];
  const askedQuery = (request: Request) => validQuery(catalogue.listQuery, request);
  const askedId = (what: string) => (request: Request) =>
    pathId(request.params['id'], () => errors.validation(`Invalid ${what} ID`));

  router.get(
    '/products',
    read(askedQuery, async (query, client) => {
      const { total, rows } = await catalogue.listProducts(client, query, rowsOf(query));
      return pageOf({ ...query, total }, rows.map(views.product));
    }),
  );

  router.get(
    '/products/:id',
    read(askedId('product'), async (id, client) => ({
      data: await views.productDetail(await productOf(id, client), client),
    })),
  );

  router.get(
    '/products/:id/variants',
    read(askedId('product'), async (id, client) => {
      const variants = await catalogue.findVariants(client, await productOf(id, client));
      return { data: variants.map(views.variant) };
    }),
  );

  router.get(
    '/variants/:id',
    read(askedId('variant'), async (id, client) => {
      const variant = await catalogue.findVariant(client, id);
      if (!variant) throw errors.notFound('Variant');
      return { data: views.variantDetail(variant) };
    }),
  );

  router.post('/charges', feature, async (request, response) => {
    const client = clientOf(response);
    const body = validBody(catalogue.chargesBody, jsonObject(request));
    const offer = await catalogue.findOffer(client, body);
    const wanted = { quantity: 1, walletId: body.wallet_id };
    const { pricing } = await quoteOrder(database, client, offer, wanted);
    response.json(variantChargesView(pricing));
  });

  async function productOf(id: number, client: Client): Promise<Product> {
    const product = await catalogue.findProduct(client, id);
    if (!product) throw errors.notFound('Product');
    return product;
  }

  return router;
}
