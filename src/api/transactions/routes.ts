/** Wallet transactions. docs/specification.md#transactions. */
import { Router, type Request } from 'express';
import {
  findEntry,
  listClientEntries,
  listWalletEntries,
  type LedgerEntry,
} from '../../data/wallets/transactions';
import { errors } from '../../domain/errors';
import { toJsonNumber } from '../../domain/prices/money';
import type { Dependencies } from '../dependencies';
import { clientOf } from '../middleware/authenticate';
import { pageInTurn } from '../shared/large-reads';
import { listQuery, rowsOf, sendRows } from '../shared/pagination';
import { boundedPathId, queryId, validQuery } from '../shared/validation';

export const transactionsQuery = listQuery<{ wallet_id?: number }>(
  { defaultSize: 50, maxSize: 10_000 },
  { wallet_id: queryId.description('Only entries of this wallet.') },
);

/** GET /, GET /:id. */
export function transactionRoutes({ database }: Dependencies): Router {
  const router = Router();

  router.get('/', async (request, response) => {
    refuseInvalidWallet(request);
    const { wallet_id: walletId, ...query } = validQuery(transactionsQuery, request);
    const clientId = clientOf(response).id;
    const { offset, limit } = rowsOf(query);
    await pageInTurn(response, query.size, async () => {
      const found =
        walletId === undefined
          ? await listClientEntries(database, clientId, offset, limit)
          : await listWalletEntries(database, clientId, walletId, offset, limit);
      if (!found) throw errors.notFound('Wallet');
      await sendRows(response, { ...query, total: found.total }, found.entries, transactionView);
    });
  });

  router.get('/:id', async (request, response) => {
    const id = boundedPathId(request.params.id, () => errors.badRequest('Invalid transaction ID'));
    const entry = await findEntry(database, clientOf(response).id, id);
    if (!entry) throw errors.notFound('Transaction');
    response.json(transactionView(entry));
  });

  return router;
}

/** `wallet_id` has a message of its own, unlike every other query parameter. */
function refuseInvalidWallet(request: Request): void {
  const { wallet_id: walletId } = request.query;
  if (walletId !== undefined && queryId.validate(walletId).error)
    throw errors.validation('wallet_id must be a positive integer');
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
  };
}
