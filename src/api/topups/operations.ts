/** Top-ups in the document. */
import { errors } from '../../domain/errors';
import { json, type Operations } from '../openapi/operation';
import { orderOperations } from '../shared/order-operations';
import { variantOperations } from '../shared/variant-operations';
import { lookupQuery, topupChargesBody, topupProductsQuery } from './catalogue-routes';
import { topupOrderBody } from './order-request';
import { topupOrdersQuery } from './order-routes';
import {
  listedTopupOrder,
  mobileLookup,
  topupOrder,
  topupProduct,
  topupProductDetail,
  topupVariant,
} from './schemas';

const invalidId = errors.validation('Invalid order ID');

export const topupOperations: Operations = {
  ...variantOperations({
    path: '/api/v1/topups',
    tag: 'Top-ups',
    feature: 'topups',
    noun: 'Topup',
    query: topupProductsQuery,
    charges: {
      body: {
        schema: topupChargesBody,
        title: 'TopupChargesRequest',
        example: { product_id: 3, amount: 10 },
      },
      errors: [errors.amountNotAvailable('TOPUP')],
    },
    schemas: {
      product: topupProduct,
      productDetail: topupProductDetail,
      variant: topupVariant,
      variantDetail: topupVariant,
    },
  }),
  'GET /api/v1/topups/mobile-lookup': {
    id: 'lookUpMobileNumber',
    tag: 'Top-ups',
    feature: 'topups',
    summary: 'Find what recharges a mobile number',
    query: lookupQuery,
    answers: { 200: json('The number and its products.', mobileLookup) },
    errors: [errors.validation('Invalid mobile number')],
  },
  ...orderOperations({
    family: 'TOPUP',
    tag: 'Top-ups',
    noun: 'Topup',
    create: {
      description:
        'Debits the wallet, or redeems a voucher, and orders in one step. What is instant is answered as it stands within 4 seconds, else it is PENDING and goes on in the background.',
      body: {
        schema: topupOrderBody,
        title: 'TopupOrderRequest',
        example: {
          product_id: 3,
          amount: 10,
          input_data: { phone_number: '+12025550100' },
          client_reference: 'my-first-top-up',
        },
      },
      created: topupOrder,
      errors: [
        errors.notFound('Product'),
        errors.amountNotAvailable('TOPUP'),
        errors.validation('Unknown input field: nickname'),
        errors.validation('Missing input field: phone_number'),
        errors.validation('Invalid input field: phone_number (must be a phone number of 4 to 15 digits)'),
        errors.voucherNotRedeemable(),
      ],
    },
    list: { query: topupOrdersQuery, listed: listedTopupOrder },
    read: {
      description:
        'A PENDING one is asked about at its supplier first. Polling faster than every 5 seconds gives nothing.',
      single: topupOrder,
      errors: [invalidId],
    },
  }),
};
