/** Top-up orders. Specification, "Top-up orders". */
import { Router } from 'express';
import Joi from 'joi';
import { findOrder, listOrders, type OrderFilter, type TopupOrderRow } from '../../data/orders/order-reads';
import { errors } from '../../domain/errors';
import { refreshTopup } from '../../ordering/refresh-topup';
import type { Dependencies } from '../dependencies';
import { arrivalOf } from '../middleware/arrival';
import { clientOf } from '../middleware/authenticate';
import { mayCreateOrders } from '../middleware/creates-orders';
import { requireFeature } from '../middleware/require-feature';
import { patchNotificationEmail } from '../shared/notification-email';
import { offsetOf, pageQuery, sendRows } from '../shared/pagination';
import { jsonObject, pathId, queryId, validQuery } from '../shared/validation';
import { topupDraft } from './order-draft';
import { topupOrderDetailView, topupOrderView } from './order-view';

interface ListQuery extends Pick<OrderFilter, 'status'> {
  page: number;
  per_page: number;
  product_id?: number;
  country?: string;
  client_reference?: string;
}

const listQuery = Joi.object<ListQuery>({
  ...pageQuery({ sizeName: 'per_page', defaultSize: 50, maxSize: 500 }),
  status: Joi.valid('PENDING', 'DELIVERED', 'FAILED', 'CANCELLED', 'RECHARGED'),
  product_id: queryId,
  country: Joi.string().pattern(/^[A-Z]{3}$/),
  client_reference: Joi.string().max(255),
});

/** POST /, GET /, GET /:id, PATCH /:id/notification-email. */
export function topupOrderRoutes(deps: Dependencies): Router {
  const { database, sealer, creation } = deps;
  const router = Router();
  const topups = requireFeature('topups');

  router.post('/', mayCreateOrders(creation, 'TOPUP'), topups, async (request, response) => {
    const client = clientOf(response);
    const draft = await topupDraft(database, client, jsonObject(request));
    response.json(
      await creation.show(await creation.createOrder(client, draft, arrivalOf(response)), async (id) => {
        const order = (await findOrder(database, 'TOPUP', client.id, id)) as TopupOrderRow;
        return topupOrderDetailView(sealer, order);
      }),
    );
  });

  router.get('/', topups, async (request, response) => {
    const { page, per_page: size, ...query } = validQuery(listQuery, request);
    const filter = {
      status: query.status,
      productId: query.product_id,
      countryCode: query.country,
      clientReference: query.client_reference,
    };
    const limits = { limit: size, offset: offsetOf({ page, size }) };
    const { total, orders } = await listOrders(database, 'TOPUP', clientOf(response).id, filter, limits);
    await sendRows(response, { page, size, total }, orders, topupOrderView);
  });

  router.get('/:id', topups, async (request, response) => {
    const id = pathId(request.params.id, () => errors.validation('Invalid order ID'));
    const client = clientOf(response);
    const stored = await findOrder(database, 'TOPUP', client.id, id);
    if (!stored) throw errors.notFound('Order');
    response.json(topupOrderDetailView(sealer, await upToDate(client.id, stored)));
  });

  router.patch('/:id/notification-email', topups, patchNotificationEmail('TOPUP', deps));

  async function upToDate(clientId: number, order: TopupOrderRow): Promise<TopupOrderRow> {
    if (order.status !== 'PENDING') return order;
    await refreshTopup(deps, order);
    return (await findOrder(database, 'TOPUP', clientId, order.id)) ?? order;
  }

  return router;
}
