import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from './api';

/** The state of a read: the latest data, the error, and a function that reads again. */
export interface Loaded<T> {
  data: T | undefined;
  failure: string | undefined;
  reload: () => void;
}

/**
 * Reads when the component is mounted and when `key` or `version` changes. The data of the same `key` stays visible
 * until the new data arrives. A response that arrives too late is ignored.
 */
export function useLoaded<T>(read: () => Promise<T>, key: string, version = 0): Loaded<T> {
  const [state, setState] = useState<{ key: string; data?: T; failure?: string }>({ key });
  const [count, setCount] = useState(0);
  const reader = useRef(read);
  reader.current = read;
  useEffect(() => {
    let isCurrent = true;
    reader.current().then(
      (data) => isCurrent && setState({ key, data }),
      (error: unknown) => isCurrent && setState({ key, failure: messageOf(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [key, version, count]);
  const reload = useCallback(() => setCount((before) => before + 1), []);
  const isOfKey = state.key === key;
  return { data: isOfKey ? state.data : undefined, failure: isOfKey ? state.failure : undefined, reload };
}
