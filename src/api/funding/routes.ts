/** Funding requests: bank transfers that clients announce. docs/specification.md#funding-requests. */
import {
  cancelOwnFunding,
  findFundingRequest,
  listFundingRequests,
  paySandboxFunding,
  requestFunding,
  type FundingRequest,
  type RequestedFunding,
} from '../../data/funding/funding-requests';
import { findWallet } from '../../data/wallets/wallets';
import { pageSizes } from '../../domain/clients/page-sizes';
import { errors, type ApiError } from '../../domain/errors';
import { MAX_PENDING_FUNDING } from '../../domain/funding/funding-states';
import { Exact } from '../../domain/prices/money';
import type { Dependencies } from '../dependencies';
import { callerOf, clientOf } from '../middleware/caller';
import { json, page } from '../openapi/operation';
import { id } from '../openapi/schema';
import type { ApiRoutes } from '../server/route';
import { listQuery, rowsOf, sendPage } from '../shared/pagination';
import { found, jsonObject, pathId, validBody, validQuery } from '../shared/validation';
import { assertDecimals, tooManyDecimals } from '../wallets/decimals';
import { invalidWalletId } from '../wallets/routes';
import { fundingBody, fundingRequest, fundingRequestView } from './schemas';

const tag = 'Wallets' as const;
const requestsQuery = listQuery(pageSizes.unspecified);
const invalidRequestId = () => errors.badRequest('Invalid funding request ID', 'id');
const walletPath = { id: id('The wallet.', 1) };
const unknownWallet = [invalidWalletId(), errors.notFound('Wallet', 'id')];
const requestPath = { id: id('The funding request.', 3) };
const unknownRequest = [invalidRequestId(), errors.notFound('Funding request', 'id')];
const noAccount = (currency: string) => errors.notPossibleNow(`We have no bank account that receives ${currency}`);
const notPending = (state: string) => errors.notPossibleNow(`The funding request is ${state}`);

const rejections: Readonly<Record<Exclude<RequestedFunding['outcome'], 'REQUESTED'>, (id: number) => ApiError>> = {
  NO_WALLET: () => errors.notFound('Wallet', 'id'),
  WALLET_CLOSED: (walletId) => errors.notPossibleNow(`Wallet ${walletId} is closed`),
  TOO_MANY: (walletId) =>
    errors.notPossibleNow(`Wallet ${walletId} has ${MAX_PENDING_FUNDING} pending funding requests: cancel one first`),
};

export const fundingRoutes: ApiRoutes = {
  'POST /api/v1/wallets/:id/funding-requests': {
    id: 'requestFunding',
    tag,
    scope: 'wallets',
    summary: 'Announce a bank transfer',
    description:
      'Transfer exactly the amount to the bank account, with the reference: it is then credited by itself, once.',
    path: walletPath,
    body: { schema: fundingBody, title: 'FundingRequestBody' },
    responses: { 201: json('The funding request.', fundingRequest) },
    errors: [
      ...unknownWallet,
      tooManyDecimals('amount', { minorUnit: 2, currencyCode: 'EUR' }),
      noAccount('JPY'),
      rejections.WALLET_CLOSED(1),
      rejections.TOO_MANY(1),
    ],
    handler: (deps) => async (request, response) => {
      const { database, sealer, config } = deps;
      const walletId = pathId(request.params['id'], invalidWalletId);
      const body = validBody(fundingBody, jsonObject(request));
      const amount = new Exact(body.amount);
      const { id: clientId } = clientOf(response);
      const wallet = found(await findWallet(database, clientId, walletId), 'Wallet');
      const { currencyCode: code } = wallet;
      assertDecimals('amount', wallet, amount);
      if (!config.funding.bankAccounts.has(code)) throw noAccount(code);
      const terms = { purchaseOrder: body.purchase_order ?? null, days: config.funding.requestDays };
      const made = await requestFunding(database, sealer, { clientId, walletId, amount, ...terms });
      if (made.outcome !== 'REQUESTED') throw rejections[made.outcome](walletId);
      response.status(201).json(fundingRequestView(deps, await ownRequest(deps, clientId, made.id)));
    },
  },
  'GET /api/v1/wallets/:id/funding-requests': {
    id: 'listFundingRequests',
    tag,
    scope: 'read',
    summary: 'List the funding requests of a wallet',
    path: walletPath,
    query: requestsQuery,
    responses: { 200: page('Newest first.', fundingRequest) },
    errors: unknownWallet,
    handler: (deps) => async (request, response) => {
      const walletId = pathId(request.params['id'], invalidWalletId);
      const query = validQuery(requestsQuery, request);
      const { id: clientId } = clientOf(response);
      found(await findWallet(deps.database, clientId, walletId), 'Wallet');
      const { total, requests } = await listFundingRequests(deps.database, { clientId, walletId }, rowsOf(query));
      const views = requests.map((one) => fundingRequestView(deps, one));
      sendPage(response, { ...query, total }, views);
    },
  },
  'GET /api/v1/funding-requests/:id': {
    id: 'getFundingRequest',
    tag,
    scope: 'read',
    summary: 'Read a funding request',
    path: requestPath,
    responses: { 200: json('The funding request.', fundingRequest) },
    errors: unknownRequest,
    handler: (deps) => async (request, response) => {
      const requestId = pathId(request.params['id'], invalidRequestId);
      response.json(fundingRequestView(deps, await ownRequest(deps, clientOf(response).id, requestId)));
    },
  },
  'POST /api/v1/funding-requests/:id/cancel': {
    id: 'cancelFundingRequest',
    tag,
    scope: 'wallets',
    summary: 'Cancel a funding request',
    description: 'A transfer that arrives later waits until we have looked at it.',
    path: requestPath,
    responses: { 200: json('The cancelled funding request.', fundingRequest) },
    errors: [...unknownRequest, notPending('CREDITED')],
    handler: (deps) => async (request, response) => {
      const requestId = pathId(request.params['id'], invalidRequestId);
      const caller = callerOf(request, response);
      const isCancelled = await cancelOwnFunding(deps.database, caller, requestId);
      const after = await ownRequest(deps, caller.clientId, requestId);
      if (!isCancelled) throw notPending(after.state);
      response.json(fundingRequestView(deps, after));
    },
  },
};

/** The sandbox control that plays the bank. */
export const sandboxFundingRoutes: ApiRoutes = {
  'POST /api/v1/sandbox/funding-requests/:id/pay': {
    id: 'paySandboxFundingRequest',
    tag: 'Sandbox',
    scope: 'none',
    summary: 'Pay a funding request',
    description: 'Credits it as if your transfer had arrived.',
    path: requestPath,
    responses: { 200: json('The credited funding request.', fundingRequest) },
    errors: [...unknownRequest, notPending('CANCELLED'), rejections.WALLET_CLOSED(1)],
    handler: (deps) => async (request, response) => {
      const requestId = pathId(request.params['id'], invalidRequestId);
      const caller = callerOf(request, response);
      const { walletId } = await ownRequest(deps, caller.clientId, requestId);
      const paid = await paySandboxFunding(deps.database, caller, requestId);
      if (paid.outcome === 'WALLET_CLOSED') throw rejections.WALLET_CLOSED(walletId);
      if (paid.outcome === 'NOT_PENDING') throw notPending(paid.state);
      response.json(fundingRequestView(deps, await ownRequest(deps, caller.clientId, requestId)));
    },
  },
};

/** The client's request. Throws 404 `Funding request not found` without one. */
async function ownRequest({ database }: Dependencies, clientId: number, requestId: number): Promise<FundingRequest> {
  return found(await findFundingRequest(database, clientId, requestId), 'Funding request');
}
