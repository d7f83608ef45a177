/** The schemas of voucher products and orders. docs/specification.md#voucher-products-and-charges, #voucher-order. */
import { orderStatuses } from '../../domain/orders/order-states';
import {
  amount,
  count,
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
  type SchemaFields,
} from '../openapi/schema';
import { clientReference, orderModel, orderMoney, refundId, replacement, transactionId } from '../orders/order-schemas';

const productFields: SchemaFields = {
  id: id('The product.', 1),
  name: text('Its name.', 'Harbour Coffee Gift Card'),
  category: text('Its category.', 'Food & Drink'),
  sub_category: orNull(text('Its subcategory.', 'Coffee')),
  country_code: country('The country where it is sold (ISO 3166-1 alpha-3, or `GLO`).'),
  currency_code: currency('The currency of its face values.'),
  image_url: orNull(text('A picture.', 'https://images.digital-goods.example/vouchers/sim-gc-coffee-us.png')),
  delivery_mode: orNull(extensibleEnumText('The form of its codes.', ['Code with PIN', 'URL'])),
  delivery_time: orNull(extensibleEnumText('`Delayed` is always delivered in the background.', ['Instant', 'Delayed'])),
  validity: orNull(text('How long its vouchers are valid.', '12 months from purchase')),
  redeemable: flag('Whether its codes pay for top-ups and eSIMs.', false),
  available_denominations: listOf(
    object({
      min_value: amount('The smallest face value.', 10),
      max_value: amount('The largest face value. Equal to the smallest if it is fixed.', 10),
      discount: amount('Your discount in percent of the face value.', 2),
    }),
    'The available face values.',
  ),
};

export const voucherProductSchema = model('VoucherProduct', 'A gift card.', productFields);

export const voucherProductDetail = model('VoucherProductDetail', 'A gift card with its texts.', {
  ...productFields,
  terms: orNull(text('Terms of its issuer.', 'Not exchangeable for cash.')),
  details: orNull(text('A description.', 'To spend in one or several purchases.')),
  how_to_use: orNull(text('How to use it.', 'Enter the card number and PIN at the checkout.')),
});

const voucher = model('Voucher', 'One voucher. Its fields depend on the product.', {
  card_number: orNull(text('The code.', 'HC-7781-2203-9914')),
  pin_code: orNull(text('Its PIN.', '4471')),
  claim_url: orNull(text('The URL to claim it.', 'https://claim.issuer.example/9f1c1a52')),
  expires_at: orNull(time('When it expires.', '2027-01-31T00:00:00.000Z')),
  voucher_reference_number: orNull(text("The issuer's reference number.", 'VRN-118203')),
});

const bought: SchemaFields = {
  product_id: id('The product.', 1),
  product_name: text('Its name.', 'Harbour Coffee Gift Card'),
  denomination: amount('Face value of one voucher.', 10),
  quantity: count('The number of vouchers.', 1, 1),
};

export const voucherOrderStatus = named(
  'VoucherOrderStatus',
  enumText('The state of the order.', orderStatuses, 'DELIVERED'),
);

const status: SchemaFields = { status: voucherOrderStatus };
const placedAt: SchemaFields = { placed_at: time('When the order was placed.') };

export const listedVoucherOrder = model(
  'VoucherOrderItem',
  'A voucher order in a list.',
  {
    id: id('The order.'),
    ...bought,
    amount: amount("Face value times quantity, in the product's currency.", 10),
    currency: currency("The product's currency."),
    ...status,
    email: text('The delivery email; empty if there is none.', 'buyer@client.example'),
    ...placedAt,
  },
  { ...clientReference, ...transactionId, ...replacement },
);

const singleFields: SchemaFields = {
  id: id('The order.'),
  ...bought,
  discount: amount("The discount, in the product's currency.", 0.2),
  amount: amount("Face value times quantity, in the product's currency.", 10),
  ...status,
  base_currency: currency("The product's currency."),
  deduction_currency: currency("The wallet's currency."),
  ...orderMoney,
  message: text('The state of the order, for people.', 'All vouchers are delivered'),
};

const vouchers: SchemaFields = {
  vouchers: listOf(
    voucher,
    'The delivered vouchers. Empty while the order is PENDING. Omitted for keys without the scope `codes`.',
  ),
};

const email: SchemaFields = { email: text('The delivery email; omitted if there is none.', 'buyer@client.example') };

export const voucherOrder = orderModel(
  'VoucherOrder',
  'A voucher order.',
  { ...singleFields, ...placedAt },
  { ...clientReference, ...email, ...transactionId, ...refundId, ...replacement, ...vouchers },
);

export const createdVoucherOrder = orderModel(
  'CreatedVoucherOrder',
  'The response to a voucher order request.',
  { ...singleFields, wallet_id: id('The wallet that pays.', 1) },
  { ...clientReference, ...email, ...refundId, ...replacement, ...vouchers },
);
