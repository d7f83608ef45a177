/** One-voucher orders while 200 waiting eSIM orders are placed, compared with voucher orders alone. */
import { setTimeout as sleep } from 'node:timers/promises';
import { firstRow, openDatabase, type Database } from '../../../src/data/database/database';
import { createClient } from '../../testbed/clients';
import type { Bench } from '../bench';
import { byTurns, median, quantile, timed, timesDuring } from '../figures';
import { OrderClient } from '../order-client';
import { alone, atMost, timesFloor, type Line } from '../report';

const WAITING = 200;
/** Concurrent voucher order requests. */
const CLIENTS = 4;
const POLL_INTERVAL_MS = 50;
const PATIENCE_MS = 120_000;

export async function measureWaiting({ stack, seconds, rounds, say }: Bench): Promise<Line[]> {
  const database = openDatabase(stack.database_url, 2);
  const { credentials } = await createClient(database, { USD: 1_000_000 });
  const vouchers = await OrderClient.login(stack, credentials);
  const ordersDuring = async (work: () => Promise<unknown>) => {
    const times = await timesDuring(work, CLIENTS, () => vouchers.orderOne());
    return { p95: quantile(times, 0.95) };
  };
  const placedAfter: number[] = [];
  const answers: Promise<number>[] = [];
  const orderEsims = async () => {
    const client = await createClient(database, { USD: 1_000_000 });
    const esims = await OrderClient.login(stack, client.credentials);
    let refused = 0;
    const create = async () => {
      const status = await esims.tryScenario('esim_slow');
      if (status !== 200) refused++;
      return status;
    };
    answers.push(...Array.from({ length: WAITING }, create));
    placedAfter.push(await timed(() => placed(database, client.id, () => WAITING - refused)));
  };
  try {
    const { quiet, during } = await byTurns(rounds, {
      quiet: () => ordersDuring(() => sleep(seconds * 1_000)),
      during: () => ordersDuring(orderEsims),
    });
    say('  waiting for the answers, which take a minute ...');
    const refused = (await Promise.all(answers)).filter((status) => status !== 200).length;
    const work = `voucher orders by ${CLIENTS} clients while ${WAITING} eSIM orders are placed: p95, vs. alone`;
    return [
      timesFloor(work, 'ms', during.p95, quiet.p95, atMost(3)),
      alone(`${WAITING} eSIM orders: until all are placed`, 's', median(placedAfter) / 1_000),
      alone('rejected eSIM orders', '', refused),
    ];
  } finally {
    await Promise.all([vouchers.close(), database.close()]);
  }
}

/** Returns once the expected number of the client's eSIM orders is placed. */
async function placed(database: Database, clientId: number, expected: () => number): Promise<void> {
  const sql = "SELECT count(*) AS found FROM orders WHERE client_id = $clientId AND family = 'ESIM'";
  const deadline = Date.now() + PATIENCE_MS;
  while ((await firstRow<{ found: number }>(database, sql, { clientId }))?.found !== expected()) {
    if (Date.now() > deadline) throw new Error(`Not all placed after ${PATIENCE_MS} ms.`);
    await sleep(POLL_INTERVAL_MS);
  }
}
