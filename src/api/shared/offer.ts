/** From what was found in the catalogue to what is sold, or to what is said where nothing is. */
import type { NoOffer, Offer } from '../../data/catalogue/offers';
import { errors, type ApiError } from '../../domain/errors';

/** The offer that was found; else throws what is said of the amount, or what the endpoint says of the product. */
export function offered<Found extends Offer>(
  found: Found | NoOffer,
  family: Found['family'],
  productNotFound: () => ApiError = () => errors.notFound('Product'),
): Found {
  if (found === 'not-found') throw productNotFound();
  if (found === 'denomination') throw errors.amountNotAvailable(family);
  return found;
}
