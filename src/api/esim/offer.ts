/** The eSIM that a client names by product and amount: the same for charges and orders. */
import { findSyncedEsimOffer } from '../../catalogue/variant-sync';
import type { EsimOffer } from '../../data/catalogue/offers';
import type { Client } from '../../data/clients/clients';
import type { Dependencies } from '../dependencies';
import { offered } from '../shared/offer';
import type { VariantBody } from '../shared/variant-fields';

/** Throws 404 for product or variant. docs/specification.md#esim-products-variants-charges. */
export async function esimOffer(
  tools: Pick<Dependencies, 'database' | 'suppliers'>,
  client: Client,
  { product_id: productId, amount }: Pick<VariantBody, 'product_id' | 'amount'>,
): Promise<EsimOffer> {
  return offered(await findSyncedEsimOffer(tools, client, productId, amount), 'ESIM');
}
