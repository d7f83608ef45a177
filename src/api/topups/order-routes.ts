/** Top-up orders. docs/specification.md#top-up-orders. */
import Joi from 'joi';
import { findTopupOffer } from '../../data/catalogue/sellable-items';
import { findTopup } from '../../data/catalogue/topups';
import type { Client } from '../../data/clients/clients';
import type { Database } from '../../data/database/database';
import { findOrder, type OrderListFilter } from '../../data/orders/order-reads';
import type { TopupOrderRow } from '../../data/purchases/families/topup';
import { pageSizes } from '../../domain/clients/page-sizes';
import { errors } from '../../domain/errors';
import { checkInputFields, topupInput, type TopupInput, parseInput } from '../../domain/orders/customer-input';
import { refreshTopup } from '../../ordering/purchasing/topup-refresh';
import { orderField, type Sealer } from '../../security/sealing';
import { requireOffer } from '../catalogue/offers';
import { variantDraft, variantFields, variantOrderFields, type VariantOrderBody } from '../catalogue/variant-fields';
import type { Dependencies } from '../dependencies';
import { orderListQuery } from '../orders/order-fields';
import type { OrderInBody } from '../orders/order-request';
import { orderRoutes, type OrderViews } from '../orders/order-routes';
import { topupStatus } from '../orders/order-schemas';
import { moneyView, variantOrderView, type StatusTexts } from '../orders/order-view';
import { queryId, validBody } from '../shared/validation';
import { listedTopupOrder, topupOrder } from './schemas';

interface TopupOrderBody extends VariantOrderBody {
  category?: string;
  input_data: Record<string, unknown>;
}

const topupOrderBody = Joi.object<TopupOrderBody>({
  ...variantOrderFields,
  category: variantFields.category,
  input_data: Joi.object()
    .strict()
    .empty(null)
    .default({})
    .description("The customer's input: a value for each `field_name` of the product's `input_fields`.")
    .example({ phone_number: '12025550100' }),
});

/**
 * Reads the body of a top-up order. Throws if it is invalid, with the messages of the contract. Input fields are checked first,
 * even if the amount is not on sale.
 */
async function topupOrderRequest(
  database: Database,
  client: Client,
  json: Record<string, unknown>,
): Promise<OrderInBody> {
  const body = validBody(topupOrderBody, json);
  const found = await findTopupOffer(database, client, body.product_id, body.amount, body.category);
  const product = typeof found === 'string' ? await findTopup(database, client, body.product_id) : found;
  if (product) checkInputFields(product.inputFields, body.input_data);
  return {
    clientReference: body.client_reference,
    draft: () => {
      const offer = requireOffer(found, 'TOPUP');
      return {
        ...variantDraft(offer, body),
        input: topupInput(offer.inputFields, body.input_data),
        details: { variant_id: offer.variantId, variant_name: offer.variantName },
      };
    },
  };
}

interface Filter extends Pick<OrderListFilter, 'status'> {
  product_id?: number;
  country?: string;
  client_reference?: string;
}

const topupOrdersQuery = orderListQuery<Filter>(pageSizes.unspecified, {
  status: Joi.valid('PENDING', 'DELIVERED', 'FAILED', 'CANCELLED', 'RECHARGED')
    .description('Only orders in this state. `RECHARGED`, which no order has, is accepted, too.')
    .meta({ schema: topupStatus }),
  product_id: queryId.description('Only orders of this product.'),
  country: Joi.string()
    .pattern(/^[A-Z]{3}$/)
    .description('Only orders of products of this country (ISO 3166-1 alpha-3, or `GLO`).'),
  client_reference: Joi.string().max(255).description('Only the order with this reference.'),
});

export const topupOrderRoutes = orderRoutes({
  family: 'TOPUP',
  tag: 'Top-ups',
  noun: 'Topup',
  create: {
    description:
      'Debits the wallet, or redeems a voucher, and places the order in one step. Returns within 4 seconds, or at most 1 second later. An order that takes longer is PENDING and continues in the background.',
    body: { schema: topupOrderBody, title: 'TopupOrderRequest' },
    created: topupOrder,
    errors: [
      errors.notFound('Product', 'product_id'),
      errors.amountNotAvailable('TOPUP'),
      errors.unknownInputField('nickname'),
      errors.validation('Missing input field: phone_number', 'input_data.phone_number'),
      errors.validation('Invalid input field: phone_number (must be text)', 'input_data.phone_number'),
      errors.validation(
        'Invalid input field: phone_number (must be a phone number with its country code)',
        'input_data.phone_number',
      ),
      errors.voucherNotRedeemable(),
    ],
    read: ({ database }, client, body) => topupOrderRequest(database, client, body),
  },
  list: {
    query: topupOrdersQuery,
    filterOf: ({ status, product_id: productId, country, client_reference: clientReference }) => ({
      status,
      productId,
      countryCode: country,
      clientReference,
    }),
    listed: listedTopupOrder,
  },
  single: {
    description: 'Polls the supplier first if the order is PENDING, at most every 5 seconds.',
    schema: topupOrder,
    refresh: refreshPending,
  },
  views: topupOrderViews,
});

async function refreshPending(deps: Dependencies, client: Client, order: TopupOrderRow): Promise<TopupOrderRow> {
  if (order.status !== 'PENDING') return order;
  await refreshTopup(deps, order);
  return (await findOrder(deps.database, 'TOPUP', client.id, order.id)) ?? order;
}

export function topupOrderViews({ sealer }: Dependencies): OrderViews<'TOPUP'> {
  const single = (order: TopupOrderRow) => topupOrderDetailView(sealer, order);
  return { created: single, single, listed: topupOrderView };
}

const statusTexts: StatusTexts = {
  PENDING: 'The top-up is being processed',
  DELIVERED: 'The top-up was delivered',
  FAILED: 'The top-up could not be delivered',
  CANCELLED: 'The order was cancelled',
};

export function topupOrderView(order: TopupOrderRow) {
  return {
    ...variantOrderView(order, statusTexts),
    product_id: order.productId,
    variant_name: order.variantName,
    ...(order.completedAt !== null && { completed_at: order.completedAt.toISOString() }),
  };
}

/** One order, created or read. */
function topupOrderDetailView(sealer: Sealer, order: TopupOrderRow) {
  return { ...topupOrderView(order), ...moneyView(order), input_data: inputOf(sealer, order) };
}

/** The customer's input: empty once the recipient was erased, null if it is unreadable. */
function inputOf(sealer: Sealer, { nonce, sealedInput }: TopupOrderRow): TopupInput | null {
  if (sealedInput === null) return {};
  const input = sealer.openForView(orderField(nonce, 'input'), sealedInput);
  return input === null ? null : parseInput(input);
}
