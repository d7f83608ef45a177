/** Reading an order of 5,000 vouchers: the CPU of the API, and its longest turn of the event loop. */
import type { Bench } from '../bench';
import { processCpuMs } from '../cpu';
import { until } from '../../testbed/waiting';
import { latencies } from '../figures';
import { Inspector } from '../inspector';
import { OrderClient } from '../order-client';
import { alone, atMost, type Line } from '../report';

const QUANTITY = 5_000;
const READS = 20;

export async function measureLargeRead({ stack }: Bench): Promise<Line[]> {
  const { api = 0 } = stack.pids;
  const client = await OrderClient.login(stack);
  const inspector = await Inspector.attach(api);
  try {
    const { id } = await client.order('voucher_instant', { denomination: 5, quantity: QUANTITY });
    await until('the vouchers', async () => (await client.read(id)).vouchers.length === QUANTITY);
    const before = processCpuMs(api);
    const longestTurn = await inspector.longestTurn(() => latencies(() => client.text(`/api/v1/orders/${id}`), READS));
    const cpu = (processCpuMs(api) - before) / READS;
    return [
      alone('read of an order of 5,000 vouchers: CPU of the API', 'ms', cpu, atMost(70)),
      alone('the same: longest turn of the event loop', 'ms', longestTurn, atMost(20)),
    ];
  } finally {
    await inspector.close();
    await client.close();
  }
}
