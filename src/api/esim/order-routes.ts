/** eSIM orders. docs/specification.md#esim-orders. */
import type { Router } from 'express';
import Joi from 'joi';
import type { EsimOrderRow } from '../../data/orders/families/esim';
import type { OrderFilter } from '../../data/orders/order-reads';
import { errors } from '../../domain/errors';
import { refreshEsim } from '../../ordering/esim-refresh';
import type { Dependencies } from '../dependencies';
import { orderRoutes } from '../shared/order-routes';
import { listQuery } from '../shared/pagination';
import { esimOrderRequest } from './order-request';
import { esimOrderDetailView, esimOrderView } from './order-view';

interface Filter extends Pick<OrderFilter, 'status'> {
  client_reference?: string;
}

const query = listQuery<Filter>(
  { defaultSize: 50, maxSize: 500 },
  {
    status: Joi.valid('PENDING', 'DELIVERED', 'FAILED', 'CANCELLED'),
    client_reference: Joi.string().max(255),
  },
);

/** POST /, GET /, GET /:id, PATCH /:id/notification-email. */
export function esimOrderRoutes(deps: Dependencies): Router {
  const { sealer } = deps;
  const single = (order: EsimOrderRow) => esimOrderDetailView(sealer, order);
  return orderRoutes(deps, {
    family: 'ESIM',
    read: (client, body) => esimOrderRequest(deps, client, body),
    listQuery: query,
    filterOf: ({ status, client_reference: clientReference }) => ({ status, clientReference }),
    views: {
      created: single,
      single,
      listed: (order) => esimOrderView(sealer, order),
    },
    refresh: (_client, order) => refreshEsim(deps, order),
    invalidId: () => errors.validation('Invalid order ID'),
  });
}
