/** Packages and our balance. */
import { Router } from 'express';
import { ACCOUNT_CURRENCY } from '../kit/account';
import { sendJson } from '../kit/responses';
import { minuteMs } from '../kit/times';
import { packages } from './catalogue';
import { checkLimit } from './errors';
import { pricing, viewPlaces } from './packages';
import { pageOf } from './paging';
import type { Parts } from './parts';

/** The limit for each token: the stricter of two published limits. */
const packagesPerMinute = 40;

/** The routes of the catalogue and the balance. */
export function packageRoutes({ context: { account, modes }, limits }: Parts): Router {
  const routes = Router();

  /** The whole list on one page. The fake ignores the documented parameters. */
  routes.get('/packages', (request, response) => {
    checkLimit(limits, `packages ${request.headers.authorization ?? ''}`, packagesPerMinute, minuteMs);
    const listed = packages.filter((one) => !modes.of(one.id).vanished);
    const { rows, links, meta } = pageOf(request, { page: 1 }, viewPlaces(listed));
    const body = { pricing, data: rows, links, meta };
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
