/** What an eSIM would cost. Specification, "eSIM products, variants, charges". */
import Joi from 'joi';
import { findSyncedEsimOffer } from '../../catalogue/variant-sync';
import type { Client } from '../../data/clients';
import { errors } from '../../domain/errors';
import { variantFields, type VariantBody } from '../shared/variant-fields';
import { offered, quoteOffer } from '../shared/offer';
import { variantChargesView } from '../shared/charges-view';
import type { Dependencies } from '../dependencies';

const { product_id, amount, wallet_id } = variantFields;

export const esimChargesBody = Joi.object<Omit<VariantBody, 'category'>>({ product_id, amount, wallet_id });

/** Prices an eSIM as ordering it would. Throws 404 for product, variant or wallet, 400 for the rate. */
export async function esimCharges(
  tools: Pick<Dependencies, 'database' | 'suppliers'>,
  client: Client,
  body: Omit<VariantBody, 'category'>,
) {
  const found = await findSyncedEsimOffer(tools, client, body.product_id, body.amount);
  const offer = offered(found, () => errors.notFound('Variant'));
  const { price } = await quoteOffer(tools.database, client, offer, 1, body.wallet_id);
  return variantChargesView(price);
}
