/** The routes of `giftcards-sandbox.reloadly.com`. */
import { Router } from 'express';
import Joi from 'joi';
import type { FakeContext } from '../kit/fake';
import { memberOf } from '../kit/requests';
import { behindGateway, sendJson, sentGatewayPage, withAdditionalFields } from '../kit/responses';
import type { Account } from './account';
import { apiError, ApiError } from './errors';
import { giftProducts, type GiftProduct } from './gift-catalogue';
import {
  draftOrder,
  giftSku,
  listedProduct,
  viewOrder,
  type GiftDetails,
  type GiftTransaction,
} from './gift-orders';
import { viewDiscount, viewFxRate, viewInstructions, viewProduct } from './gift-views';
import { cardsOf } from './goods';
import { pageFields, pageOf, queryOf, textParameter, type PageQuery } from './http';
import { runPurchase } from './purchase-flow';
import { matches, reportCap, reportFields, sendReport, sendTransaction, type ReportQuery } from './reports';
import { accepts } from './tokens';
import { shownStatus, type Shop } from './transactions';

/** The largest page of products. */
const productCap = 200;
/** The calls about no single product. */
const listPaths = ['/products', '/discounts', '/countries/:iso/products', '/fx-rate', '/accounts/balance'];
const v2MediaType = 'application/com.reloadly.giftcards-v2+json';

interface ProductQuery extends PageQuery {
  productName?: string;
  countryCode?: string;
  productCategoryId?: number;
  includeRange: boolean;
  includeFixed: boolean;
}

const productQuery = Joi.object<ProductQuery>({
  ...pageFields,
  productName: textParameter,
  countryCode: textParameter,
  productCategoryId: Joi.number().integer().empty(''),
  includeRange: Joi.boolean().default(true),
  includeFixed: Joi.boolean().default(true),
});
const pageQuery = Joi.object<PageQuery>(pageFields);
const fxQuery = Joi.object<{ currencyCode: string; amount: number }>({
  currencyCode: Joi.string().required(),
  amount: Joi.number().greater(0).required(),
});
const orderQuery = Joi.object<ReportQuery & { customIdentifier?: string; countryCode?: string }>({
  ...reportFields,
  customIdentifier: textParameter,
  countryCode: textParameter,
});

/** Products, discounts, redeem instructions, exchange rates and the balance. */
export function giftCatalogueRoutes(context: FakeContext, account: Account, maxPage: number): Router {
  const { modes } = context;
  const routes = Router();
  const cap = Math.min(productCap, maxPage);
  const listed = (): GiftProduct[] =>
    giftProducts.filter(({ productId }) => !modes.of(giftSku(productId)).vanished);
  const viewListed = (product: GiftProduct): unknown => {
    const view = viewProduct(product);
    return withAdditionalFields(view, modes.of(giftSku(product.productId)));
  };

  routes.get(
    listPaths,
    behindGateway(modes, () => ''),
  );
  routes.get('/products', (request, response) => {
    const query = queryOf(productQuery, request);
    const rows = listed().filter((product) => isAsked(product, query));
    sendJson(response, 200, pageOf(rows.map(viewListed), query, cap), modes.of(''));
  });
  routes.get('/countries/:iso/products', (request, response) => {
    const rows = listed().filter(({ country }) => matches(request.params.iso, country.isoName));
    sendJson(response, 200, rows.map(viewListed), modes.of(''));
  });
  routes.get('/discounts', (request, response) => {
    const query = queryOf(pageQuery, request);
    sendJson(response, 200, pageOf(listed().map(viewDiscount), query, cap), modes.of(''));
  });
  routes.get('/fx-rate', (request, response) => {
    const { currencyCode, amount } = queryOf(fxQuery, request);
    const product = listed().find((one) => matches(currencyCode, one.recipientCurrencyCode));
    if (!product) throw apiError('FX_RATE_NOT_AVAILABLE');
    sendJson(response, 200, viewFxRate(product, amount), modes.of(''));
  });
  routes.get('/accounts/balance', (_request, response) => {
    sendJson(response, 200, account.view(), modes.of(''));
  });

  const details: Readonly<Record<string, (product: GiftProduct) => unknown>> = {
    '/products/:id': viewProduct,
    '/products/:id/discounts': viewDiscount,
    '/products/:id/redeem-instructions': viewInstructions,
  };
  for (const [path, view] of Object.entries(details)) {
    routes.get<string, { id: string }>(path, (request, response) => {
      const { id } = request.params;
      if (sentGatewayPage(response, modes, giftSku(id))) return;
      sendJson(response, 200, view(listedProduct(context, id)), modes.of(giftSku(id)));
    });
  }
  return routes;
}

function isAsked(product: GiftProduct, query: ProductQuery): boolean {
  const isRange = 'min' in product.values;
  const { productName = '', countryCode, productCategoryId } = query;
  return (
    (isRange ? query.includeRange : query.includeFixed) &&
    product.productName.toLowerCase().includes(productName.toLowerCase()) &&
    matches(countryCode, product.country.isoName) &&
    (productCategoryId === undefined || productCategoryId === product.category.id)
  );
}

/** Orders, their report, and their cards. */
export function giftOrderRoutes(shop: Shop<GiftDetails>, maxPage: number): Router {
  const { context } = shop;
  const { modes } = context;
  const routes = Router();
  const cap = Math.min(reportCap, maxPage);
  const view = (one: GiftTransaction, status = shownStatus(context, one)): object =>
    viewOrder(context, one, status);

  routes.post('/orders', (request, response) =>
    runPurchase(response, shop, {
      sku: giftSku(memberOf(request.body, 'productId')),
      duplicateCode: 'CUSTOM_IDENTIFIER_ALREADY_USED',
      ends: 'with-response',
      gone: () => apiError('INVALID_PRODUCT'),
      draft: () => draftOrder(request.body),
      view,
    }),
  );
  routes.get('/reports/transactions', (request, response) => {
    const query = queryOf(orderQuery, request);
    sendReport(response, shop, {
      reference: query.customIdentifier,
      query,
      cap,
      keeps: ({ details }) => matches(query.countryCode, details.product.country.isoName),
      view,
    });
  });
  routes.get('/reports/transactions/:id', (request, response) => {
    sendTransaction(response, shop, shop.getReported(request.params.id), view);
  });
  routes.get('/orders/transactions/:id/cards', (request, response) => {
    const order = shop.get(request.params.id);
    if (sentGatewayPage(response, modes, order.sku)) return;
    const current = modes.of(order.sku);
    const { numbers } = current;
    const cards = order.status === 'SUCCESSFUL' ? cardsOf(order, accepts(request, v2MediaType), numbers) : [];
    // An unfinished order gives 404 (even ids) or an empty list (odd ids). A failed order gives 404.
    const isEmptyList = (order.status === 'PROCESSING' || order.status === 'PENDING') && order.id % 2 === 1;
    if (cards.length === 0 && !isEmptyList) throw new ApiError(404, null, 'The cards were not found.');
    // Examples show numbers and a single object. Practice shows an array.
    const [single] = cards;
    sendJson(response, 200, numbers && cards.length === 1 ? single : cards, current);
  });
  return routes;
}
