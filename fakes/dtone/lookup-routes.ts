/** The `POST /lookup/...` calls. */
import { Router } from 'express';
import { sendJson } from '../kit/responses';
import { findProduct } from './catalogue';
import { ApiError } from './errors';
import { viewBalances, viewEsimStatus, type Esim } from './esims';
import { operatorsOfNumber, services } from './operators';
import { pageOf } from './paging';
import type { Parts } from './parts';
import { skuOf } from './products';
import {
  creditPartyRequest,
  isMobileNumber,
  mobileNumberRequest,
  pageQuery,
  statementRequest,
  validated,
} from './requests';

/** The routes of the look-ups. The deprecated GET form of the mobile number does not exist here. */
export function lookupRoutes({ context: { modes }, esims }: Parts): Router {
  const routes = Router();

  routes.post('/lookup/mobile-number', (request, response) => {
    const body = validated(mobileNumberRequest, request.body);
    if (!isMobileNumber(body.mobile_number)) throw new ApiError(1005003);
    // A number of no known operator is an empty list: the documentation names no error for it.
    const found = operatorsOfNumber(body.mobile_number).map((operator, index) => ({
      ...operator,
      identified: index === 0,
    }));
    sendJson(response, 200, pageOf(response, body, found), modes.of(''));
  });

  routes.post('/lookup/statement-inquiry', (request, response) => {
    const body = validated(statementRequest, request.body);
    const product = findProduct(body.product_id);
    if (product === undefined || modes.of(skuOf(product)).vanished) throw new ApiError(1003001);
    if (product.service.id !== services.utilities.id) throw new ApiError(1007500);
    const statement = {
      reference: `00${body.account_number}`,
      dates: { due: '2030-01-31', statement: '2030-01-01' },
      balance: { unit_type: 'CURRENCY', unit: product.destination.unit, amount: 431.25 },
    };
    sendJson(response, 200, [statement], modes.of(skuOf(product)));
  });

  function esimOf(serviceId: number, iccid: string): Esim {
    if (!Object.values(services).some(({ id }) => id === serviceId)) throw new ApiError(1005004);
    if (serviceId !== services.esim.id) throw new ApiError(1007500);
    const esim = esims.find(iccid);
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
    // The documentation does not say where the page is, so both places count.
    const query = { ...body, ...givenPage(request.query) };
    const esim = esimOf(body.service_id, body.credit_party_identifier.account_number);
    const rows = pageOf(response, query, viewBalances(esim));
    sendJson(response, 200, rows, modes.of(skuOf(esim.product)));
  });
  return routes;
}

function givenPage(query: unknown) {
  return typeof query === 'object' && query !== null && 'page' in query
    ? validated(pageQuery.unknown(), query)
    : {};
}
