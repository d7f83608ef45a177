/** The programs of `docker-compose.yml` without containers: the Temporal server on PostgreSQL. */
import { removeClusters } from '../../deploy/production/native-engine';
import { NativeStack } from '../../deploy/production/native-stack';
import { readStackFile } from '../stack/launch';
import { messageOf } from '../stack/problem';
import { RunDirectory } from '../stack/run-directory';
import type { StackFile } from '../stack/stack-file';

/** Next to the state of `npm start`. */
export const POSTGRES_RUN_DIR = '.run/bench';

/** Runs the work on it, and ends the process with one sentence if that fails; building the server needs Go. */
export async function withPostgresStack(
  say: (line: string) => void,
  work: (stack: StackFile) => Promise<void>,
): Promise<void> {
  try {
    const directory = new RunDirectory(POSTGRES_RUN_DIR);
    directory.lock();
    removeClusters(directory);
    directory.clear();
    const stack = await NativeStack.prepare(directory, say);
    const stop = (): void => void stack.stop().finally(() => process.exit(130));
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) process.once(signal, stop);
    try {
      await stack.start();
      await work(readStackFile(directory.file('stack.json')));
    } finally {
      await stack.stop();
      directory.unlock();
    }
  } catch (error) {
    console.error(messageOf(error));
    process.exit(1);
  }
}
