/** What is sold for the product, denomination and quantity a client names: the same for charges and orders. */
import { findVoucherOffer, type VoucherOffer } from '../../data/catalogue/offers';
import type { Client } from '../../data/clients/clients';
import type { Database } from '../../data/database/database';
import { errors, type ApiError } from '../../domain/errors';
import { offered } from '../shared/offer';

interface Wanted {
  product_id: number;
  denomination: number;
  quantity: number;
  productNotFound: () => ApiError;
}

/** Throws 400 for the denomination and a quantity above the client's or the stock's, and what the caller says of the product. */
export async function voucherOffer(
  database: Database,
  client: Client,
  { product_id: productId, denomination, quantity, productNotFound }: Wanted,
): Promise<VoucherOffer> {
  const found = await findVoucherOffer(database, client, productId, denomination);
  const offer = offered(found, 'VOUCHER', productNotFound);
  if (quantity > offer.maxQuantity) throw errors.bulkLimitExceeded(offer.maxQuantity);
  return offer;
}
