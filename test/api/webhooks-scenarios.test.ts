import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../dev/testbed/sql';
import { eventTypes } from '../../src/domain/webhooks/event-payloads';
import type { Scenario } from '../../dev/stack/stack-file';
import { newClient, useClient, useDatabase } from '../support/clients';
import { Receiver, register } from '../support/receiver';
import { endingScenarios, type Resource } from '../support/stack';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { until } from '../../dev/testbed/waiting';

/** The events of an order of each scenario, in sequence. Other scenarios have the events of their family. */
const expectedEvents: Readonly<Record<string, string[]>> = {
  voucher_partial: ['wallet.debited', 'order.partially_delivered', 'order.delivered'],
  voucher_partial_then_failed: ['wallet.debited', 'order.partially_delivered', 'order.failed', 'wallet.credited'],
};

const families = { voucher: 'order', topup: 'topup', esim: 'esim' } as const;

function courseOf({ name, final_status: end }: Scenario): string[] {
  const family = families[name.split('_', 1)[0] as keyof typeof families];
  const last = `${family}.${end.toLowerCase()}`;
  return expectedEvents[name] ?? ['wallet.debited', last, ...(end === 'DELIVERED' ? [] : ['wallet.credited'])];
}

/** One scenario for each course of events, the first in the list. The tests of a family check the stored events of all scenarios. */
const scenarios = [
  ...new Map(
    endingScenarios()
      .reverse()
      .map((scenario) => [courseOf(scenario).join(), scenario] as const),
  ).values(),
];

const fields = {
  order: [
    'id',
    'client_reference',
    'status',
    'product_name',
    'denomination',
    'quantity',
    'amount',
    'delivered_quantity',
    'fulfilled_quantity',
    'delivered_on',
    'created_at',
  ],
  esim: [
    'id',
    'client_reference',
    'status',
    'activation_status',
    'product_name',
    'country_code',
    'data_amount_gb',
    'validity_days',
    'amount',
    'currency',
    'iccid',
  ],
  failure: ['failure_code', 'failure_reason', 'is_user_fixable'],
  wallet: ['wallet_id', 'ledger_id', 'amount', 'currency', 'reference_number', 'remarks', 'order_family'],
};

describe('webhooks of scenarios', () => {
  const database = useDatabase();
  const client = useClient(database, { USD: 100_000 });
  let receiver: Receiver;

  beforeAll(async () => {
    // A bulk order needs a higher bulk limit.
    await sql(database)`UPDATE clients SET bulk_limit = 5000 WHERE id = ${client.id}`;
    receiver = await Receiver.listen();
    await register(client.api, receiver, { event_types: eventTypes });
  });
  afterAll(() => receiver.close());

  const eventsOf = (orderId: number) =>
    receiver.taken.filter(({ data }) => data['id'] === orderId || data['reference_number'] === `order-${orderId}`);

  test.concurrent.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    'When an order of scenario %s is placed, then its client gets exactly these events, once, in sequence',
    async (_name, scenario) => {
      const order = { ...scenario.body, client_reference: randomUUID() };
      const { status, body } = await client.api.order<Resource>(scenario.path, order);
      expect(status).toBe(200);
      const expected = courseOf(scenario);
      const last = expected.at(-1) as string;
      await until(last, async () => eventsOf(body.id).find(({ type }) => type === last), 110);
      await sleep(1_500);
      const events = eventsOf(body.id);
      expect(events.map(({ type }) => type)).toEqual(expected);
      for (const { type, data } of events) {
        const named = fields[type.split('.', 1)[0] as keyof typeof fields] ?? [];
        const failed = /^(esim|topup)\.failed$/.test(type) ? fields.failure : [];
        expect(Object.keys(data)).toEqual(expect.arrayContaining([...named, ...failed]));
      }
    },
    150_000,
  );

  test('When the scenarios have ended, then every delivery has a valid signature, and no event arrived twice', () => {
    expect(receiver.faults).toEqual([]);
    const ids = receiver.taken.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('webhooks of the lifecycle of an eSIM', () => {
  const database = useDatabase();

  test('When a device installs, uses and depletes an eSIM, then each change sends one webhook within 15 s, with the ICCID', async () => {
    const client = await newClient(database, { USD: 100 });
    const receiver = await Receiver.listen();
    const types = ['esim.delivered', 'esim.installed', 'esim.activated', 'esim.depleted'];
    await register(client.api, receiver, { event_types: types });
    const { body: esim } = await client.api.order<{ iccid: string }>(
      '/api/v1/esim/orders',
      loadStack().scenarios.find(({ name }) => name === 'esim_instant')?.body,
    );
    await receiver.untilTaken(1, 15);
    for (const [index, control] of ['install', 'use', 'deplete'].entries()) {
      const url = `${loadStack().simulator_url}/control/esims/${esim.iccid}/${control}`;
      expect((await fetch(url, { method: 'POST' })).ok).toBe(true);
      await receiver.untilTaken(index + 2, 15);
    }
    await sleep(1_500);
    expect(receiver.types).toEqual(types);
    const states = receiver.taken.map(({ data }) => data['activation_status']);
    expect(states).toEqual(['NOT_INSTALLED', 'ACTIVE', 'ACTIVE', 'EXPIRED']);
    for (const { data } of receiver.taken) expect(data).toMatchObject({ iccid: esim.iccid, status: 'DELIVERED' });
    const stored = await sql(database)`SELECT data::text FROM events WHERE client_id = ${client.id}`;
    expect(JSON.stringify(stored)).not.toContain(esim.iccid);
    receiver.close();
  });
});
