/** The sales counter: takes a purchase request, and decides what becomes of it. */
import type { Books } from './books';
import { findOffer, type Offer } from './catalogue';
import { HttpError } from './http';
import { plotForRecipient, type Plot, type RefusalCode } from './plots';
import type { Purchase } from './purchases';

/** The most units one purchase may hold. */
export const maxUnits = 500;

export interface PurchaseBody {
  reference: string;
  sku: string;
  units: number;
  unit_value: string;
  currency: string;
  input?: Record<string, string>;
}

/** A purchase and whether this call is to be answered. */
export interface Sale {
  purchase: Purchase;
  isNew: boolean;
  answered: boolean;
}

/**
 * Buys, once per reference: repeated, it gives the first purchase. Throws an HttpError when nothing
 * was bought: for what is not for sale like this (422), or because this product is busy (503).
 */
export function createCounter(books: Books): (body: PurchaseBody) => Sale {
  /** Refused calls so far of references that are still to be bought. */
  const busyCalls = new Map<string, number>();

  function passOrRefuse(reference: string, plot: Plot): void {
    const calls = busyCalls.get(reference) ?? 0;
    if (calls === plot.busyCalls) {
      busyCalls.delete(reference);
      return;
    }
    busyCalls.set(reference, calls + 1);
    throw new HttpError(503, 'BUSY', 'The product is busy. Try again.', { 'Retry-After': '1' });
  }

  return (body) => {
    const first = books.findExact(body.reference);
    if (first) return { purchase: first, isNew: false, answered: true };
    const offer = orderableOffer(body);
    const plot = plotOf(offer, body.input);
    passOrRefuse(body.reference, plot);
    const purchase = books.buy(body.reference, offer, body.units, plot);
    return { purchase, isNew: true, answered: !plot.silent };
  };
}

function orderableOffer(body: PurchaseBody): Offer {
  const offer = findOffer(body.sku);
  if (!offer?.active) throw refusal('PRODUCT_UNAVAILABLE', `There is no product ${body.sku} for sale.`);
  if (offer.family !== 'VOUCHER' && body.units !== 1) {
    throw new HttpError(400, 'BAD_REQUEST', 'units must be 1 for this product.');
  }
  // A plan has one price; what the buyer makes of it is not our concern.
  if (offer.family === 'ESIM') return offer;
  const value = Number(body.unit_value);
  const offered = offer.values.some(([min, max]) => value >= min && value <= max);
  if (!offered || body.currency !== offer.currency) {
    throw refusal(
      'AMOUNT_OUT_OF_RANGE',
      `${body.unit_value} ${body.currency} is no denomination of ${body.sku}.`,
    );
  }
  return offer;
}

function plotOf(offer: Offer, input: PurchaseBody['input'] = {}): Plot {
  if (offer.family !== 'TOPUP') return offer.plot;
  const recipient = input[offer.recipientField];
  if (!recipient) throw refusal('INVALID_RECIPIENT', `input.${offer.recipientField} is required.`);
  return plotForRecipient(recipient);
}

function refusal(code: RefusalCode, message: string): HttpError {
  return new HttpError(422, code, message);
}
