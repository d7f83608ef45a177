/** The calls on transactions. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Router, type Response } from 'express';
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

const ways = ['async', 'sync'] as const;
type Way = (typeof ways)[number];

/** The longest time that a synchronous call waits for a final state. */
const syncMs = 180_000;
const minSyncMs = 1_000;
/** The time that an early callback is ahead of the response. */
const earlyMs = 250;
const dayMs = 86_400_000;

/** The routes of transactions. */
export function transactionRoutes({ context, creator, transactions, timeScale }: Parts): Router {
  const { modes } = context;
  const routes = Router();

  function modesOf({ product }: Transaction): Modes {
    return modes.of(skuOf(product));
  }

  function view(transaction: Transaction): unknown {
    return viewTransaction(transaction, modesOf(transaction));
  }

  function isVisible(transaction: Transaction): boolean {
    return Date.now() - transaction.createdAt >= (modesOf(transaction).lookup_after_ms ?? 0);
  }

  function known(id: string): Transaction {
    const transaction = transactions.find(id);
    if (!transaction) throw new ApiError(1008004);
    return transaction;
  }

  /** Sends the state at acceptance, or for synchronous calls the state at the end. */
  async function sendRun(
    response: Response,
    way: Way,
    status: number,
    transaction: Transaction,
    failure?: ApiError,
  ): Promise<void> {
    const accepted = view(transaction);
    if (modesOf(transaction).webhook === 'early') {
      transactions.finish(transaction);
      await sleep(earlyMs, undefined, { ref: false });
    }
    if (way === 'sync' && transaction.confirmedAt !== undefined) {
      await transactions.waitForEnd(transaction, Math.max(minSyncMs, Math.ceil(syncMs * timeScale)));
    }
    const body = failure?.body ?? (way === 'sync' ? view(transaction) : accepted);
    const sent = { status: failure?.status ?? status, body };
    await sendPurchase(response, sent, modes, skuOf(transaction.product), new ApiError(1009001).body);
  }

  for (const way of ways) {
    routes.post(`/${way}/transactions`, async (request, response) => {
      const { transaction, failure } = await creator.create(request.body);
      await sendRun(response, way, 201, transaction, failure);
    });

    routes.post(`/${way}/transactions/:id/confirm`, async (request, response) => {
      const transaction = known(String(request.params['id']));
      transactions.confirm(transaction);
      await sendRun(response, way, 202, transaction);
    });
  }

  routes.post('/transactions/:id/cancel', (request, response) => {
    const transaction = known(request.params.id);
    transactions.cancel(transaction);
    sendJson(response, 202, view(transaction));
  });

  routes.get('/transactions/:id', (request, response) => {
    const transaction = known(request.params.id);
    if (!isVisible(transaction)) throw new ApiError(1008004);
    sendJson(response, 200, view(transaction));
  });

  routes.get('/transactions', (request, response) => {
    const query = validated(transactionsQuery, request.query);
    const isInTime = windowOf(query);
    const all =
      query.external_id === undefined ? transactions.list() : transactions.findExternal(query.external_id);
    const rows = all
      .filter((one) => isInTime(one) && isVisible(one) && matches(one, query))
      .flatMap((one) => rowsOf(one, modesOf(one)));
    sendJson(response, 200, pageOf(response, query, rows));
  });
  return routes;
}

/** The transaction, and in mode `second_row` the same one with another result. */
function rowsOf(transaction: Transaction, modes: Modes): unknown[] {
  const row = viewTransaction(transaction, modes);
  if (!modes.second_row) return [row];
  return [row, viewTransaction(transaction, modes, contradicting(transaction.status))];
}

/** Without dates and without an external id, only the last 24 hours. Throws if a window is longer. */
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

function matches({ request, product, status }: Transaction, query: TransactionsQuery): boolean {
  const { credit_party_identifier: party } = request;
  const pairs: (readonly [wanted: unknown, value: unknown])[] = [
    [query.status_id, status.id],
    [query.product_type, product.type],
    [query.service_id, product.service.id],
    [query.operator_id, product.operator.id],
    [query.country_iso_code, product.operator.country.iso_code],
    [query.credit_party_mobile_number, party?.mobile_number],
    [query.credit_party_account_number, party?.account_number],
  ];
  return pairs.every(([wanted, value]) => wanted === undefined || wanted === value);
}
