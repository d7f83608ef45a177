/** From what was found in the catalogue to what it costs the client: the same for charges and orders. */
import type { NoOffer, Offer } from '../../data/catalogue/offers';
import type { Client } from '../../data/clients';
import type { Database } from '../../data/database';
import { quoteOrder, type Quote } from '../../ordering/quotes';
import { errors, type ApiError } from '../../domain/errors';

/** The offer that was found; else throws 404 `Product not found` or what the family says of the amount. */
export function offered<Found extends Offer>(found: Found | NoOffer, onAmount: () => ApiError): Found {
  if (found === 'not-found') throw errors.notFound('Product');
  if (found === 'denomination') throw onAmount();
  return found;
}

/** Quotes an offer for the client. Throws as `quoteOrder` does. */
export function quoteOffer(
  database: Database,
  client: Client,
  offer: Offer,
  quantity: number,
  walletId: number | undefined,
): Promise<Quote> {
  return quoteOrder(database, {
    ...offer,
    clientId: client.id,
    productCurrency: offer.currencyCode,
    quantity,
    walletId,
  });
}
