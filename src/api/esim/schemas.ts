/** The schemas of eSIM products and orders. docs/specification.md#esim-products-variants-charges, #esim-order. */
import { installationLinks, installationSteps } from '../../domain/esims/esim-installation';
import {
  amount,
  count,
  country,
  currency,
  enumText,
  flag,
  id,
  listOf,
  model,
  named,
  object,
  orNull,
  text,
  time,
  type SchemaFields,
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
  id: id('The product.', 2),
  name: text('Its name.', 'United States eSIM'),
  country_code: country('The country where it works (ISO 3166-1 alpha-3, or `GLO`).'),
  currency_code: currency('The currency of its prices.'),
  image_url: text('A picture; may be empty.', 'https://images.digital-goods.example/esim/usa.png'),
};

const dataAmount = amount('Data in GB; 0 is unlimited.', 5);
const validityDays = count('Days of validity, from first use.', 30, 1);

const variantFields: SchemaFields = {
  id: id('The variant.', 11),
  esim_product_id: id('Its product.', 2),
  name: text('Its name.', '5 GB, 30 days'),
  currency_code: currency('The currency of its price.'),
  amount: amount('The list price: `amount` in charges and orders.', 12.5),
  data_amount_gb: dataAmount,
  validity_days: validityDays,
  client_discount: amount('Your discount in percent.', 0),
};
const descriptionField: SchemaFields = {
  description: text('A description; omitted if there is none.', 'Data only, hotspot allowed'),
};

export const esimProductSchema = model('EsimProduct', 'An eSIM.', productFields);
export const esimVariant = model('EsimVariant', 'A data plan.', variantFields, descriptionField);

export const esimProductDetail = model('EsimProductDetail', 'An eSIM with its data plans.', {
  ...productFields,
  variants: listOf(esimVariant, 'Its data plans.'),
});

export const esimVariantDetail = model(
  'EsimVariantDetail',
  'A data plan with the details of its supplier.',
  {
    ...variantFields,
    regions: listOf(
      object({ code: text('The code of the region.', 'USA'), name: text('Its name.', 'United States') }),
      'The regions where it works.',
    ),
    networks: listOf(text('A network.', 'Pacific Wireless'), 'The networks that it uses.'),
    is_rechargeable: flag('Whether its supplier can recharge it.', false),
  },
  { ...descriptionField, activation_policy: text('When its validity begins; omitted if unknown.', 'First use') },
);

const orderFields: SchemaFields = {
  ...variantOrders.esim,
  product_name: text('The name of the product.', 'United States eSIM'),
  data_amount_gb: dataAmount,
  validity_days: validityDays,
  is_installed: flag('Whether a device has downloaded the profile.', false),
};

/** Fields of a delivered order. */
const profile: SchemaFields = {
  activation_status: named(
    'ActivationStatus',
    enumText('The state of the profile; omitted until the order is delivered.', ['NOT_INSTALLED', 'ACTIVE', 'EXPIRED']),
  ),
  iccid: orNull({
    ...text(
      'The serial number of the SIM; omitted until the order is delivered, null if it is unreadable, and for members who do not see recipients.',
      '8988303000000614227',
    ),
    pattern: '^\\d{19,20}$',
  }),
};

const lifecycleTimes: SchemaFields = {
  installed_at: time('When a device downloaded the profile; omitted until then.', '2026-02-01T08:00:00.000Z'),
  activated_at: time('When it first used data; omitted until then.', '2026-02-01T08:05:00.000Z'),
};

const activationCode = orNull({
  ...text(
    'The code that installs the profile. Present while the eSIM is delivered and not installed, for keys with the scope `codes`; null if it is unreadable.',
    'LPA:1$smdp.supplier.example$9F1C-1A52-7D0E',
  ),
  pattern: '^LPA:1\\$',
});

const recharge: SchemaFields = {
  recharges: {
    ...object({ order_id: id('The order that came with the profile.', 17) }),
    description: 'The eSIM whose profile gets the plan; omitted if the order comes with a profile.',
  },
  recharged_by: listOf(
    object({
      order_id: id('The recharge.', 19),
      delivered_at: time('When its plan was added.', '2026-02-05T09:00:00.000Z'),
    }),
    'The delivered recharges of the eSIM; omitted if there are none.',
  ),
};

const optionalFields: SchemaFields = {
  ...recharge,
  ...clientReference,
  ...transactionId,
  ...replacement,
  ...lifecycleTimes,
  ...profile,
};

export const listedEsimOrder = orderModel(
  'EsimOrderItem',
  'An eSIM order in a list: without the activation code.',
  orderFields,
  optionalFields,
);

export const esimOrder = orderModel(
  'EsimOrder',
  'An eSIM order.',
  { ...orderFields, ...orderMoney },
  { ...optionalFields, ...refundId, activation_code: activationCode },
);

const exampleLinks = installationLinks('LPA:1$smdp.supplier.example$9F1C-1A52-7D0E');

export const esimInstallation = model(
  'EsimInstallation',
  'How a device installs the profile. Keys without the scope `codes` get only the steps.',
  { instructions: listOf(text('A step.', installationSteps[0] ?? ''), 'The steps for a person, in their order.') },
  {
    activation_code: activationCode,
    links: orNull({
      ...object({
        lpa: text('For programs that handle `LPA:`, and the content of a QR code.', exampleLinks.lpa),
        apple: text('Opens the settings of an iPhone with iOS 17.4 or newer.', exampleLinks.apple),
        android: text('Opens the settings of an Android phone whose maker supports it.', exampleLinks.android),
      }),
      description: 'Addresses that open the installation on the device; null if the code is unreadable.',
    }),
  },
);
