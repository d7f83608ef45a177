/** The routes of `utilities-sandbox.reloadly.com`. */
import { Router } from 'express';
import Joi from 'joi';
import { memberOf } from '../kit/requests';
import { viewListed } from '../kit/catalogue';
import { sendJson, sentGatewayPage } from '../kit/responses';
import { billers } from './biller-catalogue';
import { apiError } from './errors';
import { listCap, pageFields, pageOf, queryOf, textParameter, type PageQuery } from './http';
import {
  billSku,
  draftPayment,
  skuOf,
  viewAccepted,
  viewBiller,
  viewPayment,
  type BillDetails,
  type BillTransaction,
} from './payments';
import { runPurchase } from './purchase-flow';
import { reportFields, sendReport, sendTransaction, type ReportQuery } from './reports';
import { shownStatus, type Shop } from './transactions';

const billerQuery = Joi.object<PageQuery>(pageFields);
const paymentQuery = Joi.object<ReportQuery & { referenceId?: string }>({
  ...reportFields,
  referenceId: textParameter,
});

/** Billers, payments and their report. */
export function utilityRoutes(shop: Shop<BillDetails>): Router {
  const { context } = shop;
  const { modes } = context;
  const routes = Router();
  const view = (one: BillTransaction, status: string): object => viewPayment(context, one, status);

  routes.get('/billers', (request, response) => {
    if (sentGatewayPage(response, modes, '')) return;
    const query = queryOf(billerQuery, request.query);
    const rows = viewListed(billers, modes, skuOf, viewBiller);
    sendJson(response, 200, pageOf(rows, query, listCap), modes.of(''));
  });
  routes.post('/pay', (request, response) =>
    runPurchase(response, shop, {
      sku: billSku(memberOf(request.body, 'billerId')),
      duplicateCode: 'REFERENCE_ID_ALREADY_USED',
      ends: 'after-response',
      gone: () => apiError('INVALID_BILLER_ID'),
      draft: () => draftPayment(request.body),
      view: (one) => viewAccepted(context, one, shownStatus(context, one)),
    }),
  );
  routes.get('/transactions', (request, response) => {
    const query = queryOf(paymentQuery, request.query);
    sendReport(response, shop, { reference: query.referenceId, query, view });
  });
  routes.get('/transactions/:id', (request, response) => {
    sendTransaction(response, shop, shop.getReported(request.params.id), view);
  });
  return routes;
}
