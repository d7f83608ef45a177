/** What a client rehearses by itself, in a sandbox only. docs/specification.md#sandbox. */
import { Router } from 'express';
import Joi from 'joi';
import { EntryRefused } from '../../data/wallets/ledger';
import { findOrder, findOrderOfAnyFamily } from '../../data/orders/order-reads';
import { fundWallet, listScenarios } from '../../data/operations/sandbox';
import { findWallet, type Wallet } from '../../data/wallets/wallets';
import { errors } from '../../domain/errors';
import { profileChanges } from '../../domain/esims/esim-lifecycle';
import { families } from '../../domain/orders/families';
import { Exact, isPayable } from '../../domain/prices/money';
import { cancelOrder, changeProfile } from '../../ordering/sandbox-controls';
import type { AllSandboxControls } from '../../suppliers/registry';
import type { Dependencies } from '../dependencies';
import { esimOrderViews } from '../esim/order-routes';
import { callerOf, clientOf } from '../middleware/authenticate';
import { requireFeature } from '../middleware/require-feature';
import { number } from '../shared/order-fields';
import { sendOrder } from '../shared/create-order';
import { jsonObject, pathId, validBody } from '../shared/validation';
import { invalidWalletId, walletView } from '../wallets/routes';
import { answerWithOrder } from './order-answer';

/** The most that one call credits, in any currency. */
const MAX_FUNDS = 10_000_000;

export const fundBody = Joi.object<{ amount: number }>({
  amount: number
    .positive()
    .max(MAX_FUNDS)
    .required()
    .description("What is credited, with the decimals of the wallet's currency.")
    .example(100)
    .messages({
      'any.required': 'amount is required',
      '*': `amount must be a number above 0, at most ${MAX_FUNDS}`,
    }),
});

export type SandboxDependencies = Dependencies & { sandboxControls: AllSandboxControls };

/** GET /scenarios, POST /wallets/:id/fund, POST /esims/:order_id/{install,use,deplete}, POST /orders/:id/cancel. */
export function sandboxRoutes(deps: SandboxDependencies): Router {
  const { database } = deps;
  const router = Router();

  router.get('/scenarios', async (_request, response) => {
    response.json(await listScenarios(database));
  });

  router.post('/wallets/:id/fund', async (request, response) => {
    const id = pathId(request.params.id, invalidWalletId);
    const amount = new Exact(validBody(fundBody, jsonObject(request)).amount);
    const caller = callerOf(request, response);
    const wallet = await ownWallet(caller.clientId, id);
    const { currencyCode, minorUnit } = wallet;
    if (!isPayable({ code: currencyCode, minorUnit }, amount)) {
      throw errors.validation(`amount has more than ${minorUnit} decimals (${currencyCode})`);
    }
    await fundWallet(database, caller, wallet, amount).catch(asConflict);
    response.json(walletView(await ownWallet(caller.clientId, id)));
  });

  for (const change of profileChanges) {
    router.post(
      `/esims/:order_id/${change}`,
      requireFeature(families.ESIM.feature),
      async (request, response) => {
        const id = pathId(request.params.order_id, invalidOrderId);
        const order = await findOrder(database, 'ESIM', clientOf(response).id, id);
        if (!order) throw errors.notFound('Order');
        const changed = await changeProfile(deps, callerOf(request, response), order, change);
        await sendOrder(response, changed, esimOrderViews(deps).single);
      },
    );
  }

  router.post('/orders/:id/cancel', async (request, response) => {
    const id = pathId(request.params.id, invalidOrderId);
    const client = clientOf(response);
    const order = await findOrderOfAnyFamily(database, client.id, id);
    if (!order) throw errors.notFound('Order');
    if (!client.features.includes(families[order.family].feature)) throw errors.invalidFeature();
    await cancelOrder(deps, callerOf(request, response), { id, status: order.status });
    await answerWithOrder(deps, response, order.family, id);
  });

  return router;

  async function ownWallet(clientId: number, id: number): Promise<Wallet> {
    const wallet = await findWallet(database, clientId, id);
    if (!wallet) throw errors.notFound('Wallet');
    return wallet;
  }
}

/** A closed wallet takes no entries. */
function asConflict(error: unknown): never {
  throw error instanceof EntryRefused ? errors.notPossibleNow(error.message) : error;
}

function invalidOrderId() {
  return errors.validation('Invalid order ID');
}
