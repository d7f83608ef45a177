/** The checks of an order request before anything is written: price, sources, and wallet balance or voucher. */
import type { Offer } from '../../data/catalogue/offers';
import type { Client } from '../../data/clients/clients';
import type { ReservationDetails } from '../../data/orders/order-reservations';
import { findRedeemable } from '../../data/purchases/redemption';
import { errors, type ApiError } from '../../domain/errors';
import type { TopupInput } from '../../domain/orders/customer-input';
import { chooseSources, type Candidate } from '../../domain/orders/sources';
import type { SessionOwner } from '../../security/tokens';
import type { OrderingDependencies } from '../dependencies';
import type { KeyToHold } from './idempotency';
import { quoteOrder, type Quote } from './quotes';

/** The ordered items, already validated against the catalogue. */
export interface OrderDraft {
  offer: Offer;
  quantity: number;
  /** The response does not wait for the goods. */
  asynchronous: boolean;
  walletId: number | undefined;
  notOnSale: () => ApiError;
  clientReference: string | undefined;
  email?: string | undefined;
  /** The code of a voucher that pays instead of the wallet. */
  redeemVoucherCode?: string | undefined;
  input?: TopupInput;
  /** Further columns of the family. */
  details?: Pick<ReservationDetails, 'variant_id' | 'variant_name' | 'data_amount_gb' | 'validity_days'>;
}

/** A draft with its request's key and session. */
export interface OrderRequest extends OrderDraft {
  /** The `Idempotency-Key`, if the client sent one. */
  key: KeyToHold | undefined;
  /** The session, which may end before the order is placed. */
  caller: SessionOwner;
}

/** The voucher that pays, if one does. */
type Funding = Pick<ReservationDetails, 'redeems_order_id' | 'redeems_unit'>;

/** The results of the checks. */
export interface CheckedOrder {
  quote: Quote;
  funding: Funding;
  /** The sources that the order may use, the best first: at least one. */
  sources: Candidate[];
}

export type CheckDependencies = Pick<OrderingDependencies, 'database' | 'sealer' | 'suppliers' | 'log'>;

/** Throws the contract's 400s and 404s, and 503 if no source can sell the order. Writes nothing. */
export async function checkOrder(
  deps: CheckDependencies,
  client: Client,
  draft: OrderDraft,
): Promise<CheckedOrder> {
  const quote = await quoteOrder(deps.database, client, draft.offer, draft);
  const sources = sourcesOf(deps, draft, quote);
  return { quote, funding: await fundingOf(deps, client, draft, quote), sources };
}

/** The sources of the order. Throws 503 without one: such an order would be debited and never end. */
function sourcesOf(
  { suppliers, log }: CheckDependencies,
  { offer, quantity }: OrderDraft,
  { unit }: Quote,
): Candidate[] {
  const sources = chooseSources(offer.sources, {
    ...unit,
    quantity,
    maxUnitsAt: (supplier) => suppliers.get(supplier)?.traits.maxUnits,
  });
  if (sources.length > 0) return sources;
  const { family, productId } = offer;
  log.error(
    { family, productId },
    'no source of a product on sale can deliver the order: see "routes explain" of the ops CLI',
  );
  throw errors.serviceUnavailable();
}

/** Rejects the order early if the balance is too low or the voucher cannot pay. The placing transaction decides. */
async function fundingOf(
  { database, sealer }: CheckDependencies,
  client: Client,
  { redeemVoucherCode }: OrderDraft,
  { wallet, pricing }: Quote,
): Promise<Funding> {
  if (redeemVoucherCode === undefined) {
    if (wallet.balance.lessThan(pricing.price)) throw errors.insufficientBalance();
    return {};
  }
  const voucher = await findRedeemable(database, {
    clientId: client.id,
    codeHashes: sealer.lookupHashes(redeemVoucherCode),
    currencyCode: wallet.currencyCode,
    price: pricing.price,
    now: new Date(),
  });
  if (!voucher) throw errors.voucherNotRedeemable();
  return { redeems_order_id: voucher.orderId, redeems_unit: voucher.unit };
}
