/** Instant orders of each family over HTTP, compared in turns with the smallest Temporal workflow that answers. */
import type { StackFile } from '../../stack/stack-file';
import { BareFlow } from '../bare/client';
import type { Bench } from '../bench';
import { byTurns, takeTurn, type Turn } from '../figures';
import { OrderClient } from '../order-client';
import { atLeast, atMost, timesFloor, type Line } from '../report';

interface Shape {
  work: string;
  scenario: string;
  /** The highest latency of one client's order, as a multiple of the bare workflow's. */
  latency: number;
  /** The concurrent clients, and their lowest share of the bare throughput. */
  throughput: { clients: number; share: number }[];
  /** The highest share of the CPU that an order took before the inline attempt. */
  cpuShare?: number;
}

/** The CPU of such an order, as a multiple of the bare workflow's: docs/performance.md#figures. */
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
  { work: 'top-up', scenario: 'topup_instant', latency: 1.8, throughput: [{ clients: 8, share: 0.5 }] },
  // Last, because the eSIM monitors keep polling.
  { work: 'eSIM', scenario: 'esim_instant', latency: 1.8, throughput: [{ clients: 8, share: 0.5 }] },
];

/** One-unit orders by 1, 8 and 32 clients: latency, throughput, CPU. */
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
          timesFloor(`${what}: CPU of an order, vs. the bare workflow's`, 'ms', many.ours.cpu, many.bare.cpu),
        );
        if (!cpuShare || persistence === 'postgres') continue;
        const cost = `${what}: CPU of an order, vs. the earlier form (${CPU_BEFORE} bare workflows)`;
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
