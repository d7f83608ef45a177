/** Wallets in the document. */
import { errors } from '../../domain/errors';
import { csv, json, type Operations } from '../openapi/operation';
import { id, listOf } from '../openapi/schema';
import { periodQuery } from '../shared/csv-answer';
import { thresholdBody } from './routes';
import { wallet } from './schemas';

const walletId = { id: id('The wallet.', 1) };
const refusals = [errors.badRequest('Invalid wallet ID'), errors.notFound('Wallet')];

export const walletOperations: Operations = {
  'GET /api/v1/wallets': {
    id: 'listWallets',
    tag: 'Wallets',
    summary: 'List your wallets',
    answers: { 200: json('All of them, the default first.', listOf(wallet)) },
  },
  'GET /api/v1/wallets/:id': {
    id: 'getWallet',
    tag: 'Wallets',
    summary: 'Read a wallet',
    path: walletId,
    answers: { 200: json('The wallet.', wallet) },
    errors: refusals,
  },
  'GET /api/v1/wallets/:id/statement': {
    id: 'getWalletStatement',
    tag: 'Statements',
    summary: 'Read a statement of a wallet',
    description:
      '`OPENING` with the balance before, each entry with the balance after it, `CLOSING` with the balance at the end. An answer without the last line broke off.',
    path: walletId,
    query: periodQuery,
    answers: {
      200: csv(
        'The statement.',
        'at,kind,type,amount,balance,order_id,transaction_id,reference,remarks\n' +
          '2026-11-01T00:00:00.000Z,OPENING,,,100.00,,,,\n' +
          '2026-11-02T10:15:00.000Z,ORDER,DEBIT,9.80,90.20,17,5021,order-17,Order 17: Harbour Coffee Gift Card\n' +
          '2026-12-01T00:00:00.000Z,CLOSING,,,90.20,,,,\n',
      ),
    },
    errors: refusals,
  },
  'PATCH /api/v1/wallets/:id': {
    id: 'setLowBalanceThreshold',
    tag: 'Wallets',
    summary: 'Set or clear the low balance threshold',
    path: walletId,
    body: {
      schema: thresholdBody,
      title: 'LowBalanceThreshold',
      example: { low_balance_threshold: 50 },
    },
    answers: { 200: json('The wallet as it is now.', wallet) },
    errors: [...refusals, errors.validation('low_balance_threshold has more than 2 decimals (USD)')],
  },
};
