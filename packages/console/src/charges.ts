/** The price of an order before it is placed. */
import { api } from './api';
import type { FamilyView } from './families';
import type { Charges, Product } from './types';

/** The user's choice. Without a wallet, the service chooses one. */
export interface Choice {
  amount: number | undefined;
  quantity: number;
  walletId: number | undefined;
}

/** Reads the price; undefined while the choice is incomplete. */
export async function priceOf(
  { feature }: FamilyView,
  { id }: Product,
  { amount, quantity, walletId }: Choice,
): Promise<Charges | undefined> {
  if (amount === undefined || !(quantity >= 1)) return undefined;
  const wallet = walletId !== undefined && { wallet_id: walletId };
  return feature === 'vouchers'
    ? api(`/products/${id}/charges`, {
        method: 'POST',
        body: { denomination: amount, quantity, ...wallet },
      })
    : api(`/${feature}/charges`, {
        method: 'POST',
        body: { product_id: id, amount, ...wallet },
      });
}

/** Returns the wallet's currency: `source_currency` for vouchers, `destination_currency` for other families. */
export function payingCurrency({ feature }: FamilyView, { charges_details: details }: Charges): string {
  return feature === 'vouchers' ? details.source_currency : details.destination_currency;
}
