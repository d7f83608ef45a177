/** The routes of `giftcards-sandbox.reloadly.com`. */
import { Router } from 'express';
import Joi from 'joi';
import type { FakeContext } from '../kit/fake';
import { memberOf } from '../kit/requests';
import { viewListed } from '../kit/catalogue';
import { behindGateway, sendJson, sentGatewayPage } from '../kit/responses';
import { viewBalance } from './balances';
import { apiError, ApiError } from './errors';
import { giftProducts, type GiftProduct } from './gift-catalogue';
import { draftOrder, giftSku, skuOf, viewOrder, type GiftDetails, type GiftTransaction } from './gift-orders';
import { viewProduct } from './gift-views';
import { cardsOf } from './goods';
import { listCap, pageFields, pageOf, queryOf, textParameter, type PageQuery } from './http';
import { runPurchase } from './purchase-flow';
import { reportFields, sendReport, sendTransaction, type ReportQuery } from './reports';
import { accepts } from './tokens';
import { shownStatus, type Shop } from './transactions';

const v2MediaType = 'application/com.reloadly.giftcards-v2+json';

interface ProductQuery extends PageQuery {
  includeRange: boolean;
  includeFixed: boolean;
}

const productQuery = Joi.object<ProductQuery>({
  ...pageFields,
  includeRange: Joi.boolean().default(true),
  includeFixed: Joi.boolean().default(true),
});
const orderQuery = Joi.object<ReportQuery & { customIdentifier?: string }>({
  ...reportFields,
  customIdentifier: textParameter,
});

/** Products and the balance. */
export function giftCatalogueRoutes({ account, modes }: FakeContext): Router {
  const routes = Router();
  routes.get(
    ['/products', '/accounts/balance'],
    behindGateway(modes, () => ''),
  );
  routes.get('/products', (request, response) => {
    const query = queryOf(productQuery, request.query);
    const found = giftProducts.filter((product) => isAsked(product, query));
    const rows = viewListed(found, modes, skuOf, viewProduct);
    sendJson(response, 200, pageOf(rows, query, listCap), modes.of(''));
  });
  routes.get('/accounts/balance', (_request, response) => {
    sendJson(response, 200, viewBalance(account), modes.of(''));
  });
  return routes;
}

function isAsked({ values }: GiftProduct, { includeRange, includeFixed }: ProductQuery): boolean {
  return 'min' in values ? includeRange : includeFixed;
}

/** Orders, their report, and their cards. */
export function giftOrderRoutes(shop: Shop<GiftDetails>): Router {
  const { context } = shop;
  const { modes } = context;
  const routes = Router();
  const view = (one: GiftTransaction, status = shownStatus(context, one)): object => viewOrder(context, one, status);

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
    const query = queryOf(orderQuery, request.query);
    sendReport(response, shop, { reference: query.customIdentifier, query, view });
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
    sendJson(response, 200, numbers && single && cards.length === 1 ? single : cards, current);
  });
  return routes;
}
