/**
 * Costs that may grow with the number of orders: each read of a client, and the placing of an order under a daily cap,
 * with 10,000 orders and with 5 million. Also the time for which a page of 10,000 rows blocks the process.
 * `npm run bench:growth -- [orders]`, in a separate database on the server of the running stack, or of a new one.
 * Fails if a cost grows by more than the limit.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import express from 'express';
import pg from 'pg';
import { emailOf, listView } from '../../src/api/vouchers/order-view';
import { sendRows } from '../../src/api/shared/pagination';
import { openDatabase, rows, type Database } from '../../src/data/database/database';
import { migrate } from '../../src/data/schema/migrate';
import { findOrder, listOrders, type OrderFilter } from '../../src/data/orders/order-reads';
import { loadReferenceData } from '../../src/data/schema/reference-data';
import { listClientEntries, listWalletEntries } from '../../src/data/wallets/transactions';
import { orderField, Sealer } from '../../src/security/sealing';
import { withStack } from '../stack/launch';
import type { StackFile } from '../stack/stack-file';
import { latencies, quantile } from './figures';
import { atMost, keep, timesFloor, type Line } from './report';
import { newKeyRing } from '../../test/support/keys';

const SMALL = 10_000;
const LARGE = 5_000_000;
const STEP = 250_000;
const RUNS = 200;
/** The highest allowed ratio of a read's times with the large and the small number. */
const MOST_GROWTH = 1.5;
/** Milliseconds of noise from the clock and the machine. */
const NOISE = 0.3;
/** Milliseconds for which a page of 10,000 rows may block the process. */
const LONGEST_TURN = 20;

const CLIENT = 1;
const WALLET = 1;
/** The client whose orders fill one page of the greatest size. */
const PAGED = 2;
/** Has 50 orders, as the country FRA and the status FAILED of product 58 have. */
const RARE_PRODUCT = 9_999;
const PAGE = { offset: 0, limit: 50 };
const NONCE = 'nonce0000000';

/** The orders from `$1` to `$2` of `$3`, of one client in 90 days. Rare ones are among the first. */
const insertOrders = `
WITH new AS (
  SELECT n, now() - ($3 - n) * interval '90 days' / $3 AS moment,
         CASE WHEN n <= ${SMALL} AND n % 200 = 7 THEN ${RARE_PRODUCT} ELSE 1 + n % 100 END AS product,
         CASE WHEN n <= ${SMALL} AND n % 200 = 57 THEN 'FAILED' ELSE 'DELIVERED' END AS status
    FROM generate_series($1::integer, $2::integer) n
), entry AS (
  INSERT INTO transactions (id, wallet_id, client_id, sequence, kind, order_id, transaction_type, amount,
    balance_after, reference_number, remarks, created_at)
  OVERRIDING SYSTEM VALUE
  SELECT n, ${WALLET}, ${CLIENT}, n, 'ORDER', n, 'DEBIT', 1, 1, 'order-' || n, 'Order', moment FROM new
), detail AS (
  INSERT INTO topup_orders SELECT n, 1, 'Variant', 'sealed'::bytea FROM new
)
INSERT INTO orders (id, nonce, client_id, family, client_reference, product_id, product_name, country_code,
  sources, quantity, unit_amount, amount, discount, base_currency, wallet_id,
  deduction_currency, total_payable, transaction_id, status, delivered_quantity, failure_code, placed_at,
  completed_at)
SELECT n, '${NONCE}', ${CLIENT}, 'TOPUP', 'reference-' || n, product, 'Top-up',
       CASE WHEN product = ${RARE_PRODUCT} THEN 'FRA' WHEN product % 3 = 0 THEN 'IND' ELSE 'USA' END, '[{"supplier": "simulator"}]',
       1, 1, 1, 0, 'USD', ${WALLET}, 'USD', 1, n, status, (status = 'DELIVERED')::integer,
       CASE status WHEN 'FAILED' THEN 'UNKNOWN' END, moment, moment
  FROM new`;

/** The counters that the triggers would have written. */
const countAll = [
  'TRUNCATE order_counts, daily_orders',
  `INSERT INTO order_counts (client_id, family, status, product_id, country_code, change)
   SELECT client_id, family, status, product_id, country_code, count(*) FROM orders GROUP BY 1, 2, 3, 4, 5`,
  `INSERT INTO daily_orders SELECT client_id, family, day_of(placed_at), deduction_currency, count(*), sum(total_payable)
     FROM orders WHERE status <> 'FAILED' GROUP BY 1, 2, 3, 4`,
  `UPDATE wallets SET entry_count = (SELECT count(*) FROM transactions WHERE wallet_id = wallets.id)`,
];

/** Fills the database with copied rows, because the triggers and checks of real orders would take hours. */
async function fill(database: pg.Client, from: number, upTo: number): Promise<void> {
  for (let first = from + 1; first <= upTo; first += STEP) {
    const last = Math.min(upTo, first + STEP - 1);
    await database.query(insertOrders, [first, last, upTo]);
    if (upTo > STEP) console.log(`  ${last} orders`);
  }
  for (const statement of countAll) await database.query(statement);
  await database.query(
    'VACUUM ANALYZE orders, topup_orders, transactions, order_counts, daily_orders, wallets',
  );
}

async function addClients(database: pg.Client, sealer: Sealer): Promise<void> {
  await database.query(
    `INSERT INTO clients (id, name, contact_email, daily_caps)
     VALUES (${CLIENT}, 'growth', 'growth@client.example', '{"TOPUP": {"count": 1000000000, "value": {"USD": "1e12"}}}'),
            (${PAGED}, 'paged', 'paged@client.example', '{}')`,
  );
  await database.query(
    `INSERT INTO wallets (id, client_id, currency_code) VALUES (${WALLET}, ${CLIENT}, 'USD'), (2, ${PAGED}, 'USD')`,
  );
  await database.query(
    `INSERT INTO orders (id, nonce, client_id, family, client_reference, product_id, product_name, country_code,
       sources, quantity, unit_amount, amount, discount, base_currency, wallet_id,
       deduction_currency, total_payable, sealed_email)
     SELECT 1e9 + n, '${NONCE}', ${PAGED}, 'VOUCHER', 'reference-' || n, 1, 'Voucher', 'USA', '[{"supplier": "simulator"}]',
            1, 1, 1, 0, 'USD', 2, 'USD', 1, $1 FROM generate_series(1, 10000) n`,
    [sealer.seal(orderField(NONCE, 'email'), 'somebody@client.example')],
  );
}

/** All measurements, by their name in the report. */
function readsOf(database: Database, size: number): Map<string, () => Promise<unknown>> {
  const list = (filter: OrderFilter) => () => listOrders(database, 'TOPUP', CLIENT, filter, PAGE);
  return new Map<string, () => Promise<unknown>>([
    ['list', list({})],
    ['list ?status=FAILED', list({ status: 'FAILED' })],
    ['list ?status=CANCELLED (none)', list({ status: 'CANCELLED' })],
    ['list ?product_id= (common)', list({ productId: 5 })],
    ['list ?product_id= (rare)', list({ productId: RARE_PRODUCT })],
    ['list ?product_id= (unknown)', list({ productId: 12_345 })],
    ['list ?product_id=&status=FAILED', list({ productId: 58, status: 'FAILED' })],
    ['list ?country= (common)', list({ countryCode: 'USA' })],
    ['list ?country= (rare)', list({ countryCode: 'FRA' })],
    ['list ?country=&product_id=', list({ countryCode: 'USA', productId: 5 })],
    ['list ?client_reference=', list({ clientReference: 'reference-77' })],
    ['one order', () => findOrder(database, 'TOPUP', CLIENT, size >> 1)],
    ['transactions', () => listClientEntries(database, CLIENT, 0, 50)],
    ['transactions ?wallet_id=', async () => listWalletEntries(database, CLIENT, WALLET, 0, 50)],
    ['daily cap', () => rows(database, `SELECT exceeds_daily_cap(${CLIENT}, 'TOPUP', 'USD', 1)`)],
  ]);
}

async function quartilesOf(database: Database, size: number): Promise<Map<string, number>> {
  const quartiles = new Map<string, number>();
  for (const [name, read] of readsOf(database, size)) {
    await latencies(read, 20);
    // On a busy machine the fast runs show the cost of the read, the slow ones the cost of other programs.
    quartiles.set(name, quantile(await latencies(read, RUNS), 0.25));
  }
  return quartiles;
}

/**
 * The longest turn of the event loop during the answer with a page of 10,000 rows, in milliseconds of CPU, because
 * other programs make this one wait too; of the quietest of 20 answers.
 */
async function longestTurn(database: Database, sealer: Sealer): Promise<number> {
  const page = { page: 1, size: 10_000 };
  const app = express();
  app.get('/', async (_request, response) => {
    const found = await listOrders(database, 'VOUCHER', PAGED, {}, { offset: 0, limit: page.size });
    const view = (order: (typeof found.orders)[number]) => listView(order, emailOf(sealer, order));
    await sendRows(response, { ...page, total: found.total }, found.orders, view);
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const longest: number[] = [];
  for (let run = 0; run < 20; run++) longest.push(await longestTurnOf(() => discard(url)));
  server.close();
  return Math.min(...longest);
}

async function longestTurnOf(work: () => Promise<void>): Promise<number> {
  let isOver = false;
  const end = work().finally(() => (isOver = true));
  let longest = 0;
  while (!isOver) {
    const before = process.cpuUsage();
    await nextTurn();
    const { user, system } = process.cpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
  }
  await end;
  return longest;
}

/** Reads an answer to its end and discards it, so that the client's own work does not count. */
async function discard(url: string): Promise<void> {
  const [answer] = (await once(get(url), 'response')) as [IncomingMessage];
  await once(answer.resume(), 'end');
}

async function measure(stack: StackFile): Promise<void> {
  const large = Number(process.argv[2] ?? LARGE);
  const name = `growth_${randomBytes(6).toString('hex')}`;
  const server = openDatabase(stack.database_url, 2);
  await rows(server, `CREATE DATABASE ${name}`);
  const url = new URL(stack.database_url);
  url.pathname = name;
  try {
    await migrate(url.href);
    const reading = openDatabase(url.href, 2);
    const filling = new pg.Client({ connectionString: url.href });
    await filling.connect();
    // Without triggers and foreign keys.
    await filling.query('SET session_replication_role = replica; SET synchronous_commit = off');
    try {
      await report(filling, reading, large);
    } finally {
      await Promise.all([filling.end(), reading.close()]);
    }
  } finally {
    await rows(server, `DROP DATABASE ${name} WITH (FORCE)`);
    await server.close();
  }
}

async function report(filling: pg.Client, reading: Database, large: number): Promise<void> {
  const sealer = new Sealer(newKeyRing());
  await loadReferenceData(reading);
  await addClients(filling, sealer);
  await fill(filling, 0, SMALL);
  const before = await quartilesOf(reading, SMALL);
  const turn = await longestTurn(reading, sealer);
  await fill(filling, SMALL, large);
  const after = await quartilesOf(reading, large);

  console.log(
    `\nlower quartile of ${RUNS}, ms${''.padEnd(7)}${`${SMALL}`.padStart(9)}${`${large}`.padStart(9)}`,
  );
  const lines: Line[] = [];
  const grown: string[] = [];
  for (const [what, was] of before) {
    const is = after.get(what) ?? NaN;
    console.log(
      `${what.padEnd(32)}${was.toFixed(2).padStart(9)}${is.toFixed(2).padStart(9)}  ${(is / was).toFixed(2)} x`,
    );
    lines.push(timesFloor(`${what}: with ${large} orders, vs. ${SMALL}`, 'ms', is, was, atMost(MOST_GROWTH)));
    if (!(is <= was * MOST_GROWTH + NOISE)) grown.push(what);
  }
  keep('growth', 'sqlite', lines);
  console.log(`longest turn of the event loop, page of 10,000: ${turn.toFixed(1)} ms of CPU`);
  if (grown.length > 0) throw new Error(`More than ${MOST_GROWTH} times as long: ${grown.join(', ')}`);
  if (turn > LONGEST_TURN) throw new Error(`A page of 10,000 blocked the process for ${turn.toFixed(1)} ms`);
}

void withStack(measure);
