/** Fields of a voucher's charges and orders. docs/specification.md#voucher-orders. */
import type Joi from 'joi';
import { bodyId, integer, number } from '../orders/order-fields';

/** Messages for vouchers name the field and the error. */
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

export const voucherFields = {
  productId: bodyId(voucherNumber('product_id', integer.required(), 'must be an integer'))
    .description('The product.')
    .example(1),
  denomination: voucherNumber(
    'denomination',
    number.positive().min(0.01).max(1_000_000_000).required(),
    'must be a number',
  )
    .description('Face value of one voucher: a value that the product offers.')
    .example(10),
  quantity: voucherNumber('quantity', integer.required(), 'must be an integer')
    .description(
      'The number of vouchers, up to the `max_quantity` of the charges. More than 5 are delivered in the background.',
    )
    .example(1),
  walletId: bodyId(voucherNumber('wallet_id', integer, 'must be an integer'))
    .description("The wallet that pays. Default: the one in the product's currency.")
    .example(1),
} as const;
