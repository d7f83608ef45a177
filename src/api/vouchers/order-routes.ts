/** Voucher orders. docs/specification.md#voucher-orders. */
import Joi from 'joi';
import type { Client } from '../../data/clients/clients';
import type { Database } from '../../data/database/database';
import type { VoucherOrderRow } from '../../data/purchases/families/voucher';
import { pageSizes } from '../../domain/clients/page-sizes';
import { errors } from '../../domain/errors';
import { isAsynchronous } from '../../domain/orders/asynchronous-and-large-orders';
import { orderStatuses, type OrderStatus } from '../../domain/orders/order-states';
import { voucherOffer } from '../catalogue/offers';
import type { Dependencies } from '../dependencies';
import { orderFields, orderListQuery, unavailable } from '../orders/order-fields';
import type { OrderInBody } from '../orders/order-request';
import { orderRoutes, type OrderViews } from '../orders/order-routes';
import { validBody } from '../shared/validation';
import { voucherFields } from './fields';
import { orderJson } from './order-json';
import { createdView, detailView, emailOf, listView } from './order-view';
import { createdVoucherOrder, listedVoucherOrder, voucherOrder, voucherOrderStatus } from './schemas';

interface VoucherOrderBody {
  product_id: number;
  denomination: number;
  quantity: number;
  wallet_id?: number;
  client_reference?: string;
  email?: string;
  redeem_voucher_code?: never;
  max_total_payable?: number;
}

const voucherOrderBody = Joi.object<VoucherOrderBody>({
  product_id: voucherFields.productId,
  denomination: voucherFields.denomination,
  quantity: voucherFields.quantity,
  wallet_id: voucherFields.walletId,
  client_reference: orderFields.clientReference,
  email: orderFields.email,
  redeem_voucher_code: unavailable(
    'Leave it out: only a wallet pays for vouchers.',
    'Invalid redeem_voucher_code: not available for this product',
  ),
  max_total_payable: orderFields.maxTotalPayable,
});

/** Reads the body of a voucher order. Throws if it is invalid, with the messages of the contract. */
export function voucherOrderRequest(database: Database, client: Client, json: Record<string, unknown>): OrderInBody {
  const body = validBody(voucherOrderBody, json);
  return {
    clientReference: body.client_reference,
    draft: async () => {
      const productNotFound = () => errors.validation('Invalid product_id: not found', 'product_id');
      const offer = await voucherOffer(database, client, { ...body, productNotFound });
      return {
        offer,
        quantity: body.quantity,
        asynchronous: isAsynchronous({ ...offer, quantity: body.quantity }),
        walletId: body.wallet_id,
        notOnSale: productNotFound,
        clientReference: body.client_reference,
        email: body.email,
        maxTotalPayable: body.max_total_payable,
      };
    },
  };
}

const voucherOrdersQuery = orderListQuery<{ status?: OrderStatus; client_reference?: string }>(
  pageSizes.voucherOrders,
  {
    status: Joi.valid(...orderStatuses)
      .description('Only orders in this state.')
      .meta({ schema: voucherOrderStatus }),
    client_reference: Joi.string().max(255).description('Only the order with this reference.'),
  },
);

export const voucherOrderRoutes = orderRoutes({
  family: 'VOUCHER',
  tag: 'Vouchers',
  noun: 'Voucher',
  create: {
    description:
      'Debits the wallet and places the order in one step. Returns within 10 seconds, or at most 1 second later. An order that takes longer is PENDING and continues in the background. So does every order of more than 5 vouchers or of a product with `Delayed` delivery.',
    body: { schema: voucherOrderBody, title: 'VoucherOrderRequest' },
    created: createdVoucherOrder,
    errors: [
      errors.validation('Invalid product_id: not found', 'product_id'),
      errors.bulkLimitExceeded(100),
      errors.clientLimitExceeded(),
    ],
    read: ({ database }, client, body) => voucherOrderRequest(database, client, body),
  },
  list: {
    query: voucherOrdersQuery,
    filterOf: ({ status, client_reference: clientReference }) => ({ status, clientReference }),
    listed: listedVoucherOrder,
    noMatch: errors.noMatch,
  },
  single: { schema: voucherOrder, invalidId: () => errors.badRequest(errors.noMatch().message, 'id') },
  views: voucherOrderViews,
});

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
