/** eSIM products and orders in the document. docs/specification.md#esim-product, #esim-order. */
import {
  amount,
  count,
  country,
  currency,
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
} from '../openapi/schema';
import { clientReference, failure, orderMoney, refundId, transactionId } from '../shared/order-schemas';
import { variantOrder } from '../shared/variant-order-schemas';

const productFields: Fields = {
  id: id('The product.', 2),
  name: text('Its name.', 'United States eSIM'),
  country_code: country('Where it works (ISO 3166-1 alpha-3, or `GLO`).'),
  currency_code: currency('The currency of its prices.'),
  image_url: text('A picture; may be empty.', 'https://images.digital-goods.example/esim/usa.png'),
};

const dataAmount = amount('Data in GB; 0 is unlimited.', 5);
const validityDays = count('Days it is valid, from first use.', 30, 1);

const variantFields: Fields = {
  id: id('The variant.', 11),
  esim_product_id: id('Its product.', 2),
  name: text('Its name.', '5 GB, 30 days'),
  currency_code: currency('The currency of its price.'),
  amount: amount('The list price: `amount` in charges and orders.', 12.5),
  data_amount_gb: dataAmount,
  validity_days: validityDays,
  client_discount: amount('Your discount in percent.', 0),
};
const described: Fields = {
  description: text('More about it; omitted without one.', 'Data only, hotspot allowed'),
};

export const esimProduct = model('EsimProduct', 'An eSIM.', productFields);
export const esimVariant = model('EsimVariant', 'A data plan.', variantFields, described);

export const esimProductDetail = model('EsimProductDetail', 'An eSIM with its data plans.', {
  ...productFields,
  variants: listOf(esimVariant, 'Its data plans.'),
});

export const esimVariantDetail = model(
  'EsimVariantDetail',
  'A data plan with all that its supplier tells.',
  {
    ...variantFields,
    regions: listOf(
      object({ code: text('The code of the region.', 'USA'), name: text('Its name.', 'United States') }),
      'Where it works.',
    ),
    networks: listOf(text('A network.', 'Pacific Wireless'), 'The networks it uses.'),
    is_rechargeable: flag('Whether its supplier can recharge it.', false),
  },
  {
    ...described,
    activation_policy: text('When its validity begins; omitted where nothing is said.', 'First use'),
  },
);

const orderFields: Fields = {
  ...variantOrder('The eSIM was delivered'),
  product_name: text('The name of the product.', 'United States eSIM'),
  data_amount_gb: dataAmount,
  validity_days: validityDays,
  is_installed: flag('Whether a device has downloaded the profile.', false),
};

/** Of a delivered order. */
const profile: Fields = {
  activation_status: word('How the profile stands.', ['NOT_INSTALLED', 'ACTIVE', 'EXPIRED']),
  iccid: orNull({
    ...text('The serial number of the SIM; null where it cannot be read any more.', '8988303000000614227'),
    pattern: '^\\d{19,20}$',
  }),
};

const life: Fields = {
  installed_at: time('When a device downloaded the profile; omitted before.', '2026-02-01T08:00:00.000Z'),
  activated_at: time('When it first used data; omitted before.', '2026-02-01T08:05:00.000Z'),
};

const sometimes: Fields = { ...clientReference, ...transactionId, ...life, ...profile };
const whileFailed = ['status', 'FAILED'] as const;

export const listedEsimOrder = whileIt(
  model('EsimOrderItem', 'An eSIM order in a list: without the activation code.', orderFields, sometimes),
  whileFailed,
  failure,
);

export const esimOrder = whileIt(
  model(
    'EsimOrder',
    'An eSIM order.',
    { ...orderFields, ...orderMoney },
    {
      ...sometimes,
      ...refundId,
      activation_code: orNull({
        ...text(
          'What a device installs the profile with; there while delivered and not installed. Null where it cannot be read any more.',
          'LPA:1$smdp.supplier.example$9F1C-1A52-7D0E',
        ),
        pattern: '^LPA:1\\$',
      }),
    },
  ),
  whileFailed,
  failure,
);
