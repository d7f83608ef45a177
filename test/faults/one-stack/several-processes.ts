/** Two API processes and two workers on one database: each effect happens once, in whichever process. */
import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { callControl } from '../../../dev/stack/controls';
import type { Database } from '../../../src/data/database/database';
import { sql } from '../../../dev/testbed/sql';
import { eventTypes } from '../../../src/domain/webhooks/event-payloads';
import { newClient, type OwnClient } from '../../support/clients';
import { orderOf, place, scenarioNamed } from '../../support/orders';
import type { Service } from '../../support/orders-under-faults';
import { Receiver, register } from '../../support/receiver';
import { boughtFor, eventsOf } from '../../support/records';
import {
  startApiProcess,
  startWorkerProcess,
  type ApiProcess,
  type ServiceProcess,
} from '../../support/service-process';
import { ApiClient, type Answer, type Json, type Resource } from '../../support/stack';
import { loadStack } from '../../../dev/testbed/loaded-stack';
import { runTool } from '../../support/tool';
import { esimOrders, topupOrders } from '../../support/variant-orders';
import { until } from '../../../dev/testbed/waiting';
import { serviceTemporalClient } from '../../../dev/testbed/temporal-clients';
import { workflowOf } from '../../support/workflows';

const scenarios = ['voucher_instant', 'voucher_partial', 'topup_instant', 'topup_pending', 'esim_instant'];
/** Orders of each scenario at each API process. */
const ROUNDS = 2;

let database: Database;
let temporal: Client;
let api: ApiProcess;
let worker: ServiceProcess;
let client: OwnClient;
let receiver: Receiver;
/** The client at the stack's API process and at the second one. */
let both: [ApiClient, ApiClient];
function atBoth({ api: one, credentials }: OwnClient): [ApiClient, ApiClient] {
  return [one, new ApiClient(api.url, credentials)];
}

/** Sends the same request to both processes concurrently, several times. */
async function sentToBoth(
  apis: readonly ApiClient[],
  path: string,
  body: Json,
  headers: Record<string, string> = {},
): Promise<Answer<Json>[]> {
  const sends = Array.from({ length: 6 }, (_, send) => (apis[send % 2] as ApiClient).post<Json>(path, body, headers));
  return Promise.all(sends);
}

/** Counts each outcome: a status or an error code. */
function outcomes(answers: readonly Answer<Json>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const outcome = (body['error'] as { code: string } | undefined)?.code ?? String(status);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

const ordersOf = async (reference: string): Promise<number[]> => {
  return (
    await sql(database)<{ id: number }>`
    SELECT id FROM orders WHERE client_reference = ${reference}`
  ).map(({ id }) => id);
};

/** Registers the tests of this subject, on a started stack that other subjects share. */
export function testSeveralProcesses(started: () => Service): void {
  beforeAll(async () => {
    ({ database } = started());
    temporal = await serviceTemporalClient();
    [api, worker] = await Promise.all([startApiProcess(), startWorkerProcess()]);
    client = await newClient(database, { USD: 10_000 });
    both = atBoth(client);
    receiver = await Receiver.listen();
    await register(client.api, receiver, { event_types: eventTypes });
  });

  afterAll(async () => {
    receiver.close();
    await Promise.all([api.stop(), worker.stop()]);
    await temporal.connection.close();
  });

  test('When both processes receive orders of all families, then both workers process them, and each is delivered once', async () => {
    const placed = await Promise.all(
      Array.from({ length: ROUNDS }, () => scenarios)
        .flat()
        .flatMap((name) =>
          both.map(async (at) => {
            const { path, body } = scenarioNamed(name);
            const answer = await at.post<Resource>(path, { ...body, client_reference: randomUUID() });
            expect(answer.status).toBe(200);
            return { path, id: answer.body.id };
          }),
        ),
    );
    const identities = new Set<string>();
    await Promise.all(
      placed.map(async ({ path, id }, index) => {
        // The order is read at the process that did not place it.
        const other = both[(index + 1) % 2] as ApiClient;
        await until(`order ${id}`, async () => (await other.get(`${path}/${id}`)).body['status'] === 'DELIVERED', 90);
        const units = (await boughtFor(id)).reduce((sum, bought) => sum + bought.units, 0);
        expect(units).toBe(path === '/api/v1/orders' ? (await other.get(`${path}/${id}`)).body['quantity'] : 1);
        const { events = [] } = await (await workflowOf(temporal, database, id)).fetchHistory();
        for (const { workflowTaskCompletedEventAttributes: task } of events ?? [])
          if (task?.identity) identities.add(task.identity);
      }),
    );
    expect(identities.size).toBe(2);
  });

  test.each(['voucher_instant', 'topup_instant', 'esim_instant'])(
    'When both processes receive %s with one reference, then one order is made',
    async (name) => {
      const client_reference = randomUUID();
      const answers = await sentToBoth(both, scenarioNamed(name).path, orderOf(name, { client_reference }));
      expect(outcomes(answers)).toEqual({ '200': 1, DUPLICATE_CLIENT_REFERENCE: 5 });
      expect(await ordersOf(client_reference)).toHaveLength(1);
    },
  );

  test('When both processes receive one Idempotency-Key, then one order is made, and every response shows it', async () => {
    const client_reference = randomUUID();
    const headers = { 'idempotency-key': randomUUID() };
    const { path } = scenarioNamed('topup_instant');
    const body = orderOf('topup_instant', { client_reference });
    const answers = await sentToBoth(both, path, body, headers);
    const [id] = await ordersOf(client_reference);
    for (const { status, body: answered } of answers) {
      if (status === 200) expect(answered['id']).toBe(id);
      else expect(answered).toMatchObject({ error: { code: 'IDEMPOTENCY_KEY_IN_USE' } });
    }
    const again = await sentToBoth(both, path, body, headers);
    expect(new Set(again.map((answer) => answer.body['id']))).toEqual(new Set([id]));
    expect(await ordersOf(client_reference)).toHaveLength(1);
  });

  test('When two API processes redeem the same voucher concurrently, then only one order is placed', async () => {
    const poor = await newClient(database, { USD: 25 });
    const order = await place(poor.api, orderOf('voucher_redeemable'));
    const body = orderOf('topup_instant', { redeem_voucher_code: order.vouchers[0]?.card_number });
    const answers = await sentToBoth(atBoth(poor), topupOrders, body);
    expect(outcomes(answers)).toEqual({ '200': 1, VOUCHER_NOT_REDEEMABLE: 5 });
  });

  test('When both processes read an installed eSIM, then its client gets one event', async () => {
    const { body: order } = await client.api.post<Resource>(esimOrders, orderOf('esim_instant'));
    const install = `${loadStack().simulator_url}/control/esims/${String(order['iccid'])}/install`;
    expect((await fetch(install, { method: 'POST' })).ok).toBe(true);
    const reads = Array.from({ length: 10 }, (_, read) =>
      (both[read % 2] as ApiClient).get<Json>(`${esimOrders}/${order.id}`),
    );
    for (const { status } of await Promise.all(reads)) expect(status).toBe(200);
    const installedEvents = async () =>
      (await eventsOf(database, order.id)).filter(({ type }) => type === 'esim.installed');
    await until('the event', async () => (await installedEvents()).length > 0);
    expect(await installedEvents()).toHaveLength(1);
  });

  test('When the account is blocked and unblocked, then the workflow mirrors the attention list, whichever process mirrors it', async () => {
    const { path, body } = scenarioNamed('topup_supplier_blocked');
    const { body: order } = await both[1].post<Resource>(path, body);
    const workflow = await workflowOf(temporal, database, order.id);
    const shown = async () => (await workflow.describe()).searchAttributes['Attention']?.[0];
    await until('the attention', async () => (await shown()) as string | undefined, 60);
    await callControl(loadStack().simulator_url, 'POST', 'account', { blocked: false });
    await until(
      'the delivery',
      async () => (await both[0].get(`${path}/${order.id}`)).body['status'] === 'DELIVERED',
      90,
    );
    await until('no attention', async () => (await shown()) === undefined);
  });

  test('When both workers create their schedules, then each schedule exists once and each run starts once', async () => {
    const ids: string[] = [];
    for await (const { scheduleId } of temporal.schedule.list()) ids.push(scheduleId);
    expect(ids.filter((id) => id === 'maintenance')).toHaveLength(1);
    expect(new Set(ids).size).toBe(ids.length);
    const runs: string[] = [];
    const query = 'WorkflowType = "runMaintenance"';
    for await (const { workflowId } of temporal.workflow.list({ query })) runs.push(workflowId);
    // The workflow id of a run holds its schedule and its due time.
    expect(new Set(runs).size).toBe(runs.length);
  });

  test('When all events are delivered, then each event came once, and the ledgers of service and supplier agree', async () => {
    const due = async (): Promise<string[]> => {
      const found = await sql(database)<{ id: string }>`SELECT event.id FROM webhook_deliveries delivery
           JOIN events event ON event.sequence = delivery.event_sequence
        WHERE event.client_id = ${client.id} AND event.type <> 'webhook.test' ORDER BY event.id`;
      return found.map(({ id }) => id);
    };
    await until('every event', async () => receiver.taken.length >= (await due()).length, 60);
    expect(receiver.faults).toEqual([]);
    expect([...receiver.seen].sort()).toEqual(await due());
    expect(await runTool`ledger verify`).toMatchObject({ exitCode: 0 });
    expect(await runTool`reconcile --dry-run`).toMatchObject({ exitCode: 0 });
  });
}
