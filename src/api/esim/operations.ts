/** eSIMs in the document. */
import { errors } from '../../domain/errors';
import type { Operations } from '../openapi/operation';
import { orderOperations } from '../shared/order-operations';
import { variantOperations } from '../shared/variant-operations';
import { esimChargesBody, esimProductsQuery } from './catalogue-routes';
import { esimOrderBody } from './order-request';
import { esimOrdersQuery } from './order-routes';
import {
  esimOrder,
  esimProduct,
  esimProductDetail,
  esimVariant,
  esimVariantDetail,
  listedEsimOrder,
} from './schemas';

export const esimOperations: Operations = {
  ...variantOperations({
    path: '/api/v1/esim',
    tag: 'eSIM',
    feature: 'esim',
    noun: 'Esim',
    query: esimProductsQuery,
    charges: {
      body: {
        schema: esimChargesBody,
        title: 'EsimChargesRequest',
        example: { product_id: 2, amount: 12.5 },
      },
      errors: [errors.amountNotAvailable('ESIM'), errors.priceRoundsToZero('ESIM')],
    },
    schemas: {
      product: esimProduct,
      productDetail: esimProductDetail,
      variant: esimVariant,
      variantDetail: esimVariantDetail,
    },
  }),
  ...orderOperations({
    family: 'ESIM',
    tag: 'eSIM',
    noun: 'Esim',
    create: {
      description:
        'Debits the wallet, or redeems a voucher, and orders in one step. Answered as it stands within 60 seconds; what takes longer is PENDING and goes on in the background. `quantity` and `category` are not looked at: it is always one.',
      body: {
        schema: esimOrderBody,
        title: 'EsimOrderRequest',
        example: { product_id: 2, amount: 12.5, client_reference: 'my-first-esim' },
      },
      created: esimOrder,
      errors: [
        errors.notFound('Product'),
        errors.amountNotAvailable('ESIM'),
        errors.priceRoundsToZero('ESIM'),
        errors.voucherNotRedeemable(),
      ],
    },
    list: {
      description: 'As they were known last: no supplier is asked.',
      query: esimOrdersQuery,
      listed: listedEsimOrder,
    },
    read: {
      description: 'A delivered one that is not known to be installed is asked about at its supplier first.',
      single: esimOrder,
      errors: [errors.validation('Invalid order ID')],
    },
  }),
};
