/** The calls on transactions. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Router } from 'express';
import type { Modes } from '../kit/modes';
import { sendJson, sendPurchase } from '../kit/responses';
import { ApiError } from './errors';
import { pageOf } from './paging';
import type { Parts } from './parts';
import { skuOf } from './products';
import { transactionsQuery, validated, type TransactionsQuery } from './requests';
import { contradicting } from './statuses';
import type { Transaction } from './transactions';
import { viewTransaction } from './views';

/** The time by which an early callback precedes the response. */
const earlyMs = 250;
const dayMs = 86_400_000;

/** The routes of transactions. */
export function transactionRoutes({ context, creator, transactions }: Parts): Router {
  const { modes } = context;
  const routes = Router();

  function modesOf({ product }: Transaction): Modes {
    return modes.of(skuOf(product));
  }

  function isVisible(transaction: Transaction): boolean {
    return Date.now() - transaction.createdAt >= (modesOf(transaction).lookup_after_ms ?? 0);
  }

  /** Answers at once, with the state of the accepted transaction. */
  routes.post('/async/transactions', async (request, response) => {
    const { transaction, failure } = await creator.create(request.body);
    const body = failure?.body ?? viewTransaction(transaction, modesOf(transaction));
    if (modesOf(transaction).webhook === 'early') {
      transactions.finish(transaction);
      await sleep(earlyMs, undefined, { ref: false });
    }
    const sent = { status: failure?.status ?? 201, body };
    await sendPurchase(response, sent, modes, skuOf(transaction.product), new ApiError(1009001).body);
  });

  routes.get('/transactions', (request, response) => {
    const query = validated(transactionsQuery, request.query);
    const isInTime = windowOf(query);
    const all =
      query.external_id === undefined ? transactions.list() : transactions.findExternal(query.external_id);
    const rows = all
      .filter((one) => isInTime(one) && isVisible(one))
      .flatMap((one) => rowsOf(one, modesOf(one)));
    sendJson(response, 200, pageOf(response, query, rows));
  });
  return routes;
}

/** The transaction. In mode `second_row`, the same transaction with another result follows. */
function rowsOf(transaction: Transaction, modes: Modes): unknown[] {
  const row = viewTransaction(transaction, modes);
  if (!modes.second_row) return [row];
  return [row, viewTransaction(transaction, modes, contradicting(transaction.status))];
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
