/** From what was found in the catalogue to what is sold, or to what is said where nothing is. */
import type { NoOffer, Offer } from '../../data/catalogue/offers';
import type { ApiError } from '../../domain/errors';

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
