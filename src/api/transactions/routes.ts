/** Wallet transactions. docs/specification.md#transactions. */
import type { Request } from 'express';
import type { Database } from '../../data/database/database';
import {
  findEntry,
  listClientEntries,
  listClientEntriesBeyond,
  listWalletEntries,
  listWalletEntriesBeyond,
  type LedgerEntry,
} from '../../data/wallets/transactions';
import { pageSizes } from '../../domain/clients/page-sizes';
import { errors } from '../../domain/errors';
import { toJsonNumber } from '../../domain/prices/money';
import { clientOf } from '../middleware/caller';
import { json, page } from '../openapi/operation';
import { orderFamily } from '../orders/order-schemas';
import { amount, currency, enumText, id, model, orNull, text, time } from '../openapi/schema';
import type { ApiRoutes } from '../server/route';
import {
  bothPositions,
  positionErrors,
  sendList,
  validListQuery,
  type PositionQuery,
  type ReadableList,
} from '../shared/list-positions';
import { listQuery } from '../shared/pagination';
import { boundedPathId, found, MAX_ID, queryId } from '../shared/validation';

const transaction = model(
  'Transaction',
  'One movement of money in a wallet.',
  {
    id: id('The transaction.', 5021),
    wallet_id: id('The wallet.', 1),
    currency_id: id("The wallet's currency.", 150),
    amount: { ...amount('The amount, always above 0.', 10), exclusiveMinimum: 0 },
    transaction_type: enumText('`CREDIT` into the wallet, `DEBIT` out of it.', ['CREDIT', 'DEBIT'], 'DEBIT'),
    status: enumText('Always `COMPLETED`.', ['PENDING', 'COMPLETED', 'FAILED'], 'COMPLETED'),
    source_currency: orNull(currency("The product's currency, if it differs from the wallet's.")),
    destination_currency: orNull(currency("The wallet's currency, if it differs from the product's.", 'EUR')),
    forex_rate: orNull(amount('The exchange rate between them.', 0.92)),
    conversion_charges: orNull(amount("The conversion fee, in the wallet's currency.", 0.18)),
    remarks: text('Its purpose.', 'Order 17: Harbour Coffee Gift Card'),
    reference_number: text('`order-<order id>` for an order, else the reference of the booking.', 'order-17'),
    created_at: time('When it was booked.'),
  },
  orderFamily,
);

const transactionsQuery = listQuery<PositionQuery & { wallet_id?: number }>(pageSizes.transactions, {
  ...bothPositions,
  wallet_id: queryId.description('Only entries of this wallet.'),
});

const invalidWallet = () => errors.validation('wallet_id must be a positive integer', 'wallet_id');
const invalidId = () => errors.badRequest('Invalid transaction ID', 'id');

export const transactionRoutes: ApiRoutes = {
  'GET /api/v1/transactions': {
    id: 'listTransactions',
    tag: 'Transactions',
    scope: 'read',
    summary: 'List transactions',
    query: transactionsQuery,
    responses: { 200: page('Newest first.', transaction) },
    errors: [invalidWallet(), ...positionErrors(), errors.notFound('Wallet', 'wallet_id')],
    handler: (deps) => async (request, response) => {
      rejectInvalidWallet(request);
      const { wallet_id: walletId, ...query } = validListQuery(transactionsQuery, request);
      const clientId = clientOf(response).id;
      const entries =
        walletId === undefined
          ? entriesOfClient(deps.database, clientId)
          : entriesOfWallet(deps.database, clientId, walletId);
      await sendList(response, query, entries, transactionView);
    },
  },
  'GET /api/v1/transactions/:id': {
    id: 'getTransaction',
    tag: 'Transactions',
    scope: 'read',
    summary: 'Read a transaction',
    path: { id: { ...id('The transaction.', 5021), maximum: MAX_ID } },
    responses: { 200: json('The transaction.', transaction) },
    errors: [invalidId(), errors.notFound('Transaction', 'id')],
    handler: (deps) => async (request, response) => {
      const id = boundedPathId(request.params['id'], invalidId);
      const entry = await findEntry(deps.database, clientOf(response).id, id);
      response.json(transactionView(found(entry, 'Transaction')));
    },
  },
};

function entriesOfClient(database: Database, clientId: number): ReadableList<LedgerEntry> {
  return {
    page: ({ offset, limit }) => listClientEntries(database, clientId, offset, limit),
    beyond: (position, limit) => listClientEntriesBeyond(database, clientId, position, limit),
  };
}

/** Its reads throw 404 if the wallet is not the client's. */
function entriesOfWallet(database: Database, clientId: number, walletId: number): ReadableList<LedgerEntry> {
  return {
    page: async ({ offset, limit }) =>
      found(await listWalletEntries(database, clientId, walletId, offset, limit), 'Wallet', 'wallet_id'),
    beyond: async (position, limit) => {
      const part = await listWalletEntriesBeyond(database, clientId, walletId, position, limit);
      const listed = found(part, 'Wallet', 'wallet_id');
      return listed === 'unknown' ? undefined : listed;
    },
  };
}

/** `wallet_id` has its own message, unlike every other query parameter. */
function rejectInvalidWallet(request: Request): void {
  const { wallet_id: walletId } = request.query;
  if (walletId !== undefined && queryId.validate(walletId).error) throw invalidWallet();
}

function transactionView(entry: LedgerEntry): object {
  return {
    id: entry.id,
    wallet_id: entry.walletId,
    currency_id: entry.currencyId,
    amount: toJsonNumber(entry.amount),
    transaction_type: entry.transactionType,
    status: entry.status,
    source_currency: entry.sourceCurrency,
    destination_currency: entry.destinationCurrency,
    forex_rate: entry.forexRate === null ? null : toJsonNumber(entry.forexRate),
    conversion_charges: entry.conversionCharges === null ? null : toJsonNumber(entry.conversionCharges),
    remarks: entry.remarks,
    reference_number: entry.referenceNumber,
    created_at: entry.createdAt.toISOString(),
    ...(entry.orderFamily !== null && { order_family: entry.orderFamily }),
  };
}
