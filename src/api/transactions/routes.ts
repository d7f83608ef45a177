/** Wallet transactions. docs/specification.md#transactions. */
import type { Request } from 'express';
import {
  findEntry,
  listClientEntries,
  listWalletEntries,
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
import { schedulePage } from '../shared/large-reads';
import { listQuery, rowsOf, sendRows } from '../shared/pagination';
import { boundedPathId, found, MAX_ID, queryId, validQuery } from '../shared/validation';

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

const transactionsQuery = listQuery<{ wallet_id?: number }>(pageSizes.transactions, {
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
    errors: [invalidWallet(), errors.notFound('Wallet', 'wallet_id')],
    handler: (deps) => async (request, response) => {
      rejectInvalidWallet(request);
      const { wallet_id: walletId, ...query } = validQuery(transactionsQuery, request);
      const clientId = clientOf(response).id;
      const slice = rowsOf(query);
      const { offset, limit } = slice;
      await schedulePage(response, slice, async () => {
        const listed =
          walletId === undefined
            ? await listClientEntries(deps.database, clientId, offset, limit)
            : await listWalletEntries(deps.database, clientId, walletId, offset, limit);
        const { total, rows } = found(listed, 'Wallet', 'wallet_id');
        await sendRows(response, { ...query, total }, rows, transactionView);
      });
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
