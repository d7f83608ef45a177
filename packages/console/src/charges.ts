/** The price of an order before it is placed. */
import type { Amounts } from './amounts';
import { api, send } from './api';
import { messageOf } from '../../parts/src/rejection';
import type { FamilyView } from './families';
import type { Charges, Product } from './types';

/** The user's choice. Without a wallet, the service chooses one. */
export interface Choice {
  amount: number | undefined;
  quantity: number;
  walletId: number | undefined;
  /** The eSIM order that it recharges. */
  recharged?: number | undefined;
}

/** Reads the price; undefined while the choice is incomplete. */
export async function priceOf(
  { feature }: FamilyView,
  { id }: Product,
  { amount, quantity, walletId, recharged }: Choice,
): Promise<Charges | undefined> {
  if (amount === undefined || !(quantity >= 1)) return undefined;
  const wallet = walletId !== undefined && { wallet_id: walletId };
  return feature === 'vouchers'
    ? api(`/products/${id}/charges`, { method: 'POST', body: { denomination: amount, quantity, ...wallet } })
    : api(`/${feature}/charges`, {
        method: 'POST',
        body: { product_id: id, amount, ...wallet, ...rechargeOf(recharged) },
      });
}

/** The field that makes an order or its charges a recharge. */
export function rechargeOf(recharged: number | undefined): object {
  return recharged === undefined ? {} : { recharge_order_id: recharged };
}

/** Returns the wallet's currency: `source_currency` for vouchers, `destination_currency` for other families. */
export function payingCurrency({ feature }: FamilyView, { charges_details: details }: Charges): string {
  return feature === 'vouchers' ? details.source_currency : details.destination_currency;
}

/** Amounts whose prices a page shows. Each price is a call. */
export const PRICED_AMOUNTS = 10;

export interface PricedAmount {
  amount: number;
  name: string | undefined;
  charges?: Charges;
  /** Why there is no price. */
  failure?: string;
}

/** Reads the prices of the first amounts, as an order of one unit would pay them. */
export function pricesOf(
  family: FamilyView,
  product: Product,
  amounts: Amounts['fixed'],
  { walletId, recharged }: Pick<Choice, 'walletId' | 'recharged'>,
): Promise<PricedAmount[]> {
  return Promise.all(
    amounts.slice(0, PRICED_AMOUNTS).map(({ amount, name }): Promise<PricedAmount> => {
      const named = { amount, name };
      return priceOf(family, product, { amount, quantity: 1, walletId, recharged }).then(
        (charges) => ({ ...named, ...(charges && { charges }) }),
        (error: unknown) => ({ ...named, failure: messageOf(error) }),
      );
    }),
  );
}

interface Confirmations {
  confirmations: { wallet_id: number; confirm_above: number | null }[];
}

/** Reads the sums above which the console asks before it places an order, by the ids of their wallets. */
export async function confirmationSums(): Promise<ReadonlyMap<number, number | null>> {
  const { confirmations } = await send<Confirmations>('/api/confirmations');
  return new Map(confirmations.map((one) => [one.wallet_id, one.confirm_above]));
}
