/** The CPU of the stack without orders: at first, and after orders of all families. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { StackFile } from '../../stack/stack-file';
import type { Bench } from '../bench';
import { treesCpuMs } from '../cpu';
import { timesUntil } from '../figures';
import { OrderClient } from '../order-client';
import { alone, atMost, type Line } from '../report';

/** Long enough to measure periodic work, such as every 10 s, in full. */
const WATCH_MS = 40_000;
/** The time for the remaining work of orders: mails, events, the first poll of an eSIM. */
const SETTLE_MS = 30_000;
const LOAD_MS = 10_000;
const CLIENTS = 8;

export async function measureRest({ stack, say }: Bench): Promise<Line[]> {
  const lines: Line[] = [];
  await sleep(SETTLE_MS);
  lines.push(...linesOf('at rest', await shares(stack)));
  say('  orders of all families ...');
  await load(stack);
  await sleep(SETTLE_MS);
  lines.push(...linesOf('at rest after orders', await shares(stack)));
  return lines;
}

function linesOf(when: string, shares: Map<string, number>): Line[] {
  const sum = [...shares.values()].reduce((total, share) => total + share, 0);
  const parts = [...shares].map(([name, share]) => alone(`  of these, ${name}`, '% of a core', share));
  return [alone(`the stack ${when}: CPU`, '% of a core', sum, atMost(5)), ...parts];
}

async function load(stack: StackFile): Promise<void> {
  const client = await OrderClient.login(stack);
  const began = performance.now();
  const scenarios = ['voucher_instant', 'topup_instant', 'esim_instant'];
  for (const [index, scenario] of scenarios.entries()) {
    const until = began + ((index + 1) * LOAD_MS) / scenarios.length;
    await timesUntil(
      () => performance.now() > until,
      CLIENTS,
      () => client.orderInstantly(scenario),
    );
  }
  await client.close();
}

/** Of each process with its children, in per cent of one core. */
async function shares({ pids }: StackFile): Promise<Map<string, number>> {
  const used = () => new Map(Object.entries(pids).map(([name, pid]) => [name, treesCpuMs([pid])]));
  const before = used();
  await sleep(WATCH_MS);
  return new Map(
    [...used()].map(([name, ms]) => [name, ((ms - (before.get(name) ?? NaN)) / WATCH_MS) * 100]),
  );
}
