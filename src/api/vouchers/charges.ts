/** What a voucher order would cost. docs/specification.md#voucher-products-and-charges. */
import Joi from 'joi';
import type { Client } from '../../data/clients/clients';
import type { Database } from '../../data/database/database';
import { errors } from '../../domain/errors';
import { quoteOrder } from '../../ordering/placement/quotes';
import { voucherChargesView } from '../shared/charges-view';
import { voucherFields } from './fields';
import { voucherOffer } from './offer';

export interface ChargesBody {
  denomination: number;
  quantity: number;
  wallet_id?: number;
}

export const voucherChargesBody = Joi.object<ChargesBody>({
  denomination: voucherFields.denomination,
  quantity: voucherFields.quantity,
  wallet_id: voucherFields.walletId,
});

export type VoucherCharges = ReturnType<typeof voucherChargesView>;

/**
 * Prices an order as creating it would. Throws 404 for the product or wallet, 400 for the
 * denomination, the quantity and a missing exchange rate.
 */
export async function voucherCharges(
  database: Database,
  client: Client,
  productId: number,
  body: ChargesBody,
): Promise<VoucherCharges> {
  const offer = await voucherOffer(database, client, {
    ...body,
    product_id: productId,
    productNotFound: () => errors.notFound('Product'),
  });
  const { quantity, wallet_id: walletId } = body;
  const { pricing } = await quoteOrder(database, client, offer, { quantity, walletId });
  return voucherChargesView(pricing, offer.maxQuantity);
}
