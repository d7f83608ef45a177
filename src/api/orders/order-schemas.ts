/** The schemas of fields that orders of several families share. docs/specification.md#money-of-an-order. */
import { familyIds } from '../../domain/orders/families';
import { failureCodes } from '../../domain/orders/failure-codes';
import {
  amount,
  conditionalFields,
  country,
  currency,
  enumText,
  extensibleEnumText,
  flag,
  id,
  listOf,
  model,
  named,
  object,
  orNull,
  text,
  time,
} from '../openapi/schema';
import type { SchemaFields, Schema } from '../openapi/schema';

export const clientReference: SchemaFields = {
  client_reference: text('Your name for the order; omitted if you gave none.', 'my-first-order'),
};

export const orderFamily: SchemaFields = {
  order_family: extensibleEnumText(
    'The family of the order; omitted if the entry belongs to none.',
    familyIds,
    'VOUCHER',
  ),
};

export const transactionId: SchemaFields = {
  transaction_id: id('The transaction that debited the wallet; omitted if nothing was debited.', 5021),
};

const unitOfOrder = orNull(id('The unit of a voucher order, from 1; null for other families.', 1));

/** A replaced unit. docs/specification.md#replacements. */
export const replacement: SchemaFields = {
  replaces: {
    ...object({ order_id: id('The order of the unit.'), unit: unitOfOrder }),
    description: 'The unit that the order replaces; omitted if it replaces none.',
  },
  replacements: listOf(
    object({
      unit: unitOfOrder,
      order_id: id('The order that replaces it.', 18),
      replaced_at: orNull(time('When it was delivered; null until then.', '2026-02-01T12:00:00.000Z')),
    }),
    'The orders that replace units of this order; omitted if there are none.',
  ),
};

export const orderMoney: SchemaFields = {
  charged_amount: amount('The debited amount; 0 if nothing was debited.', 9.8),
  charged_currency: currency("The wallet's currency."),
  refunded_amount: amount('The sum of all credited refunds; 0 until one is credited.', 0),
};

export const refundId: SchemaFields = {
  refund_transaction_id: id('The transaction of the first refund; omitted until there is one.', 5022),
};

export const failureCodeSchema = named(
  'FailureCode',
  extensibleEnumText('Why the order failed, for programs.', failureCodes, 'INVALID_RECIPIENT'),
);

export const failure: SchemaFields = {
  failure_code: failureCodeSchema,
  failure_reason: text(
    'Why the order failed, for the customer.',
    'The recipient identifier is malformed or not recognised. Check it and order again.',
  ),
  is_user_fixable: flag('Whether a corrected order can succeed.', true),
};

const variantStatus = (title: string) =>
  named(title, enumText('The state of the order.', ['PENDING', 'DELIVERED', 'FAILED', 'CANCELLED'], 'DELIVERED'));
export const topupStatus = variantStatus('TopupOrderStatus');
export const esimStatus = variantStatus('EsimOrderStatus');

const variantOrder = (status: Schema, statusText: string): SchemaFields => ({
  id: id('The order.'),
  product_name: text('The name of the product.', 'Liberty Mobile'),
  country_code: country('The country of the product (ISO 3166-1 alpha-3, or `GLO`).'),
  amount: amount("The debited price, in the wallet's currency.", 10),
  currency: currency("The wallet's currency."),
  status,
  status_text: text('The state of the order, for people.', statusText),
  created_at: time('When the order was placed.'),
});

/** The fields that top-up and eSIM orders share. */
export const variantOrders = {
  topup: variantOrder(topupStatus, 'The top-up was delivered'),
  esim: variantOrder(esimStatus, 'The eSIM was delivered'),
} as const;

/** An order. A failed one also has the fields of its failure. */
export function orderModel(title: string, description: string, fields: SchemaFields, optional: SchemaFields): Schema {
  return conditionalFields(model(title, description, fields, optional), ['status', 'FAILED'], failure);
}
