/** The conditions of lists. */
import { givenOnly, type Binds } from './binds';

/**
 * SQL: the conditions whose values are given, and these values. An undefined value matches every row. `conditions`: SQL by the name of
 * its value, never input.
 */
export function matching<Filter extends object>(
  filter: Filter,
  conditions: { readonly [Name in keyof Filter]-?: string },
): { where: string; binds: Binds } {
  const binds = givenOnly(Object.fromEntries(Object.entries(filter)));
  const wanted = Object.entries<string>(conditions).filter(([name]) => name in binds);
  return { where: wanted.map(([, condition]) => `(${condition})`).join(' AND ') || 'true', binds };
}

/** SQL: whether a column contains the text `$search`, in any case. */
export function contains(...columns: readonly string[]): string {
  return columns.map((column) => `strpos(lower(${column}), lower($search)) > 0`).join(' OR ');
}
