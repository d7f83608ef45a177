/** The routes of `topups-sandbox.reloadly.com`. */
import { Router } from 'express';
import Joi from 'joi';
import type { FakeContext } from '../kit/fake';
import { memberOf } from '../kit/requests';
import { viewListed } from '../kit/catalogue';
import { sendJson, sentGatewayPage } from '../kit/responses';
import { apiError } from './errors';
import { listCap, pageFields, pageOf, queryOf, textParameter, type PageQuery } from './http';
import { operators, type Operator } from './operator-catalogue';
import { viewOperator } from './operator-views';
import { runPurchase } from './purchase-flow';
import { reportFields, sendReport, sendTransaction, type ReportQuery } from './reports';
import {
  checkRecentRecharge,
  draftTopup,
  skuOf,
  topupSku,
  viewTopup,
  viewTopupStatus,
  type TopupDetails,
  type TopupTransaction,
} from './topups';
import type { Shop } from './transactions';

interface OperatorQuery extends PageQuery {
  includeBundles: boolean;
  includeData: boolean;
  includeCombo: boolean;
  includePin: boolean;
  includeRange: boolean;
  includeFixed: boolean;
}

/** The defaults of these parameters are not known. In the fake, only plain airtime is listed without a parameter. */
const flag = Joi.boolean().empty('').default(false);
const operatorQuery = Joi.object<OperatorQuery>({
  ...pageFields,
  includeBundles: flag,
  includeData: flag,
  includeCombo: flag,
  includePin: flag,
  includeRange: flag.default(true),
  includeFixed: flag.default(true),
});
const topupQuery = Joi.object<ReportQuery & { customIdentifier?: string }>({
  ...reportFields,
  customIdentifier: textParameter,
});

/** The operators. */
export function operatorRoutes({ modes }: FakeContext): Router {
  const routes = Router();
  routes.get('/operators', (request, response) => {
    if (sentGatewayPage(response, modes, '')) return;
    const query = queryOf(operatorQuery, request.query);
    const found = operators.filter((operator) => isAsked(operator, query));
    const rows = viewListed(found, modes, skuOf, viewOperator);
    sendJson(response, 200, pageOf(rows, query, listCap), modes.of(''));
  });
  return routes;
}

function isAsked({ kind, amounts }: Operator, query: OperatorQuery): boolean {
  const byKind = {
    airtime: true,
    bundle: query.includeBundles,
    data: query.includeData,
    combo: query.includeCombo,
    pin: query.includePin,
  };
  return byKind[kind] && ('min' in amounts ? query.includeRange : query.includeFixed);
}

/** Top-ups, their status and their report. */
export function topupRoutes(shop: Shop<TopupDetails>, rechargeSeconds: number): Router {
  const { context } = shop;
  const routes = Router();

  routes.post('/topups-async', (request, response) =>
    runPurchase(response, shop, {
      sku: topupSku(memberOf(request.body, 'operatorId')),
      duplicateCode: 'CUSTOM_IDENTIFIER_ALREADY_USED',
      ends: 'after-response',
      gone: () => apiError('OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE'),
      draft: () => draftTopup(request.body),
      limits: (draft) => checkRecentRecharge(shop, draft, rechargeSeconds),
      view: ({ id }) => ({ transactionId: id }),
    }),
  );
  routes.get('/topups/:id/status', (request, response) => {
    sendTransaction(response, shop, shop.get(request.params.id), (one, status) =>
      viewTopupStatus(context, one, status),
    );
  });
  routes.get('/topups/reports/transactions', (request, response) => {
    const query = queryOf(topupQuery, request.query);
    sendReport(response, shop, {
      reference: query.customIdentifier,
      query,
      view: (one: TopupTransaction, status: string) => viewTopup(context, one, status),
    });
  });
  return routes;
}
