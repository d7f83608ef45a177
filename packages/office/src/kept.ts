/** What a page keeps for its lists in the history of the browser, so that `Back` shows the rows of then. */
import type { Values } from './call';
import { keep, useRoute } from './route';

/** The filters and the position of a list. */
interface Kept {
  filters: Values;
  /** What names the last rows of the pages before the shown one. */
  cursors: readonly string[];
}

/** Confidential filters, which neither address nor history may have: an entry of the history has a name for them. */
const confidential = new Map<string, Values>();

type Stored = Kept & { secret?: string };

/** Names the filters. A page that was loaded again knows no name of before. */
function named(filters: Values): string {
  const name = `${performance.timeOrigin} ${confidential.size}`;
  confidential.set(name, filters);
  return name;
}

/** What the current page keeps for the list of this operation. `isSecret`: whether a filter is confidential. */
export function useKept(
  operation: string,
  { standard = {}, isSecret = () => false }: { standard?: Values; isSecret?: (name: string) => boolean } = {},
) {
  const { state } = useRoute();
  const stored = (JSON.parse(state[operation] ?? 'null') as Stored | null) ?? {
    filters: standard,
    cursors: [],
  };
  const store = (next: Stored) => keep({ ...state, [operation]: JSON.stringify(next) });
  const secret = stored.secret === undefined ? undefined : confidential.get(stored.secret);
  return {
    filters: { ...stored.filters, ...secret },
    cursors: stored.cursors,
    /** Filters the list, which then begins with its first page. */
    filter: (filters: Values): void => {
      const of = (hidden: boolean) =>
        Object.fromEntries(Object.entries(filters).filter(([name]) => isSecret(name) === hidden));
      const hasSecret = Object.keys(of(true)).length > 0;
      store({
        filters: of(false),
        cursors: [],
        ...(hasSecret && { secret: named(of(true)) }),
      });
    },
    /** Turns to the page behind the last of these rows. */
    turn: (cursors: readonly string[]): void => store({ ...stored, cursors }),
  };
}
