/** Vouchers in the document. */
import { errors } from '../../domain/errors';
import { pageHeaders } from '../openapi/headers';
import { json, kept, type Operations } from '../openapi/operation';
import { id, listOf } from '../openapi/schema';
import { voucherCharges } from '../shared/charges-schemas';
import { orderOperations } from '../shared/order-operations';
import { voucherProductsQuery } from './catalogue-routes';
import { voucherChargesBody } from './charges';
import { voucherOrderBody } from './order-request';
import { voucherOrdersQuery } from './order-routes';
import {
  createdVoucherOrder,
  listedVoucherOrder,
  voucherOrder,
  voucherProduct,
  voucherProductDetail,
} from './schemas';

const product = { id: id('The product.', 1) };
const common = { tag: 'Vouchers', feature: 'vouchers' } as const;
const refusals = [errors.badRequest('Invalid product ID'), errors.notFound('Product')];

export const voucherOperations: Operations = {
  'GET /api/v1/products': {
    ...common,
    id: 'listVoucherProducts',
    summary: 'List gift cards',
    description:
      'What is active, in stock and not hidden from you; the discount is the best there is for you.',
    query: voucherProductsQuery,
    answers: kept('By name, where nothing else was asked for.', listOf(voucherProduct), pageHeaders),
  },
  'GET /api/v1/products/:id': {
    ...common,
    id: 'getVoucherProduct',
    summary: 'Read a gift card',
    path: product,
    answers: kept('The gift card with its texts.', voucherProductDetail),
    errors: refusals,
  },
  'POST /api/v1/products/:id/charges': {
    ...common,
    id: 'getVoucherCharges',
    summary: 'Price an order',
    description: 'What the same order would debit, to the last digit.',
    path: product,
    body: {
      schema: voucherChargesBody,
      title: 'VoucherChargesRequest',
      example: { denomination: 10, quantity: 1 },
    },
    answers: { 200: json('The price and how it comes about.', voucherCharges) },
    errors: [
      ...refusals,
      errors.notFound('Wallet'),
      errors.bulkLimitExceeded(100),
      errors.exchangeRateUnavailable(),
    ],
  },
  ...orderOperations({
    family: 'VOUCHER',
    tag: 'Vouchers',
    noun: 'Voucher',
    create: {
      description:
        'Debits the wallet and orders in one step. Up to 5 vouchers are answered as they stand within 10 seconds; more, and products delivered `Delayed`, are PENDING and go on in the background.',
      body: {
        schema: voucherOrderBody,
        title: 'VoucherOrderRequest',
        example: { product_id: 1, denomination: 10, quantity: 1, client_reference: 'my-first-order' },
      },
      created: createdVoucherOrder,
      errors: [
        errors.validation('Invalid product_id: not found'),
        errors.bulkLimitExceeded(100),
        errors.clientLimitExceeded(),
      ],
    },
    list: {
      query: voucherOrdersQuery,
      listed: listedVoucherOrder,
      errors: [errors.noMatch()],
    },
    read: { single: voucherOrder, errors: [errors.badRequest(errors.noMatch().message)] },
  }),
};
