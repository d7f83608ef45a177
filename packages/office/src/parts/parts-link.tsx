/** The way from a sum to its parts. */
import type { ComponentChildren } from 'preact';
import { hrefWith } from '../route';
import { sums } from '../sums';
import type { Row } from './cells';

/** The pages that list parts of sums, by the operation that reads them. */
const pages = new Map([
  ['reports parts', 'parts'],
  ['reports spend', 'spend'],
  ['orders find', 'orders'],
  ['attention', 'attention'],
  ['audit list', 'audit'],
]);

/** A sum in the result of an operation. `on`: the objects from the result down to the row of the sum. See `SummedRows`. */
interface SumProps {
  operation: string;
  rows: string;
  sum: string;
  on: readonly Row[];
  /** The arguments of the operation. */
  given?: Row;
}

/** The page with the parts of the sum; undefined if no page has them. */
export function partsHref({ operation, rows, sum, on, given = {} }: SumProps): string | undefined {
  const summed = sums
    .get(operation)
    ?.find(({ columns, isOf, ...one }) => one.rows === rows && sum in columns && (isOf?.(on.at(-1) ?? {}) ?? true));
  const parts = summed?.parts(on, given);
  const page = parts && pages.get(parts.operation);
  if (!parts || page === undefined) return undefined;
  const query = Object.entries(parts.values).map(([name, value]): [string, string] => [name, String(value)]);
  return hrefWith(Object.fromEntries(query), page);
}

/** The sum, as a link to its parts. */
export function Sum({ children, ...of }: SumProps & { children: ComponentChildren }) {
  const href = partsHref(of);
  return href === undefined ? <>{children}</> : <a href={href}>{children}</a>;
}
