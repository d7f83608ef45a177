/** The fields that bodies of charges and orders share. docs/specification.md#creating-an-order. */
import Joi from 'joi';
import { emailAddress } from '../../notifications/mail/address';
import { idOrNone } from './validation';

/** `null` counts as missing; text is never taken for a number. */
export const number = Joi.number().strict().empty(null);

/** A whole number above 0. */
export const integer = number.integer().positive();

/** An id may be larger than any there is, and is then found as little as any other that there is not. */
export function bodyId(schema: Joi.NumberSchema): Joi.NumberSchema {
  return schema.unsafe().custom((value: number) => idOrNone(value));
}

/** What orders take beside the goods. */
export const orderFields = {
  clientReference: Joi.string()
    .description(
      'A name of yours for the order, unique among all your orders: a second create with it is refused.',
    )
    .example('my-first-order')
    .empty(null)
    .pattern(/^[\x20-\x7e]+$/)
    .max(255)
    .messages({
      'string.max': 'Invalid client_reference: too long',
      '*': 'Invalid client_reference: must be printable ASCII',
    }),
  email: emailAddress
    .empty(null)
    .description('Gets one mail when the order ends.')
    .example('buyer@client.example')
    .messages({ 'string.max': 'Invalid email: too long', '*': 'Invalid email: not a valid email' }),
  redeemVoucherCode: Joi.string()
    .trim()
    .empty(Joi.valid('', null))
    .max(255)
    .description('The `card_number` of a redeemable voucher of yours that pays instead of the wallet.')
    .example('HC-7781-2203-9914'),
} as const;
