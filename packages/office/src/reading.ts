/** Reads of pages, by the reading operations. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLoaded, type Loaded } from '../../parts/src/loading';
import { call, type Answer, type Values } from './call';
import { useOffice } from './office';

interface Version {
  /** Counts what the person changed: the page reads again. */
  version?: number;
  /** Counts the polls of the page: it reads again, without keeping the session alive. */
  ticks?: number;
}

/** The result of a reading operation. `part`: how much of it is read; the data of before stay until those of another part arrive. */
export function useReading<T>(
  name: string,
  values: Values = {},
  { version = 0, ticks = 0 }: Version = {},
  part: Values = {},
): Loaded<T> & { remarks: string[] } {
  const operation = useOffice().operations.get(name);
  const lastTicks = useRef(ticks);
  const loaded = useLoaded(
    async (): Promise<Answer<T>> => {
      if (!operation) throw new Error(`Your role may not use ${name}.`);
      const isBackground = ticks !== lastTicks.current;
      lastTicks.current = ticks;
      return call<T>({ operation, values: { ...values, ...part }, isBackground });
    },
    `${name} ${JSON.stringify(values)}`,
    // Not their sum: a change and a poll that ends in the same moment are two reasons to read, not none.
    `${version} ${ticks} ${JSON.stringify(part)}`,
  );
  return { ...loaded, data: loaded.data?.result, remarks: loaded.data?.remarks ?? [] };
}

/** What a person fills in: an open dialog, and a note that is not added yet. */
const unfinished = 'dialog[open], .note input:not(:placeholder-shown)';

/** Counts up every `ms` while the page is visible. What a person fills in stops it: a poll could remove its row. */
export function useTicks(ms: number): number {
  const [ticks, setTicks] = useState(0);
  useEffect(() => {
    const timer = window.setInterval(() => {
      const isOpen = document.querySelector(unfinished) !== null;
      if (!document.hidden && !isOpen) setTicks((before) => before + 1);
    }, ms);
    return () => window.clearInterval(timer);
  }, [ms]);
  return ticks;
}
