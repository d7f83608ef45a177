/** From what was found in the catalogue to what it costs the client: the same for charges and orders. */
import type { NoOffer, Offer } from '../../data/catalogue/offers';
import type { Client } from '../../data/clients';
import type { Database } from '../../data/database';
import type { ApiError } from '../../domain/errors';
import { quoteOrder, type Quote } from '../../ordering/quotes';

/** What is said where there is no offer. */
interface Refusals {
  productNotFound: () => ApiError;
  amountNotFound: () => ApiError;
}

/** The offer that was found; else throws what the endpoint says of the product or the amount. */
export function offered<Found extends Offer>(found: Found | NoOffer, refusals: Refusals): Found {
  if (found === 'not-found') throw refusals.productNotFound();
  if (found === 'denomination') throw refusals.amountNotFound();
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
