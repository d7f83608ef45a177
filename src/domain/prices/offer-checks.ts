/** Checks of a supplier's catalogue that call no supplier: what can be sold here, and which lists are doubted. */
import { isPayable, type Currency } from './money';
import type { SupplierOffer } from './supplier-catalogue';

/** Why the offer cannot be sold: the adapter's reason, or one of our own. Undefined if it can. */
export function reasonNotToSell(
  { unsellable, currency, amounts, cost, family }: SupplierOffer,
  currencies: ReadonlyMap<string, Currency>,
): string | undefined {
  if (unsellable !== undefined) return unsellable;
  const known = currencies.get(currency);
  if (!known) return `Its currency "${currency}" is not known`;
  if (cost && !currencies.has(cost.currency))
    return `The currency of its cost, "${cost.currency}", is not known`;
  const values = 'fixed' in amounts ? amounts.fixed : [amounts.min, amounts.max];
  const faulty = values.find((value) => !isPayable(known, value));
  // The price of a plan becomes our list price, which is rounded.
  if (faulty === undefined || family === 'ESIM') return undefined;
  return `${faulty} is not payable in ${currency}, which has ${known.minorUnit} decimals`;
}

/** A whole list, compared with the offers that were on record. */
export interface ListSize {
  /** Offers in the list, whether they can be sold or not. */
  listed: number;
  /** Offers on record that are not gone. */
  known: number;
  /** Known offers that are missing from the list, or that it no longer describes as something that can be sold. */
  missing: number;
}

const LEAST_DOUBTED = 50;
const DOUBTED_SHARE = 1 / 5;

/** Why no offer is withdrawn because of the list; undefined if it can be trusted. */
export function reasonToDoubt({ listed, known, missing }: ListSize): string | undefined {
  if (listed === 0) return known > 0 ? `The list is empty, and ${known} offers are on record` : undefined;
  const isLarge = missing >= LEAST_DOUBTED && missing > known * DOUBTED_SHARE;
  return isLarge ? `The list lacks ${missing} of ${known} offers` : undefined;
}
