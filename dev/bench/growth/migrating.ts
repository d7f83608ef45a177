/** Runs the migrations of a later release on a filled database, while clients order. */
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { timesDuring, timesFor } from '../figures';
import { alone, atMost, timesFloor, type Line } from '../report';
import type { Side } from './side';

const CLIENTS = 4;
/** Seconds of orders before the migrations. */
const BEFORE = 10;
const EVERY_MS = 10;
const LONGEST_LOCK = atMost(200);

/** SQL: the milliseconds for which a session has waited behind the migration. */
const waitStatement = `
SELECT coalesce(max(extract(epoch FROM clock_timestamp() - waitstart) * 1000), 0)
  FROM pg_locks waiting
 WHERE NOT granted AND EXISTS (SELECT FROM pg_stat_activity
                                WHERE application_name = 'digital-goods-migrate' AND pid = ANY (pg_blocking_pids(waiting.pid)))`;

/** Migrates the database to the release that is built in this folder, and says what that did. */
export async function measureMigrations(side: Side, folder: string, say: (line: string) => void): Promise<Line[]> {
  const order = () => side.client.tryOrder();
  const before = await timesFor(BEFORE, CLIENTS, order);
  let isOver = false;
  const migrate = async () => {
    const env = { ...process.env, DATABASE_URL: side.stack.database_url, OPS_OPERATOR: 'bench' };
    const args = ['dist/src/operators/cli/main.js', 'migrate'];
    say((await promisify(execFile)(process.execPath, args, { cwd: folder, env })).stdout);
  };
  const watch = async () => {
    let longest = 0;
    for (; !isOver; await sleep(EVERY_MS)) longest = Math.max(longest, await side.number(waitStatement));
    return longest;
  };
  const watched = watch();
  const during = await timesDuring(migrate, CLIENTS, order).finally(() => (isOver = true));
  return [
    alone('the longest wait behind the migrations', 'ms', await watched, LONGEST_LOCK),
    timesFloor('the slowest order during the migrations', 'ms', Math.max(...during), Math.max(...before.times)),
  ];
}
