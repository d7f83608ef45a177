/** The calls on orders. */
import { Router } from 'express';
import type { Modes } from '../kit/modes';
import { sendJson, sendPurchase } from '../kit/responses';
import { businessError, errorOf, isErrorCode } from './errors';
import { viewOrder, type OrderView } from './order-views';
import { isDelivered, shownDescription, type Order } from './orders';
import { pageOf } from './paging';
import type { Parts } from './parts';
import { orderBody, ordersQuery, validated, type OrdersQuery } from './requests';
import { checkSignature } from './signatures';

const success = { message: 'success' };

/** The routes of orders. */
export function orderRoutes({ context, buyer, orders }: Parts): Router {
  const { modes } = context;
  const routes = Router();
  const modesOf = ({ pkg }: Order): Modes => modes.of(pkg.id);

  function view(order: Order, view: OrderView) {
    return viewOrder(order, modesOf(order), view);
  }

  function isVisible(order: Order): boolean {
    return (
      order.status !== undefined && Date.now() - order.createdAt >= (modesOf(order).lookup_after_ms ?? 0)
    );
  }

  /** Answers when the order has ended. A failed order answers with the error of its code, or without eSIMs. */
  routes.post('/orders', async (request, response) => {
    const body = validated(orderBody, request.body);
    checkSignature(request, context.settings.secret);
    const { order, failure } = buyer.buy(body);
    await orders.waitForEnd(order);
    const { word } = order.outcome;
    const hasFailed = word !== undefined && !isDelivered(order.status) && isErrorCode(word);
    const error = failure ?? (hasFailed ? errorOf(word) : undefined);
    const data = view(order, { isCreation: true, includes: ['sims'] });
    const sent = error ?? { status: 200, body: { data, meta: success } };
    await sendPurchase(response, sent, modes, order.pkg.id, businessError(53).body);
  });

  routes.get('/orders', (request, response) => {
    const query = validated(ordersQuery, request.query);
    const found = orders.list().filter((order) => isVisible(order) && matches(order, query));
    const includes = query.include.split(',');
    const all = found.flatMap((order) => rowsOf(order, includes));
    const { rows, links, meta } = pageOf(request, query, all);
    sendJson(
      response,
      200,
      { data: rows, links, meta },
      found.map(modesOf).find((one) => one.additional_field),
    );
  });

  /** The order. In mode `second_row`, the same order with another result follows. */
  function rowsOf(order: Order, includes: string[]) {
    const row = view(order, { isCreation: false, includes });
    if (!modesOf(order).second_row) return [row];
    const status = isDelivered(order.status) ? 'failed' : 'completed';
    return [row, view(order, { isCreation: false, includes, status })];
  }
  return routes;
}

function matches(order: Order, query: OrdersQuery): boolean {
  const { 'filter[description]': description, 'filter[created_at]': window } = query;
  const isFound = description === undefined || isLike(shownDescription(order) ?? '', description);
  return isFound && (window === undefined || isInWindow(order.createdAt, window));
}

/** `LIKE %part%` as databases do it: in any case, with `%` for every text and `_` for every character. */
function isLike(text: string, part: string): boolean {
  const pattern = part
    .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('%', '.*')
    .replaceAll('_', '.');
  return new RegExp(pattern, 'is').test(text);
}

/** Both days belong to the window, in UTC. */
function isInWindow(createdAt: number, window: string): boolean {
  const day = new Date(createdAt).toISOString().slice(0, 10);
  return day >= window.slice(0, 10) && day <= window.slice(-10);
}
