/** The time of a second `npm start` until all programs are ready, in a separate run directory. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { separateEnvironment } from '../../stack/launch';
import { ROOT } from '../../stack/run-directory';
import type { Bench } from '../bench';
import { median, timed } from '../figures';
import { alone, atMost, type Line } from '../report';

export async function measureStart({ rounds, say }: Bench): Promise<Line[]> {
  const env = await separateEnvironment('.run/bench');
  say('  the first start, which is not counted');
  await startAndStop(env, ['--', '--fresh']);
  const seconds: number[] = [];
  for (let round = 0; round < rounds; round++) seconds.push((await startAndStop(env)) / 1_000);
  return [alone('`npm start`, a second time: until ready', 's', median(seconds), atMost(4))];
}

/** Milliseconds from the command until it reports that it is ready. */
async function startAndStop(env: NodeJS.ProcessEnv, args: string[] = []): Promise<number> {
  const child = spawn('npm', ['start', ...args], { cwd: ROOT, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  const said: string[] = [];
  try {
    return await timed(async () => {
      for await (const line of createInterface({ input: child.stdout })) {
        if (line.startsWith('Ready after ')) return;
        said.push(line);
      }
      throw new Error(`npm start was never ready:\n${said.join('\n')}`);
    });
  } finally {
    child.kill('SIGTERM');
    child.stdout.resume();
    await exit;
  }
}
