/** The rows of a list that grows at its end. */
import { useState } from 'preact/hooks';
import { send } from '../api';
import { useLoaded, type Loaded } from '../../../parts/src/loading';
import { usePageSize } from '../../../parts/src/more-rows';
import { queryText } from '../route';

/** The rows of one call, at most. */
const MAX_LIMIT = 100;

/** What a list has read. */
export interface ReadRows<Item> extends Loaded<readonly Item[]> {
  /** Shows more rows; undefined if these are all. */
  more: (() => void) | undefined;
}

interface RowsOf<Part, Item> {
  /** The address of the list below `/console`, and its conditions. */
  path: string;
  query: Readonly<Record<string, string>>;
  /** The parameter that takes `next`. */
  by: 'after' | 'before';
  itemsIn: (part: Part) => readonly Item[];
  /** Changes when the rows must be read again. */
  version?: number;
}

/** Reads the rows. `Back` shows as many as before: the history of the browser keeps how often the list has grown. */
export function useRows<Part extends { next: number | null }, Item>({
  path,
  query,
  by,
  itemsIn,
  version = 0,
}: RowsOf<Part, Item>): ReadRows<Item> {
  const [, draw] = useState(0);
  const size = usePageSize();
  const steps = stepsKept();
  const read = async () => {
    const items: Item[] = [];
    let next: number | null = null;
    // A call that looks through many rows can find few. Each step allows one such call.
    for (let sparse = 0; sparse < steps && items.length < steps * size;) {
      const limit = Math.min(MAX_LIMIT, steps * size - items.length);
      const address = `${path}?${queryText({ ...query, [by]: next ?? '', limit })}`;
      const part: Part = await send<Part>(address);
      items.push(...itemsIn(part));
      next = part.next;
      if (next === null) break;
      if (itemsIn(part).length < limit) sparse++;
    }
    return { items, isCut: next !== null };
  };
  const loaded = useLoaded(read, `${path}?${queryText(query)}`, `${version} ${steps} ${size}`);
  const grow = () => {
    history.replaceState({ steps: steps + 1 }, '');
    draw((before) => before + 1);
  };
  return { ...loaded, data: loaded.data?.items, more: loaded.data?.isCut === true && !loaded.isOld ? grow : undefined };
}

function stepsKept(): number {
  const kept: unknown = history.state;
  const isKept = typeof kept === 'object' && kept !== null && 'steps' in kept;
  return isKept && typeof kept.steps === 'number' ? kept.steps : 1;
}
