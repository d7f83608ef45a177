/** The log of a client's API requests. docs/clients/console.md#the-log-of-requests. */
import type { Family } from '../../domain/orders/families';
import { byteaArray, givenOnly, type Binds } from '../database/binds';
import { countRows, rows, unpreparedRows, type Database } from '../database/database';
import { withoutFlush } from '../database/connection-settings';
import { retention } from '../maintenance/retention';

/** A finished request. No field is text of the client, except `requestId`. */
export interface ApiRequest {
  clientId: number;
  /** When the request arrived. */
  at: Date;
  method: string;
  /** The path with parameters as `:name`, without the query and without the console's prefix. */
  route: string;
  /** Whether it came through the console. */
  isOfConsole: boolean;
  /** Who called: a key, or a member. */
  apiKeyId: number | null;
  memberId: number | null;
  /** Null if the caller left before the response. */
  status: number | null;
  /** Null for a response without an error. */
  errorCode: string | null;
  /** The message of the error, without text that it quotes. */
  errorMessage: string | null;
  /** The order in the path, or the order that the request placed or repeated; null if there is none. */
  orderId: number | null;
  /** The keyed hash of the order request's `client_reference`, and of its `Idempotency-Key`. */
  referenceHash: Buffer | null;
  keyHash: Buffer | null;
  durationMs: number;
  requestId: string;
}

/** Stores finished requests in one statement. */
export async function storeApiRequests(database: Database, requests: readonly ApiRequest[]): Promise<void> {
  await rows(
    database,
    `INSERT INTO api_requests (client_id, at, method, route, of_console, api_key_id, member_id, status, error_code, error_message,
                               order_id, reference_hash, key_hash, duration_ms, request_id)
     SELECT * FROM unnest($clientId::integer[], $at::timestamptz[], $method::text[], $route::text[],
                          $isOfConsole::boolean[], $apiKeyId::integer[], $memberId::integer[], $status::integer[], $errorCode::text[],
                          $errorMessage::text[], $orderId::bigint[], $referenceHash::bytea[], $keyHash::bytea[],
                          $durationMs::integer[], $requestId::text[])
     RETURNING ${withoutFlush}`,
    {
      clientId: requests.map(({ clientId }) => clientId),
      at: requests.map(({ at }) => at),
      method: requests.map(({ method }) => method),
      route: requests.map(({ route }) => route),
      isOfConsole: requests.map(({ isOfConsole }) => isOfConsole),
      apiKeyId: requests.map(({ apiKeyId }) => apiKeyId),
      memberId: requests.map(({ memberId }) => memberId),
      status: requests.map(({ status }) => status),
      errorCode: requests.map(({ errorCode }) => errorCode),
      errorMessage: requests.map(({ errorMessage }) => errorMessage),
      orderId: requests.map(({ orderId }) => orderId),
      referenceHash: byteaArray(requests.map(({ referenceHash }) => referenceHash)),
      keyHash: byteaArray(requests.map(({ keyHash }) => keyHash)),
      durationMs: requests.map(({ durationMs }) => durationMs),
      requestId: requests.map(({ requestId }) => requestId),
    },
  );
}

/** An entry of the log, with the names that the client's order has. */
export interface LoggedRequest extends Omit<
  ApiRequest,
  'clientId' | 'apiKeyId' | 'memberId' | 'referenceHash' | 'keyHash'
> {
  id: number;
  /** Null for a member. */
  apiKey: string | null;
  /** The email address of the member; null for a key. */
  member: string | null;
  /** Null if the order is not one of the client. */
  orderFamily: Family | null;
  clientReference: string | null;
  /** Only for a request that sent a key and has an order. */
  idempotencyKey: string | null;
}

/** The conditions. All of them must hold; absent ones match everything. */
export interface LogFilter {
  /** Responses of this class: 2 for 200 to 299. */
  statusClass?: number | undefined;
  errorCode?: string | undefined;
  /** The whole message. Its numbers do not matter. */
  errorMessage?: string | undefined;
  method?: string | undefined;
  /** A part of the path. */
  route?: string | undefined;
  orderId?: number | undefined;
  /** The possible hashes of the reference and of the key (see `Sealer.lookupHashes`). */
  referenceHashes?: Buffer[] | undefined;
  keyHashes?: Buffer[] | undefined;
  apiKey?: string | undefined;
  isOfConsole?: boolean | undefined;
  requestId?: string | undefined;
}

/** The page of the log to read: the newest entries, or those before the entry with that id. */
export interface LogPage {
  limit: number;
  before?: number | undefined;
}

/** Entries that one read looks at. A filter without an index of its own may match few of them. */
export const MAX_SCANNED = 50_000;

/** Conditions that an index finds, each with the name of its value. */
const indexed = {
  before: 'id < $before',
  statusClass: 'status / 100 = $statusClass',
  orderId: 'order_id = $orderId',
  referenceHashes: 'reference_hash = ANY ($referenceHashes)',
  keyHashes: 'key_hash = ANY ($keyHashes)',
  requestId: 'request_id = $requestId',
} as const;

/** SQL: the message without its numbers, such as seconds to wait. */
function withoutNumbers(message: string): string {
  return `regexp_replace(${message}, '[0-9]+', '', 'g')`;
}

const others = {
  errorCode: 'error_code = $errorCode',
  errorMessage: `${withoutNumbers('error_message')} = ${withoutNumbers('$errorMessage')}`,
  method: 'method = $method',
  route: 'position($route IN route) > 0',
  apiKey: 'api_key_id = (SELECT id FROM api_keys WHERE api_key = $apiKey AND client_id = $clientId)',
  isOfConsole: 'of_console = $isOfConsole',
} as const;

/** The plan that finds the entries of a filter quickly, although the client has millions of others. */
function planOf({ statusClass, orderId, referenceHashes, keyHashes, requestId }: LogFilter): string {
  if (requestId !== undefined) return '-- plan: api_requests_by_request_id';
  if (keyHashes !== undefined) return '-- plan: api_requests_by_key';
  if (referenceHashes !== undefined) return '-- plan: api_requests_by_reference';
  if (orderId !== undefined) return '-- plan: api_requests_by_order';
  return statusClass === undefined ? '' : '-- plan: api_requests_of_client_by_class';
}

/**
 * The matching requests, newest first, at most `limit`, and the id before which the next page begins; null after the last page. One
 * read looks at `MAX_SCANNED` entries: a page may have fewer entries than `limit`, or none, although older ones match.
 */
export async function listApiRequests(
  database: Database,
  clientId: number,
  filter: LogFilter,
  { limit, before }: LogPage,
): Promise<{ requests: LoggedRequest[]; next: number | null }> {
  const given = { ...givenOnly({ ...filter, before }), clientId };
  const recent = recentSql(filter, given);
  const found = await unpreparedRows<LoggedRequest>(
    database,
    `${planOf(filter)}
     WITH page AS MATERIALIZED (
       SELECT * FROM (${recent}) recent ${where(conditionsOf(others, given))} ORDER BY id DESC LIMIT $limit)
     SELECT page.id, page.at, page.method, page.route, page.of_console AS "isOfConsole", page.status,
            page.error_code AS "errorCode", page.error_message AS "errorMessage", page.order_id AS "orderId",
            page.duration_ms AS "durationMs", page.request_id AS "requestId", api_keys.api_key AS "apiKey", members.email AS member,
            o.family AS "orderFamily", o.client_reference AS "clientReference",
            CASE WHEN page.key_hash IS NOT NULL THEN reservation.idempotency_key END AS "idempotencyKey"
       FROM page LEFT JOIN api_keys ON api_keys.id = page.api_key_id LEFT JOIN members ON members.id = page.member_id
       LEFT JOIN orders o ON o.id = page.order_id AND o.client_id = $clientId
       LEFT JOIN order_reservations reservation ON reservation.order_id = o.id
      ORDER BY page.id DESC`,
    { ...given, limit: limit + 1 },
  );
  const shown = found.slice(0, limit);
  if (found.length > limit) return { requests: shown, next: shown.at(-1)?.id ?? null };
  return { requests: shown, next: await lastScanned(database, filter, given) };
}

function recentSql(filter: LogFilter, given: Binds): string {
  const conditions = ['client_id = $clientId', ...conditionsOf(indexed, given)];
  return `SELECT * FROM api_requests ${where(conditions)} ORDER BY id DESC LIMIT ${MAX_SCANNED}`;
}

/** The oldest entry that the read looked at; null if it looked at all. */
async function lastScanned(database: Database, filter: LogFilter, given: Binds): Promise<number | null> {
  const names = [...Object.keys(indexed), 'clientId'];
  const binds = Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));
  const statement = `SELECT id FROM (${recentSql(filter, given)}) recent OFFSET ${MAX_SCANNED - 1}`;
  const [last] = await unpreparedRows<{ id: number }>(database, statement, binds);
  return last?.id ?? null;
}

function conditionsOf(all: Readonly<Record<string, string>>, given: Binds): string[] {
  return Object.entries(all).flatMap(([name, condition]) => (name in given ? [condition] : []));
}

function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
}

/** Errors of one route whose messages differ only in numbers, such as seconds to wait. */
export interface ErrorGroup extends Pick<ApiRequest, 'method' | 'route'> {
  errorCode: string;
  /** That of the newest. */
  errorMessage: string;
  count: number;
  latestAt: Date;
  latestRequestId: string;
}

/** Errors of each class, 4xx and 5xx, that one read groups. */
const MAX_GROUPED = 5_000;
const MAX_GROUPS = 20;

/** The errors of the last 24 hours, grouped, the most frequent first. Reads the newest `MAX_GROUPED` of each class. */
export function groupErrors(database: Database, clientId: number): Promise<ErrorGroup[]> {
  const ofClass = (statusClass: 4 | 5) =>
    `(SELECT * FROM api_requests WHERE client_id = $clientId AND status / 100 = ${statusClass}
       ORDER BY id DESC LIMIT ${MAX_GROUPED})`;
  return rows<ErrorGroup>(
    database,
    `-- plan: api_requests_of_client_by_class
     SELECT method, route, error_code AS "errorCode", count(*) AS count, (array_agg(error_message ORDER BY id DESC))[1] AS "errorMessage",
            max(at) AS "latestAt", (array_agg(request_id ORDER BY id DESC))[1] AS "latestRequestId"
       FROM (${ofClass(4)} UNION ALL ${ofClass(5)}) failed
      WHERE error_code IS NOT NULL AND at > now() - interval '24 hours'
      GROUP BY method, route, error_code, ${withoutNumbers('error_message')}
      ORDER BY count(*) DESC, max(at) DESC LIMIT ${MAX_GROUPS}`,
    { clientId },
  );
}

/**
 * Deletes at most `limit` entries whose retention has ended. Returns their number; below `limit`, no such entry is left. Reads
 * only the first `limit` entries by id, because ids have about the order of the times.
 */
export function deleteOldApiRequests(database: Database, limit: number): Promise<number> {
  return countRows(
    database,
    `DELETE FROM api_requests
      WHERE id IN (SELECT id FROM (SELECT id, at FROM api_requests ORDER BY id LIMIT $limit) oldest
                    WHERE at < now() - ${retention.apiRequest})
     RETURNING id`,
    { limit },
  );
}
