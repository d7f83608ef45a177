/**
 * Eight clients place orders on one wallet, compared with the best single statement that writes the same rows: in
 * tables with the same checks and indexes, without triggers, functions and foreign keys.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { firstRow, openDatabase, rows, type Database } from '../../../src/data/database/database';
import { placeOrder } from '../../../src/data/orders/place-order';
import { succeeds } from '../../stack/commands';
import { beginSession, newHolder, newKey, type Holder } from '../../testbed/ledger-rows';
import { newDatabase, type ScratchDatabase } from '../../testbed/scratch-database';
import type { Bench } from '../bench';
import { byTurns, timesFor } from '../figures';
import { atLeast, timesFloor, type Line } from '../report';

const CLIENTS = 8;
/** More orders than are placed in a second. */
const RESERVATIONS_A_SECOND = 6_000;
const NONCE = 'nonce0000000';

const tables = [
  'wallets',
  'transactions',
  'events',
  'client_clocks',
  'orders',
  'order_counts',
  'daily_orders',
];

/** The writes of a placement and its triggers, as one statement without checks and calls. */
const FLOOR = `
WITH reservation AS (
  UPDATE floor.order_reservations SET state = 'PLACED' WHERE order_id = (SELECT nextval('floor.placed')) RETURNING *
), wallet AS (
  UPDATE floor.wallets w SET balance = balance - total_payable, entry_count = entry_count + 1, updated_at = now()
    FROM reservation WHERE w.id = reservation.wallet_id AND balance >= total_payable
  RETURNING w.*, reservation.order_id, reservation.total_payable
), clock AS (
  UPDATE floor.client_clocks c SET moment = clock_timestamp() FROM wallet WHERE c.client_id = wallet.client_id RETURNING moment
), entry AS (
  INSERT INTO floor.transactions (id, wallet_id, client_id, sequence, kind, order_id, transaction_type, amount, balance_after, reference_number, remarks, created_at)
  SELECT order_id, id, client_id, entry_count, 'ORDER', order_id, 'DEBIT', total_payable, balance, 'order-' || order_id, 'Order', moment
    FROM wallet, clock RETURNING *
), event AS (
  INSERT INTO floor.events (client_id, order_id, type, data)
  SELECT client_id, order_id, 'wallet.debited', jsonb_build_object('wallet_id', wallet_id, 'ledger_id', id,
    'amount', amount::text, 'currency', 'USD', 'reference_number', reference_number, 'remarks', remarks) FROM entry
), purchase AS (
  INSERT INTO floor.supplier_purchases (reference, order_id, batch, first_unit, units, source_id, supplier, sku, why)
  SELECT 'order-' || order_id || '-${NONCE}-0001', order_id, 1, 1, 1, 1, 'simulator', 'SKU', 'the only source' FROM entry
), counted AS (
  INSERT INTO floor.order_counts (client_id, family, status, change) SELECT client_id, 'VOUCHER', 'PENDING', 1 FROM entry
), today AS (
  UPDATE floor.daily_orders d SET ordered = ordered + 1, debited = debited + amount FROM entry
   WHERE d.client_id = entry.client_id AND family = 'VOUCHER' AND currency = 'USD'
)
INSERT INTO floor.orders (id, nonce, client_id, family, product_id, product_name, country_code, sources,
  quantity, unit_amount, amount, discount, base_currency, wallet_id, deduction_currency, total_payable, transaction_id, placed_at)
SELECT order_id, '${NONCE}', client_id, 'VOUCHER', 1, 'Voucher', 'USA', '[{"supplier": "simulator"}]', 1, amount, amount, 0, 'USD', wallet_id,
       'USD', amount, id, created_at FROM entry`;

export async function measureHotWallet({ seconds, rounds, say }: Bench): Promise<Line[]> {
  const scratch = await newDatabase();
  const service = openDatabase(scratch.url, CLIENTS);
  const usesPgbench = await succeeds('pgbench', ['--version']);
  if (!usesPgbench)
    say('  pgbench is not installed: the floor is measured through the driver of the service');
  try {
    const wallet = await prepare(scratch.database);
    const runFloor = usesPgbench ? pgbench : throughDriver;
    const { ours, least } = await byTurns(rounds, {
      ours: async () => ({ rate: await placeAll(service, wallet, seconds) }),
      least: async () => {
        const from = await reserve(scratch.database, 'floor.order_reservations', wallet, seconds);
        await rows(scratch.database, `SELECT setval('floor.placed', ${from}, false)`);
        return { rate: await runFloor(scratch, seconds) };
      },
    });
    const tool = usesPgbench ? 'pgbench' : 'its bare statement';
    const work = `orders placed on one wallet, ${CLIENTS} concurrently, vs. ${tool}`;
    return [timesFloor(work, '/s', ours.rate, least.rate, atLeast(0.7))];
  } finally {
    await service.close();
    await scratch.drop();
  }
}

interface HotWallet extends Holder {
  apiKeyId: number;
  sessionId: string;
}

/** A client with one full wallet, in the service's tables and in those of the floor. */
async function prepare(database: Database): Promise<HotWallet> {
  const holder = await newHolder(database, 1e9);
  const { clientId } = holder;
  await rows(database, 'CREATE SCHEMA floor');
  await rows(database, 'CREATE SEQUENCE floor.placed');
  for (const table of [...tables, 'order_reservations', 'supplier_purchases'])
    await rows(database, `CREATE TABLE floor.${table} (LIKE public.${table} INCLUDING ALL)`);
  await rows(database, 'INSERT INTO floor.wallets SELECT * FROM wallets');
  await rows(database, 'INSERT INTO floor.client_clocks SELECT * FROM client_clocks');
  const today = `INSERT INTO floor.daily_orders VALUES ($clientId, 'VOUCHER', day_of(now()), 'USD', 0, 0)`;
  await rows(database, today, { clientId });
  // The placement checks the session of the order requests.
  const key = await newKey(database, clientId);
  const { sessionId } = await beginSession(database, key);
  return { ...holder, apiKeyId: key.id, sessionId };
}

/** Writes more order reservations than can be placed in the time. Returns the first id. */
async function reserve(
  database: Database,
  table: string,
  { clientId, walletId, apiKeyId, sessionId }: HotWallet,
  seconds: number,
): Promise<number> {
  const details = {
    product_id: 1,
    product_name: 'Voucher',
    country_code: 'USA',
    sources: [
      { id: 1, supplier: 'simulator', sku: 'SKU', data: null, maxUnits: 500, why: 'the only source' },
    ],
    quantity: 1,
    unit_amount: '1',
    amount: '1',
    discount: '0',
    base_currency: 'USD',
    deduction_currency: 'USD',
    forex_rate: null,
    conversion_charges: null,
    discount_percent: '0',
    is_own_discount: false,
    fee_percent: null,
    rate_as_of: null,
    rate_file_day: null,
  };
  const first = await firstRow<{ first: number }>(
    database,
    `WITH made AS (
       INSERT INTO ${table} (nonce, accept_by, client_id, family, wallet_id, api_key_id, session_id, total_payable, details)
       SELECT '${NONCE}', now() + interval '1 hour', $clientId, 'VOUCHER', $walletId, $apiKeyId, $sessionId::uuid, 1, $details
         FROM generate_series(1, $count::integer) RETURNING order_id)
     SELECT min(order_id) AS first FROM made`,
    {
      clientId,
      walletId,
      apiKeyId,
      sessionId,
      details: JSON.stringify(details),
      count: Math.ceil(seconds * RESERVATIONS_A_SECOND),
    },
  );
  await rows(database, `VACUUM ANALYZE ${table}`);
  return first?.first ?? 0;
}

/** Places orders as the service does. Returns orders a second. */
async function placeAll(database: Database, wallet: HotWallet, seconds: number): Promise<number> {
  let orderId = await reserve(database, 'order_reservations', wallet, seconds);
  const { rate } = await timesFor(seconds, CLIENTS, async () => {
    const { outcome } = await placeOrder(database, { orderId: orderId++, nonce: NONCE });
    if (outcome !== 'PLACED') throw new Error(`An order was ${outcome}, not placed.`);
  });
  return rate;
}

/** Measures the floor with PostgreSQL's own tool. Returns transactions a second. */
async function pgbench({ url }: ScratchDatabase, seconds: number): Promise<number> {
  const script = join(tmpdir(), `place-${randomBytes(6).toString('hex')}.sql`);
  writeFileSync(script, `${FLOOR.replace(/\s+/g, ' ')};\n`);
  const { stdout } = await promisify(execFile)('pgbench', [
    '--no-vacuum',
    '--client',
    String(CLIENTS),
    '--jobs',
    '2',
    '--protocol',
    'prepared',
    '--time',
    String(Math.ceil(seconds)),
    '--file',
    script,
    url,
  ]);
  return Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]);
}

/** Measures the floor through the driver, with one connection for each client. Returns statements a second. */
async function throughDriver({ url }: ScratchDatabase, seconds: number): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: CLIENTS });
  const { rate } = await timesFor(seconds, CLIENTS, () => pool.query({ name: 'place', text: FLOOR }));
  await pool.end();
  return rate;
}
