/** The effect of a second worker process on the same machine, measured in turns with and without it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../../stack/ports';
import { environmentOf, readSettings } from '../../stack/settings';
import { ROOT, RunDirectory } from '../../stack/run-directory';
import type { StackFile } from '../../stack/stack-file';
import type { Bench } from '../bench';
import { byTurns, takeTurn } from '../figures';
import { OrderClient } from '../order-client';
import { timesFloor, type Line } from '../report';

const PATIENCE_MS = 30_000;

export async function measureWorkers({ stack, seconds, rounds, persistence, say }: Bench): Promise<Line[]> {
  if (persistence === 'postgres') throw new Error('The part workers is for the stack of npm start alone.');
  const client = await OrderClient.login(stack);
  const pids = Object.values(stack.pids);
  const lines: Line[] = [];
  const take = async (clients: number, more: readonly number[]) => {
    const { rate, cpu } = await takeTurn(
      { run: () => client.orderOne(), pids: [...pids, ...more] },
      clients,
      seconds,
    );
    return { rate, cpu };
  };
  try {
    for (const clients of [8, 32]) {
      say(`  ${clients} clients`);
      const { two, one } = await byTurns(rounds, {
        two: () =>
          withSecondWorker(stack, async (pid) => {
            // A new process is slow at first.
            await take(clients, [pid]);
            return take(clients, [pid]);
          }),
        one: () => take(clients, []),
      });
      const work = `two worker processes, ${clients} clients`;
      lines.push(
        timesFloor(`${work}: throughput, vs. one`, '/s', two.rate, one.rate),
        timesFloor(`${work}: CPU of an order, vs. one`, 'ms', two.cpu, one.cpu),
      );
    }
  } finally {
    await client.close();
  }
  return lines;
}

/** Runs the work while another worker of the stack polls, too. */
async function withSecondWorker<Result>(
  stack: StackFile,
  work: (pid: number) => Promise<Result>,
): Promise<Result> {
  const { METRICS_PORT: port } = await freePorts();
  const { environment } = readSettings(new RunDirectory(), process.env);
  const env = environmentOf('worker', {
    ...environment,
    DATABASE_URL: stack.database_url,
    TEMPORAL_ADDRESS: stack.temporal_address,
    TEMPORAL_NAMESPACE: stack.temporal_namespace,
    SIMULATOR_URL: stack.supplier_url,
    METRICS_PORT: String(port),
  });
  const worker = spawn(process.execPath, [join(ROOT, 'dist/src/worker/main.js')], {
    env,
    stdio: ['ignore', 'ignore', 2],
  });
  const exit = once(worker, 'exit');
  try {
    await ready(`http://127.0.0.1:${port}/ready`);
    return await work(worker.pid ?? 0);
  } finally {
    worker.kill('SIGTERM');
    await exit;
  }
}

async function ready(url: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const response = await fetch(url).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok) return;
    if (Date.now() > deadline) throw new Error('The second worker is not ready.');
    await sleep(100);
  }
}
