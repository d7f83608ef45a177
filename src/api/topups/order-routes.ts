/** Top-up orders. docs/specification.md#top-up-orders. */
import type { Router } from 'express';
import Joi from 'joi';
import type { TopupOrderRow } from '../../data/purchases/families/topup';
import { findOrder, type OrderFilter } from '../../data/orders/order-reads';
import type { Client } from '../../data/clients/clients';
import { errors } from '../../domain/errors';
import { refreshTopup } from '../../ordering/purchasing/topup-refresh';
import type { Dependencies } from '../dependencies';
import { orderRoutes, type OrderViews } from '../shared/order-routes';
import { listQuery } from '../shared/pagination';
import { queryId } from '../shared/validation';
import { topupOrderRequest } from './order-request';
import { topupOrderDetailView, topupOrderView } from './order-view';

interface Filter extends Pick<OrderFilter, 'status'> {
  product_id?: number;
  country?: string;
  client_reference?: string;
}

export const topupOrdersQuery = listQuery<Filter>(
  { defaultSize: 50, maxSize: 500 },
  {
    status: Joi.valid('PENDING', 'DELIVERED', 'FAILED', 'CANCELLED', 'RECHARGED').description(
      'Only orders in this state.',
    ),
    product_id: queryId.description('Only orders of this product.'),
    country: Joi.string()
      .pattern(/^[A-Z]{3}$/)
      .description('Only orders of products of this country (ISO 3166-1 alpha-3, or `GLO`).'),
    client_reference: Joi.string().max(255).description('Only the order with this reference.'),
  },
);

/** POST /, GET /, GET /:id, PATCH /:id/notification-email. */
export function topupOrderRoutes(deps: Dependencies): Router {
  const { database } = deps;
  return orderRoutes(deps, {
    family: 'TOPUP',
    read: (client, body) => topupOrderRequest(database, client, body),
    listQuery: topupOrdersQuery,
    filterOf: ({
      status,
      product_id: productId,
      country: countryCode,
      client_reference: clientReference,
    }) => ({
      status,
      productId,
      countryCode,
      clientReference,
    }),
    views: topupOrderViews(deps),
    refresh: upToDate,
    invalidId: () => errors.validation('Invalid order ID'),
  });

  async function upToDate(client: Client, order: TopupOrderRow): Promise<TopupOrderRow> {
    if (order.status !== 'PENDING') return order;
    await refreshTopup(deps, order);
    return (await findOrder(database, 'TOPUP', client.id, order.id)) ?? order;
  }
}

/** How top-up orders are shown. */
export function topupOrderViews({ sealer }: Dependencies): OrderViews<'TOPUP'> {
  const single = (order: TopupOrderRow) => topupOrderDetailView(sealer, order);
  return { created: single, single, listed: topupOrderView };
}
