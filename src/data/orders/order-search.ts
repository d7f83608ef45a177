/**
 * Orders as operators and maintenance find them: by what a ticket may name, by what is left to do. Each condition has an
 * index, or is common enough that the newest orders are soon through.
 */
import type { Family } from '../../domain/orders/families';
import type { OrderStatus } from '../../domain/orders/orders';
import { firstRow, rows, type Database } from '../database/database';

/** The search conditions. All of them must hold; absent ones match everything. */
export interface OrderFilter {
  clientId?: number;
  clientReference?: string;
  statuses?: readonly OrderStatus[];
  family?: Family;
  supplier?: string;
  /** Of the family, which must be given too: each has numbers of its own. */
  productId?: number;
  failureCode?: string;
  /** Placed from then on, and before. */
  since?: Date;
  until?: Date;
  /** Keyed hashes the recipient may have: of an address, a phone number, an ICCID. */
  recipient?: { kind: 'email' | 'phone' | 'iccid'; hashes: readonly Buffer[] };
}

export interface FoundOrder {
  id: number;
  client_id: number;
  client: string;
  client_reference: string | null;
  family: Family;
  status: OrderStatus;
  product_id: number;
  product_name: string;
  quantity: number;
  delivered: number;
  total_payable: string;
  currency: string;
  supplier: string;
  failure_code: string | null;
  placed_at: Date;
  completed_at: Date | null;
}

/** The SQL of each condition, and what it is compared with. Only those that are given stand in the statement. */
function conditionsOf(filter: OrderFilter): { sql: string; binds: Record<string, unknown> }[] {
  const { clientId, clientReference, statuses, family, supplier, productId, failureCode } = filter;
  const { since, until, recipient } = filter;
  return [
    clientId !== undefined && { sql: 'o.client_id = $clientId', binds: { clientId } },
    clientReference !== undefined && byReference(clientReference, clientId),
    statuses && byStatus(statuses),
    family && { sql: 'o.family = $family', binds: { family } },
    supplier !== undefined && { sql: 'o.supplier = $supplier', binds: { supplier } },
    productId !== undefined && { sql: 'o.product_id = $productId', binds: { productId } },
    failureCode !== undefined && { sql: 'o.failure_code = $failureCode', binds: { failureCode } },
    since && { sql: 'o.placed_at >= $since', binds: { since } },
    until && { sql: 'o.placed_at < $until', binds: { until } },
    recipient && { sql: ofRecipient[recipient.kind], binds: { hashes: recipient.hashes } },
  ].filter((condition) => condition !== undefined && condition !== false);
}

/** References are unique for each client: without one, each is asked for its own. */
function byReference(clientReference: string, clientId: number | undefined) {
  const own = 'o.client_reference = $clientReference';
  const ofAll = `o.id IN (SELECT mine.id FROM clients c CROSS JOIN LATERAL (
    SELECT id FROM orders WHERE client_id = c.id AND client_reference = $clientReference) mine)`;
  return { sql: clientId === undefined ? ofAll : own, binds: { clientReference } };
}

/** What is said beside the status names the index of the few orders that have it. */
function byStatus(statuses: readonly OrderStatus[]) {
  const isOpen = statuses.every((status) => status === 'PENDING' || status === 'PARTIALLY_DELIVERED');
  const isUnsold = statuses.every((status) => status === 'FAILED' || status === 'CANCELLED');
  const index = isOpen
    ? ' AND o.completed_at IS NULL'
    : isUnsold
      ? ` AND o.status IN ('FAILED', 'CANCELLED')`
      : '';
  return { sql: `o.status = ANY ($statuses)${index}`, binds: { statuses } };
}

const ofRecipient = {
  email: 'o.email_hash = ANY ($hashes)',
  phone: 'o.id IN (SELECT order_id FROM topup_orders WHERE phone_hash = ANY ($hashes))',
  iccid: 'o.id IN (SELECT order_id FROM esim_orders WHERE iccid_hash = ANY ($hashes))',
} as const;

/** The orders that fit, newest first, at most `limit`. */
export async function findOrders(
  database: Database,
  filter: OrderFilter,
  limit: number,
): Promise<FoundOrder[]> {
  const period = await idsOfPeriod(database, filter);
  const conditions = [...conditionsOf(filter), ...period];
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`;
  return rows<FoundOrder>(
    database,
    `SELECT o.id, o.client_id, (SELECT name FROM clients WHERE id = o.client_id) AS client, o.client_reference, o.family,
            o.status, o.product_id, o.product_name, o.quantity, o.delivered_quantity AS delivered,
            trim_scale(o.total_payable)::text AS total_payable, o.deduction_currency AS currency, o.supplier, o.failure_code,
            o.placed_at, o.completed_at
       FROM orders o ${where} ORDER BY o.id DESC LIMIT $limit`,
    Object.assign({ limit }, ...conditions.map(({ binds }) => binds)) as Record<string, unknown>,
  );
}

/** Between the reservation of an order's id and its placing pass seconds; this is much longer. */
const RESERVED_FOR_MS = 10 * 60_000;

/** Ids rise with time, so that a period is a range of them: orders outside of it are not read. */
async function idsOfPeriod(database: Database, { since, until }: OrderFilter) {
  const from = since && (await firstIdFrom(database, new Date(since.getTime() - RESERVED_FOR_MS)));
  const before = until && (await firstIdFrom(database, new Date(until.getTime() + RESERVED_FOR_MS)));
  return [
    ...(from === undefined ? [] : [{ sql: 'o.id >= $fromId', binds: { fromId: from } }]),
    ...(before === undefined ? [] : [{ sql: 'o.id < $beforeId', binds: { beforeId: before } }]),
  ];
}

const boundsStatement =
  'SELECT coalesce((SELECT id FROM orders ORDER BY id LIMIT 1), 0) AS low, coalesce((SELECT id FROM orders ORDER BY id DESC LIMIT 1), 0) + 1 AS high';

const nextStatement = 'SELECT id, placed_at AS "placedAt" FROM orders WHERE id >= $id ORDER BY id LIMIT 1';

/** About the first id of orders placed from that moment on, found by halving: as many looks as the ids have bits. */
async function firstIdFrom(database: Database, moment: Date): Promise<number> {
  let { low, high } = (await firstRow<{ low: number; high: number }>(database, boundsStatement)) as {
    low: number;
    high: number;
  };
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const order = await firstRow<{ id: number; placedAt: Date }>(database, nextStatement, { id: middle });
    if (order && order.placedAt < moment) low = order.id + 1;
    else high = middle;
  }
  return low;
}

export interface UnfinishedOrder {
  orderId: number;
  nonce: string;
  family: Family;
  clientId: number;
  quantity: number;
  productId: number;
  productName: string;
  supplier: string;
  /** A decimal string in the wallet's currency. */
  price: string;
  currency: string;
}

const columns = `o.id AS "orderId", o.nonce, o.family, o.client_id AS "clientId", o.quantity,
       o.product_id AS "productId", o.product_name AS "productName", o.supplier, trim_scale(o.total_payable) AS price,
       o.deduction_currency AS currency`;

/**
 * Orders that have not ended, by id after `afterId`, at most `limit` of them. One younger than a minute
 * by the database's clock may still be on its way to its workflow and is left out; one stamped in the future is not.
 */
export async function listOpenOrders(
  database: Database,
  afterId: number,
  limit: number,
): Promise<UnfinishedOrder[]> {
  return rows<UnfinishedOrder>(
    database,
    `SELECT ${columns} FROM orders o
      WHERE o.completed_at IS NULL AND is_older_than(o.placed_at, '1 minute') AND o.id > $afterId
      ORDER BY o.id LIMIT $limit`,
    { afterId, limit },
  );
}

/** The order, if it has not ended. */
export async function findUnfinishedOrder(
  database: Database,
  orderId: number,
): Promise<UnfinishedOrder | undefined> {
  return firstRow<UnfinishedOrder>(
    database,
    `SELECT ${columns} FROM orders o WHERE o.completed_at IS NULL AND o.id = $orderId`,
    { orderId },
  );
}

/** Open orders that are bought from one supplier; placed since then, where that is said. */
export interface OpenOrdersOf {
  supplier: string;
  since: Date | undefined;
}

/** How many there are, and what they debited in each currency, as text; null where there are none. */
export async function countOpenOrders(
  database: Database,
  { supplier, since }: OpenOrdersOf,
): Promise<{ orders: number; worth: string | null }> {
  const counted = await firstRow<{ orders: number; worth: string | null }>(
    database,
    `SELECT coalesce(sum(orders), 0)::integer AS orders,
            string_agg(trim_scale(worth) || ' ' || currency, ', ' ORDER BY currency) AS worth
       FROM (SELECT deduction_currency AS currency, count(*) AS orders, sum(total_payable) AS worth FROM orders
              WHERE completed_at IS NULL AND supplier = $supplier AND ($since::timestamptz IS NULL OR placed_at >= $since)
              GROUP BY 1) of_currency`,
    { supplier, since: since ?? null },
  );
  return counted as { orders: number; worth: string | null };
}

/** These orders by id after `afterId`, at most `limit` of them. */
export async function listOpenOrdersOf(
  database: Database,
  { supplier, since }: OpenOrdersOf,
  afterId: number,
  limit: number,
): Promise<UnfinishedOrder[]> {
  return rows<UnfinishedOrder>(
    database,
    `-- plan: orders_open
     SELECT ${columns} FROM orders o
      WHERE o.completed_at IS NULL AND o.supplier = $supplier AND o.id > $afterId
        AND ($since::timestamptz IS NULL OR o.placed_at >= $since)
      ORDER BY o.id LIMIT $limit`,
    { supplier, since: since ?? null, afterId, limit },
  );
}

/**
 * Orders that ended more than a minute ago and whose mail was not sent, by id after `afterId`, at most `limit`.
 * Excludes mails on the attention list: they were retried for long enough.
 */
export async function listUnmailedOrders(
  database: Database,
  afterId: number,
  limit: number,
): Promise<UnfinishedOrder[]> {
  return rows<UnfinishedOrder>(
    database,
    `SELECT ${columns} FROM orders o
      WHERE o.mailed_at IS NULL AND o.sealed_email IS NOT NULL
        AND is_older_than(o.completed_at, '1 minute') AND o.id > $afterId
        AND NOT EXISTS (SELECT FROM attention
                         WHERE order_id = o.id AND kind = 'MAIL_UNDELIVERABLE' AND cleared_at IS NULL)
      ORDER BY o.id LIMIT $limit`,
    { afterId, limit },
  );
}
