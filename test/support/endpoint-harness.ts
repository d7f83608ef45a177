/** Workflows of webhook endpoints with skipped time, and a separate database and receivers. */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { webhookActivities } from '../../activities';
import { firstRow } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { addEndpoint, findEndpoint, type Endpoint } from '../../src/data/webhooks/endpoints';
import { deliveryHistory, findEvent, type LoggedEvent } from '../../src/data/webhooks/events';
import { endpointWorkflowId, type EndpointKey } from '../../src/domain/webhooks/delivery-rules';
import type { Mail } from '../../src/notifications/mail/send';
import { DueEvents } from '../../src/notifications/webhooks/due-events';
import { pollOutbox } from '../../src/notifications/webhooks/outbox-poller';
import { createWebhookSender } from '../../src/notifications/webhooks/sender';
import { newWebhookSecret } from '../../src/notifications/webhooks/signing';
import { webhookSecret, Sealer } from '../../src/security/sealing';
import { searchAttributeTypes } from '../../src/temporal/prepare';
import { operatorSinks } from '../../src/worker/interceptors';
import { webhooksQueue } from '../../src/temporal/task-queues';
import { callerOf } from './callers';
import { newDatabase, type ScratchDatabase } from '../../dev/testbed/scratch-database';
import { Receiver } from './receiver';
import { timeSkippingEnvironment } from './time-skipping';
import { until } from '../../dev/testbed/waiting';
import { newKeyRing } from './keys';

export interface TestEndpoint {
  key: EndpointKey;
  clientId: number;
  receiver: Receiver;
}

/** The delivery of an event to its only endpoint. */
export interface EventProgress {
  state: string;
  attempts: number;
  /** The times of its attempts, oldest first, in milliseconds. */
  attemptedAt: number[];
  /** The error of its last attempt. */
  error: string | null;
}

export class EndpointHarness {
  readonly sealer = new Sealer(newKeyRing());
  /** Every mail that was sent. */
  readonly mails: Mail[] = [];
  /** Replaces the mail server. A test can make it fail or hang. */
  sendMail: (mail: Mail) => Promise<void> = async (mail) => void this.mails.push(mail);
  private readonly sender = createWebhookSender({ allowLoopback: true });
  private readonly stopping = new AbortController();
  private readonly receivers: Receiver[] = [];
  private worker: Worker | undefined;
  private running: Promise<unknown> | undefined;

  private constructor(
    readonly environment: TestWorkflowEnvironment,
    private readonly own: ScratchDatabase,
  ) {}

  /** A server, a database, a worker and a poller. Stop them in `afterAll`. */
  static async start(): Promise<EndpointHarness> {
    const [environment, own] = await Promise.all([timeSkippingEnvironment(), newDatabase()]);
    const harness = new EndpointHarness(environment, own);
    await environment.connection.operatorService.addSearchAttributes({ searchAttributes: searchAttributeTypes });
    await harness.work();
    return harness;
  }

  get database() {
    return this.own.database;
  }

  private async work(): Promise<void> {
    const { database, sealer, sender, environment } = this;
    const mailer = { sendMail: (mail: Mail) => this.sendMail(mail) };
    const log = pino({ level: 'fatal' });
    this.worker = await Worker.create({
      connection: environment.nativeConnection,
      taskQueue: webhooksQueue,
      workflowBundle: { codePath: path.resolve(__dirname, '../../dist/workflow-bundle.js') },
      activities: webhookActivities({ database, sealer, sender, mailer, log }),
      sinks: operatorSinks(database),
    });
    const poller = { database, temporal: environment.client, log };
    const { signal } = this.stopping;
    const events = new DueEvents();
    await events.listen(this.own.url, log, signal);
    this.running = Promise.all([this.worker.run(), pollOutbox(poller, events, signal)]);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.worker?.shutdown();
    await this.running;
    this.receivers.forEach((receiver) => receiver.close());
    await this.sender.close();
    await this.environment.teardown();
    await this.own.drop();
  }

  /** An endpoint for every type except top-up events, of a new client or of the given one. */
  async newEndpoint(owner?: number): Promise<TestEndpoint> {
    const nonce = randomBytes(9).toString('hex');
    const receiver = await Receiver.listen();
    receiver.secret = newWebhookSecret();
    this.receivers.push(receiver);
    const clientId = owner ?? (await this.newClient(nonce));
    // Enabled and verified by SQL, so that it gets no webhook.test and only receives the test's events.
    const settings = { url: receiver.url, description: '', eventTypes: [], enabled: false };
    const sealedSecret = this.sealer.seal(webhookSecret(nonce), receiver.secret);
    const secret = { nonce, sealedSecret };
    const { id } = (await addEndpoint(this.database, callerOf(clientId), settings, secret)) as Endpoint;
    await sql(this.database)`UPDATE webhook_endpoints
         SET enabled = true, verified_at = now(), is_test_written = true WHERE id = ${id}`;
    return { key: { endpointId: id, nonce }, clientId, receiver };
  }

  private async newClient(name: string): Promise<number> {
    const client = await firstRow<{ id: number }>(
      this.database,
      'INSERT INTO clients (name, contact_email) VALUES ($name, $contactEmail) RETURNING id',
      { name, contactEmail: `${name}@client.example` },
    );
    return (client as { id: number }).id;
  }

  /** Writes an event as an order's transaction does, of a type that may repeat in an order. Returns its id. */
  async emit(clientId: number, orderId: number | null, type = 'wallet.credited'): Promise<string> {
    const event = await sql.first(this.database)<{ id: string }>`
      INSERT INTO events (client_id, order_id, type, data)
       VALUES (${clientId}, ${orderId}, ${type}, '{"id": 1}') RETURNING id`;
    return (event as { id: string }).id;
  }

  async progress(clientId: number, id: string): Promise<EventProgress> {
    const { sequence } = (await findEvent(this.database, clientId, id)) as LoggedEvent;
    const { deliveries, attempts } = await deliveryHistory(this.database, clientId, sequence);
    const [delivery] = deliveries;
    return {
      state: delivery?.state ?? 'none',
      attempts: delivery?.attempts ?? 0,
      attemptedAt: attempts.map(({ attemptedAt }) => attemptedAt.getTime()).reverse(),
      error: attempts[0]?.error ?? null,
    };
  }

  /** Waits in real time, without skipping, until the event has an attempt. */
  async untilAttempted(clientId: number, id: string): Promise<EventProgress> {
    return until(`an attempt of ${id}`, async () => {
      const event = await this.progress(clientId, id);
      return event.attemptedAt.length > 0 ? event : undefined;
    });
  }

  /** The endpoint in its client's view. */
  async endpoint({ clientId, key }: TestEndpoint): Promise<Endpoint> {
    return (await findEndpoint(this.database, clientId, key.endpointId)) as Endpoint;
  }

  /** The mails to the endpoint's client. */
  mailsTo({ key }: TestEndpoint): Mail[] {
    return this.mails.filter((mail) => mail.to === `${key.nonce}@client.example`);
  }

  workflowOf({ key }: TestEndpoint) {
    return this.environment.client.workflow.getHandle(endpointWorkflowId(key));
  }
}

/** The ids of the accepted events, in order of arrival. */
export const idsOf = ({ taken }: Receiver): string[] => taken.map((event) => event.id);
