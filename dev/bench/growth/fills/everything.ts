/**
 * Fills a stack with a past: months of orders of all families, each month by other clients and of other products, a third of all by the
 * measured client. One order of each kind is real. The others are copies of all that the service wrote for it, with entries of the ledger
 * that follow one another, so that `ledger verify` finds nothing. The newest month is the same after one month and after a hundred.
 */
import { DatabaseError } from 'pg';
import { copyRows, type Original } from '../copies';
import type { Side } from '../side';
import { until } from '../../../testbed/waiting';
import { addClients, countedEvents } from './clients';
import { countOrders } from './orders';
import { addProducts } from './products';
import { sealGoods } from './sealed-goods';

/** PostgreSQL's code. */
const DEADLOCK = '40P01';
const ORDERS_A_DAY = 1_000;
const ORDERS_A_MONTH = 30 * ORDERS_A_DAY;
/** Besides the measured client. */
const CLIENTS_A_MONTH = 20;
/** Each client orders one after the other: ten products for this many orders, then ten others. */
const ORDERS_OF_TEN_PRODUCTS = 3_000;

/** SQL: the kind of order `n`. */
const kindOf = `CASE WHEN n % 1000 = 7 THEN 'topup_reject_recipient_barred' WHEN n % 4 < 2 THEN 'voucher_instant'
                     WHEN n % 4 = 2 THEN 'topup_instant' ELSE 'esim_instant' END`;
const scenarios = ['voucher_instant', 'topup_instant', 'esim_instant', 'topup_reject_recipient_barred'];

/** Orders, with their clients and products. `url`: of the measured client's endpoint, which has received the events of all its orders. */
export async function addEverything(side: Side, count: number, url: string): Promise<void> {
  const days = count / ORDERS_A_DAY;
  await placeOriginals(side, url);
  for (const statement of agedBy(days + 1)) await side.database.query(statement);
  const products = await firstProducts(side);
  await addProducts(side, (3 * 10 * count) / ORDERS_OF_TEN_PRODUCTS);
  const client = await addClients(side, CLIENTS_A_MONTH * Math.ceil(count / ORDERS_A_MONTH));
  await fundClients(side, client);
  await side.database.query(pastOf(side, { count, days, client, products }));
  await copyRows(side, await originalsOf(side), count);
  await sealGoods(side);
  for (const statement of [...finished, ...rulesOf(side), countedEvents])
    await undisturbed(() => side.database.query(statement));
  await undisturbed(() => countOrders(side));
  await side.database.query('VACUUM ANALYZE');
}

/** Repeats the work while PostgreSQL ends it for a deadlock with a task of the stack. */
async function undisturbed(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!(error instanceof DatabaseError && error.code === DEADLOCK)) throw error;
    }
  }
}

/** Places the orders that are copied, and waits until the endpoint has received their events. */
async function placeOriginals(side: Side, url: string): Promise<void> {
  await side.client.register(url, ['order.delivered', 'topup.delivered', 'topup.failed', 'esim.delivered']);
  await side.database.query('CREATE TEMPORARY TABLE placed (kind text, id bigint)');
  for (const scenario of scenarios) {
    const { id } = await side.client.order(scenario);
    await side.database.query('INSERT INTO placed VALUES ($1, $2)', [scenario, id]);
  }
  const sent = `SELECT count(*) FROM webhook_deliveries JOIN placed ON id = order_id WHERE state = 'DELIVERED'`;
  const logged = 'SELECT count(*) FROM api_requests JOIN placed ON placed.id = order_id';
  for (const told of [sent, logged])
    await until('the originals', async () => (await side.number(told)) >= scenarios.length || undefined);
}

/** What the stack has written so far becomes older than the first copy, because ids and entries follow the time. */
function agedBy(days: number): string[] {
  const columns = {
    transactions: ['created_at'],
    audit_entries: ['at'],
    events: ['created_at'],
    webhook_attempts: ['attempted_at'],
    order_reservations: ['created_at', 'accept_by'],
    orders: ['placed_at', 'completed_at', 'mailed_at'],
    supplier_purchases: ['sent_at', 'updated_at'],
    api_requests: ['at'],
  };
  return Object.entries(columns).map(
    ([table, moments]) =>
      `UPDATE ${table} SET ${moments.map((each) => `${each} = ${each} - interval '${days} days'`).join(', ')}`,
  );
}

/** The last ids of products that are not copies. */
async function firstProducts(side: Side): Promise<Record<string, number>> {
  const last = (table: string) => side.number(`SELECT max(id) FROM ${table}`);
  return {
    VOUCHER: await last('voucher_products'),
    TOPUP: await last('topup_products'),
    ESIM: await last('esim_products'),
  };
}

/** Gives each client after this one the first entry of the measured client's wallet, and its audit entry. */
async function fundClients(side: Side, client: number): Promise<void> {
  const funding = await side.number(`SELECT id FROM transactions WHERE wallet_id = ${side.walletId} AND sequence = 1`);
  await side.database.query(
    `CREATE TEMPORARY TABLE funded AS
     SELECT row_number() OVER (ORDER BY id) AS n, id AS wallet_id, client_id FROM wallets WHERE client_id > ${client}`,
  );
  const entry = `${await side.number('SELECT max(id) FROM transactions')} + n`;
  const event = `${await side.number('SELECT max(sequence) FROM events')} + n`;
  const holder = { wallet_id: 'funded.wallet_id', client_id: 'funded.client_id' };
  const copies = 'funded WHERE n BETWEEN $1 AND $2';
  await copyRows(
    side,
    [
      { table: 'transactions', where: `id = ${funding}`, values: { id: entry, ...holder }, copies },
      {
        table: 'events',
        where: `data ->> 'ledger_id' = '${funding}'`,
        values: {
          ...holder,
          id: `'evt_funded' || n`,
          sequence: event,
          data: `data || jsonb_build_object('wallet_id', funded.wallet_id, 'ledger_id', ${entry})`,
        },
        copies,
      },
      {
        table: 'audit_entries',
        where: `coalesce(after ->> 'transaction_id', after ->> 'id') = '${funding}'`,
        values: { ...holder, object: `'transaction/' || ${entry}`, after: `jsonb_build_object('id', ${entry})` },
        copies,
      },
    ],
    await side.number('SELECT count(*) FROM funded'),
  );
  await side.database.query(
    `UPDATE wallets SET balance = balance_after, entry_count = 1 FROM funded JOIN transactions entry USING (wallet_id)
      WHERE wallets.id = funded.wallet_id`,
  );
}

interface Past {
  count: number;
  days: number;
  /** The last client that is no copy. */
  client: number;
  /** The last product of each family that is no copy. */
  products: Record<string, number>;
}

/**
 * SQL: the table `past`, a row for each copied order. Its columns `…_shift` are what the ids, numbers and times of the copy have more than
 * those of the original.
 */
function pastOf(side: Side, { count, days, client, products }: Past): string {
  const month = `(n - 1) / ${ORDERS_A_MONTH}`;
  const product = `n / 4 % 10 + 1 + 10 * ((n - 1) / ${ORDERS_OF_TEN_PRODUCTS})`;
  return `
    CREATE TEMPORARY TABLE past AS
    WITH original AS (
      SELECT placed.kind, o.*, debit.id AS entry, debit.sequence AS number,
             debit.balance_after + debit.amount AS balance, written.*, posted.*
        FROM placed JOIN orders o USING (id) JOIN transactions debit ON debit.id = o.transaction_id
       CROSS JOIN LATERAL (SELECT min(sequence) AS event, max(sequence) - min(sequence) + 1 AS events
                             FROM events WHERE order_id = o.id) written
       CROSS JOIN LATERAL (SELECT max(id) - min(id) + 1 AS entries,
                                  sum(CASE transaction_type WHEN 'DEBIT' THEN -amount ELSE amount END) AS change
                             FROM transactions WHERE order_id = o.id) posted
    ), numbered AS (
      SELECT n, ${kindOf} AS kind, now() - interval '${days} days' * ((${count} - n) / ${count}::float8) AS moment,
             CASE WHEN n % 3 = 0 THEN ${side.clientId}
                  ELSE ${client} + 1 + ${month} * ${CLIENTS_A_MONTH} + n / 3 % ${CLIENTS_A_MONTH} END AS client_id
        FROM generate_series(1, ${count}) n
    )
    SELECT n, original.id AS original, last.order_id + n AS order_id, numbered.client_id, wallets.id AS wallet_id, moment,
           CASE family WHEN 'VOUCHER' THEN ${products['VOUCHER']} WHEN 'TOPUP' THEN ${products['TOPUP']}
                       ELSE ${products['ESIM']} END + ${product} AS product_id,
           moment - placed_at AS time_shift,
           last.entry + sum(entries) OVER in_time - entries + 1 - original.entry AS entry_shift,
           last.event + sum(events) OVER in_time - events + 1 - original.event AS event_shift,
           entry_count + sum(entries) OVER of_wallet - entries + 1 - original.number AS number_shift,
           wallets.balance + sum(change) OVER of_wallet - change - original.balance AS balance_shift
      FROM numbered JOIN original USING (kind) JOIN wallets ON wallets.client_id = numbered.client_id
     CROSS JOIN (SELECT (SELECT max(order_id) FROM order_reservations) AS order_id,
                        (SELECT max(id) FROM transactions) AS entry, (SELECT max(sequence) FROM events) AS event) last
    WINDOW in_time AS (ORDER BY n), of_wallet AS (PARTITION BY wallets.id ORDER BY n)`;
}

/** All that the service wrote for an order, except its sealed goods. Maintenance has deleted what is older than its retention. */
async function originalsOf(side: Side): Promise<Original[]> {
  const ofPlaced = 'IN (SELECT id FROM placed)';
  const ofOrder = { where: `order_id ${ofPlaced}` };
  const among = (original: string, more = 'true') =>
    `past WHERE n BETWEEN $1 AND $2 AND past.original = ${original} AND ${more}`;
  const copies = among('original.order_id');
  const ofClient = `past.client_id = ${side.clientId}`;
  const since = (days: number) => `past.moment > now() - interval '${days} days'`;
  const holder = {
    order_id: 'past.order_id',
    client_id: 'past.client_id',
    wallet_id: 'past.wallet_id',
    client_reference: `'past-' || n`,
  };
  const later = (...columns: string[]) =>
    Object.fromEntries(columns.map((column) => [column, `original.${column} + past.time_shift`]));
  const entry = (id: string) => `${id} + past.entry_shift`;
  const event = (sequence: string) => `${sequence} + past.event_shift`;
  // Entries of all kinds in one sequence, as they were written.
  const auditId = `${await side.number('SELECT max(id) FROM audit_entries')} + n`;
  const registered = {
    table: 'audit_entries',
    where: `id = (SELECT max(id) FROM audit_entries WHERE action LIKE 'webhook_endpoint.%' AND client_id = ${side.clientId})`,
  };
  return [
    {
      table: 'transactions',
      ...ofOrder,
      copies,
      values: {
        ...holder,
        ...later('created_at'),
        id: entry('original.id'),
        sequence: 'original.sequence + past.number_shift',
        balance_after: 'original.balance_after + past.balance_shift',
        reference_number: `'order-' || past.order_id`,
      },
    },
    {
      table: 'orders',
      where: `id ${ofPlaced}`,
      copies: among('original.id'),
      values: {
        ...holder,
        ...later('placed_at', 'completed_at', 'mailed_at'),
        id: 'past.order_id',
        product_id: 'past.product_id',
        transaction_id: entry('original.transaction_id'),
      },
    },
    {
      table: 'order_reservations',
      ...ofOrder,
      copies: among('original.order_id', since(29)),
      values: { ...holder, ...later('created_at', 'accept_by') },
    },
    {
      table: 'events',
      ...ofOrder,
      copies,
      values: {
        ...later('created_at'),
        id: `'evt_past' || ${event('original.sequence')}`,
        sequence: event('original.sequence'),
        client_id: 'past.client_id',
        order_id: 'past.order_id',
        data: `original.data || CASE WHEN original.type LIKE 'wallet.%'
                 THEN jsonb_build_object('wallet_id', past.wallet_id, 'reference_number', 'order-' || past.order_id,
                                         'ledger_id', ${entry(`(original.data ->> 'ledger_id')::integer`)})
                 ELSE jsonb_build_object('id', past.order_id, 'client_reference', 'past-' || n) END`,
      },
    },
    {
      table: 'webhook_deliveries',
      ...ofOrder,
      copies: among('original.order_id', ofClient),
      values: { order_id: 'past.order_id', event_sequence: event('original.event_sequence') },
    },
    {
      table: 'webhook_attempts',
      where: `event_sequence IN (SELECT sequence FROM events WHERE order_id ${ofPlaced})`,
      copies: among('(SELECT order_id FROM events WHERE sequence = original.event_sequence)', ofClient),
      values: { ...later('attempted_at'), event_sequence: event('original.event_sequence') },
    },
    {
      table: 'supplier_purchases',
      ...ofOrder,
      copies,
      values: {
        ...later('sent_at', 'updated_at'),
        order_id: 'past.order_id',
        reference: `replace(original.reference, '-' || past.original || '-', '-' || past.order_id || '-')`,
        // It is sealed for its reference, and nothing reads it.
        sealed_words: 'NULL',
        // The simulator reports no cost.
        cost: 'CASE WHEN original.stored > 0 THEN 8.4 END',
        cost_currency: `CASE WHEN original.stored > 0 THEN 'USD' END`,
      },
    },
    {
      table: 'topup_orders',
      ...ofOrder,
      copies,
      values: { order_id: 'past.order_id', phone_hash: 'sha256(n::text::bytea)' },
    },
    {
      table: 'api_requests',
      ...ofOrder,
      copies: among('original.order_id', `${ofClient} AND ${since(7)}`),
      values: {
        ...later('at'),
        order_id: 'past.order_id',
        reference_hash: 'sha256(n::text::bytea)',
        request_id: `'past-' || n`,
      },
    },
    {
      ...registered,
      copies: 'past WHERE n BETWEEN $1 AND $2 AND n % 5 = 0',
      values: { id: auditId, at: 'past.moment', client_id: 'past.client_id', object: `'webhook_endpoint/' || n` },
    },
    {
      ...registered,
      copies: 'past WHERE n BETWEEN $1 AND $2 AND n % 5 = 1',
      values: {
        id: auditId,
        at: 'past.moment',
        actor_kind: `'OPERATOR'`,
        client_id: 'past.client_id',
        operator: `'Ann'`,
        command: `'orders retry'`,
        action: `'order.retried'`,
        object: `'order/' || past.order_id`,
        before: 'NULL',
        after: `'{}'`,
      },
    },
  ];
}

/** Wallets stand at their newest entries, and the activity of clients is counted. */
const finished = [
  `UPDATE wallets SET balance = newest.balance_after, entry_count = newest.sequence
     FROM (SELECT DISTINCT ON (wallet_id) * FROM transactions ORDER BY wallet_id, sequence DESC) newest
    WHERE newest.wallet_id = wallets.id`,
  'TRUNCATE activity_counts',
  `INSERT INTO activity_counts (client_id, change, is_total)
   SELECT client_id, count(*), true FROM audit_entries entry
    WHERE client_id IS NOT NULL AND is_activity(entry) GROUP BY client_id`,
];

/** Rules that look at the measured client's orders of an hour or a day, and hold none. */
const rulesOf = ({ clientId }: Side) =>
  ['PER_HOUR', 'NEW_NETWORK', 'PER_RECIPIENT'].map(
    (kind) =>
      `INSERT INTO spend_rules (kind, client_id, max_orders, review_hours) VALUES ('${kind}', ${clientId}, 1000000, 24)`,
  );
