/** Changes of lists: the whole list, or what comes and what goes. Two changes at once by parts keep each other's parts. */
import { InvalidArgument } from './arguments';

/** What an operator gave. */
export interface ListChange<T> {
  /** The whole list. */
  whole: readonly T[] | undefined;
  add: readonly T[] | undefined;
  remove: readonly T[] | undefined;
}

/**
 * The list after the change; undefined if nothing was given. Throws `InvalidArgument` for the whole list beside parts, for a value that
 * both comes and goes, and for one that goes and is not there. `name`: of the argument with the whole list. `canonical`: the one spelling
 * of a value that has several. Call it with the list as it is under the lock of its row.
 */
export function changedList<T extends string>(
  name: string,
  before: readonly T[],
  { whole, add, remove }: ListChange<T>,
  canonical: (value: T) => string = (value) => value,
): T[] | undefined {
  if (whole !== undefined) {
    if (add ?? remove) throw new InvalidArgument(`--${name}: Give the whole list, or what to add and to remove.`);
    return [...whole];
  }
  if (!(add ?? remove)) return undefined;
  const [coming, going] = [add ?? [], remove ?? []];
  const isIn = (list: readonly T[]) => {
    const known = new Set(list.map(canonical));
    return (value: T) => known.has(canonical(value));
  };
  const [isThere, goes] = [isIn(before), isIn(going)];
  const both = coming.find(goes);
  if (both !== undefined) throw new InvalidArgument(`--${name}: ${both} cannot be both added and removed.`);
  const absent = going.find((value) => !isThere(value));
  if (absent !== undefined) throw new InvalidArgument(`--remove-${name}: ${absent} is not on the list.`);
  return [...before.filter((value) => !goes(value)), ...coming.filter((value) => !isThere(value))];
}

/** `Scopes: read, codes. Goes: codes. Comes: webhooks.`; undefined if the list stays as it is. `empty`: what an empty list means. */
export function listChangeText(
  name: string,
  before: readonly string[],
  after: readonly string[] | undefined,
  empty = 'none',
): string | undefined {
  if (after === undefined) return undefined;
  const gone = before.filter((value) => !after.includes(value));
  const come = after.filter((value) => !before.includes(value));
  if (gone.length + come.length === 0) return undefined;
  const list = (values: readonly string[]) => values.join(', ') || empty;
  return [
    `${name}: ${list(before)}.`,
    ...(gone.length > 0 ? [`Goes: ${gone.join(', ')}.`] : []),
    ...(come.length > 0 ? [`Comes: ${come.join(', ')}.`] : []),
    ...(after.length === 0 ? [`Then: ${empty}.`] : []),
  ].join(' ');
}
