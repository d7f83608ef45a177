/**
 * Searches of orders for operators and maintenance. Each condition has an index, or matches so many orders that a scan of
 * the newest ones finds enough.
 */
import type { Family } from '../../domain/orders/families';
import { orderStatuses, type OrderStatus } from '../../domain/orders/order-states';
import { firstRow, oneRow, rows, type Database } from '../database/database';
import { number, oneOf, orNull, text, time, type RowWith } from '../../domain/row-columns';

/** The search conditions. All of them must hold; absent ones match everything. */
export interface OperatorOrderFilter {
  clientId?: number | undefined;
  clientReference?: string | undefined;
  statuses?: readonly OrderStatus[] | undefined;
  family?: Family | undefined;
  supplier?: string | undefined;
  /** Requires `family`, because each family has its own ids. */
  productId?: number | undefined;
  failureCode?: string | undefined;
  /** Placed at or after `since`, and before `until`. */
  since?: Date | undefined;
  until?: Date | undefined;
  /** Keyed hashes of the recipient's address, phone number or ICCID. */
  recipient?: { kind: 'email' | 'phone' | 'iccid'; hashes: readonly Buffer[] } | undefined;
  /** The supplier's own id of a purchase, or the reference that we sent with it. */
  supplierOrder?: string | undefined;
  /** The API key that placed the order, while the reservation is kept. */
  apiKey?: string | undefined;
  orderId?: number | undefined;
  orderIds?: readonly number[] | undefined;
  /** Only orders behind this one. */
  after?: number | undefined;
  oldestFirst?: boolean | undefined;
}

export const foundOrderColumns = {
  id: number,
  client_id: number,
  client: text,
  client_reference: orNull(text),
  family: oneOf<Family>(),
  status: oneOf<OrderStatus>(),
  product_id: number,
  product_name: text,
  quantity: number,
  delivered: number,
  total_payable: text,
  currency: text,
  /** The suppliers of its purchases, separated by commas; null without any. */
  supplier: orNull(text),
  failure_code: orNull(text),
  placed_at: time,
  completed_at: orNull(time),
};
export type FoundOrder = RowWith<typeof foundOrderColumns>;

/** Conditions that compare one column. */
const equalities = [
  ['clientId', 'client_id'],
  ['family', 'family'],
  ['productId', 'product_id'],
  ['failureCode', 'failure_code'],
  ['orderId', 'id'],
] as const;

/** The SQL of the given conditions, with their values. */
function conditionsOf(filter: OperatorOrderFilter): { sql: string; binds: Record<string, unknown> }[] {
  const { clientId, clientReference, supplier, since, until, recipient } = filter;
  const { supplierOrder, apiKey, orderIds, after, oldestFirst } = filter;
  return [
    ...equalities.map(
      ([name, column]) =>
        filter[name] !== undefined && { sql: `o.${column} = $${name}`, binds: { [name]: filter[name] } },
    ),
    clientReference !== undefined && byReference(clientReference, clientId),
    supplier !== undefined && { sql: hasPurchaseAt, binds: { supplier } },
    (filter.statuses !== undefined || isIndexedByStatus(filter)) && byStatus(filter),
    since && { sql: 'o.placed_at >= $since', binds: { since } },
    until && { sql: 'o.placed_at < $until', binds: { until } },
    recipient && { sql: ofRecipient[recipient.kind], binds: { hashes: recipient.hashes } },
    supplierOrder !== undefined && { sql: hasSupplierOrder, binds: { supplierOrder } },
    apiKey !== undefined && { sql: wasPlacedWith, binds: { apiKey } },
    orderIds && { sql: 'o.id = ANY ($orderIds)', binds: { orderIds } },
    after !== undefined && { sql: `o.id ${oldestFirst ? '>' : '<'} $after`, binds: { after } },
  ].filter((condition) => condition !== undefined && condition !== false);
}

const hasPurchaseAt = 'o.id IN (SELECT order_id FROM supplier_purchases WHERE supplier = $supplier)';

const hasSupplierOrder = `o.id IN (
  SELECT order_id FROM supplier_purchases WHERE supplier_order_id = $supplierOrder
   UNION ALL SELECT order_id FROM supplier_purchases WHERE reference = $supplierOrder)`;

const wasPlacedWith = `o.client_id = (SELECT client_id FROM api_keys WHERE api_key = $apiKey)
  AND EXISTS (SELECT FROM order_reservations reservation JOIN api_keys key ON key.id = reservation.api_key_id
               WHERE reservation.order_id = o.id AND key.api_key = $apiKey)`;

/** Without a client, by the index of all references in any case. PostgreSQL would otherwise skip through those of every client. */
function byReference(clientReference: string, clientId: number | undefined) {
  const ofClient = 'o.client_reference = $clientReference';
  const ofAnyClient = `o.id IN (
    WITH alike AS MATERIALIZED (SELECT id, client_reference FROM orders WHERE lower(client_reference) = lower($clientReference))
    SELECT id FROM alike WHERE client_reference = $clientReference)`;
  return { sql: clientId === undefined ? ofAnyClient : ofClient, binds: { clientReference } };
}

/** Whether an index has the orders of one status in the sequence of their ids. */
const isIndexedByStatus = ({ clientId, statuses }: OperatorOrderFilter) =>
  clientId !== undefined || (statuses !== undefined && areUnsold(statuses));

const areOpen = (statuses: readonly OrderStatus[]) =>
  statuses.every((status) => status === 'PENDING' || status === 'PARTIALLY_DELIVERED');
const areUnsold = (statuses: readonly OrderStatus[]) =>
  statuses.every((status) => status === 'FAILED' || status === 'CANCELLED');

/** SQL: the first matching orders of each status. */
const ofEachStatus = (where: string, sequence: string) => `
  (SELECT DISTINCT status FROM unnest($statuses::text[]) AS wanted (status)) wanted
  CROSS JOIN LATERAL (SELECT * FROM orders o WHERE ${where} ${sequence}) o`;

/** Adds the condition of a partial index if that has all orders with these statuses. */
function byStatus(filter: OperatorOrderFilter) {
  const { statuses = orderStatuses } = filter;
  const isOfStatus = isIndexedByStatus(filter) ? 'o.status = wanted.status' : 'o.status = ANY ($statuses)';
  let ofIndex = '';
  if (areOpen(statuses)) ofIndex = ' AND o.completed_at IS NULL';
  else if (areUnsold(statuses)) ofIndex = ` AND o.status IN ('FAILED', 'CANCELLED')`;
  return { sql: isOfStatus + ofIndex, binds: { statuses } };
}

const ofRecipient = {
  email: 'o.email_hash = ANY ($hashes)',
  phone: 'o.id IN (SELECT order_id FROM topup_orders WHERE phone_hash = ANY ($hashes))',
  iccid: `o.id IN (
    SELECT e.order_id FROM esim_orders profile JOIN esim_orders e ON e.order_id = profile.order_id OR e.recharges_order_id = profile.order_id
     WHERE profile.iccid_hash = ANY ($hashes))`,
} as const;

/** The matching orders, newest first unless `oldestFirst`, at most `limit`. */
export async function findOrders(database: Database, filter: OperatorOrderFilter, limit: number) {
  const period = await idsOfPeriod(database, filter);
  const conditions = [...conditionsOf(filter), ...period];
  const where = conditions.map(({ sql }) => sql).join(' AND ') || 'true';
  const sequence = `ORDER BY o.id ${filter.oldestFirst ? '' : 'DESC'} LIMIT $limit`;
  return rows<FoundOrder>(
    database,
    `SELECT o.id, o.client_id, (SELECT name FROM clients WHERE id = o.client_id) AS client, o.client_reference, o.family,
            o.status, o.product_id, o.product_name, o.quantity, o.delivered_quantity AS delivered,
            trim_scale(o.total_payable)::text AS total_payable, o.deduction_currency AS currency,
            (SELECT string_agg(DISTINCT supplier, ', ') FROM supplier_purchases WHERE order_id = o.id) AS supplier, o.failure_code,
            o.placed_at, o.completed_at
       FROM ${isIndexedByStatus(filter) ? ofEachStatus(where, sequence) : `orders o WHERE ${where}`} ${sequence}`,
    conditions.reduce<Record<string, unknown>>((all, { binds }) => ({ ...all, ...binds }), { limit }),
  );
}

/** Much longer than the seconds between the reservation of an order's id and its placement. */
const RESERVED_FOR_MS = 10 * 60_000;

/** Ids rise with time, so a period is a range of ids: no order outside of it is read. */
async function idsOfPeriod(database: Database, { since, until }: OperatorOrderFilter) {
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

/** Approximately the first id of orders that were placed at or after the moment, by binary search. */
async function firstIdFrom(database: Database, moment: Date): Promise<number> {
  let { low, high } = await oneRow<{ low: number; high: number }>(database, boundsStatement);
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const order = await firstRow<{ id: number; placedAt: Date }>(database, nextStatement, { id: middle });
    if (order && order.placedAt < moment) low = order.id + 1;
    else high = middle;
  }
  return low;
}

/** An order that is open, or whose mail is due. */
export interface UnfinishedOrder {
  orderId: number;
  nonce: string;
  family: Family;
  clientId: number;
  units: number;
  productId: number;
  productName: string;
  /** The suppliers of its sources, in the order of use. */
  suppliers: string[];
  walletId: number;
  /** A decimal string with all decimals of the wallet's currency. */
  price: string;
  currency: string;
}

/** SQL: the columns of an `UnfinishedOrder`, of `orders o`. */
export const unfinishedColumns = `o.id AS "orderId", o.nonce, o.family, o.client_id AS "clientId", o.quantity AS units,
       o.product_id AS "productId", o.product_name AS "productName",
       ARRAY(SELECT jsonb_path_query(o.sources, '$[*].supplier')->>0) AS suppliers, o.wallet_id AS "walletId",
       round(o.total_payable, (SELECT minor_unit FROM currencies WHERE code = o.deduction_currency))::text AS price,
       o.deduction_currency AS currency`;

/**
 * Open orders by id after `afterId`, at most `limit`. Omits orders younger than a minute by the database's clock, whose workflows
 * may be about to start, but not orders with a time in the future.
 */
export function listOpenOrders(database: Database, afterId: number, limit: number) {
  return rows<UnfinishedOrder>(
    database,
    `SELECT ${unfinishedColumns} FROM orders o
      WHERE o.completed_at IS NULL AND is_older_than(o.placed_at, '1 minute') AND o.id > $afterId
      ORDER BY o.id LIMIT $limit`,
    { afterId, limit },
  );
}

/** The order, if it has not ended. */
export function findUnfinishedOrder(database: Database, orderId: number) {
  return firstRow<UnfinishedOrder>(
    database,
    `SELECT ${unfinishedColumns} FROM orders o WHERE o.completed_at IS NULL AND o.id = $orderId`,
    { orderId },
  );
}

/** SQL: whether the order `o` has an open purchase at $supplier. */
export const isOpenAt = `
  EXISTS (SELECT FROM supplier_purchases p
           WHERE p.order_id = o.id AND p.supplier = $supplier AND p.state IN ('READY', 'SENT', 'PENDING'))`;

/** Orders with an open purchase at one supplier. */
export interface OpenOrdersOf {
  supplier: string;
  /** Only orders placed at or after this moment, if given. */
  since: Date | undefined;
}

/** The number of these orders. `worth`: their debits in each currency, such as `12.5 EUR, 40 USD`; null without orders. */
export function countOpenOrders(database: Database, { supplier, since }: OpenOrdersOf) {
  return oneRow<{ orders: number; worth: string | null }>(
    database,
    `SELECT coalesce(sum(orders), 0)::integer AS orders,
            string_agg(trim_scale(worth) || ' ' || currency, ', ' ORDER BY currency) AS worth
       FROM (SELECT deduction_currency AS currency, count(*) AS orders, sum(total_payable) AS worth FROM orders o
              WHERE completed_at IS NULL AND ${isOpenAt} AND ($since::timestamptz IS NULL OR placed_at >= $since)
              GROUP BY 1) of_currency`,
    { supplier, since: since ?? null },
  );
}

/** The orders by id after `afterId`, at most `limit`. */
export function listOpenOrdersOf(
  database: Database,
  { supplier, since }: OpenOrdersOf,
  afterId: number,
  limit: number,
) {
  return rows<UnfinishedOrder>(
    database,
    `-- plan: orders_open
     SELECT ${unfinishedColumns} FROM orders o
      WHERE o.completed_at IS NULL AND ${isOpenAt} AND o.id > $afterId
        AND ($since::timestamptz IS NULL OR o.placed_at >= $since)
      ORDER BY o.id LIMIT $limit`,
    { supplier, since: since ?? null, afterId, limit },
  );
}

/**
 * Orders that ended more than a minute ago and whose mail is due, by id after `afterId`, at most `limit`. Omits orders on the
 * attention list because of their mail, which is no longer retried.
 */
export function listUnmailedOrders(database: Database, afterId: number, limit: number) {
  return rows<UnfinishedOrder>(
    database,
    `SELECT ${unfinishedColumns} FROM orders o
      WHERE o.mailed_at IS NULL AND o.mail_given_up_at IS NULL AND o.sealed_email IS NOT NULL
        AND is_older_than(o.completed_at, '1 minute') AND o.id > $afterId
        AND NOT EXISTS (SELECT FROM attention
                         WHERE order_id = o.id AND kind = 'MAIL_UNDELIVERABLE' AND cleared_at IS NULL)
      ORDER BY o.id LIMIT $limit`,
    { afterId, limit },
  );
}
