/** Products and our balance. */
import { Router } from 'express';
import { sendJson, withAdditionalFields } from '../kit/responses';
import { ACCOUNT_CURRENCY } from './account';
import { products } from './catalogue';
import { pageOf } from './paging';
import type { Parts } from './parts';
import { skuOf, viewProduct, type Product } from './products';
import { productsQuery, validated, type ProductsQuery } from './requests';

/** The routes of the catalogue and the balance. */
export function catalogueRoutes({ context: { modes }, account }: Parts): Router {
  const routes = Router();

  function view(product: Product): unknown {
    const shown = viewProduct(product);
    return withAdditionalFields(shown, modes.of(skuOf(product)));
  }

  function isListed(product: Product): boolean {
    return !modes.of(skuOf(product)).vanished;
  }

  routes.get('/products', (request, response) => {
    const query = validated(productsQuery, request.query);
    const found = products.filter((product) => isListed(product) && matches(product, query));
    sendJson(response, 200, pageOf(response, query, found).map(view));
  });

  routes.get('/balances', (_request, response) => {
    const balance = {
      id: 1,
      unit_type: 'CURRENCY',
      unit: ACCOUNT_CURRENCY,
      available: account.available.toNumber(),
      holding: account.holding.toNumber(),
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
