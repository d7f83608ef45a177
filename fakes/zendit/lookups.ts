/** Which purchases lookups show. */
import type { ModeBook } from '../kit/modes';
import { ApiError } from './errors';
import type { Family } from './offers';
import type { Purchase, Purchases } from './purchases';

/** Zendit does not state that a lookup shows a purchase at once. Lookups hide a purchase for this time after the POST. */
const usualLagMs = 50;

export class Lookups {
  constructor(
    private readonly modes: ModeBook,
    private readonly purchases: Purchases,
  ) {}

  isVisible({ offer, createdAt }: Purchase): boolean {
    const lagMs = this.modes.of(offer.offerId).lookup_after_ms ?? usualLagMs;
    return Date.now() - createdAt >= lagMs;
  }

  /** The latest visible purchase of the family with this `transactionId`. Throws without one. */
  known(transactionId: string, family: Family): Purchase {
    const found = this.purchases
      .findAll(transactionId)
      .find((one) => one.offer.family === family && this.isVisible(one));
    if (!found) throw new ApiError('NOT_FOUND', { message: 'The transaction was not found.' });
    return found;
  }
}
