/**
 * The fields by which charges and orders of all families say what is bought, with the messages of
 * the contract. Specification, charges and order creation; decisions, "Orders".
 */
import Joi from 'joi';
import { errors } from '../../domain/errors';
import { emailAddress } from '../../notifications/mail/address';
import { idOrNone } from '../validation';

/** `null` counts as missing; text is never taken for a number. */
const number = Joi.number().strict().empty(null);

/** Vouchers tell the field and what is wrong with it. */
function voucherNumber(field: string, schema: Joi.NumberSchema, otherwise: string): Joi.NumberSchema {
  const reasons = {
    'any.required': 'required',
    'number.positive': 'must be greater than 0',
    'number.min': 'not available for this product',
    'number.max': 'not available for this product',
    '*': otherwise,
  };
  const messages = Object.entries(reasons).map(([code, reason]): [string, string] => [
    code,
    `Invalid ${field}: ${reason}`,
  ]);
  return schema.messages(Object.fromEntries(messages));
}

const integer = number.integer().positive();

/** An id may be larger than any there is, and is then found as little as any other that there is not. */
function id(schema: Joi.NumberSchema): Joi.NumberSchema {
  return schema.unsafe().custom((value: number) => idOrNone(value));
}

export const voucherFields = {
  productId: id(voucherNumber('product_id', integer.required(), 'must be an integer')),
  denomination: voucherNumber(
    'denomination',
    number.positive().min(0.01).max(1_000_000_000).required(),
    'must be a number',
  ),
  quantity: voucherNumber('quantity', integer.required(), 'must be an integer'),
  walletId: id(voucherNumber('wallet_id', integer, 'must be an integer')),
} as const;

/** What orders take beside the goods. */
export const orderFields = {
  clientReference: Joi.string()
    .empty(null)
    .pattern(/^[\x20-\x7e]+$/)
    .max(255)
    .messages({
      'string.max': 'Invalid client_reference: too long',
      '*': 'Invalid client_reference: must be printable ASCII',
    }),
  email: emailAddress
    .empty(null)
    .messages({ 'string.max': 'Invalid email: too long', '*': 'Invalid email: not a valid email' }),
  redeemVoucherCode: Joi.string().trim().empty(Joi.valid('', null)).max(255),
} as const;

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
  .pattern(/^[^\0]*$/);

export const variantFields = {
  product_id: id(required('Product ID', number.integer())),
  amount: required('Amount', number),
  wallet_id: id(integer),
  category,
} as const;

export const variantOrderFields = {
  product_id: variantFields.product_id,
  amount: variantFields.amount,
  wallet_id: variantFields.wallet_id,
  client_reference: orderFields.clientReference,
  redeem_voucher_code: orderFields.redeemVoucherCode,
} as const;

/**
 * The body checked against the schema, without the keys it does not name. Throws the message of the
 * first fault, by the order of the schema's keys; faults without one are `Invalid request body`.
 */
export function validBody<T>(schema: Joi.ObjectSchema<T>, body: Record<string, unknown>): T {
  const checked = schema.validate(body, {
    stripUnknown: true,
    messages: { '*': errors.invalidBody().message },
  });
  if (checked.error) {
    throw errors.validation(checked.error.details[0]?.message ?? errors.invalidBody().message);
  }
  return checked.value;
}
