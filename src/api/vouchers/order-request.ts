/** What a voucher order asks for. docs/specification.md#voucher-orders. */
import Joi from 'joi';
import type { Client } from '../../data/clients/clients';
import type { Database } from '../../data/database/database';
import { errors } from '../../domain/errors';
import type { OrderRequest } from '../shared/create-order';
import { orderFields } from '../shared/order-fields';
import { validBody } from '../shared/validation';
import { voucherFields } from './fields';
import { voucherOffer } from './offer';

interface VoucherOrderBody {
  product_id: number;
  denomination: number;
  quantity: number;
  wallet_id?: number;
  client_reference?: string;
  email?: string;
  redeem_voucher_code?: never;
}

export const voucherOrderBody = Joi.object<VoucherOrderBody>({
  product_id: voucherFields.productId,
  denomination: voucherFields.denomination,
  quantity: voucherFields.quantity,
  wallet_id: voucherFields.walletId,
  client_reference: orderFields.clientReference,
  email: orderFields.email,
  redeem_voucher_code: Joi.forbidden()
    .empty(Joi.valid('', null))
    .description('Vouchers are paid from a wallet alone: leave it out.')
    .meta({ schema: { type: ['string', 'null'], maxLength: 0 } })
    .messages({ '*': 'Invalid redeem_voucher_code: not available for this product' }),
});

/** More than this is fulfilled in the background. */
const SYNCHRONOUS_QUANTITY = 5;

/** Reads the body of a voucher order. Throws what is wrong with it, by the contract's messages. */
export function voucherOrderRequest(
  database: Database,
  client: Client,
  json: Record<string, unknown>,
): OrderRequest {
  const body = validBody(voucherOrderBody, json);
  return {
    clientReference: body.client_reference,
    draft: async () => {
      const offer = await voucherOffer(database, client, {
        ...body,
        productNotFound: () => errors.validation('Invalid product_id: not found'),
      });
      return {
        offer,
        quantity: body.quantity,
        asynchronous: body.quantity > SYNCHRONOUS_QUANTITY || offer.deliveryTime === 'Delayed',
        walletId: body.wallet_id,
        clientReference: body.client_reference,
        email: body.email,
      };
    },
  };
}
