/**
 * Fills a stack with many of something: first a few by the service itself, then copies of their rows. Each fill keeps what orders
 * depend on: the numbers of a wallet's entries, the counters, and the sequences.
 */
import { copyRows } from './copies';
import type { Side } from './side';

/** Clients that send requests concurrently. */
const SENDERS = 16;

/** SQL for the moment of copy `n` of this many, evenly in the last days. */
const spread = (count: number, days: number) => `now() - (${count} - n) * interval '${days} days' / ${count}`;

/** Orders of the measured client in 90 days, half of them vouchers, the others top-ups of 100 products in three countries. */
export async function addOrders(side: Side, count: number): Promise<void> {
  await addCopies(side, 'voucher_instant', Math.floor(count / 2));
  await addCopies(side, 'topup_instant', Math.ceil(count / 2));
  await countOrders(side);
}

async function addCopies(side: Side, scenario: string, count: number): Promise<void> {
  const { id: original } = await side.client.order(scenario);
  const order = await side.number('SELECT max(order_id) FROM order_intakes');
  const entry = await side.number('SELECT max(id) FROM transactions');
  const sequence = await side.number(`SELECT entry_count FROM wallets WHERE id = ${side.walletId}`);
  const id = `${order} + n`;
  const moment = spread(count, 90);
  const ofOrder = { where: `order_id = ${original}` };
  await copyRows(
    side,
    [
      {
        table: 'transactions',
        where: `order_id = ${original} AND kind = 'ORDER'`,
        values: {
          ...{ id: `${entry} + n`, sequence: `${sequence} + n`, order_id: id },
          ...{ reference_number: `'${scenario}-' || n`, created_at: moment },
        },
      },
      { table: 'orders', where: `id = ${original}`, values: orderValues({ id, entry, scenario, moment }) },
      {
        table: 'supplier_purchases',
        ...ofOrder,
        values: { reference: `'${scenario}-' || n`, order_id: id, sent_at: moment, updated_at: moment },
      },
      {
        table: 'vouchers',
        ...ofOrder,
        values: { order_id: id, code_hash: `sha256(('${scenario}' || n)::bytea)`, claim_hash: 'NULL' },
      },
      {
        table: 'topup_orders',
        ...ofOrder,
        values: { order_id: id, phone_hash: `sha256(('${scenario}' || n)::bytea)` },
      },
    ],
    count,
  );
  await side.number(`SELECT setval(pg_get_serial_sequence('order_intakes', 'order_id'), ${order + count})`);
  await side.database.query(
    `UPDATE wallets SET entry_count = (SELECT max(sequence) FROM transactions WHERE wallet_id = ${side.walletId})
      WHERE id = ${side.walletId}`,
  );
}

/** One of a thousand has failed. */
function orderValues({
  id,
  entry,
  scenario,
  moment,
}: Record<'id' | 'scenario' | 'moment', string> & { entry: number }) {
  const hasFailed = 'n % 1000 = 7';
  return {
    ...{ id, transaction_id: `${entry} + n`, client_reference: `'${scenario}-' || n` },
    ...{ product_id: '1 + n % 100', country_code: `(ARRAY['USA', 'IND', 'FRA'])[1 + n % 3]` },
    status: `CASE WHEN ${hasFailed} THEN 'FAILED' ELSE 'DELIVERED' END`,
    delivered_quantity: `CASE WHEN ${hasFailed} THEN 0 ELSE 1 END`,
    failure_code: `CASE WHEN ${hasFailed} THEN 'UNKNOWN' END`,
    ...{ placed_at: moment, completed_at: moment },
  };
}

/** The counters that the triggers and the maintenance would have written. */
async function countOrders(side: Side): Promise<void> {
  const statements = [
    'TRUNCATE order_counts, daily_orders',
    `INSERT INTO order_counts (client_id, family, status, product_id, country_code, change)
     SELECT client_id, family, status, CASE family WHEN 'TOPUP' THEN product_id END,
            CASE family WHEN 'TOPUP' THEN country_code END, count(*) FROM orders GROUP BY 1, 2, 3, 4, 5`,
    `INSERT INTO daily_orders SELECT client_id, family, day_of(placed_at), deduction_currency, count(*), sum(total_payable)
       FROM orders WHERE status <> 'FAILED' GROUP BY 1, 2, 3, 4`,
    ...countedEntries,
  ];
  for (const statement of statements) await side.database.query(statement);
}

const countedEntries = [
  'TRUNCATE ledger_counted, ledger_totals',
  'INSERT INTO ledger_counted SELECT id, entry_count FROM wallets',
  `INSERT INTO ledger_totals SELECT wallet_id, kind, transaction_type, count(*), sum(amount)
     FROM transactions GROUP BY 1, 2, 3`,
];

/** Entries of the measured client's wallet in 90 days. */
export async function addEntries(side: Side, count: number): Promise<void> {
  const { walletId } = side;
  const sequence = await side.number(`SELECT entry_count FROM wallets WHERE id = ${walletId}`);
  const entry = await side.number('SELECT max(id) FROM transactions');
  const values = {
    ...{ id: `${entry} + n`, sequence: `${sequence} + n`, reference_number: `'growth-' || n` },
    created_at: spread(count, 90),
  };
  const where = `wallet_id = ${walletId} AND kind = 'FUNDING'`;
  await copyRows(side, [{ table: 'transactions', where, values }], count);
  await side.database.query(`UPDATE wallets SET entry_count = entry_count + ${count} WHERE id = ${walletId}`);
  for (const statement of countedEntries) await side.database.query(statement);
}

/** Clients with a wallet, a key, and a session each. Returns the id before the first. */
export async function addClients(side: Side, count: number): Promise<number> {
  const last = await side.number('SELECT max(id) FROM clients');
  const key = await side.number('SELECT max(id) FROM api_keys');
  const ofClient = { where: `client_id = ${side.clientId}` };
  const client_id = `${last} + n`;
  const session = `md5('growth ' || (${client_id}))::uuid`;
  const oneSession = `(SELECT min(id::text)::uuid FROM token_families WHERE client_id = ${side.clientId})`;
  await copyRows(
    side,
    [
      {
        table: 'clients',
        where: `id = ${side.clientId}`,
        values: { id: client_id, name: `'growth ' || (${client_id})` },
      },
      { table: 'wallets', ...ofClient, values: { client_id, id: await nextId(side, 'wallets') } },
      { table: 'client_clocks', ...ofClient, values: { client_id } },
      {
        table: 'api_keys',
        ...ofClient,
        values: { client_id, id: `${key} + n`, api_key: `'growth-' || (${client_id})` },
      },
      {
        table: 'token_families',
        where: `id = ${oneSession}`,
        values: { id: session, client_id, api_key_id: `${key} + n` },
      },
      {
        table: 'refresh_tokens',
        where: `family_id = ${oneSession} AND rotated_at IS NULL`,
        values: { id: session, family_id: session },
      },
    ],
    count,
  );
  for (const statement of countedEntries) await side.database.query(statement);
  return last;
}

const nextId = async (side: Side, table: string) =>
  `${await side.number(`SELECT coalesce(max(id), 0) FROM ${table}`)} + n`;

/** Products, a third of each family, with the variants and denominations of the copied one, a source for each item, and a price of the measured client. */
export async function addProducts(side: Side, count: number): Promise<void> {
  const each = Math.ceil(count / 3);
  const from = "supplier_sku = 'SIM-GC-COFFEE-US'";
  await addProductsOf(
    side,
    { family: 'VOUCHER', products: 'voucher_products', items: 'voucher_denominations', from },
    each,
  );
  const topup = "name = (SELECT product_name FROM orders WHERE family = 'TOPUP' ORDER BY id LIMIT 1)";
  await side.client.order('topup_instant');
  await addProductsOf(
    side,
    { family: 'TOPUP', products: 'topup_products', items: 'topup_variants', from: topup },
    each,
  );
  const esim = "supplier_sku = 'SIM-ESIM-SANDBOX'";
  await addProductsOf(
    side,
    { family: 'ESIM', products: 'esim_products', items: 'esim_variants', from: esim },
    each,
  );
  for (const statement of missingSources) await side.database.query(statement);
}

interface ProductTables {
  family: string;
  products: string;
  /** The table of variants or denominations. */
  items: string;
  /** SQL: selects the product to copy. */
  from: string;
}

async function addProductsOf(
  side: Side,
  { family, products, items, from }: ProductTables,
  count: number,
): Promise<void> {
  const original = await side.number(`SELECT id FROM ${products} WHERE ${from}`);
  const id = await nextId(side, products);
  const name = `'Growth ' || n`;
  const sku = family === 'TOPUP' ? {} : { supplier_sku: name };
  await copyRows(side, [{ table: products, where: `id = ${original}`, values: { id, name, ...sku } }], count);
  await copyRows(
    side,
    [{ table: items, where: `product_id = ${original}`, values: { product_id: id } }],
    count,
  );
  await side.database.query(
    `INSERT INTO client_discounts SELECT ${side.clientId}, '${family}', ${id}, 1 FROM generate_series(1, ${count}) n`,
  );
}

const missingSources = [
  `INSERT INTO product_sources (family, item_id, supplier, sku, cost_percent)
   SELECT 'VOUCHER', id, supplier, supplier_sku, 90 FROM voucher_products ON CONFLICT DO NOTHING`,
  `INSERT INTO product_sources (family, item_id, supplier, sku, cost_percent)
   SELECT 'TOPUP', id, supplier, supplier_sku, 90 FROM topup_variants ON CONFLICT DO NOTHING`,
  `INSERT INTO product_sources (family, item_id, supplier, sku, cost_percent)
   SELECT 'ESIM', item.id, supplier, item.supplier_sku, 90
     FROM esim_variants item JOIN esim_products product ON product.id = item.product_id ON CONFLICT DO NOTHING`,
  'VACUUM ANALYZE product_sources, client_discounts',
];

/** Endpoints of other clients, ten of each client. One of a hundred is dead: its URL refuses connections, and 50 events wait for it. */
export async function addEndpoints(side: Side, count: number): Promise<void> {
  const client = await addClients(side, Math.ceil(count / 10));
  const original = await side.client.register('http://127.0.0.1:9/');
  await side.client.unregister(original);
  const id = await nextId(side, 'webhook_endpoints');
  const values = {
    ...{ id, client_id: `${client} + (n + 9) / 10`, enabled: 'true', deleted_at: 'NULL' },
    ...{ verified_at: 'now()', is_test_written: 'true' },
  };
  await copyRows(side, [{ table: 'webhook_endpoints', where: `id = ${original}`, values }], count);
  await side.database.query(
    `WITH written AS (
       INSERT INTO events (client_id, type, data)
       SELECT client_id, 'webhook.test', '{}' FROM webhook_endpoints, generate_series(1, 50)
        WHERE id > ${original} AND id % 100 = 0 RETURNING sequence, client_id)
     INSERT INTO webhook_deliveries (endpoint_id, event_sequence)
     SELECT endpoint.id, sequence FROM written JOIN webhook_endpoints endpoint USING (client_id) WHERE endpoint.id % 100 = 0`,
  );
}

/** Delivered events of one endpoint of the measured client, each with its attempt. The endpoint calls this URL. */
export async function addEvents(side: Side, count: number, url: string): Promise<void> {
  const endpoint = await side.client.register(url);
  await side.client.orderOne();
  const delivered = `endpoint_id = ${endpoint} AND state = 'DELIVERED'`;
  await side.until(`SELECT count(*) FROM webhook_deliveries WHERE ${delivered}`);
  const original = await side.number(`SELECT max(event_sequence) FROM webhook_deliveries WHERE ${delivered}`);
  const last = await side.number('SELECT max(sequence) FROM events');
  const event_sequence = `${last} + n`;
  const ofEvent = { where: `event_sequence = ${original}` };
  const order_id = '1e9::bigint + n';
  const moment = spread(count, 29);
  await copyRows(
    side,
    [
      {
        table: 'events',
        where: `sequence = ${original}`,
        values: { id: `'evt_growth' || n`, sequence: event_sequence, order_id, created_at: moment },
      },
      { table: 'webhook_deliveries', ...ofEvent, values: { event_sequence, order_id } },
      { table: 'webhook_attempts', ...ofEvent, values: { event_sequence, attempted_at: moment } },
    ],
    count,
  );
  await side.database.query(
    `WITH counted AS (UPDATE events_counted SET through = (SELECT max(sequence) FROM events))
     INSERT INTO event_counts SELECT client_id, type, count(*) FROM events GROUP BY 1, 2
     ON CONFLICT (client_id, type) DO UPDATE SET count = excluded.count`,
  );
}

/** Delivered eSIMs, each monitored by its workflow. They are real orders, because the supplier must know them. */
export function addEsims(side: Side, count: number): Promise<void> {
  return orderMany(side, 'esim_instant', count);
}

/** Orders that their supplier has accepted and not delivered. */
export function addOpenOrders(side: Side, count: number): Promise<void> {
  return orderMany(side, 'voucher_delayed', count);
}

/** Orders until this many are placed. A request that an overloaded machine rejects is repeated. */
async function orderMany(side: Side, scenario: string, count: number): Promise<void> {
  let begun = 0;
  let placed = 0;
  const send = async (): Promise<void> => {
    while (begun < count) {
      begun += 1;
      const { status } = await side.client.tryScenario(scenario);
      if (status === 200) placed += 1;
      else begun -= 1;
      if (status === 200 && placed % 2_000 === 0) console.error(`    ${placed} orders`);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, send));
}
