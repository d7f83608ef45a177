/** Instant orders of each family through HTTP beside the least that Temporal takes for an answer, by turns. */
import type { StackFile } from '../../stack/stack-file';
import { BareFlow } from '../bare/client';
import type { Bench } from '../bench';
import { byTurns, takeTurn, type Turn } from '../figures';
import { OrderClient } from '../order-client';
import { atLeast, atMost, timesFloor, type Line } from '../report';

interface Shape {
  work: string;
  scenario: string;
  /** The most that one client's order may take, in bare workflows. */
  latency: number;
  /** Clients at once, and the least part of the bare throughput that they must reach. */
  throughput: { clients: number; share: number }[];
  /** The most CPU that an order may take of what it took before its first try was part of its one step. */
  cpuShare?: number;
}

/** Bare workflows whose CPU an order took then: docs/performance.md#figures. */
const CPU_BEFORE = 2.9;

const shapes: readonly Shape[] = [
  {
    work: 'voucher order',
    scenario: 'voucher_instant',
    latency: 1.6,
    throughput: [
      { clients: 8, share: 0.6 },
      { clients: 32, share: 0.6 },
    ],
    cpuShare: 0.65,
  },
  {
    work: 'top-up',
    scenario: 'topup_instant',
    latency: 1.8,
    throughput: [{ clients: 8, share: 0.5 }],
  },
  // Last: those who follow what was delivered go on asking about it.
  {
    work: 'eSIM',
    scenario: 'esim_instant',
    latency: 1.8,
    throughput: [{ clients: 8, share: 0.5 }],
  },
];

/** Orders of one by 1, 8 and 32 clients: latency, throughput, CPU. */
export async function measureOrders({ stack, seconds, rounds, persistence }: Bench): Promise<Line[]> {
  const client = await OrderClient.login(stack);
  const bare = await BareFlow.start(stack);
  const ours = processesOf(stack, 'temporal', 'worker', 'api', 'postgres', 'simulator');
  const least = [...processesOf(stack, 'temporal'), bare.pid];
  if (persistence === 'postgres') least.push(...processesOf(stack, 'postgres'));
  const lines: Line[] = [];
  const compare = (scenario: string, clients: number): Promise<Record<'ours' | 'bare', Turn>> =>
    byTurns(rounds, {
      ours: () => takeTurn({ run: () => client.orderInstantly(scenario), pids: ours }, clients, seconds),
      bare: () => takeTurn({ run: () => bare.run(), pids: least }, clients, seconds),
    });
  try {
    for (const { work, scenario, latency, throughput, cpuShare } of shapes) {
      const one = await compare(scenario, 1);
      const median = `${work}, one client: median latency`;
      lines.push(timesFloor(median, 'ms', one.ours.latency, one.bare.latency, atMost(latency)));
      for (const { clients, share } of throughput) {
        const many = await compare(scenario, clients);
        const what = `${work}, ${clients} clients`;
        lines.push(
          timesFloor(`${what}: throughput`, '/s', many.ours.rate, many.bare.rate, atLeast(share)),
          timesFloor(
            `${what}: CPU of an order, beside the bare workflow's`,
            'ms',
            many.ours.cpu,
            many.bare.cpu,
          ),
        );
        if (!cpuShare || persistence === 'postgres') continue;
        const cost = `${what}: CPU of an order, beside what it was (${CPU_BEFORE} bare workflows)`;
        lines.push(timesFloor(cost, 'ms', many.ours.cpu, CPU_BEFORE * many.bare.cpu, atMost(cpuShare)));
      }
    }
  } finally {
    await bare.stop();
    await client.close();
  }
  return lines;
}

/** The processes of the stack with these names that it started itself. */
function processesOf({ pids }: StackFile, ...names: string[]): number[] {
  return names.flatMap((name) => pids[name] ?? []);
}
