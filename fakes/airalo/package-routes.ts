/** Packages and our balance. */
import { Router } from 'express';
import { sendJson } from '../kit/responses';
import { ACCOUNT_CURRENCY } from './account';
import { packages, testPackages } from './catalogue';
import { viewPlaces, type Package } from './packages';
import { pageOf } from './paging';
import type { Parts } from './parts';
import { packagesQuery, validated, type PackagesQuery } from './requests';

/** The stricter of two published figures, for each token. */
const packagesPerMinute = 40;

/** The routes of the catalogue and the balance. */
export function packageRoutes({ context: { modes }, account, limits, pricing, isSandbox }: Parts): Router {
  const routes = Router();
  const all = isSandbox ? [...packages, ...testPackages] : packages;

  routes.get('/packages', (request, response) => {
    limits.take(`packages ${request.headers.authorization ?? ''}`, packagesPerMinute, 60_000);
    const query = validated(packagesQuery, request.query);
    const listed = all.filter((one) => !modes.of(one.id).vanished && matches(one, query));
    const { rows, first, links, meta } = pageOf(request, query, viewPlaces(listed, pricing));
    const body = { pricing, data: query.page === 1 ? rows : keyed(rows, first), links, meta };
    const current = ['', ...listed.map(({ id }) => id)].map((sku) => modes.of(sku));
    sendJson(
      response,
      200,
      body,
      current.find((one) => one.additional_field),
    );
  });

  routes.get('/balance', (_request, response) => {
    const availableBalance = { amount: account.available.toNumber(), currency: ACCOUNT_CURRENCY };
    const data = { balances: { name: 'balance', availableBalance } };
    sendJson(response, 200, { data, meta: { message: 'success' } }, modes.of(''));
  });
  return routes;
}

/** From page 2 on, `data` is an object. PHP writes it as a list again when it is empty. */
function keyed(rows: readonly object[], first: number): object {
  if (rows.length === 0) return [];
  return Object.fromEntries(rows.map((row, index) => [String(first + index), row]));
}

/** Top-ups are listed with `include=topup` only. */
function matches({ type, operator }: Package, query: PackagesQuery): boolean {
  const country = query['filter[country]'];
  const isIncluded = type === 'sim' || query.include.split(',').includes('topup');
  const isOfType = [undefined, operator.type].includes(query['filter[type]']);
  const isThere =
    country === undefined ||
    operator.countries.some(({ country_code: code }) => code === country.toUpperCase());
  return isIncluded && isOfType && isThere;
}
