/**
 * Orders of 5,000 vouchers, one and thirty concurrently, compared with inserts of the same sealed rows in the same
 * batches. Also the one-unit orders of another client during them, compared with its orders on an idle service.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { firstRow, openDatabase, type Database } from '../../../src/data/database/database';
import { newClient } from '../../../test/support/clients';
import { newDatabase } from '../../../test/support/scratch-database';
import type { Bench } from '../bench';
import { byTurns, median, quantile, timed, timesDuring } from '../figures';
import { OrderClient } from '../order-client';
import { atMost, timesFloor, type Line } from '../report';

const QUANTITY = 5_000;
const AT_ONCE = 30;
const LOOK_EVERY_MS = 20;
/** Milliseconds without small orders, after which the service expects none: a large order then has the processors to itself. */
const QUIET_MS = 1_000;
const PATIENCE_MS = 300_000;

export async function measureBulk({ stack, seconds, rounds, say }: Bench): Promise<Line[]> {
  const database = openDatabase(stack.database_url, 2);
  const buyer = await OrderClient.login(stack);
  const { credentials } = await newClient(database, { USD: 1_000_000 });
  const other = await OrderClient.login(stack, credentials);
  const floor = await InsertFloor.open();
  /** The times of the other client's one-unit orders, in sequence, until the work is done. */
  const orderTimesDuring = (work: () => Promise<unknown>) => timesDuring(work, 1, () => delivers(other));
  const lines: Line[] = [];
  try {
    for (const orders of [1, AT_ONCE]) {
      say(`  ${orders} at once`);
      const undisturbed = await orderTimesDuring(() => sleep(seconds * 1_000));
      floor.take(await sealedRowsOf(database, (await deliver(database, buyer, orders)).ids));
      const meanwhile: number[] = [];
      const { ours, beside, least } = await byTurns(rounds, {
        ours: async () => {
          await sleep(QUIET_MS);
          return { ms: (await deliver(database, buyer, orders)).ms };
        },
        beside: async () => {
          let ms = NaN;
          meanwhile.push(
            ...(await orderTimesDuring(async () => ({ ms } = await deliver(database, buyer, orders)))),
          );
          return { ms };
        },
        least: async () => ({ ms: await floor.insert() }),
      });
      const what = orders === 1 ? '5,000 vouchers in one order' : `${orders} such orders concurrently`;
      lines.push(
        timesFloor(`${what}: until delivered, vs. inserting the rows`, 'ms', ours.ms, least.ms, atMost(3)),
        timesFloor(`the same while another client orders in sequence`, 'ms', beside.ms, least.ms),
        timesFloor(
          `one-unit orders of another client during ${orders === 1 ? 'it' : 'them'}: median latency, vs. alone`,
          'ms',
          median(meanwhile),
          median(undisturbed),
          atMost(1.7),
        ),
        timesFloor(
          'the same: 95th percentile',
          'ms',
          quantile(meanwhile, 0.95),
          quantile(undisturbed, 0.95),
          atMost(2),
        ),
      );
    }
  } finally {
    await Promise.all([floor.drop(), database.close(), buyer.close(), other.close()]);
  }
  return lines;
}

/** Orders one voucher. Repeats the request while it is rejected with 503. */
async function delivers(client: OrderClient): Promise<void> {
  while ((await client.tryOrder()).status === 503);
}

/** Places this many orders of 5,000 concurrently. Returns when all are delivered. */
async function deliver(
  database: Database,
  client: OrderClient,
  count: number,
): Promise<{ ids: number[]; ms: number }> {
  let ids: number[] = [];
  const ms = await timed(async () => {
    const placed = Array.from({ length: count }, () =>
      client.order('voucher_instant', { denomination: 5, quantity: QUANTITY }),
    );
    ids = (await Promise.all(placed)).map(({ id }) => id);
    await delivered(database, ids);
  });
  return { ids, ms };
}

async function delivered(database: Database, ids: number[]): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  const sql =
    'SELECT count(*) AS found FROM orders WHERE id = ANY ($ids) AND delivered_quantity = quantity AND completed_at IS NOT NULL';
  while ((await firstRow<{ found: number }>(database, sql, { ids }))?.found !== ids.length) {
    if (Date.now() > deadline) throw new Error(`Not all delivered after ${PATIENCE_MS} ms.`);
    await sleep(LOOK_EVERY_MS);
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
  const sql = `
    SELECT p.order_id, array_agg(v.unit ORDER BY v.unit) AS unit, array_agg(v.expires_at ORDER BY v.unit) AS expires_at,
           ${columns.map((column) => `array_agg(v.${column} ORDER BY v.unit) AS ${column}`).join(', ')}
      FROM supplier_purchases p JOIN vouchers v ON v.order_id = p.order_id
       AND v.unit BETWEEN p.first_unit AND p.first_unit + p.units - 1
     WHERE p.reference = $reference GROUP BY p.order_id`;
  const references = await firstRow<{ all: string[] }>(
    database,
    'SELECT array_agg(reference ORDER BY batch, order_id) AS all FROM supplier_purchases WHERE order_id = ANY ($ids)',
    { ids },
  );
  for (const reference of references?.all ?? []) {
    const batch = await firstRow<Batch>(database, sql, { reference });
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
