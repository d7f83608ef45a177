/** Reads the description of a sale in a supplier's response (`SoldItem`). A field in an unknown form counts as absent. */
import type { StatedAmount } from '../../domain/orders/contradicting-sale';
import { inPlainDigits } from './messages';

/** The text at the path of field names; undefined if there is none. An exponent is converted, as Java writes 100 as `1E+2`. */
export function textAt(body: unknown, ...path: readonly string[]): string | undefined {
  const value = fieldAt(body, ...path);
  return typeof value === 'string' && value.trim() !== '' ? inPlainDigits(value) : undefined;
}

/** The value at the path of field names; undefined if there is none. */
export function fieldAt(body: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (parent, name) => (isObject(parent) && Object.hasOwn(parent, name) ? parent[name] : undefined),
    body,
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** The amounts that the response states: those with an amount or a currency. */
export function stated(...amounts: readonly StatedAmount[]): StatedAmount[] {
  return amounts.filter(({ amount, currency }) => amount !== undefined || currency !== undefined);
}

/** The SKU of the sold product: the ordered SKU `<kind>:<product>[:...]` with this product. */
export function skuOfSold(orderedSku: string, product: string | undefined): string | undefined {
  const [kind = '', , ...rest] = orderedSku.split(':');
  return product && [kind, product, ...rest].join(':');
}
