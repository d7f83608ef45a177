/** What the log of API requests stores of a request. docs/decisions/0064-log-no-text-of-a-client.md. */
import type { Response } from 'express';
import type { ApiRequest } from '../../data/clients/api-requests';
import type { Sealer } from '../../security/sealing';
import { API, CONSOLE_API } from '../server/route';
import { matchOf } from '../server/dispatch';
import { errorIn } from './errors';

/** The route of requests whose path is unknown. */
const NO_ROUTE = 'none';
/** Whether the path is one of the console's pages, sessions or own data, which are not part of the API. */
const isOwnOfConsole = (path: string) => path.startsWith('/console') && !path.startsWith(CONSOLE_API);

/** The names of an order request as keyed hashes: text of the client, which the log must not contain. */
type HashedNames = Pick<ApiRequest, 'referenceHash' | 'keyHash'>;

declare module 'express-serve-static-core' {
  interface Locals {
    hashedNames?: HashedNames;
    /** The order that the request placed or repeated. */
    loggedOrderId?: number;
  }
}

/** The service rejects longer names. */
const MAX_NAME = 255;

/** The hashed text of a name. The prefix separates the hashes of clients and of both kinds of names. */
export const textOfReference = (clientId: number, reference: string) => `log/${clientId}/reference/${reference}`;
export const textOfKey = (clientId: number, key: string) => `log/${clientId}/key/${key}`;

/** Records the names by which the client can find its order request in the log, also if the request is rejected. */
export function logNames(
  sealer: Pick<Sealer, 'lookupHash'>,
  response: Response,
  clientId: number,
  { reference, key }: { reference: unknown; key: string | undefined },
): void {
  response.locals.hashedNames = {
    referenceHash:
      typeof reference === 'string' && reference.length <= MAX_NAME
        ? sealer.lookupHash(textOfReference(clientId, reference))
        : null,
    keyHash: key === undefined || key.length > MAX_NAME ? null : sealer.lookupHash(textOfKey(clientId, key)),
  };
}

/** Records the order that the request placed or repeated. */
export function logOrder(response: Response, orderId: number): void {
  response.locals.loggedOrderId = orderId;
}

/**
 * The entry of a finished request; undefined without a known client, and for the console's own paths. An entry contains no
 * query, no body and no value of the path, except the id of an order.
 */
export function loggedRequest(
  method: string,
  response: Response,
  { isAnswered, durationMs }: { isAnswered: boolean; durationMs: number },
): ApiRequest | undefined {
  const { caller, hashedNames } = response.locals;
  const path = matchOf(response).endpoint?.path ?? NO_ROUTE;
  if (!caller || isOwnOfConsole(path)) return undefined;
  const error = errorIn(response);
  return {
    clientId: caller.client.id,
    at: new Date(Date.now() - durationMs),
    method,
    route: path.startsWith(CONSOLE_API) ? API + path.slice(CONSOLE_API.length) : path,
    isOfConsole: response.req.path.startsWith('/console'),
    apiKeyId: caller.apiKeyId,
    memberId: caller.memberId,
    status: isAnswered ? response.statusCode : null,
    errorCode: error?.code ?? null,
    errorMessage: error?.loggedMessage ?? null,
    orderId: orderIdOf(response, path),
    referenceHash: hashedNames?.referenceHash ?? null,
    keyHash: hashedNames?.keyHash ?? null,
    durationMs,
    requestId: response.get('X-Request-Id') ?? '',
  };
}

/** An id of at most 15 digits, so that it is exact as a number. */
const orderIdInPath = /^[1-9]\d{0,14}$/;
/** The order that a duplicate reference names. */
const orderInLocation = /\/orders\/(\d{1,15})$/;

/** The order that the request placed or repeated, the order that its error names, or the order in its path. */
function orderIdOf(response: Response, path: string): number | null {
  const known = response.locals.loggedOrderId;
  if (known !== undefined) return known;
  const named = orderInLocation.exec(response.get('Location') ?? '')?.[1];
  if (named !== undefined) return Number(named);
  const [value = ''] = /\/(orders|esims)\/:/.test(path) ? matchOf(response).values : [];
  return orderIdInPath.test(value) ? Number(value) : null;
}
