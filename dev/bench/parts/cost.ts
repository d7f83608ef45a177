/** The work of one order of each family: CPU, Temporal's events and calls, statements, rows, bytes, and waits for the disk. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { openDatabase, type Database } from '../../../src/data/database/database';
import { sql } from '../../testbed/sql';
import type { StackFile } from '../../stack/stack-file';
import { createClient } from '../../testbed/clients';
import type { Bench } from '../bench';
import { latencies } from '../figures';
import { OrderClient } from '../order-client';
import { treesCpuMs } from '../cpu';
import { alone, type Line } from '../report';
import { namesOf, recordOf } from '../../../src/domain/records';

/** Placed one after the other: sessions that commit at the same time would share the flushes of PostgreSQL's log. */
const ORDERS = 200;
/** PostgreSQL's sessions report their statistics 10 s after they become idle. The first poll of an eSIM is after 5 to 6 s. */
const TOLD_AFTER_MS = 15_000;
/** The time between the starts of two orders that wait at once. */
const WAITING_APART_MS = 50;
/** The duration of the measurement without orders. */
const IDLE_MS = 30_000;

const families = [
  { work: 'voucher order', scenario: 'voucher_instant', prefixes: ['order'], place: placeEach },
  { work: 'top-up', scenario: 'topup_instant', prefixes: ['order'], place: placeEach },
  { work: 'eSIM', scenario: 'esim_instant', prefixes: ['order', 'esim'], place: placeEach },
  { work: 'eSIM, PENDING after 60 s', scenario: 'esim_slow', prefixes: ['order'], place: placeWaiting },
] as const;

export async function measureCost({ stack, say }: Bench): Promise<Line[]> {
  const database = openDatabase(stack.database_url, 1);
  const connection = await Connection.connect({ address: stack.temporal_address });
  const lines: Line[] = [];
  try {
    const idle = await spentBy(stack, database, () => sleep(IDLE_MS));
    for (const { work, scenario, prefixes, place } of families) {
      say(`  ${ORDERS} of ${scenario}`);
      const owner = await createClient(database, { USD: 1_000_000 });
      const client = await OrderClient.login(stack, owner.credentials);
      const spent = await spentBy(stack, database, () => place(client, scenario));
      await client.close();
      const ofOne = perOrder(spent, idle);
      lines.push(...Object.entries<number>({ ...ofOne }).map(([what, count]) => alone(`${work}: ${what}`, '', count)));
      for (const prefix of prefixes) {
        const { events, bytes } = await historyOf(stack, database, connection, owner.id, prefix);
        const workflow = prefix === 'order' ? 'its workflow' : 'its eSIM monitor';
        lines.push(alone(`${work}: events of ${workflow}`, '', events), alone(`${work}: bytes of these`, 'B', bytes));
      }
    }
  } finally {
    await Promise.all([database.close(), connection.close()]);
  }
  return lines;
}

async function placeEach(client: OrderClient, scenario: string): Promise<void> {
  await latencies(() => client.orderInstantly(scenario), ORDERS);
}

/** Waits for the answers of all orders at once. */
async function placeWaiting(client: OrderClient, scenario: string): Promise<void> {
  const orders = await Promise.all(
    Array.from({ length: ORDERS }, async (_, index) => {
      await sleep(index * WAITING_APART_MS);
      return client.order(scenario);
    }),
  );
  const other = orders.find(({ status }) => status !== 'PENDING');
  if (other) throw new Error(`${scenario}: order ${other.id} is ${other.status}, not PENDING.`);
}

/** The counters during the work. */
interface Spent {
  'ms of CPU of Temporal': number;
  'ms of CPU of the worker': number;
  'ms of CPU of the API': number;
  'ms of CPU of PostgreSQL': number;
  'calls of the worker to Temporal': number;
  'transactions of PostgreSQL': number;
  'rows inserted': number;
  'rows changed': number;
  'rows deleted': number;
  'bytes written ahead': number;
  /** By sessions alone: they wait for these. Not for those of PostgreSQL's background writer. */
  'flushes of the log by sessions': number;
  'bytes that tables and indexes grow': number;
}

type CountedByPostgres = Omit<Spent, 'calls of the worker to Temporal' | `ms of CPU ${string}`>;

interface Counted extends Spent {
  seconds: number;
}

async function spentBy(stack: StackFile, database: Database, work: () => Promise<unknown>): Promise<Counted> {
  const began = performance.now();
  const before = await counters(stack, database);
  await work();
  await sleep(TOLD_AFTER_MS);
  const after = await counters(stack, database);
  const spent = recordOf(namesOf(before), (name) => after[name] - before[name]);
  return { ...spent, seconds: (performance.now() - began) / 1_000 };
}

/** The counts for one order, without those of an idle stack. */
function perOrder({ seconds, ...spent }: Counted, idle: Counted): Spent {
  return recordOf(namesOf(spent), (name) => (spent[name] - (idle[name] / idle.seconds) * seconds) / ORDERS);
}

async function counters({ metrics_url: metricsUrl, pids }: StackFile, database: Database): Promise<Spent> {
  const counted = await sql.first(database)<CountedByPostgres>`
    SELECT xact_commit AS "transactions of PostgreSQL", tup_inserted AS "rows inserted",
            tup_updated AS "rows changed", tup_deleted AS "rows deleted",
            (pg_current_wal_insert_lsn() - '0/0')::bigint AS "bytes written ahead",
            (SELECT coalesce(sum(fsyncs), 0)::bigint FROM pg_stat_io
              WHERE object = 'wal' AND backend_type = 'client backend') AS "flushes of the log by sessions",
            (SELECT sum(pg_total_relation_size(oid))::bigint FROM pg_class
              WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace) AS "bytes that tables and indexes grow"
       FROM pg_stat_database WHERE datname = current_database()`;
  const figures = await (await fetch(metricsUrl)).text();
  const calls = [...figures.matchAll(/^temporal_(?:long_)?request(?:_total)?\{.*\} (\d+)$/gm)];
  const sum = calls.reduce((total, [, count]) => total + Number(count), 0);
  const cpuOf = (program: string) => treesCpuMs([pids[program] ?? NaN]);
  return {
    'ms of CPU of Temporal': cpuOf('temporal'),
    'ms of CPU of the worker': cpuOf('worker'),
    'ms of CPU of the API': cpuOf('api'),
    'ms of CPU of PostgreSQL': cpuOf('postgres'),
    'calls of the worker to Temporal': sum,
    ...(counted as CountedByPostgres),
  };
}

/** The average events, and their bytes, of the client's workflows with the prefix. */
async function historyOf(
  { temporal_namespace: namespace }: StackFile,
  database: Database,
  { workflowService }: Connection,
  clientId: number,
  prefix: string,
): Promise<{ events: number; bytes: number }> {
  const orders = await sql(database)<{ workflowId: string }>`
    SELECT ${prefix} || '-' || id || '-' || nonce AS "workflowId" FROM orders WHERE client_id = ${clientId}`;
  let events = 0;
  let bytes = 0;
  for (const { workflowId } of orders) {
    const { workflowExecutionInfo: info } = await workflowService.describeWorkflowExecution({
      namespace,
      execution: { workflowId },
    });
    events += Number(info?.historyLength);
    bytes += Number(info?.historySizeBytes);
  }
  return { events: events / orders.length, bytes: bytes / orders.length };
}
