/** The memory that API and worker keep for ended orders: their heaps after a forced collection, and the worker as a whole. */
import type { StackFile } from '../../stack/stack-file';
import type { Bench } from '../bench';
import { residentBytes } from '../cpu';
import { latencies } from '../figures';
import { Inspector } from '../inspector';
import { OrderClient } from '../order-client';
import { alone, atMost, timesFloor, type Line } from '../report';

const CLIENTS = 8;
/** Caches have reached their size by then. */
const FIRST = 2_000;
const LAST = 20_000;
const SAY_EVERY = 2_000;
const MB = 1024 * 1024;

export async function measureHeap({ stack, say }: Bench): Promise<Line[]> {
  const client = await OrderClient.login(stack);
  try {
    await place(client, FIRST, say);
    const before = await heaps(stack);
    await place(client, LAST - FIRST, say);
    const worker = residentBytes(stack.pids['worker'] ?? 0) / MB;
    const after = await heaps(stack);
    const lines = Object.entries(before).map(([name, bytes]) =>
      timesFloor(
        `heap of the ${name} after ${LAST} orders, vs. after ${FIRST}`,
        'MB',
        (after[name] ?? NaN) / MB,
        bytes / MB,
        atMost(1.1),
      ),
    );
    return [...lines, alone(`memory of the worker after ${LAST} orders`, 'MB', worker, atMost(350))];
  } finally {
    await client.close();
  }
}

async function place(client: OrderClient, count: number, say: (line: string) => void): Promise<void> {
  for (let placed = 0; placed < count; placed += SAY_EVERY) {
    const ofEach = Math.ceil(Math.min(SAY_EVERY, count - placed) / CLIENTS);
    await Promise.all(Array.from({ length: CLIENTS }, () => latencies(() => client.orderOne(), ofEach)));
    say(`  ${Math.min(placed + SAY_EVERY, count)} of ${count} orders`);
  }
}

/** Bytes in use in all threads of each process, garbage excluded. */
async function heaps({ pids }: StackFile): Promise<Record<string, number>> {
  const bytes: Record<string, number> = {};
  for (const name of ['api', 'worker']) {
    const inspector = await Inspector.attach(pids[name] ?? 0);
    bytes[name] = 0;
    for (const { send } of inspector.threads) {
      await send('HeapProfiler.collectGarbage');
      bytes[name] += (await send<{ usedSize: number }>('Runtime.getHeapUsage')).usedSize;
    }
    await inspector.close();
  }
  return bytes;
}
