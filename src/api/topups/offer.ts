/** The top-up that a client names by product and amount: the same for charges and orders. */
import { findTopupOffer, type TopupOffer } from '../../data/catalogue/offers';
import type { Client } from '../../data/clients/clients';
import type { Database } from '../../data/database/database';
import { offered } from '../shared/offer';
import type { VariantBody } from '../shared/variant-fields';

/** Throws 404 for the product, 400 for the amount. */
export async function topupOffer(
  database: Database,
  client: Client,
  { product_id: productId, amount, category }: VariantBody,
): Promise<TopupOffer> {
  return offered(await findTopupOffer(database, client, productId, amount, category), 'TOPUP');
}
