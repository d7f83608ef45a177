/** Creating a voucher order. Specification, "Voucher orders". */
import Joi from 'joi';
import { findVoucherOffer, type VoucherOffer } from '../../data/catalogue/offers';
import type { Client } from '../../data/clients';
import type { Database } from '../../data/database';
import { errors } from '../../domain/errors';
import type { OrderDraft } from '../../ordering/order-creation';
import { refuseDuplicate } from '../../ordering/references';
import { orderFields } from '../shared/order-fields';
import { validBody } from '../shared/validation';
import { voucherFields } from './fields';

interface VoucherOrderBody {
  product_id: number;
  denomination: number;
  quantity: number;
  wallet_id?: number;
  client_reference?: string;
  email?: string;
  redeem_voucher_code?: never;
}

const body = Joi.object<VoucherOrderBody>({
  product_id: voucherFields.productId,
  denomination: voucherFields.denomination,
  quantity: voucherFields.quantity,
  wallet_id: voucherFields.walletId,
  client_reference: orderFields.clientReference,
  email: orderFields.email,
  redeem_voucher_code: Joi.forbidden()
    .empty(Joi.valid('', null))
    .messages({ '*': 'Invalid redeem_voucher_code: not available for this product' }),
});

/** More than this is fulfilled in the background. */
const SYNCHRONOUS_QUANTITY = 5;

/** The draft of a voucher order. Throws what is wrong with the body, by the contract's messages. */
export async function voucherDraft(
  database: Database,
  client: Client,
  json: Record<string, unknown>,
): Promise<OrderDraft> {
  const order = validBody(body, json);
  await refuseDuplicate(database, client, order.client_reference);
  const offer = offerOf(await findVoucherOffer(database, client, order.product_id, order.denomination));
  if (order.quantity > offer.maxQuantity) throw errors.bulkLimitExceeded(offer.maxQuantity);
  return {
    offer,
    quantity: order.quantity,
    asynchronous: order.quantity > SYNCHRONOUS_QUANTITY || offer.deliveryTime === 'Delayed',
    walletId: order.wallet_id,
    clientReference: order.client_reference,
    email: order.email,
  };
}

function offerOf(found: Awaited<ReturnType<typeof findVoucherOffer>>): VoucherOffer {
  if (found === 'not-found') throw errors.validation('Invalid product_id: not found');
  if (found === 'denomination') {
    throw errors.validation('Invalid denomination: not available for this product');
  }
  return found;
}
