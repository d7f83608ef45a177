/** The calls on orders. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Router, type Request, type Response } from 'express';
import type { Modes } from '../kit/modes';
import { sendJson, sendPurchase } from '../kit/responses';
import type { Bought, Way } from './buyer';
import { businessError, errorOf, isErrorCode, statusError, validationError } from './errors';
import { codeOf, viewOrder, type OrderView } from './order-views';
import { isDelivered, shownDescription, simsOf, type Order } from './orders';
import { pageOf } from './paging';
import type { Parts } from './parts';
import {
  asyncOrderBody,
  includeQuery,
  orderBody,
  ordersQuery,
  topupBody,
  validated,
  type OrderRequest,
  type OrdersQuery,
} from './requests';
import { checkSignature } from './signed-requests';

const success = { message: 'success' };
/** The time that an early webhook is ahead of the response. */
const earlyMs = 250;

/** The routes of orders. */
export function orderRoutes(parts: Parts): Router {
  const { context, buyer, notifications, orders, pricing } = parts;
  const { modes } = context;
  const routes = Router();
  const modesOf = ({ pkg }: Order): Modes => modes.of(pkg.id);

  function view(order: Order, view: OrderView) {
    return viewOrder(order, modesOf(order), pricing, view);
  }

  function isVisible(order: Order): boolean {
    return (
      order.status !== undefined && Date.now() - order.createdAt >= (modesOf(order).lookup_after_ms ?? 0)
    );
  }

  async function send(response: Response, { order, failure }: Bought, status: number, body: object) {
    const sent = failure ? { status: failure.status, body: failure.body } : { status, body };
    await sendPurchase(response, sent, modes, order.pkg.id, businessError(53).body);
  }

  /** Answers when the order has ended. It fails with the error of its code, or has no eSIMs. */
  async function buyNow(request: Request, response: Response, order: OrderRequest, type: Way['type']) {
    checkSignature(parts, request);
    const bought = buyer.buy(order, { type, isAsync: false });
    await orders.waitForEnd(bought.order);
    const { status, outcome } = bought.order;
    if (outcome.word !== undefined && !isDelivered(status) && isErrorCode(outcome.word)) {
      const failure = bought.failure ?? errorOf(outcome.word);
      return send(response, { ...bought, failure }, 200, {});
    }
    const data = view(bought.order, { isCreation: true, includes: ['sims'] });
    await send(response, bought, 200, { data, meta: success });
  }

  routes.post('/orders', (request, response) =>
    buyNow(request, response, validated(orderBody, request.body), 'sim'),
  );

  routes.post('/orders/topups', (request, response) => {
    const body = validated(topupBody, request.body);
    return buyNow(request, response, { ...body, quantity: 1 }, 'topup');
  });

  routes.post('/orders-async', async (request, response) => {
    const body = validated(asyncOrderBody, request.body);
    checkSignature(parts, request);
    const webhookUrl = body.webhook_url ?? notifications.find('async_orders')?.webhook_url;
    if (webhookUrl === undefined) {
      throw validationError({ webhook_url: 'The webhook url is required without an opt-in.' });
    }
    const bought = buyer.buy(body, { type: 'sim', isAsync: true, webhookUrl });
    const { order } = bought;
    if (modesOf(order).webhook === 'early') {
      orders.finish(order);
      await sleep(earlyMs, undefined, { ref: false });
    }
    const data = { request_id: order.requestId, accepted_at: new Date(order.createdAt).toISOString() };
    await send(response, bought, 202, { data, meta: success });
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

  /** The order, and in mode `second_row` the same one with another result. */
  function rowsOf(order: Order, includes: string[]) {
    const row = view(order, { isCreation: false, includes });
    if (!modesOf(order).second_row) return [row];
    const status = isDelivered(order.status) ? 'failed' : 'completed';
    return [row, view(order, { isCreation: false, includes, status })];
  }

  routes.get('/orders/:id', (request, response) => {
    const { include } = validated(includeQuery, request.query);
    const order = orders.find(Number(request.params.id));
    if (!order || !isVisible(order)) throw statusError(404);
    // The documentation shows the eSIMs here with `include` only.
    const data = view(order, { isCreation: false, includes: include.split(',') });
    sendJson(response, 200, { data, meta: success }, modesOf(order));
  });
  return routes;
}

/** A failed order has no eSIMs, so `filter[iccid]` does not find it. */
function matches(order: Order, query: OrdersQuery): boolean {
  const { 'filter[description]': description, 'filter[created_at]': window } = query;
  const { 'filter[code]': code, 'filter[iccid]': iccid, 'filter[order_status]': status } = query;
  const sims = isDelivered(order.status) ? simsOf(order) : [];
  return [
    description === undefined || isLike(shownDescription(order) ?? '', description),
    window === undefined || isInWindow(order.createdAt, window),
    code === undefined || codeOf(order) === code,
    status === undefined || order.status === status,
    iccid === undefined || sims.some((sim) => sim.iccid === iccid),
  ].every(Boolean);
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
