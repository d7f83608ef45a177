/** Orders of gift cards: the request, the price, the transaction. */
import { Decimal } from 'decimal.js';
import Joi from 'joi';
import type { FakeContext } from '../kit/fake';
import { rounded } from '../kit/money';
import { ACCOUNT_CURRENCY } from '../kit/account';
import { plainTime } from '../kit/times';
import { viewDebit } from './balances';
import { ApiError, apiError } from './errors';
import { giftProducts, type GiftProduct } from './gift-catalogue';
import { brandIdOf, brandNameOf } from './gift-views';
import { bodyOf, viewReference } from './http';
import type { Draft, Transaction } from './transactions';

interface OrderBody {
  productId: number;
  quantity: number;
  unitPrice: number;
  senderName: string;
  customIdentifier?: string | null;
  recipientEmail?: string | null;
  recipientPhoneDetails?: { countryCode: string; phoneNumber: string } | null;
  preOrder?: boolean;
  productAdditionalRequirements?: { userId?: string } | null;
}

export interface GiftDetails {
  readonly product: GiftProduct;
  readonly order: OrderBody;
  readonly discount: Decimal;
  readonly fee: Decimal;
  readonly smsFee: Decimal;
}

export type GiftTransaction = Transaction<GiftDetails>;

const orderSchema = Joi.object<OrderBody>({
  productId: Joi.number().integer().required(),
  quantity: Joi.number().integer().min(1).required(),
  unitPrice: Joi.number().greater(0).required(),
  senderName: Joi.string().required(),
  customIdentifier: Joi.string().max(150).allow(null),
  recipientEmail: Joi.string().allow(null),
  recipientPhoneDetails: Joi.object({
    countryCode: Joi.string().required(),
    phoneNumber: Joi.string().required(),
  }).allow(null),
  preOrder: Joi.boolean(),
  productAdditionalRequirements: Joi.object({ userId: Joi.string() }).allow(null),
});

/** Invented: Reloadly does not publish this fee. */
const smsFeePerOrder = '0.05';
/** The sandbox rejects orders over this amount of US dollars. */
const largestOrder = 100;

export function giftSku(productId: unknown): string {
  return `gift:${String(productId)}`;
}

export const skuOf = ({ productId }: GiftProduct): string => giftSku(productId);

/** Checks and prices the order. Throws a rejection. */
export function draftOrder(body: unknown): Draft<GiftDetails> {
  const order = bodyOf(orderSchema, body);
  const product = giftProducts.find(({ productId }) => productId === order.productId);
  if (!product) throw apiError('INVALID_PRODUCT');
  if (!isOnSale(product, order.unitPrice)) throw apiError('WRONG_PRODUCT_PRICE');
  if (product.isUserIdRequired && !order.productAdditionalRequirements?.userId)
    throw apiError('INVALID_INPUT_PROVIDED', 'productAdditionalRequirements.userId is required.');
  if (order.preOrder && !product.supportsPreOrder)
    throw apiError('INVALID_INPUT_PROVIDED', 'The product does not support pre-orders.');
  const face = new Decimal(product.rate).times(order.unitPrice);
  // The error code of this rejection is not known.
  if (face.times(order.quantity).greaterThan(largestOrder))
    throw new ApiError(400, null, 'The sandbox does not accept orders over 100 USD.');
  return priced(product, order, face);
}

/** `unit = S*(1 - discountPercentage/100 + senderFeePercentage/100) + senderFee`, with `S` unrounded. */
function priced(product: GiftProduct, order: OrderBody, face: Decimal): Draft<GiftDetails> {
  const { quantity } = order;
  const discount = face.times(product.discountPercentage).dividedBy(100).times(quantity);
  const unitFee = face.times(product.senderFeePercentage).dividedBy(100).plus(product.senderFee);
  const fee = unitFee.times(quantity);
  const smsFee = new Decimal(order.recipientPhoneDetails ? smsFeePerOrder : 0);
  return {
    sku: giftSku(product.productId),
    reference: order.customIdentifier ?? undefined,
    units: quantity,
    cost: rounded(face.times(quantity).minus(discount).plus(fee).plus(smsFee)),
    details: { product, order, discount, fee, smsFee },
  };
}

function isOnSale({ values }: GiftProduct, unitPrice: number): boolean {
  return 'min' in values ? unitPrice >= values.min && unitPrice <= values.max : values.includes(unitPrice);
}

/** The response to an order, and the row of a report. A failed order keeps its amount, although nothing is charged. */
export function viewOrder({ modes }: FakeContext, transaction: GiftTransaction, status: string): object {
  const { details, reference, sku } = transaction;
  const { product, order, discount, fee, smsFee } = details;
  return {
    transactionId: transaction.id,
    amount: transaction.cost.toNumber(),
    discount: rounded(discount).toNumber(),
    currencyCode: ACCOUNT_CURRENCY,
    fee: rounded(fee).toNumber(),
    smsFee: smsFee.toNumber(),
    totalFee: rounded(fee.plus(smsFee)).toNumber(),
    recipientEmail: order.recipientEmail ?? null,
    customIdentifier: viewReference(reference, modes.of(sku).numbers),
    status,
    preOrdered: order.preOrder ?? false,
    product: {
      productId: product.productId,
      productName: product.productName,
      countryCode: product.country.isoName,
      quantity: order.quantity,
      unitPrice: order.unitPrice,
      totalPrice: new Decimal(order.unitPrice).times(order.quantity).toNumber(),
      currencyCode: product.recipientCurrencyCode,
      brand: { brandId: brandIdOf(product), brandName: brandNameOf(product) },
    },
    transactionCreatedTime: plainTime(transaction.createdAt),
    balanceInfo: viewDebit(transaction.debit),
  };
}
