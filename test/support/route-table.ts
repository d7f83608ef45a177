/** The service's routes for tests: their authentication, rate-limit class and resource. */
import { changes, reads } from '../../src/domain/clients/rate-classes';
import type { Scope } from '../../src/domain/clients/scopes';
import { apiOperations, undocumentedRoutes } from '../../src/api/routes';

/** Resources that belong to one client and are unknown to every other. */
export type Owned =
  | 'wallet'
  | 'transaction'
  | 'voucher'
  | 'topup'
  | 'esim'
  | 'endpoint'
  | 'event'
  | 'key'
  | 'member'
  | 'claim'
  | 'funding';

export interface Route {
  method: string;
  /** With parameters as `:name`. */
  path: string;
  /** The rate-limit class of its calls; null if they are not limited. */
  rateClass: string | null;
  /** The scope that its calls need. */
  scope: Scope | 'none';
  /** False if the request needs no token. */
  token: boolean;
  /** Whether the request needs the console's session instead of a token. */
  session: boolean;
  /** The resource of the id in the path: a client's own, one that all clients share, or none. */
  names: Owned | 'shared' | 'nothing';
}

/** The kinds of a client's resources by the prefix of their path. */
const ownedPaths: readonly [start: string, kind: Owned][] = [
  ['/api/v1/wallets/', 'wallet'],
  ['/api/v1/sandbox/wallets/', 'wallet'],
  ['/api/v1/transactions/', 'transaction'],
  ['/api/v1/orders/', 'voucher'],
  ['/console/api/orders/', 'voucher'],
  ['/console/api/wallets/', 'wallet'],
  ['/console/api/confirmations/', 'wallet'],
  ['/api/v1/sandbox/orders/', 'voucher'],
  ['/api/v1/topups/orders/', 'topup'],
  ['/api/v1/esim/orders/', 'esim'],
  ['/api/v1/sandbox/esims/', 'esim'],
  ['/api/v1/webhooks/endpoints/', 'endpoint'],
  ['/api/v1/webhooks/events/', 'event'],
  ['/api/v1/api-keys/', 'key'],
  ['/api/v1/members/', 'member'],
  ['/api/v1/claims/', 'claim'],
  ['/api/v1/sandbox/claims/', 'claim'],
  ['/api/v1/funding-requests/', 'funding'],
  ['/api/v1/sandbox/funding-requests/', 'funding'],
];

/** Paths of resources that all clients share. */
const sharedPaths = /\/(countries|categories|subcategories|products|variants)\/:id\b/;

function namesOf(path: string): Route['names'] {
  if (!/:\w*id\b/.test(path)) return 'nothing';
  if (sharedPaths.test(path)) return 'shared';
  const kind = ownedPaths.find(([start]) => path.startsWith(start))?.[1];
  if (!kind) throw new Error(`Whose id does ${path} name? Add it to ${__filename}`);
  return kind;
}

/** One route for each supported method. HEAD follows GET. */
export const routes: readonly Route[] = Object.entries({ ...apiOperations, ...undocumentedRoutes }).flatMap(
  ([name, { rateClass, scope, ...route }]) => {
    const [method = '', path = ''] = name.split(' ');
    const token = !('access' in route) && path.startsWith('/api/v1/');
    const byDefault = token ? (method === 'GET' ? reads : changes) : undefined;
    const session = path.startsWith('/console/api/');
    const counted = rateClass ?? byDefault;
    const entry = { path, token, session, scope, rateClass: counted?.name ?? null, names: namesOf(path) };
    const methods = method === 'GET' ? ['GET', 'HEAD'] : [method];
    return methods.map((each) => ({ ...entry, method: each }));
  },
);
