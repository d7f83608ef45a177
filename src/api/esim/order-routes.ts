/** eSIM orders. docs/specification.md#esim-orders. */
import type { Request, Response } from 'express';
import Joi from 'joi';
import type { Client } from '../../data/clients/clients';
import { findUsage, type StoredUsage } from '../../data/esims/stored-esims';
import type { OrderListFilter } from '../../data/orders/order-reads';
import type { EsimOrderRow } from '../../data/purchases/families/esim';
import { pageSizes } from '../../domain/clients/page-sizes';
import { errors } from '../../domain/errors';
import { shownIccid } from '../../domain/esims/profile-codes';
import { installationLinks, installationSteps, isInstallable } from '../../domain/esims/esim-installation';
import { families } from '../../domain/orders/families';
import { rechargeVariantsOf } from '../../data/catalogue/esims';
import { rechargedEsim } from '../../ordering/esims/supplier-recharge-plans';
import { clientOf } from '../middleware/caller';
import { toJsonNumber } from '../../domain/prices/money';
import { refreshEsim, refreshUsage } from '../../ordering/esims/esim-status';
import { esimField, type Sealer } from '../../security/sealing';
import { esimOffer } from '../catalogue/offers';
import { variantDraft, variantOrderFields, type VariantOrderBody } from '../catalogue/variant-fields';
import type { Dependencies } from '../dependencies';
import { json } from '../openapi/operation';
import { id, listOf } from '../openapi/schema';
import { orderListQuery } from '../orders/order-fields';
import type { OrderInBody } from '../orders/order-request';
import { orderRoutes, type OrderViews } from '../orders/order-routes';
import { invalidOrderId, ownOrder } from '../orders/own-order';
import { esimStatus } from '../orders/order-schemas';
import { moneyView, variantOrderView, type StatusTexts } from '../orders/order-view';
import { hasScope } from '../middleware/scope';
import type { ApiRoutes } from '../server/route';
import { pathId, validBody } from '../shared/validation';
import { esimVariantView } from './catalogue-routes';
import { rechargeFields, type RechargeBody } from './recharge-fields';
import { esimInstallation, esimOrder, esimVariant, listedEsimOrder } from './schemas';
import { esimUsage } from './usage-schemas';

/** An order always buys one eSIM. `quantity` and `category` are ignored. */
const esimOrderBody = Joi.object<VariantOrderBody & RechargeBody>({ ...variantOrderFields, ...rechargeFields });

/** Reads the body of an eSIM order. Throws if it is invalid, with the messages of the contract. */
function esimOrderRequest(
  deps: Pick<Dependencies, 'database' | 'suppliers' | 'sealer'>,
  client: Client,
  json: Record<string, unknown>,
): OrderInBody {
  const body = validBody(esimOrderBody, json);
  return {
    clientReference: body.client_reference,
    draft: async () => {
      const { rechargesOrderId, ...offer } = await esimOffer(deps, client, body);
      return {
        ...variantDraft(offer, body),
        details: {
          variant_id: offer.variantId,
          data_amount_gb: offer.dataAmountGb.toFixed(),
          validity_days: offer.validityDays,
          ...(rechargesOrderId !== undefined && { recharges_order_id: rechargesOrderId }),
        },
      };
    },
  };
}

const esimOrdersQuery = orderListQuery<Pick<OrderListFilter, 'status'> & { client_reference?: string }>(
  pageSizes.unspecified,
  {
    status: Joi.valid('PENDING', 'DELIVERED', 'FAILED', 'CANCELLED')
      .description('Only orders in this state.')
      .meta({ schema: esimStatus }),
    client_reference: Joi.string().max(255).description('Only the order with this reference.'),
  },
);

const orderResourceRoutes = orderRoutes({
  family: 'ESIM',
  tag: 'eSIM',
  noun: 'Esim',
  create: {
    description:
      'Debits the wallet, or redeems a voucher, and places the order in one step. Returns within 60 seconds, or at most 1 second later. An order that takes longer is PENDING and continues in the background. `quantity` and `category` are ignored: an order is for one eSIM.',
    body: { schema: esimOrderBody, title: 'EsimOrderRequest' },
    created: esimOrder,
    errors: [
      errors.notFound('Product', 'product_id'),
      errors.amountNotAvailable('ESIM'),
      errors.priceRoundsToZero('ESIM'),
      errors.voucherNotRedeemable(),
      errors.notFound('Order', 'recharge_order_id'),
      errors.esimNotRechargeable(),
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
    refresh: (deps, _client, order) => refreshEsim(deps, order),
  },
  views: esimOrderViews,
});

const common = {
  tag: 'eSIM',
  scope: 'read',
  feature: families.ESIM.feature,
  path: { id: id('The order.', 17) },
} as const;
const refunded = () => errors.notPossibleNow('The eSIM was refunded');
const noEsim = (status: string) => errors.notPossibleNow(`The order is ${status}: it has no eSIM`);

/** Reads of a delivered eSIM. They return 409 while the order has none. */
const profileRoutes: ApiRoutes = {
  'GET /api/v1/esim/orders/:id/usage': {
    ...common,
    id: 'getEsimUsage',
    summary: 'Read the used data of an eSIM',
    description:
      'Polls the supplier first if the known usage is older than a minute, unless the eSIM is EXPIRED. Suppliers that repeat their reports are polled less often.',
    responses: { 200: json('The usage as its supplier last reported it.', esimUsage) },
    errors: [invalidOrderId(), errors.notFound('Order', 'id'), noEsim('PENDING')],
    handler: (deps) => async (request, response) => {
      const order = await deliveredOrder(deps, request, response);
      await refreshUsage(deps, order);
      response.json(usageView(await findUsage(deps.database, order.id)));
    },
  },
  'GET /api/v1/esim/orders/:id/recharge-plans': {
    ...common,
    id: 'listEsimRechargePlans',
    summary: 'List the plans that recharge an eSIM',
    description:
      'The plans that the supplier of the eSIM offers for it now. Order one with `recharge_order_id`. Empty if the eSIM cannot be recharged. 503 if the supplier does not answer, or does not know the profile.',
    responses: { 200: json('The plans, by product and amount.', listOf(esimVariant)) },
    errors: [invalidOrderId(), errors.notFound('Order', 'id'), noEsim('PENDING')],
    handler: (deps) => async (request, response) => {
      const order = await deliveredOrder(deps, request, response);
      const client = clientOf(response);
      const recharged = await rechargedEsim(deps, client.id, order.id);
      const plans = recharged ? await rechargeVariantsOf(deps.database, client, recharged) : [];
      response.json(plans.map(esimVariantView));
    },
  },
  'GET /api/v1/esim/orders/:id/installation': {
    ...common,
    id: 'getEsimInstallation',
    summary: 'Read how to install an eSIM',
    description:
      'Available exactly as long as the order shows its activation code. Polls the supplier first, as reading the order does.',
    responses: { 200: json('Links and steps, each with the activation code.', esimInstallation) },
    errors: [
      invalidOrderId(),
      errors.notFound('Order', 'id'),
      noEsim('PENDING'),
      errors.notPossibleNow('The eSIM is installed already'),
      refunded(),
    ],
    handler: (deps) => async (request, response) => {
      const order = await refreshEsim(deps, await deliveredOrder(deps, request, response));
      if (order.voidedAt !== null) throw refunded();
      if (!isInstallable(order)) throw errors.notPossibleNow('The eSIM is installed already');
      const isShown = hasScope(response, 'codes');
      if (isShown) await deps.shownCodes.record(response, `order/${order.id}`);
      const code = isShown ? activationCodeOf(deps.sealer, order) : undefined;
      response.json(installationView(code));
    },
  },
};

export const esimOrderRoutes: ApiRoutes = { ...orderResourceRoutes, ...profileRoutes };

/** The caller's delivered order of the path. Throws 404 without an order, and 409 without an eSIM. */
async function deliveredOrder(deps: Dependencies, request: Request, response: Response): Promise<EsimOrderRow> {
  const order = await ownOrder(deps, 'ESIM', response, pathId(request.params['id'], invalidOrderId));
  if (order.status !== 'DELIVERED') throw noEsim(order.status);
  return order;
}

function usageView({ dataTotalMb, dataUsedMb, dataLeftMb, validityEndsAt, checkedAt }: StoredUsage) {
  const megabytes = (value: string | null) => (value === null ? null : toJsonNumber(value));
  return {
    data_total_mb: megabytes(dataTotalMb),
    data_used_mb: megabytes(dataUsedMb),
    data_left_mb: megabytes(dataLeftMb),
    validity_ends_at: validityEndsAt?.toISOString() ?? null,
    checked_at: checkedAt?.toISOString() ?? null,
  };
}

/** Null: the activation code is unreadable, so there is nothing to install. Undefined: the key lacks the scope `codes`. */
function installationView(activationCode: string | null | undefined) {
  return {
    ...(activationCode !== undefined && {
      activation_code: activationCode,
      links: activationCode === null ? null : installationLinks(activationCode),
    }),
    instructions: installationSteps,
  };
}

export function esimOrderViews(deps: Dependencies): OrderViews<'ESIM'> {
  const { sealer } = deps;
  // Shows the activation code to keys with the scope `codes`, until a device has the profile.
  const single = async (order: EsimOrderRow, response: Response) => {
    const isShown = hasScope(response, 'codes') && isInstallable(order);
    if (isShown) await deps.shownCodes.record(response, `order/${order.id}`);
    return {
      ...esimOrderView(sealer, order),
      ...moneyView(order),
      ...(isShown && { activation_code: activationCodeOf(sealer, order) }),
    };
  };
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
  const isRecharge = order.rechargesOrderId !== null;
  const isDelivered = order.status === 'DELIVERED';
  // A recharge shows the profile of the other order only once it has added a plan to it.
  const installedAt = isRecharge && !isDelivered ? null : order.installedAt;
  return {
    ...variantOrderView(order, statusTexts),
    data_amount_gb: toJsonNumber(order.dataAmountGb),
    validity_days: order.validityDays,
    is_installed: installedAt !== null,
    ...(installedAt !== null && { installed_at: installedAt.toISOString() }),
    ...(!isRecharge && order.activatedAt !== null && { activated_at: order.activatedAt.toISOString() }),
    ...(isDelivered && {
      activation_status: order.activationStatus,
      iccid: shownIccid(sealer.openForView(esimField(order.rechargesOrderId ?? order.id, 'iccid'), order.iccid)),
    }),
    ...(order.rechargesOrderId !== null && { recharges: { order_id: order.rechargesOrderId } }),
    ...(order.rechargedBy !== null && { recharged_by: order.rechargedBy }),
  };
}

/** Null if the code is unreadable. */
function activationCodeOf(sealer: Sealer, { id: orderId, activationCode }: EsimOrderRow): string | null {
  return sealer.openForView(esimField(orderId, 'activation_code'), activationCode);
}
