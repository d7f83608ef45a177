import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from './api';

/** Something that is read: what was read last, why it could not be, and how it is read again. */
export interface Loaded<T> {
  data: T | undefined;
  failure: string | undefined;
  reload: () => void;
}

/**
 * Reads when the component appears, whenever `key` changes, and once more where only `version` does: what was read
 * stays until then. What comes too late is dropped.
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
