/** The `POST /lookup/...` calls about eSIMs. */
import { Router } from 'express';
import { sendJson } from '../kit/responses';
import { ApiError } from './errors';
import { viewBalances, viewEsimStatus, type Esim } from './esims';
import { services } from './operators';
import { pageOf } from './paging';
import type { Parts } from './parts';
import { skuOf } from './products';
import { creditPartyRequest, pageQuery, validated } from './requests';

/** The routes of the lookups. */
export function lookupRoutes({ context: { modes }, esims }: Parts): Router {
  const routes = Router();

  function esimOf(serviceId: number, iccid: string): Esim {
    if (!Object.values(services).some(({ id }) => id === serviceId)) throw new ApiError(1005004);
    if (serviceId !== services.esim.id) throw new ApiError(1007500);
    const esim = esims.get(iccid);
    if (!esim) throw new ApiError(1005003);
    return esim;
  }

  routes.post('/lookup/credit-party-status', (request, response) => {
    const body = validated(creditPartyRequest, request.body);
    const esim = esimOf(body.service_id, body.credit_party_identifier.account_number);
    sendJson(response, 200, viewEsimStatus(esim), modes.of(skuOf(esim.product)));
  });

  routes.post('/lookup/credit-party-benefits', (request, response) => {
    const body = validated(creditPartyRequest, request.body);
    // The documentation does not say whether the body or the query names the page, so both count.
    const query = { ...body, ...givenPage(request.query) };
    const esim = esimOf(body.service_id, body.credit_party_identifier.account_number);
    const rows = pageOf(response, query, viewBalances(esim));
    sendJson(response, 200, rows, modes.of(skuOf(esim.product)));
  });
  return routes;
}

function givenPage(query: unknown) {
  return typeof query === 'object' && query !== null && 'page' in query ? validated(pageQuery.unknown(), query) : {};
}
