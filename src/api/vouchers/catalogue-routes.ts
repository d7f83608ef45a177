/** The voucher catalogue and its charges. docs/specification.md#voucher-products-and-charges. */
import type { Request } from 'express';
import Joi from 'joi';
import { findVoucher, listVoucherProducts, type VoucherListing } from '../../data/catalogue/vouchers';
import type { Client } from '../../data/clients/clients';
import type { Database } from '../../data/database/database';
import { VersionedCache, type CacheBounds } from '../../data/database/versioned-cache';
import { pricingVersion } from '../../data/prices/pricing-settings';
import { pageSizes } from '../../domain/clients/page-sizes';
import { chargesCalls } from '../../domain/clients/rate-classes';
import { errors } from '../../domain/errors';
import { minute } from '../../domain/time';
import { Exact, toJsonNumber } from '../../domain/prices/money';
import { voucherCharges as voucherChargesSchema, voucherChargesView } from '../catalogue/price-quotes';
import { voucherOffer } from '../catalogue/offers';
import { addressOfPicture } from '../catalogue/pictures';
import { quoteOrder, type Quote } from '../../ordering/placement/quotes';
import { clientOf } from '../middleware/caller';
import { paginationHeaders } from '../openapi/headers';
import { json, cacheable } from '../openapi/operation';
import { id, listOf } from '../openapi/schema';
import type { ApiRoutes } from '../server/route';
import { listQuery, pageContent, rowsOf } from '../shared/pagination';
import { CATALOGUE_CACHE_CONTROL } from '../shared/response-cache';
import { found, jsonObject, MAX_ID, pathId, queryId, queryInteger, validBody, validQuery } from '../shared/validation';
import { voucherFields } from './fields';
import { voucherProductSchema, voucherProductDetail } from './schemas';

interface Filter {
  category?: string;
  country_id?: number;
  currency_id?: number;
  search?: string;
  sort_by: 'name' | 'category';
  sort_dir: 'asc' | 'desc';
}

export const voucherProductsQuery = listQuery<Filter>(pageSizes.voucherProducts, {
  category: Joi.string().empty('').description('The exact name of a category.'),
  country_id: queryInteger(1, MAX_ID).description('The id of a country.'),
  currency_id: queryId.description('The id of a currency.'),
  search: Joi.string().empty('').description('In the name, case ignored.'),
  sort_by: Joi.valid('name', 'category').default('name').description('The field to sort by.'),
  sort_dir: Joi.valid('asc', 'desc').default('asc').description('The sort direction.'),
});

interface ChargesBody {
  denomination: number;
  quantity: number;
  wallet_id?: number;
}

const voucherChargesBody = Joi.object<ChargesBody>({
  denomination: voucherFields.denomination,
  quantity: voucherFields.quantity,
  wallet_id: voucherFields.walletId,
});

/** Charges with the end of their exchange rate, as of `Quote.rateEndsInMs`. */
export interface CachedCharges extends Pick<Quote, 'rateEndsInMs'> {
  charges: VoucherCharges;
}

/** Charges are cached for 5 minutes, or until a price that they depend on changes or their exchange rate ends. */
export const chargesBounds: CacheBounds<CachedCharges> = {
  maxSize: 10_000,
  sizeOf: () => 1,
  maxAgeMs: 5 * minute,
  endsInMs: ({ rateEndsInMs }) => rateEndsInMs,
};

const common = { tag: 'Vouchers', scope: 'read', feature: 'vouchers' } as const;
const productPath = { id: id('The product.', 1) };
const invalidId = () => errors.badRequest('Invalid product ID', 'id');
const unknownProduct = [invalidId(), errors.notFound('Product', 'id')];
const productId = (request: Request) => pathId(request.params['id'], invalidId);

export const voucherCatalogueRoutes: ApiRoutes = {
  'GET /api/v1/products': {
    ...common,
    id: 'listVoucherProducts',
    summary: 'List gift cards',
    description: 'Lists the active products in stock that are visible to you, with your best discount.',
    query: voucherProductsQuery,
    responses: cacheable('The products, by default sorted by name.', listOf(voucherProductSchema), paginationHeaders),
    handler: ({ database, responseCache, priceLists }) =>
      responseCache.handler(
        CATALOGUE_CACHE_CONTROL,
        (request) => validQuery(voucherProductsQuery, request),
        async (query, client, origin) => {
          const filter = {
            category: query.category,
            countryId: query.country_id,
            currencyId: query.currency_id,
            search: query.search,
          };
          const sorting = { by: query.sort_by, direction: query.sort_dir };
          const { productIds: excluded } = await priceLists.belowFloor(client, 'VOUCHER');
          const page = rowsOf(query);
          const { total, rows } = await listVoucherProducts(database, client, excluded, filter, sorting, page);
          return pageContent(
            { ...query, total },
            rows.map((row) => voucherView(row, origin)),
          );
        },
      ),
  },
  'GET /api/v1/products/:id': {
    ...common,
    id: 'getVoucherProduct',
    summary: 'Read a gift card',
    path: productPath,
    responses: cacheable('The gift card with its texts.', voucherProductDetail),
    errors: unknownProduct,
    handler: ({ database, responseCache, priceLists }) =>
      responseCache.handler(CATALOGUE_CACHE_CONTROL, productId, async (id, client, origin) => {
        const { productIds: excluded } = await priceLists.belowFloor(client, 'VOUCHER');
        const listing = excluded.has(id) ? undefined : await findVoucher(database, client, id);
        const product = found(listing, 'Product');
        return { data: voucherDetailView(product, origin) };
      }),
  },
  'POST /api/v1/products/:id/charges': {
    ...common,
    id: 'getVoucherCharges',
    summary: 'Price a voucher order',
    description: 'Returns the exact amount that an order with the same values would debit.',
    rateClass: chargesCalls('VOUCHER'),
    allowsEndedAccess: true,
    path: productPath,
    body: { schema: voucherChargesBody, title: 'VoucherChargesRequest' },
    responses: { 200: json('The price and its parts.', voucherChargesSchema) },
    errors: [
      ...unknownProduct,
      errors.notFound('Wallet', 'wallet_id'),
      errors.bulkLimitExceeded(100),
      errors.exchangeRateUnavailable(),
    ],
    handler: ({ database }) => {
      // Charges equal the debit of an order, so each request reads the version of the prices.
      // docs/specification.md#voucher-products-and-charges.
      const cache = new VersionedCache(() => pricingVersion(database), chargesBounds);
      return async (request, response) => {
        const id = productId(request);
        const body = validBody(voucherChargesBody, jsonObject(request));
        const client = clientOf(response);
        const key = [client.id, id, body.denomination, body.quantity, body.wallet_id].join('/');
        const { charges } = await cache.get(key, () => voucherCharges(database, client, id, body));
        response.json(charges);
      };
    },
  },
};

export type VoucherCharges = ReturnType<typeof voucherChargesView>;

/** Prices an order as its placement would. Throws the errors that the route documents. */
async function voucherCharges(
  database: Database,
  client: Client,
  productId: number,
  body: ChargesBody,
): Promise<CachedCharges> {
  const productNotFound = () => errors.notFound('Product', 'id');
  const offer = await voucherOffer(database, client, { ...body, product_id: productId, productNotFound });
  const { quantity, wallet_id: walletId } = body;
  const wanted = { quantity, walletId, notOnSale: productNotFound };
  const { pricing, stock, rateEndsInMs } = await quoteOrder(database, client, offer, wanted);
  return { charges: voucherChargesView(pricing, Math.min(offer.maxQuantity, stock)), rateEndsInMs };
}

/** A voucher product as the list shows it. docs/specification.md#voucher-products-and-charges. */
function voucherView({ product, clientDiscountPercent }: VoucherListing, origin: string) {
  return {
    id: product.id,
    name: product.name,
    category: product.category.name,
    sub_category: product.subcategory?.name ?? null,
    country_code: product.countryCode,
    currency_code: product.currencyCode,
    image_url: product.imageUrl && addressOfPicture(product.imageUrl, origin),
    delivery_mode: product.deliveryMode,
    delivery_time: product.deliveryTime,
    validity: product.validity,
    redeemable: product.redeemable,
    available_denominations: product.denominations.map((denomination) => ({
      min_value: toJsonNumber(denomination.minValue),
      max_value: toJsonNumber(denomination.maxValue),
      // Redeemable vouchers cost their face value: docs/decisions/0005-place-an-order-with-one-statement.md.
      discount: product.redeemable
        ? 0
        : toJsonNumber(Exact.max(denomination.discountPercent, clientDiscountPercent ?? 0)),
    })),
  };
}

/** The product with the fields of its detail. */
function voucherDetailView(listing: VoucherListing, origin: string) {
  const { terms, details, howToUse } = listing.product;
  return { ...voucherView(listing, origin), terms, details, how_to_use: howToUse };
}
