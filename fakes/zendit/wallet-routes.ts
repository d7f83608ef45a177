/** Our balance, and the transactions of our wallet. */
import { Router } from 'express';
import { sendJson, withAdditionalFields } from '../kit/responses';
import { WALLET_CURRENCY, WALLET_DIVISOR } from './account';
import type { Lookups } from './lookups';
import { productTypes } from './offers';
import { pageOf } from './paging';
import type { Parts } from './parts';
import type { Purchase } from './purchases';
import type { Refund } from './refunds';
import { periodOf, transactionsQuery, validated, type TransactionsQuery } from './requests';
import { contradicting } from './statuses';
import { viewCredit, viewTransaction } from './views';

/** The routes of the wallet. */
export function walletRoutes(parts: Parts, lookups: Lookups): Router {
  const { account, purchases, refunds } = parts;
  const { modes } = parts.context;
  const routes = Router();

  routes.get('/balance', (_request, response) => {
    const balance = {
      availableBalance: account.available,
      currency: WALLET_CURRENCY,
      currencyDivisor: WALLET_DIVISOR,
    };
    sendJson(response, 200, balance, modes.of(''));
  });

  /** The transaction, and in mode `second_row` the same one with another result. */
  function rowsOf(purchase: Purchase): unknown[] {
    const current = modes.of(purchase.offer.offerId);
    const row = viewTransaction(purchase, current);
    if (!current.second_row) return [row];
    return [row, viewTransaction(purchase, current, contradicting(purchase.status))];
  }

  function creditOf(refund: Refund): unknown {
    const view = viewCredit(refund);
    return withAdditionalFields(view, modes.of(refund.purchase.offer.offerId));
  }

  routes.get('/transactions', (request, response) => {
    const query = validated(transactionsQuery, request.query);
    const isInPeriod = periodOf(query.createdAt);
    const credits = refunds
      .list()
      .filter((one) => isInPeriod(one.createdAt) && matches(one.status, one.purchase, query))
      .map(creditOf);
    const debits = purchases
      .list()
      .filter((one) => isInPeriod(one.createdAt) && lookups.isVisible(one) && matches(one.status, one, query))
      .flatMap(rowsOf);
    sendJson(response, 200, pageOf([...credits, ...debits], query));
  });

  routes.get('/transactions/:id', (request, response) => {
    const refund = refunds.list().find(({ transactionId }) => transactionId === request.params.id);
    if (refund) return void sendJson(response, 200, creditOf(refund));
    const purchase = lookups.known(request.params.id);
    sendJson(response, 200, viewTransaction(purchase, modes.of(purchase.offer.offerId)));
  });
  return routes;
}

function matches(status: string, { offer }: Purchase, query: TransactionsQuery): boolean {
  const isOfStatus = query.status === undefined || query.status === status;
  return isOfStatus && (query.productType === undefined || query.productType === productTypes[offer.family]);
}
