/** Wallets. docs/specification.md#wallets. */
import { Router } from 'express';
import Joi from 'joi';
import { readStatement } from '../../data/wallets/wallet-statement';
import { findWallet, listWallets, setLowBalanceThreshold, type Wallet } from '../../data/wallets/wallets';
import { errors } from '../../domain/errors';
import { Exact, isPayable, toJsonNumber } from '../../domain/prices/money';
import { walletColumns, walletLines } from '../../statements/wallet-lines';
import type { Dependencies } from '../dependencies';
import { callerOf, clientOf } from '../middleware/authenticate';
import { fileName, periodOf, sendCsv } from '../shared/csv-answer';
import { jsonObject, pathId, validBody } from '../shared/validation';

/** Above every sum of money, and within what the column holds. */
const MAX_THRESHOLD = 1e15;

/** An amount, or null to clear it. */
export const thresholdBody = Joi.object<{ low_balance_threshold: number | null }>({
  low_balance_threshold: Joi.number()
    .strict()
    .min(0)
    .max(MAX_THRESHOLD)
    .allow(null)
    .required()
    .description('A debit that leaves less than this sends `wallet.low_balance`; null clears it.')
    .example(50)
    .messages({
      'any.required': 'low_balance_threshold is required',
      '*': 'low_balance_threshold must be a number from 0 to 1e15, or null',
    }),
});

/** GET /, GET /:id, GET /:id/statement, PATCH /:id. */
export function walletRoutes({ database }: Dependencies): Router {
  const router = Router();

  router.get('/', async (_request, response) => {
    const wallets = await listWallets(database, clientOf(response).id);
    response.json(wallets.map(walletView));
  });

  router.get('/:id', async (request, response) => {
    const id = pathId(request.params.id, invalidWalletId);
    response.json(walletView(found(await findWallet(database, clientOf(response).id, id))));
  });

  router.get('/:id/statement', async (request, response) => {
    const id = pathId(request.params.id, invalidWalletId);
    const period = periodOf(request);
    found(await findWallet(database, clientOf(response).id, id));
    const statement = await readStatement(database, id, period);
    if (!statement) throw errors.notFound('Wallet');
    const name = fileName(`wallet-${id}`, period);
    await sendCsv(response, name, walletColumns, walletLines(statement, period));
  });

  router.patch('/:id', async (request, response) => {
    const id = pathId(request.params.id, invalidWalletId);
    const { low_balance_threshold: asked } = validBody(thresholdBody, jsonObject(request));
    const threshold = asked === null ? null : new Exact(asked);
    const clientId = clientOf(response).id;
    const { currencyCode, minorUnit } = found(await findWallet(database, clientId, id));
    if (threshold && !isPayable({ code: currencyCode, minorUnit }, threshold)) {
      throw errors.validation(`low_balance_threshold has more than ${minorUnit} decimals (${currencyCode})`);
    }
    const wallet = await setLowBalanceThreshold(database, callerOf(request, response), id, threshold);
    response.json(walletView(found(wallet)));
  });

  return router;
}

function found(wallet: Wallet | undefined): Wallet {
  if (!wallet) throw errors.notFound('Wallet');
  return wallet;
}

/** The error for a path whose id is not a positive integer. */
export function invalidWalletId() {
  return errors.badRequest('Invalid wallet ID');
}

/** A wallet as JSON. */
export function walletView(wallet: Wallet): object {
  return {
    id: wallet.id,
    currency_id: wallet.currencyId,
    currency_code: wallet.currencyCode,
    balance: toJsonNumber(wallet.balance),
    is_default: wallet.isDefault,
    low_balance_threshold:
      wallet.lowBalanceThreshold === null ? null : toJsonNumber(wallet.lowBalanceThreshold),
    created_at: wallet.createdAt.toISOString(),
    updated_at: wallet.updatedAt.toISOString(),
  };
}
