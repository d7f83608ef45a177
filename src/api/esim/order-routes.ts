/** eSIM orders. Specification, "eSIM orders". */
import { Router } from 'express';
import Joi from 'joi';
import { findOrder, listOrders, type EsimOrderRow, type OrderFilter } from '../../data/orders/order-reads';
import { errors } from '../../domain/errors';
import { refreshEsim } from '../../ordering/esim-refresh';
import type { Dependencies } from '../dependencies';
import { arrivalOf } from '../middleware/arrival';
import { clientOf } from '../middleware/authenticate';
import { mayCreateOrders } from '../middleware/creates-orders';
import { requireFeature } from '../middleware/require-feature';
import { patchNotificationEmail } from '../shared/notification-email';
import { offsetOf, pageQuery, sendRows } from '../shared/pagination';
import { jsonObject, pathId, validQuery } from '../shared/validation';
import { esimDraft } from './order-draft';
import { esimOrderDetailView, esimOrderView } from './order-view';

interface ListQuery extends Pick<OrderFilter, 'status'> {
  page: number;
  per_page: number;
  client_reference?: string;
}

const listQuery = Joi.object<ListQuery>({
  ...pageQuery({ sizeName: 'per_page', defaultSize: 50, maxSize: 500 }),
  status: Joi.valid('PENDING', 'DELIVERED', 'FAILED', 'CANCELLED'),
  client_reference: Joi.string().max(255),
});

/** POST /, GET /, GET /:id, PATCH /:id/notification-email. */
export function esimOrderRoutes(deps: Dependencies): Router {
  const { database, sealer, creation } = deps;
  const router = Router();
  const esim = requireFeature('esim');

  router.post('/', mayCreateOrders(creation, 'ESIM'), esim, async (request, response) => {
    const client = clientOf(response);
    const draft = await esimDraft(deps, client, jsonObject(request));
    response.json(
      await creation.show(await creation.createOrder(client, draft, arrivalOf(response)), async (id) => {
        const order = (await findOrder(database, 'ESIM', client.id, id)) as EsimOrderRow;
        return esimOrderDetailView(sealer, order);
      }),
    );
  });

  router.get('/', esim, async (request, response) => {
    const {
      page,
      per_page: size,
      status,
      client_reference: clientReference,
    } = validQuery(listQuery, request);
    const limits = { limit: size, offset: offsetOf({ page, size }) };
    const filter = { status, clientReference };
    const { total, orders } = await listOrders(database, 'ESIM', clientOf(response).id, filter, limits);
    await sendRows(response, { page, size, total }, orders, (order) => esimOrderView(sealer, order));
  });

  router.get('/:id', esim, async (request, response) => {
    const id = pathId(request.params.id, () => errors.validation('Invalid order ID'));
    const stored = await findOrder(database, 'ESIM', clientOf(response).id, id);
    if (!stored) throw errors.notFound('Order');
    response.json(esimOrderDetailView(sealer, await refreshEsim(deps, stored)));
  });

  router.patch('/:id/notification-email', esim, patchNotificationEmail('ESIM', deps));

  return router;
}
