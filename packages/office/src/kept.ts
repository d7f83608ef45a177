/** What a page keeps for its lists, in its address and in the history of the browser, so that `Back` shows the rows of then. */
import type { Value, Values } from './call';
import { mainLists } from './main-lists';
import { useOperation } from './office';
import type { ArgumentView } from './operations';
import { keep, useRoute } from './route';

/** Whether the page is about the list of this operation. */
export function useIsMain(operation: string): boolean {
  const { path } = useRoute();
  return path.length === 1 && mainLists.get(path[0] ?? '') === operation;
}

/** Confidential filters, which neither address nor history may have: an entry of the history has a name for them. */
const confidential = new Map<string, Values>();

/** Names the filters. A page that was loaded again knows no name of before. */
function named(filters: Values): string {
  const name = `${performance.timeOrigin} ${confidential.size}`;
  confidential.set(name, filters);
  return name;
}

/** What the history keeps of a list, besides the filters in the address. */
interface Stored {
  /** How many rows are shown, if it is more than at first. */
  rows?: number;
  secret?: string;
}

/** What the current page keeps for the list of this operation. `standard`: the filters while the address has none. */
export function useKept(operation: string, standard: Values = {}) {
  const { query, state } = useRoute();
  const known = useOperation(operation)?.arguments ?? [];
  const isMain = useIsMain(operation);
  const keyOf = (name: string) => (isMain ? name : `${operation.replaceAll(' ', '-')}.${name}`);
  const stored = JSON.parse(state[operation] ?? '{}') as Stored;
  const secret = stored.secret === undefined ? undefined : confidential.get(stored.secret);
  const written = known.flatMap((argument) => {
    const value = valueIn(argument, query.getAll(keyOf(argument.name)));
    return value === undefined ? [] : [[argument.name, value] as const];
  });
  return {
    filters: { ...(written.length === 0 && !secret ? standard : Object.fromEntries(written)), ...secret },
    rows: stored.rows,
    /** Filters the list, which then begins with its first rows. */
    filter: (filters: Values): void => {
      const next = new URLSearchParams(query);
      const hidden: Record<string, Value> = {};
      for (const { name, isConfidential } of known) {
        next.delete(keyOf(name));
        const value = filters[name];
        if (value === undefined) continue;
        if (isConfidential) hidden[name] = value;
        else textsOf(value).forEach((text) => next.append(keyOf(name), text));
      }
      const isSecret = Object.keys(hidden).length > 0;
      const own: Stored = isSecret ? { secret: named(hidden) } : {};
      keep({ query: next, state: { ...state, [operation]: JSON.stringify(own) } });
    },
    /** Shows so many rows. */
    show: (rows: number): void =>
      keep({ query, state: { ...state, [operation]: JSON.stringify({ ...stored, rows }) } }, false),
  };
}

/** The value of an argument in the address; undefined if it has none. */
function valueIn({ kind, isConfidential }: ArgumentView, texts: readonly string[]): Value | undefined {
  const [text] = texts;
  if (text === undefined || isConfidential) return undefined;
  if (kind === 'list') return texts;
  return kind === 'check' || kind === 'switch' ? text === 'yes' : text;
}

function textsOf(value: Value): readonly string[] {
  if (typeof value === 'boolean') return [value ? 'yes' : 'no'];
  if (typeof value === 'object') return 'name' in value ? [] : value;
  return [String(value)];
}
