/** The log of a client's API requests. docs/clients/console.md#the-log-of-requests. */
import { givenOnly } from '../database/binds';
import { countRows, rows, type Database } from '../database/database';
import { retention } from '../retention';

/** A finished request. */
export interface ApiRequest {
  clientId: number;
  /** When the request arrived. */
  at: Date;
  method: string;
  /** The path with parameters as `:name`, without the query. */
  route: string;
  /** Null if the caller left before the response. */
  status: number | null;
  durationMs: number;
  requestId: string;
}

/** Stores finished requests in one statement. */
export async function storeApiRequests(database: Database, requests: readonly ApiRequest[]): Promise<void> {
  await rows(
    database,
    `INSERT INTO api_requests (client_id, at, method, route, status, duration_ms, request_id)
     SELECT * FROM unnest($clientId::integer[], $at::timestamptz[], $method::text[], $route::text[],
                          $status::integer[], $durationMs::integer[], $requestId::text[])`,
    {
      clientId: requests.map(({ clientId }) => clientId),
      at: requests.map(({ at }) => at),
      method: requests.map(({ method }) => method),
      route: requests.map(({ route }) => route),
      status: requests.map(({ status }) => status),
      durationMs: requests.map(({ durationMs }) => durationMs),
      requestId: requests.map(({ requestId }) => requestId),
    },
  );
}

export interface LoggedRequest extends ApiRequest {
  id: number;
}

/** The part of the log to read. */
export interface LogPart {
  limit: number;
  /** Only entries older than this one. */
  before?: number | undefined;
  /** Only responses of this class: 2 for 200 to 299. */
  statusClass?: number | undefined;
}

/** The client's requests, newest first, at most `limit`. */
export function listApiRequests(database: Database, clientId: number, part: LogPart) {
  const { limit, before, statusClass } = part;
  const conditions = [
    'client_id = $clientId',
    ...(before === undefined ? [] : ['id < $before']),
    ...(statusClass === undefined ? [] : ['status / 100 = $statusClass']),
  ];
  return rows<LoggedRequest>(
    database,
    `${statusClass === undefined ? '' : '-- plan: api_requests_of_client_by_class'}
     SELECT id, client_id AS "clientId", at, method, route, status, duration_ms AS "durationMs",
            request_id AS "requestId"
       FROM api_requests WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT $limit`,
    { clientId, limit, ...givenOnly({ before, statusClass }) },
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
