/** eSIM orders. docs/specification.md#esim-orders. */
import type { Router } from 'express';
import Joi from 'joi';
import type { EsimOrderRow } from '../../data/purchases/families/esim';
import type { OrderFilter } from '../../data/orders/order-reads';
import { errors } from '../../domain/errors';
import { refreshEsim } from '../../ordering/esims/esim-status';
import type { Dependencies } from '../dependencies';
import { orderRoutes, type OrderViews } from '../shared/order-routes';
import { listQuery } from '../shared/pagination';
import { esimOrderRequest } from './order-request';
import { esimOrderDetailView, esimOrderView } from './order-view';

interface Filter extends Pick<OrderFilter, 'status'> {
  client_reference?: string;
}

export const esimOrdersQuery = listQuery<Filter>(
  { defaultSize: 50, maxSize: 500 },
  {
    status: Joi.valid('PENDING', 'DELIVERED', 'FAILED', 'CANCELLED').description(
      'Only orders in this state.',
    ),
    client_reference: Joi.string().max(255).description('Only the order with this reference.'),
  },
);

/** POST /, GET /, GET /:id, PATCH /:id/notification-email. */
export function esimOrderRoutes(deps: Dependencies): Router {
  return orderRoutes(deps, {
    family: 'ESIM',
    read: (client, body) => esimOrderRequest(deps, client, body),
    listQuery: esimOrdersQuery,
    filterOf: ({ status, client_reference: clientReference }) => ({ status, clientReference }),
    views: esimOrderViews(deps),
    refresh: (_client, order) => refreshEsim(deps, order),
    invalidId: () => errors.validation('Invalid order ID'),
  });
}

/** How eSIM orders are shown. */
export function esimOrderViews({ sealer }: Dependencies): OrderViews<'ESIM'> {
  const single = (order: EsimOrderRow) => esimOrderDetailView(sealer, order);
  return { created: single, single, listed: (order) => esimOrderView(sealer, order) };
}
