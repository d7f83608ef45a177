/** The fields that bodies of charges and orders share. docs/specification.md#creating-an-order. */
import Joi from 'joi';
import type { PageSizes } from '../../domain/clients/page-sizes';
import { emailAddress } from '../../notifications/mail/address';
import { bothPositions, type PositionQuery } from '../shared/list-positions';
import { listQuery, type PageQuery } from '../shared/pagination';
import { comparedText, idOrNone, queryMoment } from '../shared/validation';

/**
 * `null` counts as missing. Text is never converted to a number. Numbers beyond 2^53 pass validation, although a double may not
 * represent them exactly. They are rejected later, because no product has such an amount.
 */
export const number = Joi.number().strict().unsafe().empty(null);

/** A whole number above 0. */
export const integer = number.integer().positive();

/** A field that the body must not have. Only null matches. */
export function unavailable(description: string, message: string): Joi.AnySchema {
  return (
    Joi.forbidden()
      .empty(null)
      .description(description)
      // Some generators cannot read an enumeration of null alone.
      .meta({ schema: { type: ['string', 'null'], minLength: 1, maxLength: 0 } })
      .messages({ '*': message })
  );
}

/** An id above the largest possible one passes validation, and is then not found. */
export function bodyId(schema: Joi.NumberSchema): Joi.NumberSchema {
  return schema.custom((value: number) => idOrNone(value));
}

/** The query of every list of orders, besides the filters of the family: the page or position, and the times of the placement. */
export interface OrdersQuery extends PageQuery, PositionQuery {
  placed_after?: Date;
  placed_before?: Date;
}

/** The query of a list of orders. */
export function orderListQuery<Filter>(
  sizes: PageSizes,
  filters: Joi.SchemaMap,
): Joi.ObjectSchema<OrdersQuery & Filter> {
  return listQuery<OrdersQuery & Filter>(sizes, {
    ...bothPositions,
    ...filters,
    placed_after: queryMoment.description('Only orders that were placed at this time or later.'),
    placed_before: queryMoment.description('Only orders that were placed before this time.'),
  });
}

/** Fields of order requests besides the goods. */
export const orderFields = {
  clientReference: Joi.string()
    .description('Your name for the order, unique among all your orders. A second order request with it is rejected.')
    .example('my-first-order')
    .empty(null)
    .pattern(/^[\x20-\x7e]+$/)
    .max(255)
    .messages({
      'string.empty': 'Invalid client_reference: must not be empty',
      'string.max': 'Invalid client_reference: too long',
      '*': 'Invalid client_reference: must be printable ASCII',
    }),
  email: emailAddress
    .empty(null)
    .description('An address that gets one email when the order ends.')
    .example('buyer@client.example')
    .messages({ 'string.max': 'Invalid email: too long', '*': 'Invalid email: not a valid email' }),
  // An empty or blank text stays: it is no code, and the order is rejected. It must not debit the wallet by mistake.
  redeemVoucherCode: Joi.string()
    .trim()
    .custom(comparedText)
    .allow('')
    .empty(null)
    .description(
      'The `card_number` of one of your redeemable vouchers, which pays instead of the wallet. The wallet pays only if the field is absent or null.',
    ),
  maxTotalPayable: number
    .positive()
    .description(
      'The highest price that you accept, in the currency of the wallet that pays. An order that costs more is rejected, and debits nothing. Without it, the order costs what the charges say at that moment.',
    )
    .example(10)
    .messages({ '*': 'Invalid max_total_payable: must be a number above 0' }),
} as const;
