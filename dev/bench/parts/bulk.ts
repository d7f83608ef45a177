/**
 * Orders of 5,000 vouchers, one and thirty concurrently, compared with inserts of the same sealed rows in the same batches. Also the
 * one-unit orders of other clients during them, compared with their orders on an idle service.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { firstRow, openDatabase, type Database } from '../../../src/data/database/database';
import { sql } from '../../testbed/sql';
import { createClient } from '../../testbed/clients';
import { newDatabase } from '../../testbed/scratch-database';
import type { Bench } from '../bench';
import { byTurns, median, quantile, timed, timesDuring } from '../figures';
import { OrderClient } from '../order-client';
import { atMost, timesFloor, type Line } from '../report';

const QUANTITY = 5_000;
const AT_ONCE = 30;
const POLL_INTERVAL_MS = 20;
/** The clients that order one unit at a time, and how long each pauses before its next order. */
const SMALL_CLIENTS = 4;
const PAUSE_MS = 1_000;
const PATIENCE_MS = 300_000;

export async function measureBulk({ stack, seconds, rounds, say }: Bench): Promise<Line[]> {
  const database = openDatabase(stack.database_url, 2);
  const buyer = await OrderClient.login(stack);
  const { credentials } = await createClient(database, { USD: 1_000_000 });
  const small = await OrderClient.login(stack, credentials);
  const floor = await InsertFloor.open();
  const lines: Line[] = [];
  try {
    for (const orders of [1, AT_ONCE]) {
      say(`  ${orders} at once`);
      floor.take(await sealedRowsOf(database, (await deliver(database, buyer, orders)).ids));
      const alone: number[] = [];
      const meanwhile: number[] = [];
      const { ours, concurrent, least } = await byTurns(rounds, {
        ours: async () => ({ ms: (await deliver(database, buyer, orders)).ms }),
        alone: async () => {
          alone.push(...(await orderTimesDuring(small, () => sleep(seconds * 1_000))));
          return { ms: median(alone) };
        },
        concurrent: async () => {
          const times: number[] = [];
          const large = () =>
            deliverFor(seconds, async () => times.push(await deliverAndRead(database, buyer, orders)));
          meanwhile.push(...(await orderTimesDuring(small, large)));
          return { ms: median(times) };
        },
        least: async () => ({ ms: await floor.insert() }),
      });
      const what = orders === 1 ? '5,000 vouchers in one order' : `${orders} such orders concurrently`;
      const during = orders === 1 ? 'it' : 'them';
      lines.push(
        timesFloor(`${what}: until delivered, vs. inserting the rows`, 'ms', ours.ms, least.ms, atMost(3)),
        timesFloor(`the same while other clients order, each delivered order read`, 'ms', concurrent.ms, least.ms),
        timesFloor(
          `one-unit orders of other clients during ${during}: median latency, vs. alone`,
          'ms',
          median(meanwhile),
          median(alone),
          atMost(1.7),
        ),
        timesFloor('the same: 95th percentile', 'ms', quantile(meanwhile, 0.95), quantile(alone, 0.95), atMost(2)),
      );
    }
  } finally {
    await Promise.all([floor.drop(), database.close(), buyer.close(), small.close()]);
  }
  return lines;
}

/** The times of one-unit orders until the work is over. Each client pauses between its orders. */
async function orderTimesDuring(client: OrderClient, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  await timesDuring(work, SMALL_CLIENTS, async () => {
    times.push(await timed(() => delivers(client)));
    await sleep(PAUSE_MS);
  });
  return times;
}

/** Orders one voucher. Repeats the request while it is rejected with 503. */
async function delivers(client: OrderClient): Promise<void> {
  while ((await client.tryOrder()) === 503);
}

/** Repeats the work until this time has passed. */
async function deliverFor(seconds: number, work: () => Promise<unknown>): Promise<void> {
  const began = performance.now();
  do await work();
  while (performance.now() - began < seconds * 1_000);
}

/** Places this many orders of 5,000 concurrently. Returns when all are delivered. */
async function deliver(database: Database, client: OrderClient, count: number): Promise<{ ids: number[]; ms: number }> {
  let ids: number[] = [];
  const ms = await timed(async () => {
    ids = await placeLarge(client, count);
    for (let open = ids; open.length > 0;) open = await untilOneEnds(database, open);
  });
  return { ids, ms };
}

/** As `deliver`, and reads each order when it is delivered. Returns the milliseconds until all are read. */
function deliverAndRead(database: Database, client: OrderClient, count: number): Promise<number> {
  return timed(async () => {
    let open = await placeLarge(client, count);
    while (open.length > 0) {
      const left = await untilOneEnds(database, open);
      for (const id of open.filter((one) => !left.includes(one))) await client.read(id);
      open = left;
    }
  });
}

async function placeLarge(client: OrderClient, count: number): Promise<number[]> {
  const placed = Array.from({ length: count }, () =>
    client.order('voucher_instant', { denomination: 5, quantity: QUANTITY }),
  );
  return (await Promise.all(placed)).map(({ id }) => id);
}

/** Waits until at least one of the open orders is delivered. Returns the others. */
async function untilOneEnds(database: Database, open: readonly number[]): Promise<number[]> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const left = (
      await sql(database)<{ id: number }>`SELECT id FROM orders WHERE id = ANY (${open})
         AND completed_at IS NULL`
    ).map(({ id }) => id);
    if (left.length < open.length) return left;
    if (Date.now() > deadline) throw new Error(`No further order ended within ${PATIENCE_MS} ms.`);
    await sleep(POLL_INTERVAL_MS);
  }
}

const columns = ['sealed_codes', 'code_hash', 'claim_hash'] as const;

/** The sealed rows of one purchase, by column. */
interface Batch extends Record<(typeof columns)[number], (Buffer | null)[]> {
  order_id: number;
  unit: number[];
  expires_at: (Date | null)[];
}

/** The delivered rows of the orders, in the batches of their purchases. */
async function sealedRowsOf(database: Database, ids: number[]): Promise<Batch[]> {
  const batches: Batch[] = [];
  const statement = `
    SELECT p.order_id, array_agg(v.unit ORDER BY v.unit) AS unit, array_agg(v.expires_at ORDER BY v.unit) AS expires_at,
           ${columns.map((column) => `array_agg(v.${column} ORDER BY v.unit) AS ${column}`).join(', ')}
      FROM supplier_purchases p JOIN vouchers v ON v.order_id = p.order_id
       AND v.unit BETWEEN p.first_unit AND p.first_unit + p.units - 1
     WHERE p.reference = $reference GROUP BY p.order_id`;
  const references = await sql.first(database)<{ all: string[] }>`SELECT array_agg(reference
       ORDER BY batch, order_id) AS all FROM supplier_purchases WHERE order_id = ANY (${ids})`;
  for (const reference of references?.all ?? []) {
    const batch = await firstRow<Batch>(database, statement, { reference });
    if (batch) batches.push(batch);
  }
  return batches;
}

/** Inserts voucher rows into a table with only their indexes: one connection, one batch after the other. */
class InsertFloor {
  private batches: Batch[] = [];

  private constructor(
    private readonly connection: pg.Client,
    private readonly dropDatabase: () => Promise<void>,
  ) {}

  static async open(): Promise<InsertFloor> {
    const scratch = await newDatabase();
    const connection = new pg.Client({ connectionString: scratch.url });
    await connection.connect();
    await connection.query('CREATE TABLE sealed (LIKE vouchers INCLUDING ALL)');
    return new InsertFloor(connection, () => scratch.drop());
  }

  take(batches: Batch[]): void {
    this.batches = batches;
  }

  /** Milliseconds for all batches, into an empty table. */
  async insert(): Promise<number> {
    await this.connection.query('TRUNCATE sealed');
    return timed(async () => {
      for (const batch of this.batches) await this.insertOne(batch);
    });
  }

  async drop(): Promise<void> {
    await this.connection.end();
    await this.dropDatabase();
  }

  private async insertOne(batch: Batch): Promise<void> {
    await this.connection.query({
      name: 'insert',
      text: `INSERT INTO sealed (order_id, unit, expires_at, ${columns.join(', ')})
             SELECT $1, row.* FROM unnest($2::integer[], $3::timestamptz[], ${columns.map((_, index) => `$${index + 4}::bytea[]`).join(', ')}) AS row`,
      values: [batch.order_id, batch.unit, batch.expires_at, ...columns.map((column) => batch[column])],
    });
  }
}
