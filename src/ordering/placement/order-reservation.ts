/** Writes the order reservation: id, nonce, price and sealed inputs of a checked order. It debits nothing. */
import { randomBytes } from 'node:crypto';
import { currentWork } from '../../current-work';
import type { Client } from '../../data/clients/clients';
import { isKeyHeld, insertReservation, type ReservationDetails } from '../../data/orders/order-reservations';
import { errors } from '../../domain/errors';
import type { OrderKey } from '../../domain/orders/order-messages';
import { comparableEmail, phoneOf } from '../../domain/orders/customer-input';
import { orderField, type Sealer } from '../../security/sealing';
import type { OrderDeadlines } from './deadlines';
import type { CheckDependencies, CheckedOrder, OrderDraft, OrderRequest } from './order-checks';
import type { Quote } from './quotes';

/** Reserves the order, and holds the request's `Idempotency-Key`. Throws 409 if another request holds the key. */
export async function reserveOrder(
  { sealer, database }: Pick<CheckDependencies, 'sealer' | 'database'>,
  client: Client,
  request: OrderRequest,
  { quote, funding, sources }: CheckedOrder,
  { placement, response }: OrderDeadlines,
): Promise<OrderKey> {
  const { offer, clientReference, caller, email, input, key } = request;
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
      ...recipientHashes(sealer, request),
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
function newNonce(): string {
  return BigInt(`0x${randomBytes(8).toString('hex')}`)
    .toString(36)
    .padStart(13, '0')
    .slice(-12);
}

/** Keyed hashes of e-mail address and phone number, by which operators find the order although both are sealed. */
function recipientHashes(
  sealer: Sealer,
  { email, input }: OrderDraft,
): Pick<ReservationDetails, 'email_hash' | 'phone_hash'> {
  const phone = input && phoneOf(input);
  const hashOf = (text: string) => `\\x${sealer.lookupHash(text).toString('hex')}`;
  return {
    ...(email !== undefined && { email_hash: hashOf(comparableEmail(email)) }),
    ...(phone !== undefined && { phone_hash: hashOf(phone) }),
  };
}

function detailsOf(
  { offer, quantity, details }: OrderDraft,
  { pricing }: Quote,
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
    ...details,
  };
}
