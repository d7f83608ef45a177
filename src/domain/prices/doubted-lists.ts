/**
 * Whether a supplier's list of offers as a whole is plausible.
 * Rule: when a list of a supplier lacks so many known offers that nothing is withdrawn
 */
import type { Family } from '../orders/families';

/** The offers of one family in a supplier's whole list, compared with the stored offers. */
export interface ListSize {
  family: Family;
  /** Offers in the list, whether they can be sold or not. */
  listed: number;
  /** Stored offers that were not withdrawn before. */
  known: number;
  /** Known offers that are missing from the list, or that the list shows as not for sale. */
  missing: number;
  /** Those of them that are missing from the list. */
  absent: number;
}

/** A list that lacks at least this number, and more than this share, of the known offers is doubtful. */
const DOUBTFUL_COUNT = 50;
const DOUBTFUL_SHARE = 1 / 5;

/**
 * Why the list is too doubtful to withdraw offers that it lacks; undefined if it can be trusted. Suppliers list each family
 * separately, so each is checked: an empty list of one family would be a small share of all offers. Offers that were never for sale
 * do not show that the list is complete.
 */
export function reasonToDoubt(sizes: readonly ListSize[]): string | undefined {
  const reasons = sizes.flatMap((size) => reasonToDoubtFamily(size) ?? []);
  return reasons.length > 0 ? reasons.join('; ') : undefined;
}

function reasonToDoubtFamily({ family, known, missing, absent }: ListSize): string | undefined {
  const offers = `${known} offers of family ${family}`;
  if (absent === known) return known > 0 ? `The list lacks all ${offers}` : undefined;
  const isDoubtful = missing >= DOUBTFUL_COUNT && missing > known * DOUBTFUL_SHARE;
  return isDoubtful ? `The list lacks ${missing} of ${offers}` : undefined;
}
