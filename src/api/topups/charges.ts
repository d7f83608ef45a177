/** What a top-up would cost. Specification, "Top-up products, variants, charges". */
import Joi from 'joi';
import { findTopupOffer } from '../../data/catalogue/offers';
import type { Client } from '../../data/clients';
import type { Database } from '../../data/database';
import { errors } from '../../domain/errors';
import { variantFields, type VariantBody } from '../shared/variant-fields';
import { offered, quoteOffer } from '../shared/offer';
import { variantChargesView } from '../shared/charges-view';

export const topupChargesBody = Joi.object<VariantBody>(variantFields);

/** Prices a top-up as ordering it would. Throws 404 for product or wallet, 400 for the amount and the rate. */
export async function topupCharges(
  database: Database,
  client: Client,
  { product_id: productId, amount, wallet_id: walletId, category }: VariantBody,
) {
  const offer = offered(await findTopupOffer(database, client, productId, amount, category), () =>
    errors.validation('Amount is not available for this product'),
  );
  const { price } = await quoteOffer(database, client, offer, 1, walletId);
  return variantChargesView(price);
}
