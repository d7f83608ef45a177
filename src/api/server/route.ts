/** The tables in which each resource lists its routes, with their part of the OpenAPI document. */
import type { RequestHandler } from 'express';
import type { RateClass } from '../../domain/clients/rate-classes';
import type { Dependencies } from '../dependencies';
import { requireFeature } from '../middleware/order-admission';
import type { ApiOperation } from '../openapi/operation';
import { rejectInvalidBody } from '../middleware/request-body';
import { requireScope } from '../middleware/scope';
import { requireRecentSecondFactor } from '../middleware/second-factor';
import { readMethods, sequence, type BoundRoute } from './dispatch';

/** The prefix of the paths that need an access token. */
export const API = '/api/v1';

/** The prefix of the data that only the console reads, by its session. */
export const CONSOLE_DATA = '/console/api';

/** The prefix under which the console's session calls the routes of the API. */
export const CONSOLE_API = `${CONSOLE_DATA}/v1`;

export interface Route<Needs = Dependencies> extends Pick<ApiOperation, 'scope' | 'feature' | 'allowsEndedAccess'> {
  /** Makes the handler, once for each application. */
  handler: (deps: Needs) => RequestHandler;
  /** The class that counts the calls. Default for paths that need a token: `reads` if the method only reads, else `changes`. */
  rateClass?: RateClass;
  /** Runs before scope and feature are checked and the handler reads the body. */
  admission?: (deps: Needs) => RequestHandler;
  /** The response has a secret. A member with a second factor gives it again before, as before a change of the scope `admin`. */
  showsSecret?: true;
  /** Why a change of the scope `admin` needs no recent second factor of a member. */
  harmless?: string;
}

/** Routes by method and path, such as `GET /api/v1/wallets/:id`. HEAD has the handler of GET. */
export type Routes<Needs = Dependencies> = Readonly<Record<string, Route<Needs>>>;

/** Routes that the OpenAPI document describes. */
export type ApiRoutes<Needs = Dependencies> = Readonly<Record<string, ApiRoute<Needs>>>;

export type ApiRoute<Needs = Dependencies> = Route<Needs> & ApiOperation;

/** Whether a member with a second factor must have given it in the last 10 minutes. */
export function routeNeedsSecondFactor(
  method: string,
  { scope, showsSecret, harmless }: Pick<Route, 'scope' | 'showsSecret' | 'harmless'>,
): boolean {
  const changesAccess = scope === 'admin' && !readMethods.includes(method) && harmless === undefined;
  return changesAccess || showsSecret === true;
}

/** Makes the handlers of the routes, and puts their checks before them. */
export function boundRoutes<Needs>(routes: Routes<Needs>, deps: Needs): BoundRoute[] {
  return Object.entries(routes).map(([name, described]) => {
    const { handler, scope, feature, admission, ...route } = described;
    const [method = '', path = ''] = name.split(' ');
    const checks = [
      ...(admission ? [admission(deps)] : []),
      ...(scope === 'none' ? [] : [requireScope(scope)]),
      ...(routeNeedsSecondFactor(method, described) ? [requireRecentSecondFactor] : []),
      ...(feature ? [requireFeature(feature)] : []),
      // Other handlers reject an invalid body themselves, because they count the call first.
      ...(path.startsWith(API) && !readMethods.includes(method) ? [rejectInvalidBody] : []),
    ];
    return { ...route, method, path, handle: sequence([...checks, handler(deps)]) };
  });
}
