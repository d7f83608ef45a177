/** The handlers that run for a request, and their parameters. */
import { once } from 'node:events';
import { createServer, request as send, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { Dependencies } from '../../src/api/dependencies';
import { propertyOf } from '../../src/domain/unknown-values';
import { boundRoutesOf } from '../../src/api/routes';
import { messageClassesOf } from '../../src/api/server/app';
import {
  Dispatcher,
  sequence,
  matchRoute,
  rateClassOf,
  runChecks,
  runRoute,
  type BoundRoute,
} from '../../src/api/server/dispatch';

const servers: Server[] = [];
afterAll(() => servers.forEach((server) => server.close()));

/** An application of the handlers. It responds with the target of an unhandled request, or the message of an error. */
function applicationOf(...handlers: RequestHandler[]): Express {
  const failed: ErrorRequestHandler = (error: Error, _request, response, _next) => {
    response.end(`error: ${error.message}`);
  };
  const left: RequestHandler = (request, response) => void response.end(`left: ${request.url}`);
  return express().use(sequence(handlers), left, failed);
}

/** The body of the application's response. */
async function answerOf(app: Express, target: string, method = 'GET'): Promise<string> {
  const server = createServer(messageClassesOf(app), app).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const request = send({ host: '127.0.0.1', port, path: target, method, agent: false }).end();
  const [answer] = (await once(request, 'response')) as [NodeJS.ReadableStream];
  let text = '';
  for await (const chunk of answer) text += String(chunk);
  return text;
}

/** A route that responds with its path, the checks that ran and the parameters. */
function routeAt(method: string, path: string): BoundRoute {
  const handle: RequestHandler = (request, response) => {
    const { checked = 'no checks' } = response.locals as { checked?: string };
    response.end(`${method} ${path} after ${checked} with ${JSON.stringify(request.params)}`);
  };
  return { method, path, handle };
}

const checksOf = (path: string): [string, RequestHandler] => [
  path,
  (_request, response, next) => {
    response.locals.checked = path;
    next();
  },
];

describe('routes', () => {
  const routes = [
    routeAt('GET', '/health'),
    routeAt('GET', '/api'),
    routeAt('POST', '/api/orders'),
    routeAt('GET', '/api/orders'),
    routeAt('GET', '/api/orders/:id'),
    routeAt('PATCH', '/api/orders/:order_id/mail'),
  ];
  const checks = new Map([checksOf('/api'), checksOf('/api/orders')]);
  const app = applicationOf(matchRoute(new Dispatcher(routes, checks)), runChecks, runRoute);

  test.each([
    ['/health', 'GET /health after no checks with {}'],
    ['/api', 'GET /api after /api with {}'],
    ['/api/', 'GET /api after /api with {}'],
    ['/api/orders?page=2', 'GET /api/orders after /api/orders with {}'],
    ['/api/orders/', 'GET /api/orders after /api/orders with {}'],
    ['/api/orders/Ab%20c?x', 'GET /api/orders/:id after /api/orders with {"id":"Ab c"}'],
    ['/API/orders', 'error: Path not found'],
    ['/api/Orders/17', 'error: Path not found'],
    ['/api/orders/17/', 'GET /api/orders/:id after /api/orders with {"id":"17"}'],
    ['http://api.example/api/orders/17?page=2', 'GET /api/orders/:id after /api/orders with {"id":"17"}'],
    ['/', 'error: Path not found'],
    ['//api/orders', 'error: Path not found'],
    ['/api//orders', 'error: Path not found'],
    ['/api/orders//', 'error: Path not found'],
    ['/api/ordersome', 'error: Path not found'],
    ['/api/orders/17/more', 'error: Path not found'],
    [`/api${'/'.repeat(10_000)}`, 'error: Path not found'],
    ['/api/orders/17/mail', 'error: Method not allowed'],
    ['/api/orders/%', 'error: URI malformed'],
    ['/nowhere/%', 'error: URI malformed'],
  ])('When %s is requested, then the response is %s', async (target, answer) => {
    expect(await answerOf(app, target)).toBe(answer);
  });

  test('When the method is PATCH, then the PATCH route responds', async () => {
    const answer = 'PATCH /api/orders/:order_id/mail after /api/orders with {"order_id":"17"}';
    expect(await answerOf(app, '/api/orders/17/mail', 'PATCH')).toBe(answer);
  });

  test('When a path has routes for other methods, then Allow names those methods without OPTIONS', () => {
    const dispatcher = new Dispatcher(routes);
    const { route, endpoint } = dispatcher.match('OPTIONS', '/api/orders');
    expect([route, [...(endpoint?.byMethod.keys() ?? [])]]).toEqual([undefined, ['POST', 'GET', 'HEAD']]);
  });
});

describe('rate classes', () => {
  // The test creates the handlers but never runs them.
  const anything: unknown = new Proxy(() => undefined, { get: () => anything, apply: () => anything });
  const depsWith = (known: object) =>
    new Proxy(known, {
      get: (_deps, name) => (name in known ? propertyOf(known, String(name)) : anything),
    }) as Dependencies;
  const routes = boundRoutesOf(depsWith({ sandboxControls: undefined }));
  const ofConsole = routes.map((route) => ({ ...route, path: `/console${route.path}` }));
  const dispatcher = new Dispatcher([...routes, ...ofConsole]);

  test('When no bank account is set, then no path of funding requests exists, and production never pays them', () => {
    const paths = (known: object) =>
      boundRoutesOf(depsWith({ sandboxControls: undefined, ...known }))
        .map(({ method, path }) => `${method} ${path}`)
        .filter((name) => name.includes('funding-requests'));
    expect(paths({ config: { funding: { bankAccounts: new Map() } } })).toEqual([]);
    expect(paths({})).toEqual([
      'POST /api/v1/wallets/:id/funding-requests',
      'GET /api/v1/wallets/:id/funding-requests',
      'GET /api/v1/funding-requests/:id',
      'POST /api/v1/funding-requests/:id/cancel',
    ]);
  });

  test.each([
    ['GET', '/api/v1/orders', 'reads'],
    ['HEAD', '/api/v1/nowhere', 'reads'],
    ['OPTIONS', '/api/v1/orders', 'reads'],
    ['POST', '/api/v1/orders', 'voucher_orders'],
    ['POST', '/api/v1/orders/', 'voucher_orders'],
    ['POST', '/console/api/v1/orders', 'voucher_orders'],
    ['POST', '/api/v1/topups/orders', 'topup_orders'],
    ['POST', '/api/v1/esim/orders', 'esim_orders'],
    ['POST', '/api/v1/products/17/charges', 'voucher_charges'],
    ['POST', '/api/v1/products/x/charges/', 'voucher_charges'],
    ['POST', '/api/v1/topups/charges', 'topup_charges'],
    ['POST', '/api/v1/esim/charges', 'esim_charges'],
    ['PATCH', '/api/v1/orders', 'changes'],
    ['PATCH', '/api/v1/wallets/1', 'changes'],
    ['PATCH', '/api/v1/orders/1/notification-email', 'changes'],
    ['POST', '/api/v1/webhooks/endpoints', 'changes'],
    ['DELETE', '/api/v1/webhooks/endpoints/1', 'changes'],
    ['POST', '/api/v1/orders/1', 'changes'],
    ['POST', '/api/v1/nowhere', 'changes'],
  ])('When the request is %s %s, then it counts as %s', (method, path, name) => {
    expect(rateClassOf(method, dispatcher.match(method, path)).name).toBe(name);
  });
});

describe('a sequence of handlers', () => {
  const never: RequestHandler = (_request, response) => void response.end('not skipped');
  const passOn: RequestHandler = (_request, _response, next) => next();
  const later: RequestHandler = async (_request, _response, next) => {
    await Promise.resolve();
    next();
  };
  const gone = new Error('gone wrong');

  test.each<[string, RequestHandler]>([
    [
      'throws',
      () => {
        throw gone;
      },
    ],
    ['rejects', () => Promise.reject(gone)],
    ['passes an error on', (_request, _response, next) => next(gone)],
  ])('When a handler %s, then the rest is skipped', async (_does, fails) => {
    expect(await answerOf(applicationOf(passOn, later, fails, never), '/')).toBe('error: gone wrong');
  });

  test('When every handler calls next, at once or later, then the request passes all of them', async () => {
    expect(await answerOf(applicationOf(passOn, later, passOn), '/x')).toBe('left: /x');
  });
});

test('When Express handles a request, then it keeps the prototypes of request and response', async () => {
  const made: boolean[] = [];
  const app = express();
  const messages = messageClassesOf(app);
  app.use((request, response) => {
    made.push(Object.getPrototypeOf(request) === messages.IncomingMessage?.prototype);
    made.push(Object.getPrototypeOf(response) === messages.ServerResponse?.prototype);
    response.json({ path: request.path });
  });
  const server = createServer(messages, app).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/x?y=1`);
  expect(await answer.json()).toEqual({ path: '/x' });
  expect(made).toEqual([true, true]);
});
