import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects garbage once. Loading the modules and the workflows leaves some 80 MB of garbage. V8 keeps it until the heap grows,
 * which never happens without orders. Takes some 0.1 s, so a process calls it before it reports that it is ready.
 */
export function collectStartGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
}
