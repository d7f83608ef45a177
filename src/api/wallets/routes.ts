/** Wallets. docs/specification.md#wallets. */
import Joi from 'joi';
import type { Database } from '../../data/database/database';
import { readWalletStatement, type Period } from '../../data/wallets/wallet-statement';
import { findWallet, listWallets, setLowBalanceThreshold, type Wallet } from '../../data/wallets/wallets';
import { errors } from '../../domain/errors';
import { Exact, toJsonNumber } from '../../domain/prices/money';
import { walletColumns, walletLines, type WalletLine } from '../../statements/statements';
import { callerOf, clientOf } from '../middleware/caller';
import { csv, json } from '../openapi/operation';
import { amount, currency, flag, id, listOf, model, orNull, signedAmount, time } from '../openapi/schema';
import type { ApiRoutes } from '../server/route';
import { fileName, periodOf, periodQuery, sendCsv } from '../shared/csv-response';
import { found, jsonObject, pathId, validBody } from '../shared/validation';
import { assertDecimals, tooManyDecimals } from './decimals';

export const wallet = model('Wallet', 'A prepaid balance that pays for orders.', {
  id: id('The wallet.', 1),
  currency_id: id('Its currency.', 150),
  currency_code: currency('Its currency (ISO 4217).'),
  balance: signedAmount('The balance; below 0 it is a debt.', 1234.56),
  credit_limit: amount('By how much the balance may be below 0. Our operators set it.', 0),
  available: signedAmount('What orders can spend: the balance and the credit limit.', 1234.56),
  pending_funding: amount('The sum of pending funding requests.', 0),
  is_default: flag(
    'Whether it pays for top-ups and eSIMs if the request names no wallet and no wallet has the currency.',
    true,
  ),
  low_balance_threshold: orNull(
    amount('A debit that leaves less available sends `wallet.low_balance`; null if none is set.', 50),
  ),
  created_at: time('When it was created.', '2026-01-01T09:00:00.000Z'),
  updated_at: time('When it last changed.'),
});

/** Above every balance, and within the range of the column. */
const MAX_THRESHOLD = 1e15;

const thresholdBody = Joi.object<{ low_balance_threshold: number | null }>({
  low_balance_threshold: Joi.number()
    .strict()
    .min(0)
    .max(MAX_THRESHOLD)
    .allow(null)
    .required()
    .description('A debit that leaves less available than this sends `wallet.low_balance`; null clears it.')
    .example(50)
    .messages({
      'any.required': 'low_balance_threshold is required',
      '*': 'low_balance_threshold must be a number from 0 to 1e15, or null',
    }),
});

const walletId = { id: id('The wallet.', 1) };
const unknownWallet = [invalidWalletId(), errors.notFound('Wallet', 'id')];

export const walletRoutes: ApiRoutes = {
  'GET /api/v1/wallets': {
    id: 'listWallets',
    tag: 'Wallets',
    scope: 'read',
    summary: 'List your wallets',
    responses: { 200: json('All wallets, the default first.', listOf(wallet)) },
    handler: (deps) => async (_request, response) => {
      const wallets = await listWallets(deps.database, clientOf(response).id);
      response.json(wallets.map(walletView));
    },
  },
  'GET /api/v1/wallets/:id': {
    id: 'getWallet',
    tag: 'Wallets',
    scope: 'read',
    summary: 'Read a wallet',
    path: walletId,
    responses: { 200: json('The wallet.', wallet) },
    errors: unknownWallet,
    handler: (deps) => async (request, response) => {
      const id = pathId(request.params['id'], invalidWalletId);
      const wallet = await findWallet(deps.database, clientOf(response).id, id);
      response.json(walletView(found(wallet, 'Wallet')));
    },
  },
  'GET /api/v1/wallets/:id/statement': {
    id: 'getWalletStatement',
    tag: 'Statements',
    scope: 'read',
    summary: 'Read a statement of a wallet',
    description:
      '`OPENING` with the balance before, each entry with the balance after it, `CLOSING` with the balance at the end. A response without the last line is incomplete.',
    path: walletId,
    query: periodQuery,
    responses: { 200: csv('The statement.') },
    errors: unknownWallet,
    handler: (deps) => async (request, response) => {
      const id = pathId(request.params['id'], invalidWalletId);
      const period = periodOf(request);
      found(await findWallet(deps.database, clientOf(response).id, id), 'Wallet');
      const name = fileName(`wallet-${id}`, period);
      await sendCsv(response, name, walletColumns, statementLines(deps.database, id, period));
    },
  },
  'PATCH /api/v1/wallets/:id': {
    id: 'setLowBalanceThreshold',
    tag: 'Wallets',
    scope: 'wallets',
    summary: 'Set or clear the low balance threshold',
    path: walletId,
    body: { schema: thresholdBody, title: 'LowBalanceThreshold' },
    responses: { 200: json('The updated wallet.', wallet) },
    errors: [...unknownWallet, tooManyDecimals('low_balance_threshold', { minorUnit: 2, currencyCode: 'USD' })],
    handler: (deps) => async (request, response) => {
      const id = pathId(request.params['id'], invalidWalletId);
      const { low_balance_threshold: requested } = validBody(thresholdBody, jsonObject(request));
      const threshold = requested === null ? null : new Exact(requested);
      const clientId = clientOf(response).id;
      const current = found(await findWallet(deps.database, clientId, id), 'Wallet');
      if (threshold) assertDecimals('low_balance_threshold', current, threshold);
      const wallet = await setLowBalanceThreshold(deps.database, callerOf(request, response), id, threshold);
      response.json(walletView(found(wallet, 'Wallet')));
    },
  },
};

/**
 * The lines of the statement, which is read with the first line: when the client's turn has come. The read locks the wallet, so
 * without turns, concurrent reads of one wallet would wait for each other and hold all database connections.
 */
async function* statementLines(database: Database, walletId: number, period: Period): AsyncGenerator<WalletLine> {
  const statement = found(await readWalletStatement(database, walletId, period), 'Wallet');
  yield* walletLines(statement, period);
}

/** The error for a path whose id is not a positive integer. */
export function invalidWalletId() {
  return errors.badRequest('Invalid wallet ID', 'id');
}

export function walletView(wallet: Wallet): object {
  return {
    id: wallet.id,
    currency_id: wallet.currencyId,
    currency_code: wallet.currencyCode,
    balance: toJsonNumber(wallet.balance),
    credit_limit: toJsonNumber(wallet.creditLimit),
    available: toJsonNumber(wallet.available),
    pending_funding: toJsonNumber(wallet.pendingFunding),
    is_default: wallet.isDefault,
    low_balance_threshold: wallet.lowBalanceThreshold === null ? null : toJsonNumber(wallet.lowBalanceThreshold),
    created_at: wallet.createdAt.toISOString(),
    updated_at: wallet.updatedAt.toISOString(),
  };
}
