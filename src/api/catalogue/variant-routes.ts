/**
 * The catalogue and the charges of top-ups and eSIMs, which are sold as variants of a product.
 * docs/specification.md#top-up-products-variants-charges, docs/specification.md#esim-products-variants-charges.
 */
import type { Request, RequestHandler } from 'express';
import type Joi from 'joi';
import type { Offer } from '../../data/catalogue/sellable-items';
import type { PageOf, PageRequest } from '../../data/catalogue/visibility';
import type { Client } from '../../data/clients/clients';
import { chargesCalls } from '../../domain/clients/rate-classes';
import { errors, type ApiError } from '../../domain/errors';
import { families, type Family } from '../../domain/orders/families';
import { quoteOrder } from '../../ordering/placement/quotes';
import type { Dependencies } from '../dependencies';
import { clientOf } from '../middleware/caller';
import { paginationHeaders } from '../openapi/headers';
import { cacheable, familyInWords, json, type Body, type ApiOperation } from '../openapi/operation';
import { id, listOf, type Schema } from '../openapi/schema';
import type { ApiRoutes } from '../server/route';
import { pageContent, rowsOf, type PageQuery } from '../shared/pagination';
import { CATALOGUE_CACHE_CONTROL, type Content } from '../shared/response-cache';
import { found, jsonObject, pathId, validBody, validQuery } from '../shared/validation';
import { variantCharges, variantChargesView } from './price-quotes';

/** The differences between the catalogues. */
interface VariantCatalogue<Filter, ChargesBody extends { wallet_id?: number }> extends Pick<ApiOperation, 'tag'> {
  family: Family;
  path: string;
  /** Part of the ids of operations, such as `listTopupProducts`. */
  noun: 'Topup' | 'Esim';
  query: Joi.ObjectSchema<PageQuery & Filter>;
  schemas: Readonly<Record<'product' | 'productDetail' | 'variant' | 'variantDetail', Schema>>;
  reads: (deps: Dependencies) => CatalogueReads<Filter, ChargesBody>;
  charges: { body: Omit<Body, 'schema'> & { schema: Joi.ObjectSchema<ChargesBody> }; errors: readonly ApiError[] };
}

/** Reads products and variants as JSON. Each read finds only what the client can buy. The origin is that of the request. */
interface CatalogueReads<Filter, ChargesBody> {
  products: (client: Client, filter: Filter, rows: PageRequest, origin: string) => Promise<PageOf<object>>;
  product: (client: Client, id: number, origin: string) => Promise<object | undefined>;
  /** Undefined if there is no such product. */
  variants: (client: Client, productId: number) => Promise<object[] | undefined>;
  variant: (client: Client, id: number) => Promise<object | undefined>;
  /** The offer that the body of a charges request names. Throws 404 or 400 if it is not on sale. */
  offer: (client: Client, body: ChargesBody) => Promise<Offer>;
}

const invalidId = (resource: string) => errors.validation(`Invalid ${resource.toLowerCase()} ID`, 'id');
const idErrors = (resource: string) => [invalidId(resource), errors.notFound(resource, 'id')];
const productPath = { id: id('The product.', 3) };

/** GET /products, /products/:id, /products/:id/variants, /variants/:id; POST /charges. */
export function variantCatalogueRoutes<Filter, ChargesBody extends { wallet_id?: number }>(
  catalogue: VariantCatalogue<Filter, ChargesBody>,
): ApiRoutes {
  return { ...readRoutes(catalogue), ...chargesRoute(catalogue) };
}

function readRoutes<Filter, ChargesBody extends { wallet_id?: number }>(
  catalogue: VariantCatalogue<Filter, ChargesBody>,
): ApiRoutes {
  const { family, path, tag, noun, query, schemas, reads } = catalogue;
  const common = { tag, scope: 'read', feature: families[family].feature } as const;
  type Reads = CatalogueReads<Filter, ChargesBody>;
  /** A handler that reads the resource with the id in the path. Throws 404 if there is none. */
  const readOne = (
    resource: string,
    readFrom: (reads: Reads) => (client: Client, id: number, origin: string) => Promise<object | undefined>,
  ) =>
    cachedHandler(
      reads,
      (request) => pathId(request.params['id'], () => invalidId(resource)),
      async (all, client, id, origin) => ({ data: found(await readFrom(all)(client, id, origin), resource) }),
    );
  return {
    [`GET ${path}/products`]: {
      ...common,
      id: `list${noun}Products`,
      summary: `List ${familyInWords[noun].name} products`,
      query,
      responses: cacheable('The products, newest first.', listOf(schemas.product), paginationHeaders),
      handler: cachedHandler(
        reads,
        (request) => validQuery(query, request),
        async ({ products }, client, page, origin) => {
          const { total, rows } = await products(client, page, rowsOf(page), origin);
          return pageContent({ ...page, total }, rows);
        },
      ),
    },
    [`GET ${path}/products/:id`]: {
      ...common,
      id: `get${noun}Product`,
      summary: `Read ${familyInWords[noun].one} product`,
      path: productPath,
      responses: cacheable('The product.', schemas.productDetail),
      errors: idErrors('Product'),
      handler: readOne('Product', ({ product }) => product),
    },
    [`GET ${path}/products/:id/variants`]: {
      ...common,
      id: `list${noun}Variants`,
      summary: `List the variants of ${familyInWords[noun].one} product`,
      path: productPath,
      responses: cacheable('All variants of the product.', listOf(schemas.variant)),
      errors: idErrors('Product'),
      handler: readOne('Product', ({ variants }) => variants),
    },
    [`GET ${path}/variants/:id`]: {
      ...common,
      id: `get${noun}Variant`,
      summary: `Read ${familyInWords[noun].one} variant`,
      path: { id: id('The variant.', 8) },
      responses: cacheable('The variant.', schemas.variantDetail),
      errors: idErrors('Variant'),
      handler: readOne('Variant', ({ variant }) => variant),
    },
  };
}

function chargesRoute<Filter, ChargesBody extends { wallet_id?: number }>(
  catalogue: VariantCatalogue<Filter, ChargesBody>,
): ApiRoutes {
  const { family, path, tag, noun, reads, charges } = catalogue;
  return {
    [`POST ${path}/charges`]: {
      tag,
      scope: 'read',
      feature: families[family].feature,
      id: `get${noun}Charges`,
      summary: `Price ${familyInWords[noun].one} order`,
      description: 'Returns the exact amount that an order with the same values would debit.',
      rateClass: chargesCalls(family),
      allowsEndedAccess: true,
      body: charges.body,
      responses: { 200: json('The price and its parts.', variantCharges) },
      errors: [
        ...charges.errors,
        errors.notFound('Product', 'product_id'),
        errors.notFound('Wallet', 'wallet_id'),
        errors.exchangeRateUnavailable(),
      ],
      handler: (deps) => {
        const { offer: offerOf } = reads(deps);
        return async (request, response) => {
          const client = clientOf(response);
          const body = validBody(charges.body.schema, jsonObject(request));
          const offer = await offerOf(client, body);
          const notOnSale = () => errors.amountNotAvailable(family);
          const wanted = { quantity: 1, walletId: body.wallet_id, notOnSale };
          const { pricing } = await quoteOrder(deps.database, client, offer, wanted);
          response.json(variantChargesView(pricing));
        };
      },
    },
  };
}

/** A handler whose responses stay in the response cache. */
function cachedHandler<Reads, Input>(
  readsOf: (deps: Dependencies) => Reads,
  inputOf: (request: Request) => Input,
  contentOf: (reads: Reads, client: Client, input: Input, origin: string) => Promise<Content>,
): (deps: Dependencies) => RequestHandler {
  return (deps) => {
    const reads = readsOf(deps);
    return deps.responseCache.handler(CATALOGUE_CACHE_CONTROL, inputOf, (input, client, origin) =>
      contentOf(reads, client, input, origin),
    );
  };
}
