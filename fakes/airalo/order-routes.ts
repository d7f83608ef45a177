/** The calls on orders. */
import { Router } from 'express';
import { shownStates, type Modes } from '../kit/modes';
import { sendJson, sendPurchase } from '../kit/responses';
import { businessError, errorOf, isErrorCode } from './errors';
import { viewOrder, type OrderView } from './order-views';
import { isDelivered, shownDescription, type Order } from './orders';
import { pageOf } from './paging';
import type { Parts } from './parts';
import { orderBody, ordersQuery, topupBody, validated, type OrdersQuery } from './requests';
import { checkSignature } from './signatures';
import { isoTime } from '../kit/times';

const success = { message: 'success' };

/** The routes of orders. */
export function orderRoutes({ context, buyer, orders }: Parts): Router {
  const { modes } = context;
  const routes = Router();
  const modesOf = ({ pkg }: Order): Modes => modes.of(pkg.id);

  function view(order: Order, view: OrderView) {
    return viewOrder(order, modesOf(order), view);
  }

  function isVisible({ pkg, createdAt }: Order): boolean {
    return modes.isVisible(pkg.id, createdAt);
  }

  /** Answers when the order has ended. A failed order answers with the error of its code, or without eSIMs. */
  routes.post(['/orders', '/orders/topups'], async (request, response) => {
    const ordered = validated(request.path === '/orders' ? orderBody : topupBody, request.body);
    checkSignature(request, context.settings.secret);
    const { order, failure } = buyer.buy(ordered);
    await orders.waitForEnd(order);
    const { word } = order.outcome;
    const hasFailed = word !== undefined && !isDelivered(order.status) && isErrorCode(word);
    const error = failure ?? (hasFailed ? errorOf(word) : undefined);
    const data = view(order, { isCreation: true, includes: ['sims'] });
    const { status, body } = error ?? { status: 200, body: { data, meta: success } };
    const sent = { status, body, errorUnder200: businessError(53).body };
    await sendPurchase(response, sent, modes, order.pkg.id);
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

  function rowsOf(order: Order, includes: string[]) {
    const other = isDelivered(order.status) ? 'failed' : 'completed';
    const statuses = shownStates(modesOf(order), order.status, other);
    return statuses.map((status) => view(order, { isCreation: false, includes, status }));
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
  const day = isoTime(createdAt).slice(0, 10);
  return day >= window.slice(0, 10) && day <= window.slice(-10);
}
