/** eSIM orders. docs/specification.md#esim-orders. */
import Joi from 'joi';
import type { Client } from '../../data/clients/clients';
import type { OrderFilter } from '../../data/orders/order-reads';
import type { EsimOrderRow } from '../../data/purchases/families/esim';
import { errors } from '../../domain/errors';
import { toJsonNumber } from '../../domain/prices/money';
import { refreshEsim } from '../../ordering/esims/esim-status';
import { esimField, type Sealer } from '../../security/sealing';
import { esimOffer } from '../catalogue/offers';
import { variantDraft, variantOrderFields, type VariantOrderBody } from '../catalogue/variant-fields';
import type { Dependencies } from '../dependencies';
import type { OrderRequest } from '../orders/order-request';
import { orderRoutes, type OrderViews } from '../orders/order-routes';
import { moneyView, variantOrderView, type StatusTexts } from '../orders/order-view';
import { listQuery } from '../shared/pagination';
import { validBody } from '../shared/validation';
import { esimOrder, listedEsimOrder } from './schemas';

/** An order always buys one eSIM. `quantity` and `category` are ignored. */
const esimOrderBody = Joi.object<VariantOrderBody>(variantOrderFields);

/** Reads the body of an eSIM order. Throws if it is invalid, with the messages of the contract. */
function esimOrderRequest(
  deps: Pick<Dependencies, 'database' | 'suppliers'>,
  client: Client,
  json: Record<string, unknown>,
): OrderRequest {
  const body = validBody(esimOrderBody, json);
  return {
    clientReference: body.client_reference,
    draft: async () => {
      const offer = await esimOffer(deps, client, body);
      return {
        ...variantDraft(offer, body),
        details: {
          variant_id: offer.variantId,
          data_amount_gb: offer.dataAmountGb.toFixed(),
          validity_days: offer.validityDays,
        },
      };
    },
  };
}

const esimOrdersQuery = listQuery<Pick<OrderFilter, 'status'> & { client_reference?: string }>(
  { defaultSize: 50, maxSize: 500 },
  {
    status: Joi.valid('PENDING', 'DELIVERED', 'FAILED', 'CANCELLED').description(
      'Only orders in this state.',
    ),
    client_reference: Joi.string().max(255).description('Only the order with this reference.'),
  },
);

export const esimOrderRoutes = orderRoutes({
  family: 'ESIM',
  tag: 'eSIM',
  noun: 'Esim',
  create: {
    description:
      'Debits the wallet, or redeems a voucher, and places the order in one step. Returns within 60 seconds. An order that takes longer is PENDING and continues in the background. `quantity` and `category` are ignored: an order is for one eSIM.',
    body: {
      schema: esimOrderBody,
      title: 'EsimOrderRequest',
      example: { product_id: 2, amount: 12.5, client_reference: 'my-first-esim' },
    },
    created: esimOrder,
    errors: [
      errors.notFound('Product'),
      errors.amountNotAvailable('ESIM'),
      errors.priceRoundsToZero('ESIM'),
      errors.voucherNotRedeemable(),
    ],
    read: esimOrderRequest,
  },
  list: {
    description: 'Returns the last known state, without polling the supplier.',
    query: esimOrdersQuery,
    filterOf: ({ status, client_reference: clientReference }) => ({ status, clientReference }),
    listed: listedEsimOrder,
  },
  single: {
    description: 'Polls the supplier first if the eSIM is delivered and not known to be installed.',
    schema: esimOrder,
    invalidId: () => errors.validation('Invalid order ID'),
    refresh: (deps, _client, order) => refreshEsim(deps, order),
  },
  views: esimOrderViews,
});

/** The views of eSIM orders. */
export function esimOrderViews({ sealer }: Dependencies): OrderViews<'ESIM'> {
  const single = (order: EsimOrderRow) => esimOrderDetailView(sealer, order);
  return { created: single, single, listed: (order) => esimOrderView(sealer, order) };
}

const statusTexts: StatusTexts = {
  PENDING: 'The eSIM is being prepared',
  DELIVERED: 'The eSIM was delivered',
  FAILED: 'The eSIM could not be delivered',
  CANCELLED: 'The order was cancelled',
};

/** An order in a list: without the activation code. */
export function esimOrderView(sealer: Sealer, order: EsimOrderRow) {
  return {
    ...variantOrderView(order, statusTexts),
    data_amount_gb: toJsonNumber(order.dataAmountGb),
    validity_days: order.validityDays,
    is_installed: order.installedAt !== null,
    ...(order.installedAt !== null && { installed_at: order.installedAt.toISOString() }),
    ...(order.activatedAt !== null && { activated_at: order.activatedAt.toISOString() }),
    ...(order.status === 'DELIVERED' && {
      activation_status: order.activationStatus,
      iccid: sealer.openForView(esimField(order.id, 'iccid'), order.iccid),
    }),
  };
}

/** One order, created or read. It shows the activation code until a device has the profile. */
function esimOrderDetailView(sealer: Sealer, order: EsimOrderRow) {
  const isInstallable = order.status === 'DELIVERED' && order.installedAt === null;
  return {
    ...esimOrderView(sealer, order),
    ...moneyView(order),
    ...(isInstallable && {
      activation_code: sealer.openForView(esimField(order.id, 'activation_code'), order.activationCode),
    }),
  };
}
