/** What a voucher order would cost. Specification, "Voucher products and charges". */
import Joi from 'joi';
import { findVoucherOffer } from '../../data/catalogue/offers';
import type { Client } from '../../data/clients';
import type { Database } from '../../data/database';
import { errors } from '../../domain/errors';
import { voucherFields } from './fields';
import { offered, quoteOffer } from '../shared/offer';
import { voucherChargesView } from '../shared/charges-view';

export interface ChargesBody {
  denomination: number;
  quantity: number;
  wallet_id?: number;
}

export const chargesBody = Joi.object<ChargesBody>({
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
  { denomination, quantity, wallet_id: walletId }: ChargesBody,
): Promise<VoucherCharges> {
  const offer = offered(await findVoucherOffer(database, client, productId, denomination), () =>
    errors.validation('Invalid denomination: not available for this product'),
  );
  if (quantity > offer.maxQuantity) throw errors.bulkLimitExceeded(offer.maxQuantity);
  const { price } = await quoteOffer(database, client, offer, quantity, walletId);
  return voucherChargesView(price, offer.maxQuantity);
}
