/**
 * Two APIs and two workers against one of each: what an order costs on more processes. The two of each belong to a second
 * stack, so that all processes are warm in every turn.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { until } from '../../../test/support/waiting';
import { separateEnvironment, launchStack, readStackFile } from '../../stack/launch';
import { RunDirectory } from '../../stack/run-directory';
import { FEW_ARENAS, nodeArguments } from '../../stack/services';
import { environmentBeside, environmentOf } from '../../stack/settings';
import type { StackFile } from '../../stack/stack-file';
import type { Bench } from '../bench';
import { byTurns, takeTurn, timesUntil, type Rival, type Turn } from '../figures';
import { OrderClient } from '../order-client';
import { atMost, type Line } from '../report';

/** The orders of each API before the first turn: a new process takes more CPU, and two of them get half of the orders each. */
const WARM_UP_ORDERS = 500;

/** A stack, and what was started in addition. */
interface Side extends Rival {
  stop(): Promise<void>;
}

export async function measureScaleOut({ stack, seconds, rounds, persistence, say }: Bench): Promise<Line[]> {
  if (persistence === 'postgres') throw new Error('The part scale-out is for the stack of npm start alone.');
  const one = await oneOfEach(stack);
  const two = await twoOfEach().catch(async (error: unknown) => {
    await one.stop();
    throw error;
  });
  try {
    say('  warms up');
    await warmUp(one, WARM_UP_ORDERS);
    await warmUp(two, 2 * WARM_UP_ORDERS);
    const lines: Line[] = [];
    for (const clients of [8, 32]) {
      say(`  ${clients} clients`);
      lines.push(...(await compare(one, two, { clients, seconds, rounds })));
    }
    return lines;
  } finally {
    await one.stop();
    await two.stop();
  }
}

/** Each round takes the turns one, two, two, one: a machine that becomes slower or faster then favours neither side. */
async function compare(
  one: Rival,
  two: Rival,
  { clients, seconds, rounds }: Pick<Bench, 'seconds' | 'rounds'> & { clients: number },
): Promise<Line[]> {
  const turn = (side: Rival): Promise<Turn> => takeTurn(side, clients, seconds);
  const { all } = await byTurns(rounds, {
    all: async () => {
      const turns = [await turn(one), await turn(two), await turn(two), await turn(one)] as const;
      return ratesAndCosts(together(turns[0], turns[3]), together(turns[1], turns[2]));
    },
  });
  const work = `two APIs and two workers, ${clients} clients`;
  return [
    {
      work: `${work}: throughput, vs. one of each`,
      unit: '/s',
      ours: all.rate,
      floor: all.rateOfOne,
      compared: all.rates,
    },
    {
      work: `${work}: CPU of an order, vs. one of each`,
      unit: 'ms',
      ours: all.cpu,
      floor: all.cpuOfOne,
      compared: all.costs,
      target: atMost(1.05),
    },
  ];
}

/** Two turns of the same length as one: a faster turn has more orders. */
function together(first: Turn, second: Turn): Pick<Turn, 'rate' | 'cpu'> {
  const rates = first.rate + second.rate;
  return { rate: rates / 2, cpu: (first.cpu * first.rate + second.cpu * second.rate) / rates };
}

/** The ratios of each round, because the machine's speed changes between rounds. */
function ratesAndCosts(one: Pick<Turn, 'rate' | 'cpu'>, two: Pick<Turn, 'rate' | 'cpu'>) {
  return {
    rate: two.rate,
    rateOfOne: one.rate,
    rates: two.rate / one.rate,
    cpu: two.cpu,
    cpuOfOne: one.cpu,
    costs: two.cpu / one.cpu,
  };
}

async function warmUp({ run }: Rival, orders: number): Promise<void> {
  let rest = orders;
  await timesUntil(() => rest-- <= 0, 8, run);
}

async function oneOfEach(stack: StackFile): Promise<Side> {
  const client = await OrderClient.login(stack);
  return { run: () => client.orderOne(), pids: Object.values(stack.pids), stop: () => client.close() };
}

/** A fresh stack with a second API and a second worker. Its orders go to both APIs in turn. */
async function twoOfEach(): Promise<Side> {
  const directory = '.run/bench/scale-out';
  const launched = await launchStack(await separateEnvironment(directory), ['--fresh'], true);
  const stack = readStackFile(launched.file);
  const copies: Copy[] = [];
  const clients: OrderClient[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(clients.map((client) => client.close()));
    await Promise.all(copies.map((copy) => copy.stop()));
    await launched.stop();
  };
  try {
    const api = await startCopy('api', stack, directory);
    copies.push(api);
    copies.push(await startCopy('worker', stack, directory));
    for (const url of [stack.api_url, api.url])
      clients.push(await OrderClient.login({ ...stack, api_url: url }));
  } catch (error) {
    await stop();
    throw error;
  }
  let orders = 0;
  return {
    run: () => (clients[orders++ % clients.length] as OrderClient).orderOne(),
    pids: [...Object.values(stack.pids), ...copies.map(({ pid }) => pid)],
    stop,
  };
}

interface Copy {
  pid: number;
  url: string;
  stop(): Promise<void>;
}

/** One more process of the stack in the run directory, on ports of its own. Returns once it is ready. */
async function startCopy(name: 'api' | 'worker', stack: StackFile, directory: string): Promise<Copy> {
  const own = await separateEnvironment(directory);
  const environment = environmentBeside(stack, new RunDirectory(directory), own);
  const copy = spawn(process.execPath, nodeArguments(`src/${name}/main.js`), {
    env: { ...FEW_ARENAS, ...environmentOf(name, environment) },
    stdio: ['ignore', 'ignore', 2],
  });
  const exit = once(copy, 'exit');
  const url = `http://127.0.0.1:${environment[name === 'api' ? 'API_PORT' : 'METRICS_PORT']}`;
  const stop = async (): Promise<void> => {
    copy.kill('SIGTERM');
    await exit;
  };
  await ready(name, url).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { pid: copy.pid ?? 0, url, stop };
}

function ready(name: string, url: string): Promise<true> {
  return until(`readiness of the second ${name}`, async () => {
    const response = await fetch(`${url}/ready`).catch(() => undefined);
    await response?.body?.cancel();
    return response?.ok || undefined;
  });
}
