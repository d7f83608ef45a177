/**
 * The orders of one family: what the three have in common, told once. docs/specification.md#lists-and-pages.
 */
import { Router } from 'express';
import type Joi from 'joi';
import type { Client } from '../../data/clients/clients';
import type { RowOf, SingleOf } from '../../data/purchases/families';
import { findOrder, listOrders, type OrderFilter } from '../../data/orders/order-reads';
import { errors, type ApiError } from '../../domain/errors';
import { families, type Family } from '../../domain/orders/families';
import type { Dependencies } from '../dependencies';
import { clientOf } from '../middleware/authenticate';
import { requireFeature } from '../middleware/require-feature';
import { createOrder, sendOrder, type Creatable, type OrderView } from './create-order';
import { pageInTurn } from './large-reads';
import { patchNotificationEmail } from './notification-email';
import { rowsOf, sendRows, type PageQuery } from './pagination';
import { pathId, validQuery } from './validation';

/** How orders of a family are shown: created, by themselves, and in a list. */
export interface OrderViews<F extends Family> {
  created: OrderView<F>;
  single: OrderView<F>;
  listed: (order: RowOf[F]) => object;
}

/** What is the family's own in its orders. */
export interface OrderResource<F extends Family, Filter> extends Omit<Creatable<F>, 'view'> {
  listQuery: Joi.ObjectSchema<PageQuery & Filter>;
  filterOf: (query: Filter) => OrderFilter;
  views: OrderViews<F>;
  /** A single order is read: brought up to date with its supplier first, where the contract says so. */
  refresh?: (client: Client, order: SingleOf[F]) => Promise<SingleOf[F]>;
  /** The error for a path whose id is not a positive integer. */
  invalidId: () => ApiError;
  /** What a list without a single match says, where that is not an empty list. */
  noMatch?: () => ApiError;
}

/** POST /, GET /, GET /:id, PATCH /:id/notification-email. */
export function orderRoutes<F extends Family, Filter>(
  deps: Dependencies,
  resource: OrderResource<F, Filter>,
): Router {
  const { database } = deps;
  const { family, views } = resource;
  const feature = requireFeature(families[family].feature);
  const router = Router();

  router.post('/', createOrder(deps, { ...resource, view: views.created }));

  router.get('/', feature, async (request, response) => {
    const query = validQuery(resource.listQuery, request);
    const filter = resource.filterOf(query);
    const { id } = clientOf(response);
    await pageInTurn(response, query.size, async () => {
      const { total, orders } = await listOrders(database, family, id, filter, rowsOf(query));
      if (total === 0 && resource.noMatch) throw resource.noMatch();
      await sendRows(response, { ...query, total }, orders, views.listed);
    });
  });

  router.get('/:id', feature, async (request, response) => {
    const id = pathId(request.params.id, resource.invalidId);
    const client = clientOf(response);
    const order = await findOrder(database, family, client.id, id);
    if (!order) throw errors.notFound('Order');
    const current = resource.refresh ? await resource.refresh(client, order) : order;
    await sendOrder(response, current, views.single);
  });

  router.patch('/:id/notification-email', feature, patchNotificationEmail(family, deps));

  return router;
}
