/** What a change of stored values begins with, and what it changes. */
import { hyphenated, readValues, type Arguments, type ArgumentValues, type Given } from './arguments';
import type { Context } from './context';
import { listChangeText } from './list-changes';

/** A stored value, as an argument gives it. A list comes as its items, however the argument separates them. Null: there is none. */
export type Present = string | number | boolean | Date | readonly string[] | null;

/** Stored values by the names of the arguments that change them. */
export type PresentValues<Name extends string> = { readonly [Each in Name]?: Present };

/** How the stored values are read that an operation changes. */
export interface PresentOf<Name extends string> {
  /** The arguments that say what the operation changes. */
  subject: readonly string[];
  /** A call replaces all these values: what it does not give is gone. So forms send all of them. */
  isWhole: boolean;
  /** Throws `InvalidArgument` for a missing subject, and an error for operators if there is no such thing. */
  read(context: Context, given: Given): Promise<PresentValues<Name>>;
}

/** `subject`: the arguments that say what the operation changes. `isWhole`: as in `PresentOf`. */
export function presentOf<S extends Arguments, Name extends string>(
  subject: S,
  values: (context: Context, subject: ArgumentValues<S>) => Promise<PresentValues<Name>>,
  isWhole = false,
): PresentOf<Name> {
  return {
    subject: Object.keys(subject),
    isWhole,
    read: (context, given) => values(context, readValues(subject, given)),
  };
}

/** Stored values, by the names that a person reads. */
export interface Compared {
  /** What has them, such as `Wallet 7 of Shop`. */
  of: string;
  values: Readonly<Record<string, Present>>;
}

/**
 * The values that change, a line each: `Bulk limit: 10 → 50.`, and of a list what goes and what comes. A value that is undefined in
 * `after` stays. `named`: the words for some values, and what an empty one means.
 */
export function comparisonText(
  before: Readonly<Record<string, Present | undefined>>,
  after: Readonly<Record<string, Present | undefined>>,
  named: Readonly<Record<string, { label?: string; empty?: string }>> = {},
): string {
  const lines = Object.entries(before).flatMap(([name, old = null]) => {
    const { label = labelOf(name), empty } = named[name] ?? {};
    const line = changeText(label, [old, after[name]], empty);
    return line === undefined ? [] : [line];
  });
  return lines.length === 0 ? 'Nothing changes.' : lines.join('\n');
}

function changeText(
  label: string,
  [before, after]: readonly [Present, Present | undefined],
  empty = 'none',
): string | undefined {
  if (after === undefined) return undefined;
  if (isList(before) || isList(after)) return listChangeText(label, listOf(before), listOf(after), empty);
  const [old, now] = [shown(before, empty), shown(after, empty)];
  return old === now ? undefined : `${label}: ${old} → ${now}.`;
}

const isList = (value: Present): value is readonly string[] => Array.isArray(value);

const listOf = (value: Present): readonly string[] => (isList(value) ? value : value === null ? [] : [String(value)]);

function shown(value: Present, empty: string): string {
  if (value === null || value === '') return empty;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value instanceof Date ? value.toISOString() : String(value);
}

/** `bulkLimit` as `Bulk limit`. */
function labelOf(name: string): string {
  const words = hyphenated(name).replaceAll(/[-_]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
