/**
 * Fields of the requests for charges and orders of top-ups and eSIMs. docs/specification.md#top-up-orders,
 * docs/specification.md#esim-orders.
 */
import Joi from 'joi';
import type { Offer } from '../../data/catalogue/sellable-items';
import { errors } from '../../domain/errors';
import type { OrderDraft } from '../../ordering/placement/check-and-reserve';
import { bodyId, integer, number, orderFields } from '../orders/order-fields';

/** Messages for top-ups and eSIMs name the missing field. Zero and negative numbers count as missing. */
function required(name: string, schema: Joi.NumberSchema): Joi.NumberSchema {
  const missing = `${name} is required`;
  return schema.positive().required().messages({ 'any.required': missing, 'number.positive': missing });
}

/** The body of a charges request. */
export interface VariantBody {
  product_id: number;
  amount: number;
  wallet_id?: number;
  category?: string;
}

/** The body of an order request, without the fields that only one family has. */
export interface VariantOrderBody extends Omit<VariantBody, 'category'> {
  client_reference?: string;
  redeem_voucher_code?: string;
  max_total_payable?: number;
}

const category = Joi.string()
  .empty(Joi.valid('', null))
  // For the API reference. `validBody` rejects more.
  .pattern(/^[^\u0000]*$/)
  .description('Selects a variant of this category.')
  .example('Airtime');

export const variantFields = {
  product_id: bodyId(required('Product ID', number.integer())).description('The product.').example(3),
  amount: required('Amount', number)
    .description('Selects the variant: one of its fixed amounts, or an amount within its bounds.')
    .example(10),
  wallet_id: bodyId(integer)
    .description('The wallet that pays. Default: the one in the currency of the variant, else your default wallet.')
    .example(1),
  category,
} as const;

export const variantOrderFields = {
  product_id: variantFields.product_id,
  amount: variantFields.amount,
  wallet_id: variantFields.wallet_id,
  client_reference: orderFields.clientReference,
  redeem_voucher_code: orderFields.redeemVoucherCode,
  max_total_payable: orderFields.maxTotalPayable,
} as const;

/** The part of a draft that top-ups and eSIMs share: one unit, whose delivery the response awaits. */
export function variantDraft(offer: Offer, body: VariantOrderBody): OrderDraft {
  return {
    offer,
    quantity: 1,
    asynchronous: false,
    walletId: body.wallet_id,
    notOnSale: () => errors.amountNotAvailable(offer.family),
    clientReference: body.client_reference,
    redeemVoucherCode: body.redeem_voucher_code,
    maxTotalPayable: body.max_total_payable,
  };
}
