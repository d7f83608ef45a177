/**
 * Checks an order request before anything is written (price, sources, wallet balance or voucher), and then reserves the order: id,
 * nonce, price and sealed inputs. A reservation debits nothing.
 * Rule: the sequence in which an order request is checked; an order costs at most what its client accepts
 */
import { randomBytes } from 'node:crypto';
import { currentWork } from '../../process/current-work';
import type { Offer } from '../../data/catalogue/sellable-items';
import type { Client } from '../../data/clients/clients';
import { isKeyHeld, insertReservation, type ReservationDetails } from '../../data/orders/order-reservations';
import { findRedeemable } from '../../data/purchases/redeemable-vouchers';
import { siteNetworkOf } from '../../domain/clients/networks';
import { errors, type ApiError } from '../../domain/errors';
import { phoneOf, type TopupInput } from '../../domain/orders/customer-input';
import type { OrderKey } from '../../domain/orders/order-messages';
import { chooseSources, type Candidate } from '../../domain/orders/sources';
import { orderField } from '../../security/sealing';
import type { CallerIds } from '../../domain/audit';
import type { OrderingDependencies } from '../dependencies';
import type { KeyToHold } from './idempotency';
import { quoteOrder, type Quote } from './quotes';
import { emailHashes, type MailboxSettings } from './recipient-hashes';
import type { OrderDeadlines } from './wait-for-response';

/** The ordered items, already validated against the catalogue. */
export interface OrderDraft {
  offer: Offer;
  quantity: number;
  /** Whether the response does not wait for the goods. */
  asynchronous: boolean;
  /** The wallet that the client named, if any. */
  walletId: number | undefined;
  /** The error if no source meets the required margin, or if the sale is stopped. */
  notOnSale: () => ApiError;
  clientReference: string | undefined;
  email?: string | undefined;
  /** The code of a voucher that pays instead of the wallet. */
  redeemVoucherCode?: string | undefined;
  /** The highest price that the client accepts, in the wallet's currency; undefined for any. */
  maxTotalPayable: number | undefined;
  input?: TopupInput;
  /** Further columns of the family. */
  details?: Pick<
    ReservationDetails,
    'variant_id' | 'variant_name' | 'data_amount_gb' | 'validity_days' | 'recharges_order_id'
  >;
}

/** A draft with the `Idempotency-Key` and the session of its request. */
export interface OrderRequest extends OrderDraft {
  /** The `Idempotency-Key`, if the client sent one. */
  key: KeyToHold | undefined;
  /** The session that sent the request. It may end before the order is placed. */
  caller: CallerIds;
  /** The address of the request behind trusted proxies; null if it is unknown. */
  address: string | null;
}

/** The voucher that pays; empty if the wallet pays. */
type Funding = Pick<ReservationDetails, 'redeems_order_id' | 'redeems_unit'>;

/** The results of the checks. */
export interface CheckedOrder {
  quote: Quote;
  funding: Funding;
  /** The sources that the order may use, the best first: at least one. */
  sources: Candidate[];
}

export type CheckDependencies = Pick<OrderingDependencies, 'database' | 'sealer' | 'suppliers' | 'log'>;

export type ReserveDependencies = Pick<CheckDependencies, 'sealer' | 'database'> & { mailboxes: MailboxSettings };

/**
 * Throws the contract's 400s and 404s, 409 `PRICE_CHANGED`, and 503 if no source can sell the order. Writes nothing. The price that it
 * has checked is the one that `reserveOrder` stores and the placing statement debits.
 */
export async function checkOrder(deps: CheckDependencies, client: Client, draft: OrderDraft): Promise<CheckedOrder> {
  const quote = await quoteOrder(deps.database, client, draft.offer, draft);
  const sources = sourcesOf(deps, draft, quote);
  rejectHigherPrice(draft, quote);
  return { quote, funding: await fundingOf(deps, client, draft, quote), sources };
}

/** Returns the sources of the order. Throws 503 if there is none, because the order would be debited and could not be fulfilled. */
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
    'no source of a product on sale can deliver the order: the routes of the product say why',
  );
  throw errors.serviceUnavailable();
}

/** Compares exact decimals: the client's number is the shortest one that reads back as the same double. */
function rejectHigherPrice({ maxTotalPayable }: OrderDraft, { wallet, pricing: { price } }: Quote): void {
  if (maxTotalPayable === undefined || price.lessThanOrEqualTo(maxTotalPayable)) return;
  throw errors.priceChanged(price.toFixed(wallet.minorUnit), wallet.currencyCode);
}

/** Rejects the order early if too little is available or the voucher cannot pay. The placing statement checks this again. */
async function fundingOf(
  { database, sealer }: CheckDependencies,
  client: Client,
  { redeemVoucherCode }: OrderDraft,
  { wallet, pricing }: Quote,
): Promise<Funding> {
  if (redeemVoucherCode === undefined) {
    if (wallet.available.lessThan(pricing.price)) throw errors.insufficientBalance();
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

/** Reserves the order, and holds the request's `Idempotency-Key`. Throws 409 if another request holds the key. */
export async function reserveOrder(
  { sealer, database, mailboxes }: ReserveDependencies,
  client: Client,
  request: OrderRequest,
  { quote, funding, sources }: CheckedOrder,
  { placement, response }: OrderDeadlines,
): Promise<OrderKey> {
  const { offer, clientReference, caller, address, email, input, key } = request;
  const network = siteNetworkOf(address);
  const nonce = newNonce();
  const orderId = await insertReservation(database, {
    nonce,
    clientId: client.id,
    family: offer.family,
    clientReference,
    caller,
    requestId: currentWork().requestId,
    walletId: quote.wallet.id,
    price: quote.pricing.price.toFixed(),
    details: {
      ...detailsOf(request, quote),
      ...funding,
      ...recipientHashes({ sealer, mailboxes }, request),
      ...(network !== undefined && { network }),
      sources,
    },
    placementDeadlineMs: placement.leftMs,
    sealedEmail: sealer.sealOptional(orderField(nonce, 'email'), email),
    sealedInput: sealer.sealOptional(orderField(nonce, 'input'), input && JSON.stringify(input)),
    heldKey: key && { ...key, answerWithinMs: Math.max(placement.leftMs, response.leftMs) },
  }).catch((error: unknown) => {
    throw isKeyHeld(error) ? errors.idempotencyKeyInUse() : error;
  });
  return { orderId, nonce };
}

/** 12 characters with 62 random bits: if a database restore repeats an order id, the two orders have different workflow ids. */
export function newNonce(): string {
  return BigInt(`0x${randomBytes(8).toString('hex')}`)
    .toString(36)
    .padStart(13, '0')
    .slice(-12);
}

/** Keyed hashes of the recipient, as `jsonb_to_record` reads them. */
function recipientHashes(
  { sealer, mailboxes }: Pick<ReserveDependencies, 'sealer' | 'mailboxes'>,
  { email, input }: OrderDraft,
): Pick<ReservationDetails, 'email_hash' | 'mailbox_hash' | 'phone_hash'> {
  const phone = input && phoneOf(input);
  const written = (hash: Buffer) => `\\x${hash.toString('hex')}`;
  const { emailHash, mailboxHash } =
    email === undefined ? { emailHash: null, mailboxHash: null } : emailHashes(sealer, email, mailboxes);
  return {
    ...(emailHash && { email_hash: written(emailHash) }),
    ...(mailboxHash && { mailbox_hash: written(mailboxHash) }),
    ...(phone !== undefined && { phone_hash: written(sealer.lookupHash(phone)) }),
  };
}

function detailsOf(
  { offer, quantity, details }: OrderDraft,
  { pricing, rate }: Quote,
): Omit<ReservationDetails, 'sources'> {
  return {
    product_id: offer.productId,
    product_name: offer.productName,
    country_code: offer.countryCode,
    quantity,
    unit_amount: offer.faceValue.toFixed(),
    amount: pricing.listTotal.toFixed(),
    discount: pricing.discount.toFixed(),
    base_currency: pricing.productCurrency,
    deduction_currency: pricing.walletCurrency,
    forex_rate: pricing.converted?.rate.toFixed() ?? null,
    conversion_charges: pricing.converted?.fee.toFixed() ?? null,
    discount_percent: pricing.discountPercent.toFixed(),
    is_own_discount: offer.isOwnDiscount,
    fee_percent: pricing.converted?.feePercent.toFixed() ?? null,
    rate_as_of: rate.rateAsOf?.toISOString() ?? null,
    rate_file_day: rate.rateFileDay,
    ...details,
  };
}
