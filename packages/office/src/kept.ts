/** What a page keeps for its lists in the history of the browser, and so for `Back`. */
import type { Values } from './call';
import { useRoute } from './route';

/** The filters that the current page keeps for the list of this operation. */
export function useKept(operation: string): Values {
  return JSON.parse(useRoute().state[operation] ?? '{}') as Values;
}
