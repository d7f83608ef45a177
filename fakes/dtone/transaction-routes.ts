/** The calls on transactions. */
import { Router } from 'express';
import { shownStates, type Modes } from '../kit/modes';
import { sendJson, sendPurchase } from '../kit/responses';
import { dayMs } from '../kit/times';
import { ApiError } from './errors';
import { pageOf } from './paging';
import type { Parts } from './parts';
import { skuOf } from './products';
import { transactionsQuery, validated, type TransactionsQuery } from './requests';
import { contradicting } from './statuses';
import type { Transaction } from './transactions';
import { viewTransaction } from './views';

/** The routes of transactions. */
export function transactionRoutes({ context, creator, transactions }: Parts): Router {
  const { modes } = context;
  const routes = Router();

  function modesOf({ product }: Transaction): Modes {
    return modes.of(skuOf(product));
  }

  function isVisible({ product, createdAt }: Transaction): boolean {
    return modes.isVisible(skuOf(product), createdAt);
  }

  /** Answers at once, with the state of the accepted transaction. */
  routes.post('/async/transactions', async (request, response) => {
    const { transaction, failure } = await creator.create(request.body);
    const body = failure?.body ?? viewTransaction(transaction, modesOf(transaction));
    const sent = {
      status: failure?.status ?? 201,
      body,
      errorUnder200: new ApiError(1009001).body,
      finish: () => transactions.finish(transaction),
    };
    await sendPurchase(response, sent, modes, skuOf(transaction.product));
  });

  routes.get('/transactions', (request, response) => {
    const query = validated(transactionsQuery, request.query);
    const isInTime = windowOf(query);
    const all = query.external_id === undefined ? transactions.list() : transactions.withReference(query.external_id);
    const rows = all.filter((one) => isInTime(one) && isVisible(one)).flatMap((one) => rowsOf(one, modesOf(one)));
    sendJson(response, 200, pageOf(response, query, rows));
  });
  return routes;
}

function rowsOf(transaction: Transaction, modes: Modes): object[] {
  const { status } = transaction;
  return shownStates(modes, status, contradicting(status)).map((shown) => viewTransaction(transaction, modes, shown));
}

/** The filter by time. Without dates and external id, it matches the last 24 hours. Throws if the window is longer than that. */
function windowOf({ external_id, from_date, to_date }: TransactionsQuery): (one: Transaction) => boolean {
  if (from_date === undefined && to_date === undefined) {
    const from = external_id === undefined ? Date.now() - dayMs : 0;
    return ({ createdAt }) => createdAt >= from;
  }
  const to = to_date?.getTime() ?? Date.now();
  const from = from_date?.getTime() ?? to - dayMs;
  if (from > to || to - from > dayMs) throw new ApiError(1000400, 'from_date to to_date is at most 24 hours');
  return ({ createdAt }) => createdAt >= from && createdAt <= to;
}
