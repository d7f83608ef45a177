/** The top-up that a client names by product and amount: the same for charges and orders. */
import { findTopupOffer, type TopupOffer } from '../../data/catalogue/offers';
import type { Client } from '../../data/clients';
import type { Database } from '../../data/database';
import { errors } from '../../domain/errors';
import { offered } from '../shared/offer';
import type { VariantBody } from '../shared/variant-fields';

/**
 * What is said of a product or an amount that is not on sale.
 * docs/specification.md#top-up-products-variants-charges.
 */
export const topupRefusals = {
  productNotFound: () => errors.notFound('Product'),
  amountNotFound: () => errors.validation('Amount is not available for this product'),
};

/** Throws 404 for the product, 400 for the amount. */
export async function topupOffer(
  database: Database,
  client: Client,
  { product_id: productId, amount, category }: VariantBody,
): Promise<TopupOffer> {
  return offered(await findTopupOffer(database, client, productId, amount, category), topupRefusals);
}
