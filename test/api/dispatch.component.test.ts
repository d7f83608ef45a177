/** Which handlers a request comes to, and what they are given. */
import { once } from 'node:events';
import { createServer, request as send, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { Router, type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { byPath, inTurn, mounted } from '../../src/api/dispatch';
import { messagesOf } from '../../src/api/express-messages';

const servers: Server[] = [];
afterAll(() => servers.forEach((server) => server.close()));

/** An application of the handlers; what they leave is answered with its target, what went wrong with the message. */
function applicationOf(...handlers: RequestHandler[]): Express {
  const failed: ErrorRequestHandler = (error: Error, _request, response, _next) => {
    response.end(`error: ${error.message}`);
  };
  const left: RequestHandler = (request, response) => void response.end(`left: ${request.url}`);
  return express().use(inTurn(handlers), left, failed);
}

/** Has the application answer a request. */
async function answerOf(app: Express, target: string, method = 'GET'): Promise<string> {
  const server = createServer(messagesOf(app), app).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const request = send({ host: '127.0.0.1', port, path: target, method, agent: false }).end();
  const [answer] = (await once(request, 'response')) as [NodeJS.ReadableStream];
  let text = '';
  for await (const chunk of answer) text += String(chunk);
  return text;
}

/** Routers that tell which of them answered, and what they were given of the target. */
function routersAt(...paths: string[]): RequestHandler {
  const router = (path: string) =>
    Router().get(['/', '/:id'], (request, response) => void response.end(`${path} got ${request.url}`));
  return byPath(new Map(paths.map((path) => [path, mounted(path, router(path))])));
}

describe('by path', () => {
  const app = applicationOf(routersAt('/', '/api', '/api/orders'));

  test.each([
    ['/', '/ got /'],
    ['/health', '/ got /health'],
    ['/api', '/api got /'],
    ['/api/orders', '/api/orders got /'],
    ['/api/orders/', '/api/orders got /'],
    ['/api/orders/17?page=2', '/api/orders got /17?page=2'],
    ['/api/orders?page=2', '/api/orders got /?page=2'],
    ['/API/Orders/17', '/api/orders got /17'],
    ['/api/ordersome', '/api got /ordersome'],
    ['http://api.example/api/orders/17?page=2', '/api/orders got /17?page=2'],
  ])('When %s is asked for, then %s', async (target, answer) => {
    expect(await answerOf(app, target)).toBe(answer);
  });

  test.each([
    ['a path below a route', '/api/orders/17/more?page=2'],
    ['a path that begins with nothing', '//api/orders'],
    ['thousands of segments', `/api${'/'.repeat(10_000)}`],
  ])('When no route takes %s, then the target is left as it was', async (_what, target) => {
    expect(await answerOf(app, target)).toBe(`left: ${target}`);
  });

  test('When the method is OPTIONS, then no route is asked', async () => {
    expect(await answerOf(app, '/api/orders', 'OPTIONS')).toBe('left: /api/orders');
  });
});

describe('in turn', () => {
  const never: RequestHandler = (_request, response) => void response.end('not skipped');
  const goOn: RequestHandler = (_request, _response, next) => next();
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
  ])('When a handler %s, then those that are left are skipped', async (_does, fails) => {
    expect(await answerOf(applicationOf(goOn, later, fails, never), '/')).toBe('error: gone wrong');
  });

  test('When every handler goes on, at once or later, then so does the request', async () => {
    expect(await answerOf(applicationOf(goOn, later, goOn), '/x')).toBe('left: /x');
  });
});

test('When a request comes to the application, then it and its response are still what the server made', async () => {
  const made: boolean[] = [];
  const app = express();
  const messages = messagesOf(app);
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
