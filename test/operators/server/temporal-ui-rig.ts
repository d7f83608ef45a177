/** The Temporal UI behind its router, before a real Temporal dev server with a worker, and people without the sign-in. */
import { once } from 'node:events';
import { createServer, request as send, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client, type WorkflowHandle } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { bundleWorkflowCode, DefaultLogger, Worker } from '@temporalio/worker';
import express, { type Request, type RequestHandler } from 'express';
import { pino } from 'pino';
import { temporalBinary } from '../../../dev/stack/temporal';
import { roles, type Role } from '../../../src/domain/operators/roles';
import type { SentCall } from '../../../src/operators/server/temporal-ui/sent-calls';
import { temporalUi } from '../../../src/operators/server/temporal-ui/temporal-ui';
import { EncryptionCodec } from '../../../src/temporal/codec';
import { newKeyRing } from '../../support/keys';
import { quietRuntime } from '../../support/quiet-runtime';
import { until } from '../../../dev/testbed/waiting';
import type { ticket } from './ticket';

const TASK_QUEUE = 'tickets';
export const NAMESPACE = 'default';

/** The people who may be named in the cookie `person` or as a Bearer. */
const people = {
  ...Object.fromEntries(roles.map((role) => [role, { role }])),
  unconfirmed: { role: 'admin', needsSecondFactor: true },
  robot: { role: 'admin', kind: 'SERVICE' },
} as Readonly<Record<string, { role: Role; kind?: 'SERVICE'; needsSecondFactor?: true }>>;

export type Recorded = SentCall & { operator: string };

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Of a JSON response. */
  body: Record<string, unknown>;
}

export interface Call {
  method?: string;
  /** Sent as it is, without any normalisation. */
  path: string;
  /** Of whom the session is; null for none. */
  as: string | null;
  /** JSON, or a text as it is. */
  body?: object | string;
  headers?: Record<string, string>;
}

/** The router in an application of its own, as the operators' process mounts it. */
export class Door {
  readonly recorded: Recorded[] = [];
  readonly logged: string[] = [];
  /** The calls that extend a session. */
  readonly extending: string[] = [];
  /** Set it to let the audit fail. */
  isAuditDown = false;

  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async open(uiUrl: string, codec: EncryptionCodec, apiKey?: string): Promise<Door> {
    const app = express().disable('x-powered-by');
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const opened = new Door(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const router = temporalUi({
      uiUrl,
      codec,
      namespace: NAMESPACE,
      apiKey,
      log: pino({ level: 'trace' }, { write: (line) => void opened.logged.push(line) }),
      door: {
        personOf: async (request, { isBackground }) => {
          if (!isBackground) opened.extending.push(`${request.method} ${request.baseUrl}${request.path}`);
          return personOf(request);
        },
        rejectForeignOrigins: foreignOrigins(opened.origin),
        confirmationUrl: ({ name }) => `${opened.origin}/identity/second-factor?session=${name}`,
      },
      record: async (operator, call) => {
        if (opened.isAuditDown) throw new Error('The database is down.');
        opened.recorded.push({ operator, ...call });
      },
    });
    app.use('/temporal', router);
    return opened;
  }

  /** Sends a call as a browser does: with the cookie, and the Origin of our page. */
  async call({ method = 'GET', path, as, body, headers = {} }: Call): Promise<Answer> {
    const { hostname, port } = new URL(this.origin);
    const sent = send({
      hostname,
      port,
      method,
      path,
      headers: {
        ...(as !== null && { cookie: `person=${as}; _csrf=stolen` }),
        ...(method !== 'GET' && { origin: this.origin }),
        ...headers,
      },
    });
    sent.end(typeof body === 'object' ? JSON.stringify(body) : body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const text = Buffer.concat(await response.toArray()).toString();
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      text,
      body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {},
    };
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

function personOf(request: Request) {
  const name = /person=(\w+)/.exec(request.get('cookie') ?? '')?.[1] ?? '';
  const person = people[name];
  return person && { id: name, name, kind: 'PERSON' as const, needsSecondFactor: false, ...person };
}

function foreignOrigins(origin: string): RequestHandler {
  return (request, response, next) => {
    if (request.method === 'GET' || request.get('origin') === origin) return next();
    response.sendStatus(403);
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Temporal with its UI below `/temporal`, a worker, and the door before it. */
export class TemporalUiRig {
  private constructor(
    private readonly env: TestWorkflowEnvironment,
    private readonly worker: Worker,
    private readonly running: Promise<void>,
    readonly client: Client,
    readonly door: Door,
    readonly uiUrl: string,
    readonly codec: EncryptionCodec,
  ) {}

  static async start(): Promise<TemporalUiRig> {
    quietRuntime();
    const codec = new EncryptionCodec(newKeyRing());
    const uiPort = await freePort();
    const [path, workflowBundle] = await Promise.all([
      temporalBinary(() => undefined),
      bundleWorkflowCode({ workflowsPath: join(__dirname, 'ticket.ts'), logger: new DefaultLogger('ERROR') }),
    ]);
    const env = await TestWorkflowEnvironment.createLocal({
      server: {
        executable: { type: 'existing-path', path },
        ui: true,
        uiPort,
        extraArgs: ['--ui-public-path', '/temporal'],
        log: { format: 'pretty', level: 'never' },
      },
    });
    const dataConverter = { payloadCodecs: [codec] };
    const worker = await Worker.create({
      connection: env.nativeConnection,
      taskQueue: TASK_QUEUE,
      dataConverter,
      workflowBundle,
      activities: {
        work: async () => {
          throw new Error('No hands are free');
        },
      },
    });
    const uiUrl = `http://127.0.0.1:${uiPort}`;
    // The UI starts before its server and tries to connect again only after a second.
    await until('the connection of the UI', async () => {
      const { ok } = await fetch(`${uiUrl}/temporal/api/v1/cluster-info`);
      return ok;
    });
    const client = new Client({ connection: env.connection, namespace: NAMESPACE, dataConverter });
    return new TemporalUiRig(env, worker, worker.run(), client, await Door.open(uiUrl, codec), uiUrl, codec);
  }

  /** A running ticket, whose activity has failed at least once. */
  async openTicket(workflowId: string): Promise<WorkflowHandle<typeof ticket>> {
    const handle = await this.client.workflow.start<typeof ticket>('ticket', {
      workflowId,
      taskQueue: TASK_QUEUE,
      args: [],
      staticSummary: `Summary of ${workflowId}`,
    });
    await handle.query('notes');
    return handle;
  }

  async stop(): Promise<void> {
    await this.door.close();
    this.worker.shutdown();
    await this.running;
    await this.env.teardown();
  }
}
