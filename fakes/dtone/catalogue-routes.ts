/** Products and our balance. */
import { Decimal } from 'decimal.js';
import { Router } from 'express';
import { ACCOUNT_CURRENCY } from '../kit/account';
import { viewListed } from '../kit/catalogue';
import { sendJson } from '../kit/responses';
import { findProduct, products } from './catalogue';
import { ApiError } from './errors';
import { pageOf } from './paging';
import type { Parts } from './parts';
import { skuOf, viewProduct, type Product } from './products';
import { productsQuery, validated, type ProductsQuery } from './requests';

/** The routes of the catalogue and the balance. */
export function catalogueRoutes({ context: { account, ledger, modes } }: Parts): Router {
  const routes = Router();

  routes.get('/products', (request, response) => {
    const query = validated(productsQuery, request.query);
    const found = products.filter((product) => matches(product, query));
    sendJson(response, 200, pageOf(response, query, viewListed(found, modes, skuOf, viewProduct)));
  });

  routes.get('/products/:id', (request, response) => {
    const product = findProduct(Number(request.params.id));
    const [listed] = viewListed(product ? [product] : [], modes, skuOf, viewProduct);
    if (!listed) throw new ApiError(1_003_001);
    sendJson(response, 200, listed);
  });

  /** The price is held while a transaction is open. */
  routes.get('/balances', (_request, response) => {
    const held = ledger.list().flatMap(({ state, cost }) => (state === 'open' ? [cost] : []));
    const balance = {
      id: 1,
      unit_type: 'CURRENCY',
      unit: ACCOUNT_CURRENCY,
      available: account.available.toNumber(),
      holding: Decimal.sum(0, ...held).toNumber(),
      credit_limit: 0,
    };
    sendJson(response, 200, [balance], modes.of(''));
  });
  return routes;
}

function matches({ service, operator, type }: Product, query: ProductsQuery): boolean {
  return [
    isWanted(query.type, type),
    isWanted(query.service_id, service.id),
    isWanted(query.operator_id, operator.id),
    isWanted(query.country_iso_code, operator.country.iso_code),
  ].every(Boolean);
}

function isWanted<T>(wanted: T | undefined, value: T | undefined): boolean {
  return wanted === undefined || wanted === value;
}
