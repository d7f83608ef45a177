/** Data that only the console reads: an account's orders, their timelines and codes, and its API requests. */
import type { Request } from 'express';
import Joi from 'joi';
import type { Client } from '../../data/clients/clients';
import {
  exportClientOrders,
  familiesOf,
  listClientOrders,
  readsManyOrders,
  readTimeline,
  type ClientOrderFilter,
  type OrderTimeline,
  type TimelineEvent,
} from '../../data/orders/client-orders';
import { readOrderPrice } from '../../data/orders/order-price';
import { weightOfRows } from '../../domain/clients/call-weights';
import { errors } from '../../domain/errors';
import { families } from '../../domain/orders/families';
import { orderStatuses, type OrderStatus } from '../../domain/orders/order-states';
import { toJsonNumber } from '../../domain/prices/money';
import { priceSteps, type PriceStep } from '../../domain/prices/price-steps';
import { utcTime } from '../../domain/time';
import { readBalanceHistory, type BalanceHistory } from '../../data/wallets/balance-history';
import type { Period } from '../../data/wallets/wallet-statement';
import { orderColumns, orderLines } from '../../statements/statements';
import { clientOf } from '../middleware/caller';
import { hasScope, requireScope } from '../middleware/scope';
import { ownOrder } from '../orders/own-order';
import { addWeight } from '../rate-limits/rate-limiter';
import { sequence } from '../server/dispatch';
import type { Routes } from '../server/route';
import { moment, periodOf, sendCsv } from '../shared/csv-response';
import { scheduleLargeRead } from '../shared/large-reads';
import { found, pathId, queryId, validQuery } from '../shared/validation';
import { readVouchers } from '../vouchers/order-json';
import type { VoucherView } from '../vouchers/voucher-view';
import { outcomeView } from '../webhooks/event-routes';
import { rowLimit } from './page-query';
import { orderView } from './live-view';

interface OrdersQuery {
  family?: string;
  status?: OrderStatus;
  search?: string;
  product?: string;
  from?: Date;
  to?: Date;
  after?: number;
  limit: number;
}

const searchText = Joi.string().trim().normalize('NFC').empty('').max(255);

const ordersQuery = Joi.object<OrdersQuery>({
  family: Joi.valid(...Object.values(families).map(({ feature }) => feature)),
  status: Joi.valid(...orderStatuses),
  search: searchText,
  product: searchText,
  from: moment,
  to: moment,
  after: queryId,
  limit: rowLimit,
});

/** Leaves out families whose feature the client does not have, because the client could not open their orders. */
function filterOf({ family, ...query }: OrdersQuery, { features }: Client): ClientOrderFilter {
  const allowed = features.filter((feature) => family === undefined || feature === family);
  return { ...query, families: familiesOf(allowed) };
}

/** `rows`: one row more than the limit if the list continues. `next`: the id after which the next page begins, or null. */
function pageOf<Row extends { id: number }>(rows: readonly Row[], limit: number) {
  const shown = rows.slice(0, limit);
  return { shown, next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
}

/** Served to the console's session alone. docs/developers/console.md#data-of-the-console. */
export const consoleDataRoutes: Routes = {
  'GET /console/api/orders': {
    scope: 'read',
    handler: (deps) => async (request, response) => {
      const query = validQuery(ordersQuery, request);
      const client = clientOf(response);
      const filter = filterOf(query, client);
      const page = { limit: query.limit + 1, after: query.after };
      const read = async () => {
        const { shown, next } = pageOf(await listClientOrders(deps.database, client.id, filter, page), query.limit);
        response.json({ orders: shown.map(orderView), next });
      };
      await (readsManyOrders(filter) ? scheduleLargeRead(response, read) : read());
    },
  },
  'GET /console/api/orders.csv': {
    scope: 'read',
    handler: (deps) => async (request, response) => {
      const client = clientOf(response);
      const filter = filterOf(validQuery(ordersQuery, request), client);
      const orders = exportClientOrders(deps.database, client.id, filter);
      const lines = orderLines(orders, { from: filter.from ?? new Date(0), to: filter.to ?? new Date() });
      await sendCsv(response, `orders-${fileTime()}.csv`, orderColumns, lines);
    },
  },
  'GET /console/api/orders/:id/timeline': {
    scope: 'read',
    handler: (deps) => async (request, response) => {
      const { id, features } = clientOf(response);
      const timeline = await readTimeline(deps.database, id, orderIdOf(request));
      if (!timeline || !features.includes(families[timeline.family].feature)) throw errors.notFound('Order');
      response.json(timelineView(timeline, { showsEndpoints: hasScope(response, 'webhooks') }));
    },
  },
  'GET /console/api/orders/:id/price': {
    scope: 'read',
    handler: (deps) => async (request, response) => {
      const { id, features } = clientOf(response);
      const price = await readOrderPrice(deps.database, orderIdOf(request), id);
      if (!price || !features.includes(families[price.family].feature)) throw errors.notFound('Order');
      response.json({ steps: priceSteps(price).map(ownStep) });
    },
  },
  'GET /console/api/orders/:id/codes.csv': {
    scope: 'read',
    feature: 'vouchers',
    handler: (deps) =>
      sequence([
        requireScope('codes'),
        async (request, response) => {
          const id = orderIdOf(request);
          const order = await ownOrder(deps, 'VOUCHER', response, id);
          await addWeight(response, weightOfRows(order.deliveredQuantity));
          const vouchers = await readVouchers(deps, response, order);
          const orderFields = {
            order_id: id,
            product: order.productName,
            face_value: toJsonNumber(order.faceValue),
            currency: order.productCurrency,
          };
          await sendCsv(response, `codes-${id}.csv`, codeColumns, codeLines(orderFields, vouchers));
        },
      ]),
  },
  'GET /console/api/wallets/:id/balances': {
    scope: 'read',
    handler: (deps) => async (request, response) => {
      const period = periodOf(request);
      const id = pathId(request.params['id'], () => errors.notFound('Wallet'));
      const history = await scheduleLargeRead(response, () =>
        readBalanceHistory(deps.database, clientOf(response).id, id, period),
      );
      response.json(historyView(found(history, 'Wallet'), period));
    },
  },
};

/** A step as the client reads it: without how we set the terms. */
function ownStep(step: PriceStep): object {
  if (step.step === 'RATE') {
    const { as_of: _asOf, file_day: _day, ...own } = step;
    return own;
  }
  if (step.step !== 'DISCOUNT') return step;
  const { of: _of, ...own } = step;
  return own;
}

function orderIdOf(request: Request): number {
  return pathId(request.params['id'], () => errors.notFound('Order'));
}

function historyView({ minorUnit, openingBalance, points, isCut }: BalanceHistory, { from, to }: Period) {
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    minor_unit: minorUnit,
    opening_balance: openingBalance,
    points: points.map(({ at, balance }) => ({ at: at.toISOString(), balance })),
    is_cut: isCut,
  };
}

function fileTime(): string {
  return new Date().toISOString().slice(0, 19).replace(/[-:]/g, '');
}

const codeColumns = [
  'order_id',
  'unit',
  'product',
  'face_value',
  'currency',
  'card_number',
  'pin_code',
  'claim_url',
  'voucher_reference_number',
  'expires_at',
] as const;

async function* codeLines(orderFields: object, vouchers: Iterable<VoucherView> | AsyncIterable<VoucherView>) {
  let unit = 0;
  for await (const voucher of vouchers) yield { ...orderFields, unit: ++unit, ...voucher };
}

function timelineView({ placedAt, completedAt, events }: OrderTimeline, shown: { showsEndpoints: boolean }) {
  return {
    placed_at: placedAt.toISOString(),
    completed_at: completedAt?.toISOString() ?? null,
    events: events.map((event) => eventView(shown.showsEndpoints ? event : withoutEndpoints(event))),
  };
}

/** The URL of an endpoint may contain a secret of the client. */
function withoutEndpoints(event: TimelineEvent): TimelineEvent {
  return { ...event, deliveries: [], attempts: [] };
}

function eventView({ id, type, createdAt, deliveries, attempts }: TimelineEvent) {
  return {
    id,
    type,
    created_at: utcTime(createdAt),
    deliveries: deliveries.map(({ endpointId, url, state, nextAttemptAt }) => ({
      endpoint_id: endpointId,
      url,
      status: state === 'DUE' || state === 'RETRY' ? 'PENDING' : state,
      next_try_at: nextAttemptAt === null ? null : utcTime(nextAttemptAt),
    })),
    attempts: attempts.map(({ endpointId, url, attemptedAt, ...outcome }) => ({
      endpoint_id: endpointId,
      url,
      attempted_at: utcTime(attemptedAt),
      ...outcomeView(outcome),
    })),
  };
}
