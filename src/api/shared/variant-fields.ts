/**
 * What is bought, in the bodies of charges and orders of top-ups and eSIMs.
 * docs/specification.md#top-up-orders, docs/specification.md#esim-orders.
 */
import Joi from 'joi';
import type { Offer } from '../../data/catalogue/offers';
import type { OrderDraft } from '../../ordering/placement/order-checks';
import { bodyId, integer, number, orderFields } from './order-fields';

/** Top-ups and eSIMs tell what is missing; zero and less are as good as nothing. */
function required(name: string, schema: Joi.NumberSchema): Joi.NumberSchema {
  const missing = `${name} is required`;
  return schema.positive().required().messages({ 'any.required': missing, 'number.positive': missing });
}

/** What a top-up or eSIM is priced and ordered by. */
export interface VariantBody {
  product_id: number;
  amount: number;
  wallet_id?: number;
  category?: string;
}

/** What an order of either takes beside that. */
export interface VariantOrderBody extends Omit<VariantBody, 'category'> {
  client_reference?: string;
  redeem_voucher_code?: string;
}

/** PostgreSQL text cannot hold a NUL. */
const category = Joi.string()
  .empty(Joi.valid('', null))
  .pattern(/^[^\u0000]*$/)
  .description('Only variants of this category count.')
  .example('Airtime');

export const variantFields = {
  product_id: bodyId(required('Product ID', number.integer())).description('The product.').example(3),
  amount: required('Amount', number)
    .description('What the variant is chosen by: one of its amounts, or one within its bounds.')
    .example(10),
  wallet_id: bodyId(integer)
    .description(
      'The wallet that pays. Default: the one in the currency of the variant, else your default wallet.',
    )
    .example(1),
  category,
} as const;

export const variantOrderFields = {
  product_id: variantFields.product_id,
  amount: variantFields.amount,
  wallet_id: variantFields.wallet_id,
  client_reference: orderFields.clientReference,
  redeem_voucher_code: orderFields.redeemVoucherCode,
} as const;

/** The draft of either family, without what is its own: one unit, answered as soon as it is delivered. */
export function variantDraft(offer: Offer, body: VariantOrderBody): OrderDraft {
  return {
    offer,
    quantity: 1,
    asynchronous: false,
    walletId: body.wallet_id,
    clientReference: body.client_reference,
    redeemVoucherCode: body.redeem_voucher_code,
  };
}
