/**
 * The statements that run for every order, list and delivery. The database has enough rows to distinguish a plan that
 * stays fast from a plan that does not. No statement scans a growing table sequentially, and each reads few blocks. A statement
 * whose text names indexes (`-- plan: one, another`) uses them.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { groupErrors, listApiRequests } from '../../src/data/clients/api-requests';
import { listActivity, rollUpActivityCounts } from '../../src/data/clients/activity';
import { readClosing, readRemains } from '../../src/data/clients/close-client';
import { rollUpOrderCounts } from '../../src/data/orders/order-counts';
import { listClaims } from '../../src/data/orders/client-claims';
import { listWaitingClaims } from '../../src/data/orders/operated-claims';
import { listResends } from '../../src/data/webhooks/resends';
import { listBankEntries } from '../../src/data/funding/bank-entries';
import { reviewBankEntries } from '../../src/data/funding/bank-attention';
import { countWaitingEvents } from '../../src/data/webhooks/client-events';
import { countSupplierSales } from '../../src/data/suppliers/supplier-sales';
import { readStoredMetrics } from '../../src/data/maintenance/metrics';
import { listAudit } from '../../src/data/audit/audit-entries';
import { readResults } from '../../src/data/attention/today';
import { readInProgress, readRefundedAmounts } from '../../src/data/books/order-lines';
import { monthOf, startOfMonth } from '../../src/domain/books/calendar-months';
import { marginsBetween } from '../../src/data/orders/margin-report';
import { readLiveAccount } from '../../src/data/clients/live-account';
import { findSessionClient } from '../../src/data/clients/clients';
import { oneRow, openDatabase, rows, type Database } from '../../src/data/database/database';
import { listClientOrders, readTimeline } from '../../src/data/orders/client-orders';
import {
  findByReference,
  findOrder,
  listOrders,
  listOrdersBeyond,
  listDeliveredVouchers,
} from '../../src/data/orders/order-reads';
import { ordersOfNumber, ordersOfReference } from '../../src/data/orders/beginnings';
import { findCardsOfCode } from '../../src/data/orders/card-states';
import { findOrders, listOpenOrdersOf } from '../../src/data/orders/order-search';
import { statedOrders } from '../../src/data/orders/order-statement';
import { requestProgress } from '../../src/data/orders/order-reservations';
import { familyStorage } from '../../src/data/purchases/families';
import { countOrderResults, listUnusualFailures } from '../../src/data/orders/order-results';
import { placeAndClaim, placeOrder } from '../../src/data/orders/place-order';
import { compareSales } from '../../src/data/purchases/statement-comparison';
import { claimNextPurchase } from '../../src/data/purchases/purchases';
import { findPurchase, purchaseProgress } from '../../src/data/purchases/purchase-reads';
import { markPartiallyDelivered, settleDelivered, settleOrder } from '../../src/data/orders/settle-order';
import { findRequests, findTransactions } from '../../src/data/orders/value-search';
import { findSession, rotateSession, startSession } from '../../src/data/clients/token-sessions';
import {
  listClientEntries,
  listClientEntriesBeyond,
  listWalletEntries,
  listWalletEntriesBeyond,
} from '../../src/data/wallets/transactions';
import { clearAttention } from '../../src/data/attention/attention';
import { reviewSupplierHealth, reviewUnsentPurchases } from '../../src/data/suppliers/supplier-health';
import { claimIdleEndpoints } from '../../src/data/webhooks/waiting-endpoints';
import { dueDeliveries, recordAttempts } from '../../src/data/webhooks/deliveries';
import { deleteOldEndpoints } from '../../src/data/webhooks/endpoints';
import {
  deleteOldEvents,
  deliveryHistory,
  listEvents,
  listOlderEvents,
  rollUpEventCounts,
} from '../../src/data/webhooks/events';
import { familyIds, type Family } from '../../src/domain/orders/families';
import type { Goods } from '../../src/domain/orders/goods';
import { countByHourAndClient, timeDeliveries } from '../../src/data/orders/day-report';
import { Sealer } from '../../src/security/sealing';
import { newDatabase, type ScratchDatabase } from '../../dev/testbed/scratch-database';
import { reserve, type Holder } from '../../dev/testbed/ledger-rows';
import { newKeyRing } from '../support/keys';
import { growingTables } from './table-sizes';

/** The orders of the busy client, a third in each family. */
const ORDERS = 20_000;
const NONCE = 'nonce0000000';

/** Growing tables that the fill leaves empty, because no order, delivery or login writes them. */
const unfilled = [
  // People, their files and what they decide.
  'approval_proposals', 'attention_notes', 'attention_takings', 'bank_files', 'bank_statement_bookings', 'bank_statements',
  'bank_words', 'client_blacklist', 'confirmed_values', 'conversions', 'credit_limits', 'funding_requests', 'member_sessions',
  'operator_messages', 'operator_references', 'order_erasures', 'order_texts', 'privacy_requests', 'refund_import_lines', 'refund_imports',
  'supplier_credits',
  // Mails, which are deleted or rare.
  'access_mails', 'low_balance_mails', 'refund_mails', 'webhook_disablings',
  // Maintenance keeps two days of them.
  'daily_orders',
  // A row for each day, month or difference.
  'book_lines', 'catalogue_changes', 'fetched_rates', 'settlement_differences', 'statement_comparisons', 'statement_differences',
]; // prettier-ignore

/** The rows of ended orders. Triggers and foreign keys are disabled, because they would take minutes. */
const fill = `
INSERT INTO clients (id, name, contact_email) VALUES (1, 'busy', 'busy@client.example'), (2, 'restless', 'two@client.example');
INSERT INTO client_clocks (client_id, moment) VALUES (1, now());
INSERT INTO wallets (id, client_id, currency_code, balance, is_default) VALUES (1, 1, 'USD', 1000000, true);
INSERT INTO webhook_endpoints (id, nonce, client_id, url, description, event_types, enabled, sealed_secret)
VALUES (1, '${NONCE}', 1, 'https://client.example', '', '{}', true, 'sealed'),
       (2, '${NONCE}', 1, 'https://failing.example', '', '{}', true, 'sealed');
INSERT INTO webhook_endpoints (id, nonce, client_id, url, description, event_types, enabled, sealed_secret, deleted_at)
SELECT 2 + n, '${NONCE}', 2, 'https://gone.example', '', '{}', false, 'sealed', now() FROM generate_series(1, 5000) n;
CREATE TEMPORARY TABLE new AS
SELECT n AS id, now() - (${ORDERS} - n) * interval '1 minute' AS moment,
       (ARRAY['VOUCHER', 'TOPUP', 'ESIM'])[1 + n % 3] AS family,
       CASE WHEN n % 20 = 0 THEN 'FAILED' ELSE 'DELIVERED' END AS status
  FROM generate_series(1, ${ORDERS}) n;
INSERT INTO order_reservations (order_id, nonce, state, accept_by, client_id, family, wallet_id, total_payable, details,
  api_key_id, session_id)
OVERRIDING SYSTEM VALUE
SELECT id, '${NONCE}', 'PLACED', moment, 1, family, 1, 1, '{}', 1, gen_random_uuid() FROM new;
SELECT setval(pg_get_serial_sequence('order_reservations', 'order_id'), ${ORDERS});
INSERT INTO transactions (id, wallet_id, client_id, sequence, kind, order_id, transaction_type, amount, balance_after,
  reference_number, remarks, created_at)
SELECT id, 1, 1, id, 'ORDER', id, 'DEBIT', 1, 1, 'order-' || id, 'Order', moment FROM new;
SELECT setval(pg_get_serial_sequence('transactions', 'id'), ${ORDERS});
UPDATE wallets SET entry_count = ${ORDERS};
INSERT INTO orders (id, nonce, client_id, family, client_reference, product_id, product_name, country_code, sources,
  quantity, unit_amount, amount, discount, base_currency, wallet_id, deduction_currency, total_payable,
  transaction_id, status, delivered_quantity, failure_code, placed_at, completed_at, mailed_at)
SELECT id, '${NONCE}', 1, family, 'reference-' || id, 1 + id % 100, 'Product', (ARRAY['USA', 'IND', 'FRA'])[1 + id % 7 % 3],
       '[{"supplier": "simulator"}]', 1, 1, 1, 0, 'USD', 1, 'USD', 1, id, status, (status = 'DELIVERED')::integer,
       CASE status WHEN 'FAILED' THEN 'UNKNOWN' END, moment, moment, moment FROM new;
INSERT INTO vouchers (order_id, unit, sealed_codes, code_hash)
SELECT id, 1, 'sealed', sha256(id::text::bytea) FROM new WHERE family = 'VOUCHER' AND status = 'DELIVERED';
INSERT INTO topup_orders (order_id, variant_id, variant_name, sealed_input)
SELECT id, 1, 'Variant', 'sealed' FROM new WHERE family = 'TOPUP';
INSERT INTO esim_orders (order_id, variant_id, data_amount_gb, validity_days, iccid, iccid_hash, activation_status, follow_ended_at)
SELECT id, 1, 1, 30, 'sealed', sha256(id::text::bytea), 'EXPIRED', moment FROM new WHERE family = 'ESIM';
INSERT INTO supplier_purchases (reference, order_id, batch, first_unit, units, source_id, supplier, sku, why, state, sent_at, attempt, confirmed)
SELECT 'order-' || id || '-${NONCE}-0001', id, 1, 1, 1, 1, 'simulator', 'SKU', 'the only source', 'DELIVERED', moment, 1, true FROM new;
INSERT INTO events (client_id, order_id, type, data, created_at)
SELECT 1, id, kind, '{}', moment FROM new CROSS JOIN unnest(ARRAY['order.delivered', 'wallet.debited']) kind;
INSERT INTO webhook_deliveries (endpoint_id, event_sequence, order_id, state, attempts, next_attempt_at, first_failed_at)
SELECT 1, sequence, order_id, state, 1, CASE state WHEN 'RETRY' THEN now() END, created_at
  FROM events CROSS JOIN LATERAL (SELECT CASE sequence % 2000 WHEN 0 THEN 'RETRY' WHEN 1 THEN 'DUE' ELSE 'DELIVERED' END AS state) s;
INSERT INTO webhook_deliveries (endpoint_id, event_sequence, order_id, state, attempts, next_attempt_at, first_failed_at)
SELECT 2, sequence, order_id, 'RETRY', 1, now() + interval '1 hour', created_at FROM events WHERE sequence % 4 = 0;
INSERT INTO webhook_attempts (event_sequence, endpoint_id, attempted_at, duration_ms)
SELECT sequence, 1, created_at, 10 FROM events;
INSERT INTO attention (kind, order_id, reason, cleared_at, mirrored)
SELECT 'OUTCOME_UNKNOWN', id, 'It was', now(), true FROM new;
INSERT INTO attention (kind, order_id, reason, mirrored)
SELECT 'GOODS_APART', id, 'They came late', true FROM new WHERE id % 100 = 0;
INSERT INTO quarantined_goods (order_id, reference, position, reason, sealed)
SELECT id, 'order-' || id || '-${NONCE}-0001', 1, 'LATE', 'sealed' FROM new;
INSERT INTO api_keys (id, client_id, api_key, secret_hash, hash_key_id, scopes) VALUES (1, 1, 'busy', '', 'none', '{read}');
SELECT setval(pg_get_serial_sequence('api_keys', 'id'), 1);
INSERT INTO token_families (id, client_id, api_key_id) SELECT gen_random_uuid(), 1, 1 FROM new;
INSERT INTO refresh_tokens (id, family_id, expires_at) SELECT gen_random_uuid(), id, now() + interval '1 day' FROM token_families;
INSERT INTO api_requests (client_id, at, method, route, of_console, api_key_id, status, error_code, error_message, order_id,
                          reference_hash, key_hash, duration_ms, request_id)
SELECT 1, moment, 'POST', '/api/v1/orders', false, 1, CASE WHEN id % 100 = 0 THEN 404 ELSE 200 END,
       CASE WHEN id % 100 = 0 THEN 'NOT_FOUND' END, CASE WHEN id % 100 = 0 THEN 'Wallet not found' END, id,
       sha256(id::text::bytea), sha256(id::text::bytea), 1, 'id-' || id FROM new;
INSERT INTO order_counts (client_id, family, status, product_id, country_code, is_total, change)
SELECT client_id, family, status, CASE family WHEN 'TOPUP' THEN product_id END,
       CASE family WHEN 'TOPUP' THEN country_code END, true, count(*) FROM orders GROUP BY 1, 2, 3, 4, 5;
INSERT INTO audit_entries (at, actor_kind, client_id, operator, command, action, object, after)
SELECT moment, CASE WHEN id % 2 = 0 THEN 'CLIENT' ELSE 'OPERATOR' END, 1, 'Ann', 'orders retry', 'order.retried', 'order/' || id, '{}' FROM new;
INSERT INTO activity_counts (client_id, change, is_total) SELECT 1, count(*), true FROM audit_entries WHERE actor_kind = 'CLIENT';
INSERT INTO activity_counts (client_id, change, is_total) SELECT id + 10, 1, true FROM new;
INSERT INTO client_networks (client_id, network, first_used_at) SELECT 1, ('10.' || id / 250 || '.' || id % 250 || '.0/24')::cidr, moment FROM new;
INSERT INTO order_counts (client_id, family, status, product_id, country_code, is_total, change)
SELECT 10 + id / 100, 'TOPUP', 'DELIVERED', id % 100, 'FRA', true, 1 FROM new;
UPDATE orders_summed SET through = start_of(day_of(now()));
INSERT INTO order_sums SELECT * FROM sums_of_orders('-infinity', start_of(day_of(now())));
INSERT INTO claims (client_id, order_id, unit, kind, state, created_at, due_at, closed_at)
SELECT 1, id, 1, 'INVALID_CODE', 'REJECTED', moment, moment, moment FROM new WHERE family = 'VOUCHER';
INSERT INTO supplier_sales (sold_from, supplier, currency, cost, failovers) SELECT now() - interval '10 minutes', 'simulator', '', 0, 0;
INSERT INTO order_results (ended_from, supplier, family, product_id, failure_code, orders)
SELECT now() - interval '10 minutes', 'simulator', 'VOUCHER', 1, '', 1;
INSERT INTO order_refunds (order_id, number, reference, amount, reason_code, mail, operator, created_at)
SELECT id, 1, 'refund-' || id, 1, 'GOODWILL', false, 'Ann', moment FROM new WHERE id % 10 = 0;
INSERT INTO webhook_resends (client_id, event_sequence, requested_at) SELECT 1, id, moment FROM new;
INSERT INTO bank_files (name, account, format, imported_by) VALUES ('may.xml', 'account', 'camt053', 'Ann');
INSERT INTO bank_bookings (id, file_id, nonce, account, booked_on, direction, is_reversal, amount, currency, content_hash)
OVERRIDING SYSTEM VALUE
SELECT id, 1, 'booking-' || id, 'account', moment::date, 'CREDIT', false, 1, 'USD', sha256(id::text::bytea) FROM new;
INSERT INTO bank_entries (file_id, booking_id, nonce, account, booked_on, direction, is_reversal, amount, currency, refs, state, ended_at)
SELECT 1, id, 'entry-' || id, 'account', moment::date, 'CREDIT', false, 1, 'USD', '{}', 'IGNORED', moment FROM new;
INSERT INTO client_discounts (client_id, family, product_id, discount_percent)
SELECT 1 + id % 2, 'VOUCHER', id, 1 FROM new;
DROP TABLE new`;

let scratch: ScratchDatabase;
/** One connection, so that the statistics of its statements are flushed before `scans` reads them. */
let database: Database;
/** An event in the middle of the log. */
let eventId: string;
/** The growing tables with many rows. */
let growing: string[];
/** A separate connection with the same planner costs. What it prepares has generic plans. */
let explainer: pg.Client;
const busy: Holder = { clientId: 1, walletId: 1 };

beforeAll(async () => {
  scratch = await newDatabase();
  database = openDatabase(scratch.url, 1, { statementMs: 60_000 });
  // Autovacuum would add its blocks to those of the statement that runs at the same time.
  await rows(
    database,
    `DO $$ DECLARE name regclass; BEGIN
       FOR name IN SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
         EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = false)', name);
       END LOOP; END $$`,
  );
  await rows(database, 'SET session_replication_role = replica');
  for (const statement of fill.split(';')) await rows(database, statement);
  await rows(database, 'RESET session_replication_role');
  await rows(database, 'VACUUM ANALYZE');
  growing = (
    await rows<{ table: string }>(
      database,
      'SELECT relname AS table FROM pg_class WHERE relname = ANY ($growingTables) AND reltuples >= $many ORDER BY relname',
      { growingTables, many: ORDERS / 20 },
    )
  ).map(({ table }) => table);
  const event = { sequence: ORDERS };
  eventId = (await oneRow<{ id: string }>(database, 'SELECT id FROM events WHERE sequence = $sequence', event)).id;
  explainer = new pg.Client({
    connectionString: scratch.url,
    options: '-c random_page_cost=1.1 -c plan_cache_mode=force_generic_plan',
  });
  await explainer.connect();
});
afterAll(async () => {
  await explainer.end();
  await database.close();
  await scratch.drop();
});

/** PostgreSQL's estimated cost of planning, per table plus one (plancache.c). */
const PLANNING_COST = 2.5;

interface Node {
  'Total Cost': number;
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: Node[];
}

interface Observed {
  /** The growing tables that plans, functions or triggers scanned sequentially. */
  scanned: string[];
  /** The indexes that a statement names and its plan does not use. */
  missing: string[];
  statements: number;
  /** Those that plans, functions and triggers read or wrote, of tables and indexes. */
  blocks: number;
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** The sequential scans of each growing table since the database was created, also by functions and triggers. */
async function scans(): Promise<Map<string, number>> {
  await rows(database, 'SELECT pg_stat_force_next_flush()');
  const found = await rows<{ table: string; scans: number }>(
    database,
    `SELECT relname AS table, seq_scan AS scans FROM pg_stat_user_tables WHERE relname = ANY ($growing)`,
    { growing },
  );
  return new Map(found.map(({ table, scans: count }) => [table, count]));
}

/** The blocks that all statements have used since the database was created, functions and triggers included. `scans` flushes them. */
async function usedBlocks(): Promise<number> {
  const statement = `
    SELECT sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read + idx_blks_hit, 0))::float8 AS blocks FROM pg_statio_user_tables`;
  return (await oneRow<{ blocks: number }>(database, statement)).blocks;
}

interface Statement {
  text: string;
  values: unknown[];
}

/** Runs the work, then explains each of its statements with its values and, where it may apply, as a generic plan. */
async function observe(work: (database: Database) => Promise<unknown>): Promise<Observed> {
  const before = await scans();
  const blocksBefore = await usedBlocks();
  const statements = await recorded(() => work(database));
  const after = await scans();
  const blocks = (await usedBlocks()) - blocksBefore;
  const plans: Node[] = [];
  const missing: string[] = [];
  for (const statement of statements) {
    for (const plan of await plansOf(statement)) {
      const used = new Set(plan.map((node) => node['Index Name']));
      const annotation = /^-- plan: (.*)$/m.exec(statement.text)?.[1] ?? '';
      missing.push(...annotation.split(', ').filter((index) => index !== '' && !used.has(index)));
      plans.push(...plan);
    }
  }
  const inPlans = plans
    .filter((node) => node['Node Type'] === 'Seq Scan' && growing.includes(node['Relation Name'] ?? ''))
    .map((node) => node['Relation Name'] as string);
  const inAll = [...after].filter(([table, count]) => count !== before.get(table)).map(([table]) => table);
  return {
    scanned: [...new Set([...inPlans, ...inAll])],
    missing: [...new Set(missing)],
    statements: statements.length,
    blocks,
  };
}

/** The statements that the work sends to PostgreSQL, without those that begin and end transactions. */
async function recorded(work: () => Promise<unknown>): Promise<Statement[]> {
  const spy = jest.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    // Without values, Sequelize passes its callback in their place.
    return (spy.mock.calls as unknown as [string | Statement, unknown][])
      .map(([said, values]) =>
        typeof said === 'string' ? { text: said, values: Array.isArray(values) ? values : [] } : said,
      )
      .filter(({ text }) => /^(\s|--.*\n)*(SELECT|WITH|INSERT|UPDATE|DELETE)\b/i.test(text));
  } finally {
    spy.mockRestore();
  }
}

/** The custom plan, and the generic plan if PostgreSQL would prefer it. */
async function plansOf({ text, values }: Statement): Promise<Node[][]> {
  const custom = await planOf({ text: `EXPLAIN (FORMAT JSON) ${text}`, values });
  const generic = await genericPlanOf({ text, values });
  const planning = PLANNING_COST * (nodesOf(custom).filter((node) => node['Relation Name']).length + 1);
  const isPreferred = generic['Total Cost'] < custom['Total Cost'] + planning;
  return [custom, ...(isPreferred ? [generic] : [])].map(nodesOf);
}

/** Prepares the statement, because EXPLAIN has GENERIC_PLAN only from PostgreSQL 16 on. */
async function genericPlanOf({ text, values }: Statement): Promise<Node> {
  await explainer.query(`PREPARE observed AS ${text}`);
  const nulls = values.length === 0 ? '' : `(${values.map(() => 'NULL').join(', ')})`;
  const plan = await planOf({ text: `EXPLAIN (FORMAT JSON) EXECUTE observed ${nulls}`, values: [] });
  await explainer.query('DEALLOCATE observed');
  return plan;
}

async function planOf(explain: Statement): Promise<Node> {
  const { rows: found } = await explainer.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(explain);
  return (found[0] as (typeof found)[number])['QUERY PLAN'][0].Plan;
}

/** Blocks of one statement, unless the test names another number: those of a page of 50 rows, with what belongs to each. */
const MOST_BLOCKS = 600;
/** Blocks of a statement that reads the 1,440 orders of a day. */
const OF_A_DAY = 10_000;

/** Expects plans without sequential scans, and on average at most these blocks of each statement. */
function expectSound({ blocks, statements, ...plans }: Observed, most = MOST_BLOCKS): void {
  expect(plans).toEqual({ scanned: [], missing: [] });
  expect(blocks / statements).toBeLessThanOrEqual(most);
}

const page = { offset: 0, limit: 50 };
const lastDay = { from: new Date(Date.now() - 86_400_000), to: new Date() };
const looking = { clientId: 1, sessionIds: [randomUUID()] };
const hash = Buffer.alloc(32, 1);
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
const newest = { VOUCHER: ORDERS - 2, TOPUP: ORDERS - 1, ESIM: ORDERS };
/** Orders in the middle of the lists, which are also entries of the ledger. */
const middle = { VOUCHER: ORDERS / 2 - 1, TOPUP: ORDERS / 2, ESIM: ORDERS / 2 + 1 };
const directions = ['older', 'newer'] as const;

/** A newly placed order of one voucher. */
async function placed() {
  const order = await reserve(database, busy, 1);
  await placeOrder(database, order);
  return order;
}

test.each<[string, (database: Database) => Promise<unknown>, most?: number]>([
  ['an order is placed', async (db) => placeOrder(db, await reserve(db, busy, 3))],
  ['order requests are polled', (db) => requestProgress(db, [{ orderId: ORDERS, nonce: NONCE }])],
  ['a reference is looked up', (db) => findByReference(db, 1, 'reference-77')],
  ['a purchase is claimed', async (db) => claimNextPurchase(db, await placed())],
  ['a purchase is looked up', (db) => findPurchase(db, `order-5-${NONCE}-0001`)],
  ['the units of an order are counted', (db) => purchaseProgress(db, { orderId: 5, nonce: NONCE })],
  ['an order fails', async (db) => settleOrder(db, (await placed()).orderId, { failureCode: 'UNKNOWN' })],
  ['a partial delivery is marked', async (db) => markPartiallyDelivered(db, (await placed()).orderId)],
  ['a voucher order is read', (db) => findOrder(db, 'VOUCHER', 1, newest.VOUCHER)],
  ['vouchers are read for a mail', (db) => listDeliveredVouchers(db, newest.VOUCHER)],
  ['a top-up order is read', (db) => findOrder(db, 'TOPUP', 1, newest.TOPUP)],
  ['an eSIM order is read', (db) => findOrder(db, 'ESIM', 1, newest.ESIM)],
  ['vouchers are listed', (db) => listOrders(db, 'VOUCHER', 1, {}, page)],
  ['top-ups are listed', (db) => listOrders(db, 'TOPUP', 1, {}, page)],
  ['eSIMs are listed', (db) => listOrders(db, 'ESIM', 1, {}, page)],
  ['top-ups of a status are listed', (db) => listOrders(db, 'TOPUP', 1, { status: 'FAILED' }, page)],
  ['top-ups of a product are listed', (db) => listOrders(db, 'TOPUP', 1, { productId: 5 }, page)],
  ['top-ups of a country are listed', (db) => listOrders(db, 'TOPUP', 1, { countryCode: 'FRA' }, page)],
  ...familyIds.map((family): [string, (database: Database) => Promise<unknown>] => [
    `orders of ${family} of a period are listed`,
    (db) => listOrders(db, family, 1, { placedAfter: daysAgo(9), placedBefore: daysAgo(8) }, page),
  ]),
  ['orders since a time are listed', (db) => listOrders(db, 'VOUCHER', 1, { placedAfter: daysAgo(90) }, page)],
  [
    'top-ups of a product and a period are listed',
    (db) => listOrders(db, 'TOPUP', 1, { productId: 5, placedAfter: daysAgo(9) }, page),
  ],
  ['the order of a reference is listed', (db) => listOrders(db, 'TOPUP', 1, { clientReference: 'reference-4' }, page)],
  ...directions.flatMap((direction) => [
    ...familyIds.map((family): [string, (database: Database) => Promise<unknown>] => [
      `${direction} orders of ${family} are listed`,
      (db) => listOrdersBeyond(db, family, 1, {}, { id: middle[family], direction }, 50),
    ]),
    ...[{ status: 'FAILED' as const }, { productId: 5 }, { countryCode: 'FRA' }].map(
      (filter): [string, (database: Database) => Promise<unknown>] => [
        `${direction} top-ups are listed by ${Object.keys(filter)[0]}`,
        (db) => listOrdersBeyond(db, 'TOPUP', 1, filter, { id: middle.TOPUP, direction }, 50),
      ],
    ),
    [
      `${direction} entries of a client are listed`,
      (db) => listClientEntriesBeyond(db, 1, { id: middle.ESIM, direction }, 50),
    ] as [string, (database: Database) => Promise<unknown>],
    [
      `${direction} entries of a wallet are listed`,
      (db) => listWalletEntriesBeyond(db, 1, 1, { id: middle.ESIM, direction }, 50),
    ] as [string, (database: Database) => Promise<unknown>],
  ]),
  ['the ledger of a client is listed', (db) => listClientEntries(db, 1, 0, 50)],
  ['the ledger of a wallet is listed', (db) => listWalletEntries(db, 1, 1, 0, 50)],
  [
    'a statement of orders is started',
    (db) => statedOrders(db, 1, { from: daysAgo(12), to: daysAgo(0) }).next(),
    2_000,
  ],
  ['orders are found without a condition', (db) => findOrders(db, {}, 50)],
  ['the order of a reference of any client is found', (db) => findOrders(db, { clientReference: 'reference-9' }, 50)],
  [
    'the orders of a common beginning of references are found',
    (db) => ordersOfReference(db, { text: 'REFERENCE-', limit: 5 }),
  ],
  ['the orders of a beginning of ids are found', (db) => ordersOfNumber(db, { number: 1, limit: 5 })],
  ['the card of a code is found', (db) => findCardsOfCode(db, [hash], 50)],
  ['an order request is found', (db) => findRequests(db, { requestId: 'request-9', limit: 50 })],
  ['received money is found', (db) => findTransactions(db, { id: 9, reference: 'transfer-9', limit: 50 })],
  ['open orders are found', (db) => findOrders(db, { statuses: ['PENDING'] }, 50)],
  ['cancelled orders are found', (db) => findOrders(db, { statuses: ['CANCELLED'] }, 50)],
  ['orders with a failure code are found', (db) => findOrders(db, { failureCode: 'RECIPIENT_BARRED' }, 50)],
  ['orders of a product are found', (db) => findOrders(db, { family: 'ESIM', productId: 999 }, 50)],
  ['orders of a supplier are found', (db) => findOrders(db, { supplier: 'none' }, 50)],
  ['orders of a period are found', (db) => findOrders(db, { since: daysAgo(9), until: daysAgo(8) }, 50)],
  ['orders of a client and a status are found', (db) => findOrders(db, { clientId: 1, statuses: ['FAILED'] }, 50)],
  ['orders of a client are found', (db) => findOrders(db, { clientId: 1 }, 50)],
  ['orders of a client without any are found', (db) => findOrders(db, { clientId: 2, statuses: ['DELIVERED'] }, 50)],
  ['entries of a command are listed', (db) => listAudit(db, { command: 'wallets fund', limit: 50 })],
  ['entries about a kind of object are listed', (db) => listAudit(db, { object: 'wallet', limit: 50 })],
  ['the activity of a client is listed', (db) => listActivity(db, 1, { offset: 0, limit: 50 })],
  ['the counts of activity are rolled up', (db) => rollUpActivityCounts(db)],
  ['the end of a client is previewed', (db) => readClosing(db, 2)],
  ['what a client has is read', (db) => readRemains(db, 1)],
  ['orders in progress are summed', (db) => readInProgress(db, startOfMonth(monthOf(new Date())))],
  ['the results of a day are read', (db) => readResults(db, lastDay), OF_A_DAY],
  ['the margins of a day are read by supplier', (db) => marginsBetween(db, lastDay, 'supplier'), OF_A_DAY],
  ['the margins of a day are read by client', (db) => marginsBetween(db, lastDay, 'client'), OF_A_DAY],
  ...(['email', 'phone', 'iccid'] as const).map((kind): [string, (database: Database) => Promise<unknown>] => [
    `orders are found by ${kind}`,
    (db) => findOrders(db, { recipient: { kind, hashes: [Buffer.from(kind), Buffer.from('before')] } }, 50),
  ]),
  ['open orders of a supplier are read', (db) => listOpenOrdersOf(db, { supplier: 'none', since: undefined }, 0, 50)],
  ['the results of orders are counted', (db) => countOrderResults(db)],
  ['unusual failures are searched', (db) => listUnusualFailures(db)],
  ['unsent purchases are searched', (db) => reviewUnsentPurchases(db)],
  ['suppliers are reviewed', (db) => reviewSupplierHealth(db)],
  ['an attention entry is cleared', (db) => clearAttention(db, { orderId: 5 }, ['GOODS_APART'])],
  ['due deliveries are read', (db) => dueDeliveries(db, 1, new Date(Date.now() + 60_000), 50)],
  ['due deliveries are read behind ten thousand retries', (db) => dueDeliveries(db, 2, new Date(), 50)],
  ['endpoints are woken', (db) => claimIdleEndpoints(db)],
  ['the claims of a client are listed', (db) => listClaims(db, 1, {}, page)],
  ['waiting claims are listed', (db) => listWaitingClaims(db)],
  ['events that were sent again are listed', (db) => listResends(db, 1, lastDay.from, page)],
  ['entries of a bank are listed', (db) => listBankEntries(db, { limit: 50 })],
  ['waiting entries of a bank are reviewed', (db) => reviewBankEntries(db)],
  ['refunds of a month are summed', (db) => readRefundedAmounts(db, { start: daysAgo(1), end: daysAgo(0) })],
  ['the waiting events of a client are counted', (db) => countWaitingEvents(db, 1)],
  ['the counts of orders are rolled up', (db) => rollUpOrderCounts(db)],
  ['the counts of events are rolled up', (db) => rollUpEventCounts(db, 60_000), 1_000],
  ['the sales of suppliers are counted', (db) => countSupplierSales(db)],
  ['metrics are read', (db) => readStoredMetrics(db)],
  ['an event is read', (db) => deliveryHistory(db, 1, 5)],
  ['the timeline of an order is read', (db) => readTimeline(db, 1, 5)],
  ['old events are deleted', (db) => deleteOldEvents(db, 90, 500)],
  ['deleted endpoints are deleted', (db) => deleteOldEndpoints(db, 10)],
  ['events are listed', (db) => listEvents(db, 1, undefined, page)],
  ['older events are listed', (db) => listOlderEvents(db, 1, undefined, eventId, 50)],
  ['older events of a type are listed', (db) => listOlderEvents(db, 1, 'order.delivered', eventId, 50)],
  ['requests are listed', (db) => listApiRequests(db, 1, {}, { limit: 26 })],
  ['failed requests are listed', (db) => listApiRequests(db, 1, { statusClass: 5 }, { limit: 26 })],
  ['a request is found by its id', (db) => listApiRequests(db, 1, { requestId: 'id-7' }, { limit: 26 })],
  ['the requests of an order are listed', (db) => listApiRequests(db, 1, { orderId: 7 }, { limit: 26 })],
  [
    'the requests with a reference are listed',
    (db) => listApiRequests(db, 1, { referenceHashes: [hash, hash] }, { limit: 26 }),
  ],
  ['the requests with a key are listed', (db) => listApiRequests(db, 1, { keyHashes: [hash] }, { limit: 26 })],
  ['errors are grouped', (db) => groupErrors(db, 1)],
  ['a day is counted by hour', (db) => countByHourAndClient(db, lastDay), OF_A_DAY],
  ['the deliveries of a day are timed', (db) => timeDeliveries(db, lastDay, { step: 'hour' }), OF_A_DAY],
  ['all orders are listed', (db) => listClientOrders(db, 1, { families: familyIds }, { limit: 26 })],
  [
    'all orders are searched for a common reference',
    (db) => listClientOrders(db, 1, { families: familyIds, search: 'reference-' }, { limit: 26 }),
  ],
  ['a live account is read', (db) => readLiveAccount(db, { ...looking, eventsAfter: 0, attemptsAfter: 0 }), 1_500],
  [
    'a live account is read again',
    (db) => readLiveAccount(db, { ...looking, eventsAfter: ORDERS, attemptsAfter: ORDERS }),
    1_500,
  ],
])(
  'When %s, then no growing table is scanned sequentially, and few blocks are read',
  async (_what, work, most = MOST_BLOCKS) => {
    expectSound(await observe(work), most);
  },
);

test('When a table grows, then these statements meet many of its rows', () => {
  expect(growingTables.filter((table) => !growing.includes(table)).toSorted()).toEqual(unfilled.toSorted());
});

const sealer = new Sealer(newKeyRing());
const voucher = { kind: 'voucher', cardNumber: 'card' } as const;
const topup = { kind: 'topup' } as const;
const profile = { kind: 'esim', activationCode: 'LPA:1$smdp.example$X', iccid: '8910390000000000017' } as const;

const delivered = { state: 'DELIVERED', supplierOrderId: null, cost: null, failureCode: null, detail: null } as const;

test.each(
  (
    [
      ['VOUCHER', voucher],
      ['TOPUP', topup],
      ['ESIM', profile],
    ] as const
  ).flatMap(([family, goods]) => [
    [family, 'alone', goods, false] as const,
    [family, 'with the end of the order', goods, true] as const,
  ]),
)(
  'When goods of the family %s are stored %s, then no growing table is scanned sequentially',
  async (family, _with, goods, mayEnd) => {
    const purchase = {
      orderId: newest[family],
      reference: `order-${newest[family]}-${NONCE}-0001`,
      firstUnit: 1,
      attempt: 1,
      rechargesOrderId: null,
    };
    const storage = familyStorage[family];
    expectSound(
      await observe((db) =>
        storage.storeUnits({ database: db, sealer }, purchase, delivered, [{ position: 1, goods }], mayEnd),
      ),
    );
  },
);

test("When a supplier's sales of a day are compared with its purchases, then no growing table is scanned sequentially", async () => {
  const before = await scans();
  const sales = { supplier: 'simulator', pages: [], begins: lastDay.from };
  const calls = { progress: () => undefined, found: () => Promise.resolve() };
  await database.transaction((transaction) => compareSales(database, sales, calls, transaction));
  expect(await scans()).toEqual(before);
});

test('When delivery attempts are recorded, then no growing table is scanned sequentially', async () => {
  const attempt = {
    sequence: 1,
    generation: 0,
    attemptedAt: new Date(),
    state: 'DELIVERED',
    nextAttemptAt: null,
  } as const;
  const result = { status: 200, error: null, durationMs: 5, unrenderable: false };
  expectSound(await observe((db) => recordAttempts(db, 1, new Date(), [{ ...attempt, ...result } as never])));
});

test('When a session is started, read and renewed, then no growing table is scanned sequentially', async () => {
  const expiresAt = new Date(Date.now() + 60_000);
  const token = () => ({ id: randomUUID(), expiresAt, accessExpiresAt: expiresAt });
  const first = token();
  const from = { address: '127.0.0.1', requestId: 'test' };
  expectSound(await observe((db) => startSession(db, 1, first, from)));
  expectSound(await observe((db) => findSession(db, first.id)));
  expectSound(await observe((db) => rotateSession(db, first.id, token())));
  const owner = { clientId: 1, apiKeyId: 1, memberId: null, sessionId: randomUUID() };
  expectSound(await observe((db) => findSessionClient(db, owner)));
});

const nobodys = { orderId: 2_000_000_000, nonce: 'nobodys' };
const bought = { ...nobodys, reference: 'order-nobodys', firstUnit: 1, attempt: 1, rechargesOrderId: null };
const stored =
  (family: Family, goods: Goods, mayEnd = false) =>
  (db: Database) =>
    familyStorage[family].storeUnits({ database: db, sealer }, bought, delivered, [{ position: 1, goods }], mayEnd);

test.each<[string, (database: Database) => Promise<unknown>]>([
  ['placed', (db) => placeOrder(db, nobodys)],
  ['placed and its purchase is claimed', (db) => placeAndClaim(db, nobodys)],
  ['bought, a voucher', stored('VOUCHER', voucher)],
  ['bought, a top-up', stored('TOPUP', topup)],
  ['bought, an eSIM', stored('ESIM', profile)],
  ['bought and settled, a voucher', stored('VOUCHER', voucher, true)],
  ['bought and settled, a top-up', stored('TOPUP', topup, true)],
  ['bought and settled, an eSIM', stored('ESIM', profile, true)],
  ['settled', (db) => settleDelivered(db, { ...nobodys, family: 'VOUCHER' }, 1)],
  ['read, a voucher', (db) => findOrder(db, 'VOUCHER', 1, nobodys.orderId)],
  ['read, a top-up', (db) => findOrder(db, 'TOPUP', 1, nobodys.orderId)],
  ['read, an eSIM', (db) => findOrder(db, 'ESIM', 1, nobodys.orderId)],
  ...familyIds.flatMap((family) =>
    [10, 50, 250].map((limit): [string, (database: Database) => Promise<unknown>] => [
      `listed, ${limit} of ${family}`,
      (db) => listOrders(db, family, 1, {}, { offset: 0, limit }),
    ]),
  ),
])('When one order after another is %s, then PostgreSQL soon uses a generic plan', async (_, work) => {
  const own = openDatabase(scratch.url, 1);
  for (let time = 0; time < 8; time++) await work(own);
  const plans = await rows<{ generic: number; custom: number }>(
    own,
    `SELECT generic_plans::integer AS generic, custom_plans::integer AS custom FROM pg_prepared_statements
      WHERE statement !~ 'pg_prepared_statements'`,
  );
  await own.close();
  // PostgreSQL uses five custom plans before it compares their cost with that of a generic plan.
  expect(plans.length).toBeGreaterThan(0);
  expect(plans).toEqual(plans.map(() => ({ generic: 3, custom: 5 })));
});

test('When a statement or a function scans a growing table sequentially, then these tests detect it', async () => {
  const scan = await observe((db) => rows(db, '-- plan: orders_pkey\nSELECT FROM orders WHERE quantity = 7'));
  expect(scan).toMatchObject({ scanned: ['orders'], missing: ['orders_pkey'] });
  await rows(
    database,
    `CREATE FUNCTION reads_all() RETURNS bigint LANGUAGE plpgsql AS 'BEGIN RETURN (SELECT count(*) FROM events WHERE data = ''[]''); END'`,
  );
  expect(await observe((db) => rows(db, 'SELECT reads_all()'))).toMatchObject({ scanned: ['events'] });
});
