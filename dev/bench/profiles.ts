/** CPU profiles of the service's processes while they work. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RunDirectory } from '../stack/run-directory';
import type { StackFile } from '../stack/stack-file';
import { Inspector } from './inspector';

/** Microseconds between two samples. */
const INTERVAL = 500;

/**
 * Runs the work and leaves `.cpuprofile` files of API and worker, one for each of their threads, in `.run/profiles`. Profiling
 * raises the measured times.
 */
export async function profiled<Result>(
  part: string,
  { pids }: StackFile,
  say: (line: string) => void,
  work: () => Promise<Result>,
): Promise<Result> {
  const folder = new RunDirectory('.run').file('profiles');
  mkdirSync(folder, { recursive: true });
  const inspectors: [string, Inspector][] = [];
  for (const name of ['api', 'worker']) {
    const pid = pids[name];
    if (pid !== undefined) inspectors.push([name, await Inspector.attach(pid)]);
  }
  const threads = inspectors.flatMap(([name, inspector]) =>
    inspector.threads.map(({ send }, index) => ({ file: `${part}-${name}-${index}.cpuprofile`, send })),
  );
  try {
    for (const { send } of threads) {
      await send('Profiler.enable');
      await send('Profiler.setSamplingInterval', { interval: INTERVAL });
      await send('Profiler.start');
    }
    return await work();
  } finally {
    for (const { file, send } of threads) {
      const { profile } = await send<{ profile: object }>('Profiler.stop');
      writeFileSync(join(folder, file), JSON.stringify(profile), { mode: 0o600 });
      say(`  ${join(folder, file)}`);
    }
    for (const [, inspector] of inspectors) await inspector.close();
  }
}
