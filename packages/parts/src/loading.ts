import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { isOutage, rejectionOf, type Rejection } from './rejection';

/** How long after a failure of the service a read is tried again. */
export const RETRY_MS = 5_000;

/** The wait after a change before data is read again, so that one read covers several changes. */
const GATHER_MS = 1_500;

/** Counts the changes of a value: at most one in `GATHER_MS`. */
export function useChangeCount(value: string | number): number {
  const [count, setCount] = useState(0);
  const latest = useRef(value);
  const timer = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (value === latest.current) return;
    latest.current = value;
    timer.current ??= window.setTimeout(() => {
      timer.current = undefined;
      setCount((before) => before + 1);
    }, GATHER_MS);
  }, [value]);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return count;
}

/** The state of a read: the latest data, the error, and a function that reads again. */
export interface Loaded<T> {
  data: T | undefined;
  /** Whether the data are of an earlier version, because the new ones are being read. */
  isOld: boolean;
  failure: string | undefined;
  /** The failure with the parameter that is to blame. */
  rejection: Rejection | undefined;
  reload: () => void;
}

/**
 * Reads when the component is mounted and when `key` or `version` changes. The data of the same `key` stays visible
 * until the new data arrives, also after a failure. A response is ignored once a later read has its own, or `key` has changed: a service
 * that is slower than the polls of a page still updates it. While the service cannot be reached, the read is repeated.
 */
export function useLoaded<T>(read: () => Promise<T>, key: string, version: number | string = 0): Loaded<T> {
  const [state, setState] = useState<{ key: string; version?: number | string; data?: T; rejection?: Rejection }>({
    key,
  });
  const [count, setCount] = useState(0);
  const reader = useRef(read);
  reader.current = read;
  const reload = useCallback(() => setCount((before) => before + 1), []);
  /** The key that is shown, and the numbers of the last reads that began and that arrived. */
  const reads = useRef<{ key: string | undefined; begun: number; arrived: number }>({ key, begun: 0, arrived: 0 });
  useEffect(() => {
    const all = reads.current;
    all.key = key;
    const number = ++all.begun;
    let retry = 0;
    reader.current().then(
      (data) => {
        if (all.key !== key || number < all.arrived) return;
        all.arrived = number;
        setState({ key, version, data });
      },
      (error: unknown) => {
        if (all.key !== key || number !== all.begun) return;
        const rejection = rejectionOf(error);
        setState((before) => (before.key === key ? { ...before, rejection } : { key, rejection }));
        if (isOutage(error)) retry = window.setTimeout(reload, RETRY_MS);
      },
    );
    return () => window.clearTimeout(retry);
  }, [key, version, count, reload]);
  useEffect(
    () => () => {
      reads.current.key = undefined;
    },
    [],
  );
  const { data, rejection }: Partial<typeof state> = state.key === key ? state : {};
  return { data, isOld: state.version !== version, failure: rejection?.text, rejection, reload };
}
