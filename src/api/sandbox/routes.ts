/** The sandbox controls, for every client with a token. Production has none of these routes. docs/specification.md#sandbox. */
import type { Request, Response } from 'express';
import Joi from 'joi';
import { EntryRejected } from '../../data/wallets/operated-entries';
import { findOrderOfAnyFamily } from '../../data/orders/order-reads';
import { fundWallet, listScenarios } from '../../data/clients/sandbox';
import { findWallet, type Wallet } from '../../data/wallets/wallets';
import { errors, type ApiError } from '../../domain/errors';
import { profileChanges, type ProfileChange } from '../../domain/esims/esim-lifecycle';
import { families, type Family } from '../../domain/orders/families';
import { sandboxFaults } from '../../domain/orders/sandbox-faults';
import { Exact } from '../../domain/prices/money';
import { cancelOrder, changeProfile, releaseOrder } from '../../ordering/sandbox-controls';
import type { AllSandboxControls } from '../../domain/suppliers/configured-suppliers';
import type { Dependencies } from '../dependencies';
import { esimOrderViews } from '../esim/order-routes';
import { esimOrder } from '../esim/schemas';
import { sandboxFundingRoutes } from '../funding/routes';
import { fundedAmount } from '../funding/schemas';
import { callerOf, clientOf } from '../middleware/caller';
import { json } from '../openapi/operation';
import { enumText, extensibleEnumText, id, listOf, model, text } from '../openapi/schema';
import type { ApiRoute, ApiRoutes } from '../server/route';
import { number } from '../orders/order-fields';
import { failureCodeSchema } from '../orders/order-schemas';
import { sendOrder } from '../orders/order-request';
import type { OrderViews } from '../orders/order-routes';
import { invalidOrderId, ownOrder } from '../orders/own-order';
import { sandboxClaimRoutes } from './claim-routes';
import { found, hasBody, jsonObject, pathId, validBody } from '../shared/validation';
import { topupOrderViews } from '../topups/order-routes';
import { topupOrder } from '../topups/schemas';
import { voucherOrderViews } from '../vouchers/order-routes';
import { voucherOrder, voucherOrderStatus } from '../vouchers/schemas';
import { assertDecimals, tooManyDecimals } from '../wallets/decimals';
import { invalidWalletId, wallet as walletSchema, walletView } from '../wallets/routes';

const fundBody = Joi.object<{ amount: number }>({
  amount: fundedAmount("The credited amount, with the decimals of the wallet's currency."),
});

const MAX_MEGABYTES = 1_000_000;

const useBody = Joi.object<{ megabytes?: number }>({
  megabytes: number
    .integer()
    .min(1)
    .max(MAX_MEGABYTES)
    .description('The megabytes to use. If omitted, the call simulates only the first use, which cannot be repeated.')
    .example(250)
    .messages({ '*': `megabytes must be a whole number from 1 to ${MAX_MEGABYTES}` }),
});

const scenario = model(
  'SandboxScenario',
  'An order request, and the statuses that its order reaches: in the response to the request, and in the end.',
  {
    name: text('Its name.', 'voucher_instant'),
    method: enumText('The HTTP method.', ['POST']),
    path: text('The path.', '/api/v1/orders'),
    body: {
      type: 'object',
      description: 'The body of the request.',
      examples: [{ product_id: 1, denomination: 10, quantity: 1 }],
    },
    // The states of a voucher order are those of every family.
    initial_status: voucherOrderStatus,
    final_status: voucherOrderStatus,
  },
  {
    headers: {
      type: 'object',
      description:
        'Headers to send with the request, for a fault. Also send a `client_reference` or an `Idempotency-Key`. The statuses are those of the repetition.',
      properties: {
        'Sandbox-Fault': extensibleEnumText('The failure of the first request.', sandboxFaults, '504-placed'),
      },
      required: ['Sandbox-Fault'],
    },
    failure_code: failureCodeSchema,
  },
);

const tag = 'Sandbox' as const;
const orderIdField = id('The order.');
const noOrder = [invalidOrderId(), errors.notFound('Order', 'id')];
const invalidProfileOrderId = () => invalidOrderId().about('order_id');

const summaries: Readonly<Record<ProfileChange, string>> = {
  install: 'Install an eSIM',
  use: 'Use data of an eSIM',
  deplete: 'Use up the data of an eSIM',
  expire: 'End the validity of an eSIM',
};

const descriptions: Readonly<Record<ProfileChange, string>> = {
  install: 'Acts as a device would.',
  use: 'Acts as a device would. With `megabytes` it can be repeated, until all data is used up.',
  deplete: 'Acts as a device would.',
  expire: 'Ends the eSIM as if its last day were over, whatever data is left.',
};

const conflicts: Readonly<Record<ProfileChange, string>> = {
  install: 'The eSIM is installed already',
  use: 'The eSIM is used already',
  deplete: 'The eSIM is not installed yet',
  expire: 'The eSIM is not installed yet',
};

export type SandboxRouteDependencies = Dependencies & { sandboxControls: AllSandboxControls };

export const sandboxRoutes: ApiRoutes<SandboxRouteDependencies> = {
  'GET /api/v1/sandbox/scenarios': {
    id: 'listSandboxScenarios',
    tag,
    scope: 'none',
    summary: 'List scenarios',
    responses: { 200: json('All of them.', listOf(scenario)) },
    handler: (deps) => async (_request, response) => {
      response.json(await listScenarios(deps.database));
    },
  },
  'POST /api/v1/sandbox/wallets/:id/fund': {
    id: 'fundSandboxWallet',
    tag,
    scope: 'none',
    summary: 'Credit test money',
    description: 'Every call credits the amount.',
    path: { id: id('The wallet.', 1) },
    body: { schema: fundBody, title: 'SandboxFunds' },
    responses: { 200: json('The updated wallet.', walletSchema) },
    errors: [
      invalidWalletId(),
      errors.notFound('Wallet', 'id'),
      tooManyDecimals('amount', { minorUnit: 2, currencyCode: 'USD' }),
      errors.notPossibleNow('Wallet 1 is closed'),
    ],
    handler: (deps) => async (request, response) => {
      const id = pathId(request.params['id'], invalidWalletId);
      const amount = new Exact(validBody(fundBody, jsonObject(request)).amount);
      const caller = callerOf(request, response);
      const wallet = await ownWallet(deps, caller.clientId, id);
      assertDecimals('amount', wallet, amount);
      await fundWallet(deps.database, caller, wallet, amount).catch(asConflict);
      response.json(walletView(await ownWallet(deps, caller.clientId, id)));
    },
  },
  ...sandboxFundingRoutes,
  ...Object.fromEntries(profileChanges.map(profileRoute)),
  'POST /api/v1/sandbox/orders/:id/cancel': decisionRoute({
    id: 'cancelSandboxOrder',
    summary: 'Cancel an order',
    description:
      'Cancels the order as an operator would. After a 503 the cancellation may still take effect: its result was unknown after 20 seconds.',
    rejected: errors.notPossibleNow('Too late: the purchase was sent'),
    decide: cancelOrder,
  }),
  'POST /api/v1/sandbox/orders/:id/release': decisionRoute({
    id: 'releaseSandboxOrder',
    summary: 'Release a held order',
    description:
      'Releases an order that is under review, as an operator would: it is bought now. After a 503 the release may still take effect.',
    rejected: errors.notPossibleNow('The order is not under review'),
    decide: releaseOrder,
  }),
  ...sandboxClaimRoutes,
};

/** An operator's decision about an order of any family. */
function decisionRoute({
  rejected,
  decide,
  ...described
}: Pick<ApiRoute<SandboxRouteDependencies>, 'id' | 'summary' | 'description'> & {
  rejected: ApiError;
  decide: typeof cancelOrder;
}): ApiRoute<SandboxRouteDependencies> {
  return {
    ...described,
    tag,
    scope: 'none',
    path: { id: orderIdField },
    responses: { 200: json('The updated order.', { anyOf: [voucherOrder, topupOrder, esimOrder] }) },
    errors: [
      ...noOrder,
      errors.invalidFeature(),
      errors.notPossibleNow('The order is DELIVERED: that is final'),
      rejected,
    ],
    handler: (deps) => async (request, response) => {
      const id = pathId(request.params['id'], invalidOrderId);
      const client = clientOf(response);
      const order = found(await findOrderOfAnyFamily(deps.database, client.id, id), 'Order');
      if (!client.features.includes(families[order.family].feature)) throw errors.invalidFeature();
      await decide(deps, callerOf(request, response), { id, status: order.status });
      await sendCurrentOrder(deps, response, order.family, id);
    },
  };
}

function profileRoute(change: ProfileChange): [name: string, route: ApiRoute<SandboxRouteDependencies>] {
  return [
    `POST /api/v1/sandbox/esims/:order_id/${change}`,
    {
      id: `${change}SandboxEsim`,
      tag,
      scope: 'none',
      feature: families.ESIM.feature,
      summary: summaries[change],
      description: descriptions[change],
      path: { order_id: orderIdField },
      ...(change === 'use' && { body: { schema: useBody, title: 'SandboxEsimUse', isOptional: true } }),
      responses: { 200: json('The updated order.', esimOrder) },
      errors: [
        ...noOrder.map((error) => error.about('order_id')),
        errors.notPossibleNow('The order is PENDING: it has no eSIM'),
        errors.notPossibleNow(conflicts[change]),
        errors.notPossibleNow('The eSIM is EXPIRED: that is final'),
      ],
      handler: (deps) => async (request, response) => {
        const id = pathId(request.params['order_id'], invalidProfileOrderId);
        const megabytes = change === 'use' ? megabytesIn(request) : undefined;
        const order = await ownOrder(deps, 'ESIM', response, id, 'order_id');
        const changed = await changeProfile(deps, callerOf(request, response), order, change, megabytes);
        await sendOrder(response, changed, esimOrderViews(deps).single);
      },
    },
  ];
}

/** The `megabytes` of the body; undefined without the body or the field. Throws 400 for a body that is not JSON. */
function megabytesIn(request: Request): number | undefined {
  return hasBody(request) ? validBody(useBody, jsonObject(request)).megabytes : undefined;
}

const orderViews: { readonly [F in Family]: (deps: Dependencies) => OrderViews<F> } = {
  VOUCHER: voucherOrderViews,
  TOPUP: topupOrderViews,
  ESIM: esimOrderViews,
};

/** Sends the order as its family shows it. */
async function sendCurrentOrder<F extends Family>(
  deps: Dependencies,
  response: Response,
  family: F,
  id: number,
): Promise<void> {
  const order = await ownOrder(deps, family, response, id);
  await sendOrder(response, order, orderViews[family](deps).single);
}

async function ownWallet({ database }: Dependencies, clientId: number, id: number): Promise<Wallet> {
  return found(await findWallet(database, clientId, id), 'Wallet');
}

/** Throws 409 if the wallet does not accept the entry now, for example because it is closed. Rethrows any other error. */
function asConflict(error: unknown): never {
  throw error instanceof EntryRejected ? errors.notPossibleNow(error.message) : error;
}
