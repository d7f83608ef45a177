/** The schemas of top-up products and orders. docs/specification.md#top-up-products-variants-charges, #top-up-order. */
import {
  amount,
  country,
  currency,
  decimalText,
  extensibleEnumText,
  flag,
  id,
  listOf,
  model,
  object,
  orNull,
  text,
  textOrNumber,
  time,
  type SchemaFields,
  type Schema,
} from '../openapi/schema';
import {
  clientReference,
  replacement,
  orderModel,
  orderMoney,
  refundId,
  transactionId,
  variantOrders,
} from '../orders/order-schemas';

const productFields: SchemaFields = {
  id: id('The product.', 3),
  name: text('Its name.', 'Liberty Mobile'),
  topup_type: extensibleEnumText(
    'In-game currency, prepaid airtime and data, or bills and other utilities.',
    ['GAMING', 'MOBILE', 'UTILITY'],
    'MOBILE',
  ),
  country_code: country('The country where it is sold (ISO 3166-1 alpha-3, or `GLO`).'),
  currency_code: currency('The currency of its amounts.'),
  image_url: text('A picture; may be empty.', 'https://images.digital-goods.example/topups/liberty-mobile.png'),
};

export const topupProductSchema = model('TopupProduct', 'A top-up.', productFields);

const inputField = model(
  'InputField',
  'One field that the customer fills in.',
  {
    field_name: text('The key in `input_data`.', 'phone_number'),
    field_label: text('Its label.', 'Phone number'),
    field_type: extensibleEnumText(
      '`text` is free text, `number` must be numeric, `phone` becomes E.164, `select` is one of the options.',
      ['text', 'number', 'phone', 'select'],
      'phone',
    ),
    is_required: flag('Whether it must be present and not empty.', true),
  },
  {
    validation_regex: text('A pattern that the value must match.', '^[0-9]{9,15}$'),
    placeholder: text('An example to show.', '12025550100'),
    help_text: text('A hint for the customer.', 'With country code, without spaces.'),
    options: listOf(
      object({ value: text('The value to send.', 'eu'), label: text('The label to show.', 'Europe') }),
      'The options of a `select`.',
    ),
  },
);

export const topupProductDetail = model('TopupProductDetail', 'A top-up with its input fields.', {
  ...productFields,
  input_fields: listOf(inputField, 'The fields of `input_data` in an order.'),
});

export const topupVariant = model(
  'TopupVariant',
  'A variant of a top-up, with fixed amounts or bounds.',
  {
    id: id('The variant.', 8),
    name: text('Its name.', 'Liberty Airtime'),
    category: text('Its category; may be empty.', 'Airtime'),
    currency_code: currency('The currency of its amounts.'),
    available_in: listOf(
      object({ code: text('The code of the region.', 'USA'), name: text('Its name.', 'United States') }),
      'The regions where it is valid.',
    ),
    fields: listOf(
      object({
        key: text(
          'The name: `par_value`, `delivery_time`, `validity_days`, `validity_unit`, `tag` or `benefit_*`.',
          'delivery_time',
        ),
        value: textOrNumber('A number for `par_value`, else text.', 'Instant'),
      }),
      'More details for customers.',
    ),
  },
  {
    unit: text('The unit of `par_value`; omitted if there is none.', 'USD'),
    min_amount: amount('The minimum amount, if the customer chooses it.', 5),
    max_amount: amount('The maximum amount.', 100),
    fixed_amounts: {
      ...listOf(decimalText('One amount.', '15.00')),
      description: 'The fixed amounts.',
      examples: [['15.00']],
    },
  },
);

export const mobileLookupSchema = model('MobileLookup', 'The products that recharge a mobile number.', {
  number: { ...text('The number (E.164).', '+12025550100'), pattern: '^\\+\\d+$' },
  country_code: country('Its country (ISO 3166-1 alpha-3).'),
  operator_name: orNull(text('Its operator; null if unknown.', 'Liberty Mobile')),
  products: listOf(id('A top-up product.', 3), 'Products that recharge it.'),
});

const orderFields: SchemaFields = {
  ...variantOrders.topup,
  product_id: id('The product.', 3),
  variant_name: text('The ordered variant.', 'Liberty Airtime'),
};

const endedOrder: SchemaFields = {
  completed_at: time('When the order ended; omitted until then.', '2026-01-31T12:00:04.000Z'),
};
const optionalFields: SchemaFields = { ...clientReference, ...transactionId, ...replacement, ...endedOrder };

export const listedTopupOrder = orderModel('TopupOrderItem', 'A top-up order in a list.', orderFields, optionalFields);

const inputData: Schema = {
  type: ['object', 'null'],
  additionalProperties: textOrNumber('The value of a field.', '+12025550100'),
  description: "The customer's input, normalised. Empty once the recipient was erased; null if it is unreadable.",
  examples: [{ phone_number: '+12025550100' }],
};

export const topupOrder = orderModel(
  'TopupOrder',
  'A top-up order.',
  { ...orderFields, ...orderMoney, input_data: inputData },
  { ...optionalFields, ...refundId },
);
