/** A fake supplier as one process: the supplier's interface, and `/control` for tests. */
import { createServer, type Server } from 'node:http';
import express, { type ErrorRequestHandler, Router } from 'express';
import Joi from 'joi';
import { Account } from './account';
import { Ledger } from './ledger';
import { ModeBook, modesSchema, type Modes } from './modes';
import { listeningPort } from '../../src/process/listening-port';

/** The objects that the routes of a fake share. */
export interface FakeContext {
  readonly modes: ModeBook;
  readonly account: Account;
  readonly ledger: Ledger;
  readonly settings: FakeSettings;
}

export interface FakeSettings {
  host: string;
  /** 0 selects a free port. */
  port: number;
  /** The two parts of the credentials that the fake accepts. */
  key: string;
  secret: string;
  /** The URL for webhooks. Without it, the fake sends none. */
  callbackUrl?: string | undefined;
}

/** The supplier's interface, and its state, which a reset clears: purchases, tokens, limits. */
export interface FakeSupplier {
  readonly routes: Router;
  readonly state: readonly { clear: () => void }[];
}

export interface RunningFake {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the fake. Rejects if it cannot listen. */
export async function startFake(
  settings: FakeSettings,
  build: (context: FakeContext) => FakeSupplier,
): Promise<RunningFake> {
  const context = { modes: new ModeBook(), account: new Account(), ledger: new Ledger(), settings };
  const fake = build(context);
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.get('/health', (_request, response) => void response.json({ status: 'ok' }));
  app.use('/control', controls(context, fake));
  app.use(fake.routes);
  const server = await listen(createServer(app), settings);
  return { url: `http://${settings.host}:${listeningPort(server)}`, close: () => closed(server) };
}

const modesBody = Joi.object<{ sku?: string; modes: Modes }>({ sku: Joi.string(), modes: modesSchema.required() });
const accountBody = Joi.object<{ amount: string }>({
  amount: Joi.string()
    .pattern(/^\d{1,12}(\.\d{1,5})?$/)
    .required(),
});

function controls({ modes, account, ledger }: FakeContext, { state }: FakeSupplier): Router {
  const routes = Router();
  routes.use(express.json());
  routes.get('/sales', ({ query }, response) => {
    response.json(ledger.list(typeof query['reference'] === 'string' ? query['reference'] : undefined));
  });
  routes.put('/modes', (request, response) => {
    const { sku, modes: wanted } = Joi.attempt(request.body, modesBody);
    modes.set(sku, wanted);
    response.status(204).end();
  });
  routes.delete('/modes', (_request, response) => {
    modes.clear();
    response.status(204).end();
  });
  routes.put('/account', (request, response) => {
    account.fund(Joi.attempt(request.body, accountBody).amount);
    response.status(204).end();
  });
  routes.post('/reset', (_request, response) => {
    for (const part of [modes, account, ledger, ...state]) part.clear();
    response.status(204).end();
  });
  routes.use(controlError);
  return routes;
}

/** Answers a faulty request to `/control` with the reason as text. */
const controlError: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (response.headersSent) return next(error);
  response.status(400).json({ error: error instanceof Error ? error.message : String(error) });
};

function listen(server: Server, { host, port }: FakeSettings): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => resolve(server));
  });
}

/** Closes the server and its open connections, because in some modes a call never gets a response. */
function closed(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });
}

const environment = Joi.object<{
  FAKE_HOST: string;
  FAKE_PORT: number;
  FAKE_KEY: string;
  FAKE_SECRET: string;
  FAKE_CALLBACK_URL?: string;
}>({
  FAKE_HOST: Joi.string().default('127.0.0.1'),
  FAKE_PORT: Joi.number().port().required(),
  FAKE_KEY: Joi.string().required(),
  FAKE_SECRET: Joi.string().required(),
  FAKE_CALLBACK_URL: Joi.string().uri().empty(''),
}).options({ stripUnknown: true });

/** Runs the fake until SIGTERM or SIGINT, with settings from `FAKE_*`. Exits with 1 and a sentence if it cannot start. */
export async function runFake(build: (context: FakeContext) => FakeSupplier): Promise<void> {
  const value = Joi.attempt(process.env, environment);
  const settings: FakeSettings = {
    host: value.FAKE_HOST,
    port: value.FAKE_PORT,
    key: value.FAKE_KEY,
    secret: value.FAKE_SECRET,
    callbackUrl: value.FAKE_CALLBACK_URL,
  };
  const fake = await startFake(settings, build);
  console.log(`Fake listening on ${fake.url}`);
  const stop = (): void => void fake.close().then(() => process.exit(0));
  process.once('SIGTERM', stop).once('SIGINT', stop);
}
