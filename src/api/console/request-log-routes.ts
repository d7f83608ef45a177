/** The log of an account's API requests. docs/clients/console.md#the-log-of-requests. */
import Joi from 'joi';
import {
  groupErrors,
  listApiRequests,
  type ErrorGroup,
  type LoggedRequest,
  type LogFilter,
} from '../../data/clients/api-requests';
import { errorCodes } from '../../domain/error-kinds';
import { families } from '../../domain/orders/families';
import type { Dependencies } from '../dependencies';
import { clientOf } from '../middleware/caller';
import { textOfKey, textOfReference } from '../middleware/logged-request';
import type { Routes } from '../server/route';
import { sendCsv } from '../shared/csv-response';
import { queryId, validQuery } from '../shared/validation';
import { before, linesOf, rowLimit } from './page-query';

interface RequestsQuery {
  status?: '2xx' | '3xx' | '4xx' | '5xx';
  code?: string;
  message?: string;
  method?: string;
  path?: string;
  order?: number;
  reference?: string;
  key?: string;
  api_key?: string;
  channel?: 'api' | 'console';
  request_id?: string;
  before?: number;
  limit: number;
}

const text = Joi.string().trim().empty('').max(255);

const requestsQuery = Joi.object<RequestsQuery>({
  status: Joi.valid('2xx', '3xx', '4xx', '5xx'),
  code: Joi.valid(...errorCodes),
  message: text.max(1_000),
  method: Joi.valid('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'),
  path: text,
  order: queryId,
  reference: text,
  key: text,
  api_key: text,
  channel: Joi.valid('api', 'console'),
  request_id: text,
  before,
  limit: rowLimit,
});

function filterOf(
  { sealer }: Pick<Dependencies, 'sealer'>,
  clientId: number,
  { status, reference, key, ...query }: RequestsQuery,
): LogFilter {
  return {
    statusClass: status && Number(status.charAt(0)),
    errorCode: query.code,
    errorMessage: query.message,
    method: query.method,
    route: query.path,
    orderId: query.order,
    referenceHashes: reference === undefined ? undefined : sealer.lookupHashes(textOfReference(clientId, reference)),
    keyHashes: key === undefined ? undefined : sealer.lookupHashes(textOfKey(clientId, key)),
    apiKey: query.api_key,
    isOfConsole: query.channel && query.channel === 'console',
    requestId: query.request_id,
  };
}

const requestColumns = [
  'id',
  'at',
  'method',
  'path',
  'channel',
  'api_key',
  'member',
  'status',
  'error_code',
  'error_message',
  'order_id',
  'order_family',
  'client_reference',
  'idempotency_key',
  'duration_ms',
  'request_id',
] as const;

/** Served to the console's session alone. docs/developers/console.md#data-of-the-console. */
export const consoleRequestLogRoutes: Routes = {
  'GET /console/api/requests': {
    scope: 'read',
    handler: (deps) => async (request, response) => {
      const query = validQuery(requestsQuery, request);
      const { id } = clientOf(response);
      const found = await listApiRequests(deps.database, id, filterOf(deps, id, query), query);
      response.json({ requests: found.requests.map(requestView), next: found.next });
    },
  },
  'GET /console/api/requests.csv': {
    scope: 'read',
    handler: (deps) => async (request, response) => {
      const { id } = clientOf(response);
      const filter = filterOf(deps, id, validQuery(requestsQuery, request));
      const read = async (page: { before?: number | undefined; limit: number }) => {
        const { requests: items, next } = await listApiRequests(deps.database, id, filter, page);
        return { items, next };
      };
      await sendCsv(response, 'requests.csv', requestColumns, linesOf(read, requestView));
    },
  },
  'GET /console/api/requests/errors': {
    scope: 'read',
    handler: (deps) => async (_request, response) => {
      const groups = await groupErrors(deps.database, clientOf(response).id);
      response.json({ errors: groups.map(groupView), codes: errorCodes });
    },
  },
};

function requestView(request: LoggedRequest) {
  const { orderFamily } = request;
  return {
    id: request.id,
    at: request.at.toISOString(),
    method: request.method,
    path: request.route,
    channel: request.isOfConsole ? 'console' : 'api',
    api_key: request.apiKey,
    member: request.member,
    status: request.status,
    error_code: request.errorCode,
    error_message: request.errorMessage,
    order_id: request.orderId,
    order_family: orderFamily && families[orderFamily].feature,
    client_reference: request.clientReference,
    idempotency_key: request.idempotencyKey,
    duration_ms: request.durationMs,
    request_id: request.requestId,
  };
}

function groupView(group: ErrorGroup) {
  return {
    method: group.method,
    path: group.route,
    error_code: group.errorCode,
    error_message: group.errorMessage,
    count: group.count,
    latest_at: group.latestAt.toISOString(),
    latest_request_id: group.latestRequestId,
  };
}
