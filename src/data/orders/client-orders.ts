/** One list of a client's orders of every family, with search, for the console. */
import { families, familyIds, type Family } from '../../domain/orders/families';
import { orderStatuses, type OrderStatus } from '../../domain/orders/order-states';
import type { LiveOrder } from '../clients/live-account';
import { givenOnly, type Binds } from '../database/binds';
import { firstRow, oneRow, unpreparedRows, type Database } from '../database/database';
import type { AttemptOutcome } from '../webhooks/events';
import { indexedOrders } from './indexed-orders';
import { statedColumns, statedJoins, type StatedOrder } from './order-statement';

/** The conditions. All of them must hold; absent ones match everything. */
export interface ClientOrderFilter {
  families: readonly Family[];
  status?: OrderStatus | undefined;
  /** An order's id, or the beginning of its reference. */
  search?: string | undefined;
  /** A part of the product's name, in any case. */
  product?: string | undefined;
  /** Placed at or after `from`, and before `to`. */
  from?: Date | undefined;
  to?: Date | undefined;
}

/** The part of the list that is read: the newest orders, or those after the order with that id. */
export interface ListPart {
  limit: number;
  after?: number | undefined;
}

/** Whether a search may read many orders of the client to find a few. */
export function readsManyOrders({ search, product }: ClientOrderFilter): boolean {
  return search !== undefined || product !== undefined;
}

/** The matching orders of the client, newest first, at most `limit`. */
export async function listClientOrders(
  database: Database,
  clientId: number,
  filter: ClientOrderFilter,
  part: ListPart,
): Promise<LiveOrder[]> {
  if (filter.families.length === 0) return [];
  const isRare = await isSearchRare(database, clientId, filter);
  const { sql, binds } = pageOf(clientId, filter, part, isRare);
  return unpreparedRows<LiveOrder>(
    database,
    `${sql}
     SELECT o.id, o.family, o.product_name AS "productName", o.client_reference AS "clientReference", o.status,
            o.quantity, o.delivered_quantity AS "deliveredQuantity", o.amount AS "listTotal",
            o.base_currency AS "productCurrency", o.total_payable AS price,
            o.deduction_currency AS "walletCurrency", to_json(o.placed_at) #>> '{}' AS "placedAt"
       FROM page JOIN orders o USING (id) ORDER BY o.placed_at DESC, o.id DESC`,
    binds,
  );
}

/** Orders read by one statement of an export. */
const EXPORT_PAGE = 1_000;

/** All matching orders, newest first, with at most a page in memory. Each has the state at the time of its read. */
export async function* exportClientOrders(
  database: Database,
  clientId: number,
  filter: ClientOrderFilter,
): AsyncGenerator<StatedOrder> {
  if (filter.families.length === 0) return;
  const isRare = await isSearchRare(database, clientId, filter);
  for (let after: number | undefined; ;) {
    const { sql, binds } = pageOf(clientId, filter, { limit: EXPORT_PAGE, after }, isRare);
    const orders: StatedOrder[] = await unpreparedRows(
      database,
      `${sql}
       SELECT ${statedColumns} FROM page JOIN orders o USING (id) ${statedJoins}
        ORDER BY o.placed_at DESC, o.id DESC`,
      binds,
    );
    yield* orders;
    after = orders.at(-1)?.id;
    if (orders.length < EXPORT_PAGE) return;
  }
}

/** A search with at least this many matching references reads the list itself, which soon yields enough of the newest matches. */
const RARE = 5_000;

const countMatches = `
  SELECT count(*) AS count FROM (
    SELECT FROM orders
     WHERE client_id = $clientId AND client_reference >= $prefix AND client_reference < $prefixEnd LIMIT ${RARE}) named`;

/** Whether only few orders have a reference that begins with the searched text. True without a search. */
async function isSearchRare(database: Database, clientId: number, { search }: ClientOrderFilter): Promise<boolean> {
  if (search === undefined) return true;
  const { prefix, prefixEnd } = searchBinds(search);
  const { count } = await oneRow<{ count: number }>(database, countMatches, { clientId, prefix, prefixEnd });
  return count < RARE;
}

/** The SQL of the common table `page` with the ids and times of the part's orders, and the values to bind. */
function pageOf(
  clientId: number,
  filter: ClientOrderFilter,
  { limit, after }: ListPart,
  isRare: boolean,
): { sql: string; binds: Binds } {
  const { status, search, product, from, to } = filter;
  const conditions = [
    product !== undefined && 'position(lower($product) IN lower(o.product_name)) > 0',
    from !== undefined && 'o.placed_at >= $from',
    to !== undefined && 'o.placed_at < $to',
    after !== undefined &&
      '(o.placed_at, o.id) < (SELECT placed_at, id FROM orders WHERE id = $after AND client_id = $clientId)',
  ].filter((condition) => condition !== false);
  const binds = { clientId, limit, ...givenOnly({ product, from, to, after }) };
  const statuses = status === undefined ? orderStatuses : [status];
  const pageSql = (wanted: string) => `WITH page AS MATERIALIZED (${wanted} LIMIT $limit)`;
  const inTheirSequence = (wanted: readonly string[]) =>
    indexedOrders({
      families: filter.families,
      statuses: statuses.map((each) => `'${each}'`),
      conditions: wanted,
      sequence: 'newest first',
      limit,
    });
  if (search === undefined) return { sql: pageSql(inTheirSequence(conditions)), binds };
  const withSearch = { ...binds, ...searchBinds(search) };
  if (!isRare) return { sql: pageSql(inTheirSequence([...conditions, matchesSearch])), binds: withSearch };
  const chosen = { families: [...filter.families], statuses: [...statuses] };
  return { sql: pageSql(ordersByKey(conditions)), binds: { ...withSearch, ...chosen } };
}

const matchesSearch = '(o.id = $id OR (o.client_reference >= $prefix AND o.client_reference < $prefixEnd))';

/** Finds the orders by their keys (the id, and the range of references with the prefix), and sorts them. */
function ordersByKey(conditions: readonly string[]): string {
  const own = ['o.family = ANY ($families)', 'o.status = ANY ($statuses)', ...conditions];
  return `
    SELECT o.id, o.placed_at
      FROM (SELECT id FROM orders WHERE id = $id AND client_id = $clientId
            UNION
            SELECT id FROM orders
             WHERE client_id = $clientId AND client_reference >= $prefix AND client_reference < $prefixEnd) named
      JOIN orders o USING (id) WHERE ${own.join(' AND ')}
     ORDER BY o.placed_at DESC, o.id DESC`;
}

/** An id that no order has. */
const NO_ID = 0;

/**
 * References are printable ASCII, so every reference with the prefix is below the prefix with DEL. The range needs the
 * order of bytes, which the database's locale C has.
 */
function searchBinds(search: string) {
  const id = /^[1-9]\d{0,14}$/.test(search) ? Number(search) : NO_ID;
  return { id, prefix: search, prefixEnd: `${search}\x7f` };
}

/** What happened to an order: its events, with their deliveries and attempts. */
export interface OrderTimeline {
  family: Family;
  placedAt: Date;
  completedAt: Date | null;
  events: TimelineEvent[];
}

/** Times are RFC 3339. */
export interface TimelineEvent {
  id: string;
  type: string;
  createdAt: string;
  deliveries: { endpointId: number; url: string; state: string; nextAttemptAt: string | null }[];
  attempts: (AttemptOutcome & { endpointId: number; url: string; attemptedAt: string })[];
}

// One statement, so that events, deliveries and attempts agree. Each event has its newest attempts: an endpoint that
// fails for days has dozens.
const timelineStatement = `
-- plan: webhook_endpoints_ever, webhook_deliveries_pkey, webhook_attempts_pkey
  SELECT o.family, o.placed_at AS "placedAt", o.completed_at AS "completedAt",
    ARRAY(SELECT json_build_object('id', event.id, 'type', event.type, 'createdAt', event.created_at,
      'deliveries', ARRAY(
        SELECT json_build_object('endpointId', endpoint.id, 'url', endpoint.url, 'state', delivery.state,
                                 'nextAttemptAt', delivery.next_attempt_at)
          FROM webhook_endpoints endpoint
          JOIN webhook_deliveries delivery
            ON delivery.endpoint_id = endpoint.id AND delivery.event_sequence = event.sequence
         WHERE endpoint.client_id = $clientId ORDER BY endpoint.id),
      'attempts', ARRAY(
        SELECT json_build_object('endpointId', endpoint.id, 'url', endpoint.url,
                                 'attemptedAt', attempt.attempted_at, 'durationMs', attempt.duration_ms,
                                 'responseStatus', attempt.response_status, 'error', attempt.error)
          FROM (SELECT * FROM webhook_attempts WHERE event_sequence = event.sequence ORDER BY id DESC LIMIT 25) attempt
          JOIN webhook_endpoints endpoint ON endpoint.id = attempt.endpoint_id AND endpoint.client_id = $clientId
         ORDER BY attempt.id))
      FROM events event WHERE event.order_id = o.id AND event.client_id = $clientId
     ORDER BY event.sequence) AS events
    FROM orders o WHERE o.id = $id AND o.client_id = $clientId`;

/** The timeline of the client's order; undefined if the client has none with the id. */
export function readTimeline(database: Database, clientId: number, id: number) {
  return firstRow<OrderTimeline>(database, timelineStatement, { clientId, id });
}

/** The families that the features enable. */
export function familiesOf(features: readonly string[]): Family[] {
  return familyIds.filter((family) => features.includes(families[family].feature));
}
