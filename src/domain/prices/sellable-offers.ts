/**
 * Which offers of suppliers can be sold at all.
 * Rule: which offers of a supplier can be sold
 */
import { isPayable, type Currency } from './money';
import type { SupplierOffer } from './supplier-catalogue';

/** Why the offer cannot be sold: the adapter's reason, or the result of our own checks. Undefined if it can be sold. */
export function reasonNotToSell(
  { unsellable, currency, amounts, cost, family }: SupplierOffer,
  currencies: ReadonlyMap<string, Currency>,
): string | undefined {
  if (unsellable !== undefined) return unsellable;
  const known = currencies.get(currency);
  if (!known) return `Its currency "${currency}" is not known`;
  if (cost && !currencies.has(cost.currency)) return `The currency of its cost, "${cost.currency}", is not known`;
  const values = 'fixed' in amounts ? amounts.fixed : [amounts.min, amounts.max];
  const faulty = values.find((value) => !isPayable(known, value));
  // A plan may have any price, because the sale price is rounded (see `plan-amounts.ts`).
  if (faulty === undefined || family === 'ESIM') return undefined;
  return `${faulty} is not payable in ${currency}, which has ${known.minorUnit} decimals`;
}
