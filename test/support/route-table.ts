/**
 * Every route of the API: whether it needs a token, in which class its calls count, and whose things its path names.
 * A route that is not here fails `test/api/routes.test.ts`.
 */
import { mountsOf } from '../../src/api/app';
import type { Dependencies } from '../../src/api/dependencies';
import { registeredRoutes } from '../../src/api/middleware/errors';

/** What belongs to one client, and is unknown to every other. */
export type Owned = 'wallet' | 'transaction' | 'voucher' | 'topup' | 'esim' | 'endpoint' | 'event';

export interface RouteEntry {
  /** The class its calls count in; null where they are not limited. */
  rateClass: string | null;
  /** False where the request carries another proof, or needs none. */
  token: boolean;
  /** What the id in the path is: a client's own, what all clients share, or there is none. */
  names: Owned | 'shared' | 'nothing';
}

const open = (rateClass: string | null): RouteEntry => ({ rateClass, token: false, names: 'nothing' });
const read = (names: RouteEntry['names'] = 'nothing'): RouteEntry => ({
  rateClass: 'reads',
  token: true,
  names,
});
const change = (names: RouteEntry['names'] = 'nothing'): RouteEntry => ({
  ...read(names),
  rateClass: 'changes',
});
const call = (rateClass: string, names: RouteEntry['names'] = 'nothing'): RouteEntry => ({
  ...read(names),
  rateClass,
});

/** By method and path. `HEAD` goes with `GET`. */
export const routeTable: Readonly<Record<string, RouteEntry>> = {
  'GET /openapi.json': open(null),
  'GET /docs': open(null),
  'GET /docs/assets/:file': open(null),
  'GET /health': open(null),
  'GET /ready': open(null),
  'POST /auth/login': open('login'),
  'POST /auth/refresh': open('refresh'),
  'POST /suppliers/:name/callbacks': open(null),

  // By a cookie, or in order to get one: test/console/.
  'GET /console': open(null),
  'GET /console/assets/:file': open(null),
  'POST /console/session': open('login'),
  'PUT /console/session': open('refresh'),
  'GET /console/session': open(null),
  'DELETE /console/session': open(null),
  'GET /console/stream': open(null),

  'GET /api/v1/countries': read(),
  'GET /api/v1/countries/:id': read('shared'),
  'GET /api/v1/currencies': read(),
  'GET /api/v1/categories': read(),
  'GET /api/v1/categories/:id': read('shared'),
  'GET /api/v1/subcategories': read(),
  'GET /api/v1/subcategories/:id': read('shared'),

  'GET /api/v1/wallets': read(),
  'GET /api/v1/wallets/:id': read('wallet'),
  'GET /api/v1/wallets/:id/statement': read('wallet'),
  'PATCH /api/v1/wallets/:id': change('wallet'),
  'GET /api/v1/transactions': read(),
  'GET /api/v1/transactions/:id': read('transaction'),
  'GET /api/v1/statements/orders': read(),

  'GET /api/v1/products': read(),
  'GET /api/v1/products/:id': read('shared'),
  'POST /api/v1/products/:id/charges': call('voucher_charges', 'shared'),
  'POST /api/v1/orders': call('voucher_orders'),
  'GET /api/v1/orders': read(),
  'GET /api/v1/orders/:id': read('voucher'),
  'PATCH /api/v1/orders/:id/notification-email': change('voucher'),

  'GET /api/v1/topups/products': read(),
  'GET /api/v1/topups/products/:id': read('shared'),
  'GET /api/v1/topups/products/:id/variants': read('shared'),
  'GET /api/v1/topups/variants/:id': read('shared'),
  'GET /api/v1/topups/mobile-lookup': read(),
  'POST /api/v1/topups/charges': call('topup_charges'),
  'POST /api/v1/topups/orders': call('topup_orders'),
  'GET /api/v1/topups/orders': read(),
  'GET /api/v1/topups/orders/:id': read('topup'),
  'PATCH /api/v1/topups/orders/:id/notification-email': change('topup'),

  'GET /api/v1/esim/products': read(),
  'GET /api/v1/esim/products/:id': read('shared'),
  'GET /api/v1/esim/products/:id/variants': read('shared'),
  'GET /api/v1/esim/variants/:id': read('shared'),
  'POST /api/v1/esim/charges': call('esim_charges'),
  'POST /api/v1/esim/orders': call('esim_orders'),
  'GET /api/v1/esim/orders': read(),
  'GET /api/v1/esim/orders/:id': read('esim'),
  'PATCH /api/v1/esim/orders/:id/notification-email': change('esim'),

  'GET /api/v1/sandbox/scenarios': read(),
  'POST /api/v1/sandbox/wallets/:id/fund': change('wallet'),
  'POST /api/v1/sandbox/esims/:order_id/install': change('esim'),
  'POST /api/v1/sandbox/esims/:order_id/use': change('esim'),
  'POST /api/v1/sandbox/esims/:order_id/deplete': change('esim'),
  'POST /api/v1/sandbox/orders/:id/cancel': change('voucher'),

  'GET /api/v1/webhooks/endpoints': read(),
  'POST /api/v1/webhooks/endpoints': change(),
  'GET /api/v1/webhooks/endpoints/:id': read('endpoint'),
  'PATCH /api/v1/webhooks/endpoints/:id': change('endpoint'),
  'DELETE /api/v1/webhooks/endpoints/:id': change('endpoint'),
  'POST /api/v1/webhooks/endpoints/:id/test': change('endpoint'),
  'POST /api/v1/webhooks/endpoints/:id/replay': change('endpoint'),
  'GET /api/v1/webhooks/endpoints/:id/secret': read('endpoint'),
  'POST /api/v1/webhooks/endpoints/:id/secret/rotate': change('endpoint'),
  'GET /api/v1/webhooks/events': read(),
  'GET /api/v1/webhooks/events/:id': read('event'),
  'POST /api/v1/webhooks/events/:id/redeliver': change('event'),
};

export interface Route extends RouteEntry {
  method: string;
  /** With parameters as `:name`. */
  path: string;
}

/** The routes of the table, one for each method that is answered. */
export const routes: readonly Route[] = Object.entries(routeTable).flatMap(([name, entry]) => {
  const [method = '', path = ''] = name.split(' ');
  const methods = method === 'GET' ? ['GET', 'HEAD'] : [method];
  return methods.map((each) => ({ ...entry, method: each, path }));
});

/** The routes that the application has, as the table names them. */
export function routesOfApplication(): string[] {
  // Nothing is asked of them before a request comes: anything does.
  const anything: unknown = new Proxy(() => undefined, { get: () => anything, apply: () => anything });
  return registeredRoutes(mountsOf(anything as Dependencies)).flatMap(({ path, methods }) =>
    methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${path}`),
  );
}
