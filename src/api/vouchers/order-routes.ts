/** Voucher orders. docs/specification.md#voucher-orders. */
import type { Router } from 'express';
import Joi from 'joi';
import type { VoucherOrderRow } from '../../data/purchases/families/voucher';
import { errors } from '../../domain/errors';
import { orderStatuses, type OrderStatus } from '../../domain/orders/orders';
import type { Dependencies } from '../dependencies';
import { orderRoutes, type OrderViews } from '../shared/order-routes';
import { listQuery } from '../shared/pagination';
import { voucherOrderRequest } from './order-request';
import { orderJson } from './order-json';
import { createdView, detailView, emailOf, listView } from './order-view';

interface Filter {
  status?: OrderStatus;
  client_reference?: string;
}

export const voucherOrdersQuery = listQuery<Filter>(
  { defaultSize: 50, maxSize: 10_000 },
  {
    status: Joi.valid(...orderStatuses).description('Only orders in this state.'),
    client_reference: Joi.string().max(255).description('Only the order with this reference.'),
  },
);

/** POST /, GET /, GET /:id, PATCH /:id/notification-email. */
export function voucherOrderRoutes(deps: Dependencies): Router {
  const { database } = deps;
  return orderRoutes(deps, {
    family: 'VOUCHER',
    read: (client, body) => voucherOrderRequest(database, client, body),
    listQuery: voucherOrdersQuery,
    filterOf: ({ status, client_reference: clientReference }) => ({ status, clientReference }),
    views: voucherOrderViews(deps),
    invalidId: () => errors.badRequest(errors.noMatch().message),
    noMatch: errors.noMatch,
  });
}

/** How voucher orders are shown. */
export function voucherOrderViews(deps: Dependencies): OrderViews<'VOUCHER'> {
  const { sealer } = deps;
  const created = (order: VoucherOrderRow) => createdView(order, emailOf(sealer, order));
  const single = (order: VoucherOrderRow) => detailView(order, emailOf(sealer, order));
  return {
    created: (order, response) => orderJson(deps, response, order, created),
    single: (order, response) => orderJson(deps, response, order, single),
    listed: (order) => listView(order, emailOf(sealer, order)),
  };
}
