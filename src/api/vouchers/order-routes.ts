/** Voucher orders. Specification, "Voucher orders". */
import { Router } from 'express';
import Joi from 'joi';
import { findOrder, listOrders, listVouchers, type OrderRow } from '../../data/orders/order-reads';
import { errors } from '../../domain/errors';
import { orderStatuses, type OrderStatus } from '../../domain/orders';
import type { Dependencies } from '../dependencies';
import { arrivalOf } from '../middleware/arrival';
import { clientOf } from '../middleware/authenticate';
import { mayCreateOrders } from '../middleware/creates-orders';
import { requireFeature } from '../middleware/require-feature';
import { offsetOf, pageQuery, sendRows } from '../shared/pagination';
import { jsonObject, pathId, validQuery } from '../shared/validation';
import { voucherDraft } from './order-draft';
import { patchNotificationEmail } from '../shared/notification-email';
import { createdView, detailView, emailOf, listView, voucherViews } from './order-view';

interface ListQuery {
  page: number;
  limit: number;
  status?: OrderStatus;
  client_reference?: string;
}

const listQuery = Joi.object<ListQuery>({
  ...pageQuery({ sizeName: 'limit', defaultSize: 50, maxSize: 10_000 }),
  status: Joi.valid(...orderStatuses),
  client_reference: Joi.string().max(255),
});

/** POST /, GET /, GET /:id, PATCH /:id/notification-email. */
export function voucherOrderRoutes(deps: Dependencies): Router {
  const { database, sealer, creation } = deps;
  const router = Router();

  router.post(
    '/',
    mayCreateOrders(creation, 'VOUCHER'),
    requireFeature('vouchers'),
    async (request, response) => {
      const client = clientOf(response);
      const draft = await voucherDraft(database, client, jsonObject(request));
      response.json(
        await creation.show(await creation.createOrder(client, draft, arrivalOf(response)), async (id) => {
          const order = (await findOrder(database, 'VOUCHER', client.id, id)) as OrderRow;
          return createdView(order, emailOf(sealer, order), await vouchersOf(order));
        }),
      );
    },
  );

  router.get('/', requireFeature('vouchers'), async (request, response) => {
    const { page, limit, status, client_reference: clientReference } = validQuery(listQuery, request);
    const offset = offsetOf({ page, size: limit });
    const filter = { status, clientReference };
    const found = await listOrders(database, 'VOUCHER', clientOf(response).id, filter, { offset, limit });
    if (found.total === 0) throw errors.noMatch();
    await sendRows(response, { page, size: limit, total: found.total }, found.orders, (order) =>
      listView(order, emailOf(sealer, order)),
    );
  });

  router.get('/:id', requireFeature('vouchers'), async (request, response) => {
    const id = pathId(request.params.id, () => errors.badRequest(errors.noMatch().message));
    const order = await findOrder(database, 'VOUCHER', clientOf(response).id, id);
    if (!order) throw errors.notFound('Order');
    response.json(detailView(order, emailOf(sealer, order), await vouchersOf(order)));
  });

  router.patch(
    '/:id/notification-email',
    requireFeature('vouchers'),
    patchNotificationEmail('VOUCHER', deps),
  );

  /** What is delivered stays readable, also where the rest of the order failed. */
  async function vouchersOf(order: OrderRow): Promise<object[]> {
    if (order.status === 'PENDING' || order.deliveredQuantity === 0) return [];
    return voucherViews(sealer, order.id, await listVouchers(database, order.id));
  }

  return router;
}
