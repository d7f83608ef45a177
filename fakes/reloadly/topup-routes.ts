/** The routes of `topups-sandbox.reloadly.com`. */
import { Router } from 'express';
import Joi from 'joi';
import type { FakeContext } from '../kit/fake';
import { memberOf } from '../kit/requests';
import { behindGateway, sendJson, sentGatewayPage, withAdditionalFields } from '../kit/responses';
import type { Account } from './account';
import { ApiError, apiError } from './errors';
import { bodyOf, pageFields, pageOf, queryOf, textParameter, type PageQuery } from './http';
import { networks, operators, type Operator } from './operator-catalogue';
import { viewOperator, type Suggestions } from './operator-views';
import type { ReloadlyOptions } from './options';
import { detectedNetwork } from './phones';
import { runPurchase, type PurchaseCall } from './purchase-flow';
import { matches, reportCap, reportFields, sendReport, sendTransaction, type ReportQuery } from './reports';
import {
  checkRecentRecharge,
  draftTopup,
  topupSku,
  viewTopup,
  viewTopupStatus,
  type TopupDetails,
  type TopupTransaction,
} from './topups';
import { shownStatus, type Shop } from './transactions';

/** The cap of this list is not known. */
const operatorCap = 200;

interface OperatorQuery extends PageQuery, Suggestions {
  includeBundles: boolean;
  includeData: boolean;
  includeCombo: boolean;
  includePin: boolean;
  includeRange: boolean;
  includeFixed: boolean;
}

/** The defaults are not known: whatever is no plain airtime is listed on demand only. */
const flag = Joi.boolean().empty('').default(false);
const operatorQuery = Joi.object<OperatorQuery>({
  ...pageFields,
  includeBundles: flag,
  includeData: flag,
  includeCombo: flag,
  includePin: flag,
  includeRange: flag.default(true),
  includeFixed: flag.default(true),
  suggestedAmounts: flag,
  suggestedAmountsMap: flag,
});
const fxBody = Joi.object<{ operatorId: number; amount: number }>({
  operatorId: Joi.number().integer().required(),
  amount: Joi.number().greater(0).required(),
});

interface TopupQuery extends ReportQuery {
  customIdentifier?: string;
  operatorId?: number;
  operatorName?: string;
  countryCode?: string;
}

const topupQuery = Joi.object<TopupQuery>({
  ...reportFields,
  customIdentifier: textParameter,
  operatorId: Joi.number().integer().empty(''),
  operatorName: textParameter,
  countryCode: textParameter,
});

/** Operators, detection, exchange rates and the balance. The fake lacks commissions and the paid number look-ups. */
export function operatorRoutes(context: FakeContext, account: Account, { maxPage }: ReloadlyOptions): Router {
  const { modes } = context;
  const routes = Router();
  const listed = (): Operator[] => operators.filter(({ id }) => !modes.of(topupSku(id)).vanished);
  const viewListed = (operator: Operator, asked: Suggestions): unknown => {
    const view = viewOperator(operator, asked);
    return withAdditionalFields(view, modes.of(topupSku(operator.id)));
  };

  routes.get(
    ['/operators', '/operators/countries/:iso', '/accounts/balance'],
    behindGateway(modes, () => ''),
  );
  routes.get('/operators', (request, response) => {
    const query = queryOf(operatorQuery, request);
    const rows = listed().filter((operator) => isAsked(operator, query));
    const views = rows.map((operator) => viewListed(operator, query));
    sendJson(response, 200, pageOf(views, query, Math.min(operatorCap, maxPage)), modes.of(''));
  });
  routes.get('/operators/countries/:iso', (request, response) => {
    const query = queryOf(operatorQuery, request);
    const rows = listed()
      .filter((operator) => isAsked(operator, query))
      .filter(({ network }) => matches(request.params.iso, network.country.isoName));
    const views = rows.map((operator) => viewListed(operator, query));
    sendJson(response, 200, views, modes.of(''));
  });
  routes.get('/operators/auto-detect/phone/:phone/countries/:iso', (request, response) => {
    const iso = request.params.iso.toUpperCase();
    if (!networks.some(({ country }) => country.isoName === iso)) throw apiError('COUNTRY_NOT_SUPPORTED');
    const network = detectedNetwork(request.params.phone, iso);
    const operator = listed().find((one) => one.network === network);
    if (!network || !operator) throw apiError('COULD_NOT_AUTO_DETECT_OPERATOR');
    if (sentGatewayPage(response, modes, topupSku(operator.id))) return;
    sendJson(response, 200, viewListed(operator, queryOf(operatorQuery, request)), modes.of(''));
  });
  routes.get('/operators/:id', (request, response) => {
    const { id } = request.params;
    if (sentGatewayPage(response, modes, topupSku(id))) return;
    const operator = listed().find((one) => String(one.id) === id);
    // The code is not known.
    if (!operator) throw new ApiError(404, null, 'The operator was not found.');
    sendJson(response, 200, viewListed(operator, queryOf(operatorQuery, request)), modes.of(''));
  });
  routes.post('/operators/fx-rate', (request, response) => {
    const { operatorId } = bodyOf(fxBody, request.body);
    if (sentGatewayPage(response, modes, topupSku(operatorId))) return;
    const operator = listed().find(({ id }) => id === operatorId);
    if (operator?.rate === undefined) throw apiError('FX_RATE_NOT_AVAILABLE');
    const { id, name, rate, currency } = operator;
    const body = { id, name, fxRate: Number(rate), currencyCode: currency };
    sendJson(response, 200, body, modes.of(topupSku(operatorId)));
  });
  routes.get('/accounts/balance', (_request, response) => {
    sendJson(response, 200, account.view(), modes.of(''));
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
export function topupRoutes(shop: Shop<TopupDetails>, { rechargeSeconds, maxPage }: ReloadlyOptions): Router {
  const { context } = shop;
  const routes = Router();
  const view = (one: TopupTransaction, status = shownStatus(context, one)): object =>
    viewTopup(context, one, status);
  const calls: Readonly<Record<string, Pick<PurchaseCall<TopupDetails>, 'ends' | 'view'>>> = {
    '/topups': { ends: 'before-response', view },
    '/topups-async': { ends: 'after-response', view: ({ id }) => ({ transactionId: id }) },
  };
  for (const [path, call] of Object.entries(calls)) {
    routes.post(path, (request, response) =>
      runPurchase(response, shop, {
        ...call,
        sku: topupSku(memberOf(request.body, 'operatorId')),
        duplicateCode: 'CUSTOM_IDENTIFIER_ALREADY_USED',
        gone: () => apiError('OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE'),
        draft: () => draftTopup(request.body),
        limits: (draft) => checkRecentRecharge(shop, draft, rechargeSeconds),
      }),
    );
  }
  routes.get('/topups/:id/status', (request, response) => {
    sendTransaction(response, shop, shop.get(request.params.id), (one, status) =>
      viewTopupStatus(context, one, status),
    );
  });
  routes.get('/topups/reports/transactions', (request, response) => {
    const query = queryOf(topupQuery, request);
    sendReport(response, shop, {
      reference: query.customIdentifier,
      query,
      cap: Math.min(reportCap, maxPage),
      keeps: ({ details: { operator } }) =>
        (query.operatorId === undefined || query.operatorId === operator.id) &&
        matches(query.operatorName, operator.name) &&
        matches(query.countryCode, operator.network.country.isoName),
      view,
    });
  });
  routes.get('/topups/reports/transactions/:id', (request, response) => {
    sendTransaction(response, shop, shop.getReported(request.params.id), view);
  });
  return routes;
}
