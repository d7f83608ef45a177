/** The products and prices that clients name in requests for charges and orders. */
import { findSyncedEsimOffer } from '../../catalogue/variant-sync';
import { rechargedEsim } from '../../ordering/esims/supplier-recharge-plans';
import {
  findRechargeOffer,
  findTopupOffer,
  findVoucherOffer,
  type EsimOffer,
  type NoOffer,
  type Offer,
  type TopupOffer,
  type VoucherOffer,
} from '../../data/catalogue/sellable-items';
import type { Client } from '../../data/clients/clients';
import type { Database } from '../../data/database/database';
import { errors, type ApiError } from '../../domain/errors';
import type { Dependencies } from '../dependencies';
import type { VariantBody } from './variant-fields';

/** Returns the found offer. Throws if the product or the amount is not on sale. */
export function requireOffer<Found extends Offer>(
  found: Found | NoOffer,
  family: Found['family'],
  productNotFound: () => ApiError = () => errors.notFound('Product', 'product_id'),
): Found {
  if (found === 'not-found') throw productNotFound();
  if (found === 'amount-not-available') throw errors.amountNotAvailable(family);
  return found;
}

interface VoucherRequest {
  product_id: number;
  denomination: number;
  quantity: number;
  productNotFound: () => ApiError;
}

/**
 * Throws `productNotFound` if the product is not on sale. Throws 400 if the denomination is not on sale, or if the quantity
 * exceeds the limit of the client or the stock.
 */
export async function voucherOffer(
  database: Database,
  client: Client,
  { product_id: productId, denomination, quantity, productNotFound }: VoucherRequest,
): Promise<VoucherOffer> {
  const found = await findVoucherOffer(database, client, productId, denomination);
  const offer = requireOffer(found, 'VOUCHER', productNotFound);
  if (quantity > offer.maxQuantity) throw errors.bulkLimitExceeded(offer.maxQuantity);
  return offer;
}

/** Throws 404 if the product is not on sale, and 400 if the amount is not on sale. */
export async function topupOffer(
  database: Database,
  client: Client,
  { product_id: productId, amount, category }: VariantBody,
): Promise<TopupOffer> {
  return requireOffer(await findTopupOffer(database, client, productId, amount, category), 'TOPUP');
}

/** The product and the amount of an eSIM, and the order whose eSIM gets the plan. */
type EsimRequest = Pick<VariantBody, 'product_id' | 'amount'> & { recharge_order_id?: number };

/**
 * The offer, with the order that came with the recharged profile. Throws 404 if the product or the variant is not on sale, or the
 * recharged order is not found, and 400 if its eSIM cannot be recharged. docs/specification.md#recharging-an-esim.
 */
export async function esimOffer(
  deps: Pick<Dependencies, 'database' | 'suppliers' | 'sealer'>,
  client: Client,
  { product_id: productId, amount, recharge_order_id: rechargeId }: EsimRequest,
): Promise<EsimOffer & { rechargesOrderId?: number }> {
  if (rechargeId === undefined) return requireOffer(await findSyncedEsimOffer(deps, client, productId, amount), 'ESIM');
  const recharged = await rechargedEsim(deps, client.id, rechargeId);
  if (!recharged) throw errors.esimNotRechargeable();
  const found = await findRechargeOffer(deps.database, client, { productId, amount }, recharged);
  return { ...requireOffer(found, 'ESIM'), rechargesOrderId: recharged.profileOrderId };
}
