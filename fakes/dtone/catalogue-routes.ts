/** Products, reference data and our balance. */
import { Router, type Response } from 'express';
import { sendJson, withAdditionalFields } from '../kit/responses';
import { ACCOUNT_CURRENCY } from './account';
import { findProduct, products } from './catalogue';
import { ApiError } from './errors';
import { countries, operators, services, type Service } from './operators';
import { pageOf } from './paging';
import type { Parts } from './parts';
import { skuOf, viewProduct, type Product } from './products';
import { pageQuery, productsQuery, validated, type ProductsQuery } from './requests';

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

  routes.get('/products/:id', (request, response) => {
    const product = findProduct(Number(request.params.id));
    if (product === undefined || !isListed(product)) throw new ApiError(1003001);
    sendJson(response, 200, view(product));
  });

  function sendList(response: Response, rows: readonly unknown[]): void {
    const query = validated(pageQuery.unknown(), response.req.query);
    sendJson(response, 200, pageOf(response, query, rows), modes.of(''));
  }

  routes.get('/operators', (_request, response) => sendList(response, Object.values(operators)));
  routes.get('/countries', (_request, response) => sendList(response, countries));
  routes.get('/services', (_request, response) => sendList(response, listedServices));
  routes.get('/promotions', (_request, response) => sendList(response, []));
  routes.get('/campaigns', (_request, response) => sendList(response, []));

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

/** Each service once, with its subservices. The documentation does not give the form of this list. */
const listedServices = [1, 3, 4, 13].map((id) => {
  const parts: Service[] = Object.values(services).filter((service) => service.id === id);
  return { id, name: parts[0]?.name, subservices: parts.flatMap(({ subservice }) => subservice ?? []) };
});

function matches(product: Product, query: ProductsQuery): boolean {
  const { service, operator, regions, tags, benefits } = product;
  return [
    isWanted(query.type, product.type),
    isWanted(query.service_id, service.id),
    isWanted(query.subservice_id, service.subservice?.id),
    isWanted(query.operator_id, operator.id),
    isWanted(query.country_iso_code, operator.country.iso_code),
    isAnyWanted(
      query.region,
      regions.map(({ code }) => code),
    ),
    isAnyWanted(query.tags, tags),
    isAnyWanted(
      query.benefit_types,
      benefits.map(({ type }) => type),
    ),
  ].every(Boolean);
}

function isWanted<T>(wanted: T | undefined, value: T | undefined): boolean {
  return wanted === undefined || wanted === value;
}

function isAnyWanted(wanted: string | undefined, values: readonly string[]): boolean {
  return wanted === undefined || wanted.split(',').some((one) => values.includes(one));
}
