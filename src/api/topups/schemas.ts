/** Top-up products and orders in the document. docs/specification.md#top-up-product, #top-up-order. */
import {
  amount,
  country,
  currency,
  decimalText,
  flag,
  id,
  listOf,
  model,
  object,
  orNull,
  text,
  time,
  whileIt,
  word,
  type Fields,
  type Schema,
} from '../openapi/schema';
import { clientReference, failure, orderMoney, refundId, transactionId } from '../shared/order-schemas';
import { variantOrder } from '../shared/variant-order-schemas';

const productFields: Fields = {
  id: id('The product.', 3),
  name: text('Its name.', 'Liberty Mobile'),
  topup_type: word(
    'In-game currency, prepaid airtime and data, or bills and other utilities.',
    ['GAMING', 'MOBILE', 'UTILITY'],
    'MOBILE',
  ),
  country_code: country('Where it is sold (ISO 3166-1 alpha-3, or `GLO`).'),
  currency_code: currency('The currency of what is topped up.'),
  image_url: text(
    'A picture; may be empty.',
    'https://images.digital-goods.example/topups/liberty-mobile.png',
  ),
};

export const topupProduct = model('TopupProduct', 'A top-up.', productFields);

const inputField = model(
  'InputField',
  'One field that the customer fills in.',
  {
    field_name: text('The key in `input_data`.', 'phone_number'),
    field_label: text('What to call it.', 'Phone number'),
    field_type: word(
      '`text` is free, `number` must read as one, `phone` becomes E.164, `select` is one of the options.',
      ['text', 'number', 'phone', 'select'],
      'phone',
    ),
    is_required: flag('Whether it must be there and not empty.', true),
  },
  {
    validation_regex: text('What the value must match; checked again by us.', '^[0-9]{9,15}$'),
    placeholder: text('An example to show.', '12025550100'),
    help_text: text('What to tell the customer.', 'With country code, without spaces.'),
    options: listOf(
      object({ value: text('What is sent.', 'eu'), label: text('What is shown.', 'Europe') }),
      'What a `select` can be.',
    ),
  },
);

export const topupProductDetail = model('TopupProductDetail', 'A top-up with what it asks of the customer.', {
  ...productFields,
  input_fields: listOf(inputField, 'What `input_data` of an order must hold.'),
});

export const topupVariant = model(
  'TopupVariant',
  'One thing a top-up sells: with fixed amounts, or with bounds.',
  {
    id: id('The variant.', 8),
    name: text('Its name.', 'Liberty Airtime'),
    category: text('What kind it is; may be empty.', 'Airtime'),
    currency_code: currency('The currency of its amounts.'),
    available_in: listOf(
      object({ code: text('The code of the region.', 'USA'), name: text('Its name.', 'United States') }),
      'Where it is valid.',
    ),
    fields: listOf(
      object({
        key: text(
          'What it tells: `par_value`, `delivery_time`, `validity_days`, `tag`, ...',
          'delivery_time',
        ),
        value: {
          type: ['string', 'number'],
          description: 'A number for `par_value`, else text.',
          examples: ['Instant'],
        },
      }),
      'More, for customers.',
    ),
  },
  {
    unit: text('What `par_value` is counted in; omitted without one.', 'USD'),
    min_amount: amount('The smallest amount, where the customer chooses.', 5),
    max_amount: amount('The largest.', 100),
    fixed_amounts: {
      ...listOf(decimalText('One amount.', '15.00')),
      description: 'The amounts, where they are fixed.',
      examples: [['15.00']],
    },
  },
);

export const mobileLookup = model('MobileLookup', 'What can recharge a mobile number.', {
  number: { ...text('The number (E.164).', '+12025550100'), pattern: '^\\+\\d+$' },
  country_code: country('Its country (ISO 3166-1 alpha-3).'),
  operator_name: orNull(text('Its operator; null where it cannot be told.', 'Liberty Mobile')),
  products: listOf(id('A top-up product.', 3), 'Products that recharge it.'),
});

const orderFields: Fields = {
  ...variantOrder('The top-up was delivered'),
  product_id: id('The product.', 3),
  variant_name: text('What was bought of it.', 'Liberty Airtime'),
};

const endedOrder: Fields = {
  completed_at: time('When it ended; omitted before.', '2026-01-31T12:00:04.000Z'),
};
const sometimes: Fields = { ...clientReference, ...transactionId, ...endedOrder };
const whileFailed = ['status', 'FAILED'] as const;

export const listedTopupOrder = whileIt(
  model('TopupOrderItem', 'A top-up order in a list.', orderFields, sometimes),
  whileFailed,
  failure,
);

const inputData: Schema = {
  type: ['object', 'null'],
  additionalProperties: { type: ['string', 'number'] },
  description: 'What the customer gave, normalised; null where it cannot be read any more.',
  examples: [{ phone_number: '+12025550100' }],
};

export const topupOrder = whileIt(
  model(
    'TopupOrder',
    'A top-up order.',
    { ...orderFields, ...orderMoney, input_data: inputData },
    { ...sometimes, ...refundId },
  ),
  whileFailed,
  failure,
);
