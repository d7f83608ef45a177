/** Operators' messages in the real Temporal UI, behind the sign-in, with arguments that the operators' process encodes. */
import type { Client, WorkflowHandle } from '@temporalio/client';
import { endpointWorkflowId } from '../../src/domain/webhooks/delivery-rules';
import { sql } from '../../dev/testbed/sql';
import { newClient, useDatabase, type OwnClient } from '../support/clients';
import { place, scenarioNamed } from '../support/orders';
import { Receiver } from '../support/receiver';
import type { Resource } from '../support/stack';
import { accepted, esimOrders } from '../support/variant-orders';
import { until } from '../../dev/testbed/waiting';
import { closed, workflowOf } from '../support/workflows';
import { serviceTemporalClient } from '../../dev/testbed/temporal-clients';
import { describeInBrowser } from './describe-in-browser';
import { TemporalUi } from './temporal-ui';

const database = useDatabase();
let temporal: Client;
let ui: TemporalUi;
let client: OwnClient;

describeInBrowser('In the Temporal UI', () => {
  beforeAll(async () => {
    [temporal, ui, client] = await Promise.all([
      serviceTemporalClient(),
      TemporalUi.signedIn(),
      newClient(database, { USD: 1_000 }),
    ]);
  });
  afterAll(async () => {
    await ui?.close();
    await temporal?.connection.close();
  });

  async function open(scenario: string): Promise<{ id: number; workflow: WorkflowHandle }> {
    const { id } = await place(client.api, { ...scenarioNamed(scenario).body });
    return { id, workflow: await openOrder(id) };
  }

  async function openOrder(id: number): Promise<WorkflowHandle> {
    const workflow = await workflowOf(temporal, database, id);
    await ui.openList(`OrderId = ${id}`);
    await ui.openWorkflow(workflow.workflowId);
    return workflow;
  }

  test('When an order waits for a decision, then the page shows the reason, rejects an invalid decision, and a valid one ends it', async () => {
    const { workflow } = await open('voucher_needs_operator');
    expect(await ui.readDetails()).toContain('Sandbox Needs Operator Gift Card');
    await until('the operators’ list', async () => {
      const { searchAttributes } = await workflow.describe();
      return searchAttributes['Attention']?.[0];
    });
    await ui.page.reload();
    expect(await ui.readDetails()).toContain('{"resolution":"NOT_BOUGHT","reason":"Confirmed by the supplier"}');
    expect(await ui.query('outcomeUnknown')).toContain('"outcomeUnknown": "The result of the purchase is unknown');
    expect(await ui.update('resolveOrder', '"WAIT"')).toBe(
      'The decision is one of ASK_AGAIN, NOT_BOUGHT, DELIVERED, ELSEWHERE, UNUSABLE',
    );
    await ui.signal('retryNow');
    expect(await ui.update('resolveOrder', '"ASK_AGAIN"')).toBeUndefined();
    await until('the lookup to be conclusive', async () => {
      const decision = '{"resolution":"NOT_BOUGHT","reason":"Confirmed by the supplier"}';
      return (await ui.update('resolveOrder', decision)) === undefined;
    });
    expect((await closed(workflow)).status.name).toBe('FAILED');
    await ui.page.reload();
    await ui.untilText(/FAILED/);
  });

  test('When an order is cancelled with a reason, then it ends as cancelled', async () => {
    // Delivered after 70 s, answered after 60: the page may open slowly.
    const answered = accepted(client.api, esimOrders, scenarioNamed('esim_slow').body);
    const { id } = await until(
      'the order',
      () =>
        sql.first(database)<{ id: number }>`SELECT id FROM orders WHERE client_id = ${client.id}
           AND family = 'ESIM'`,
    );
    const workflow = await openOrder(id);
    expect(await ui.update('cancelOrder', '""')).toMatch(/needs a reason/);
    expect(await ui.update('cancelOrder', '"The customer changed their mind"')).toBeUndefined();
    expect((await closed(workflow)).searchAttributes).toMatchObject({ OrderStatus: ['CANCELLED'] });
    expect(await answered).toMatchObject({ id, status: 'CANCELLED' });
  });

  test('When an endpoint is paused, an event skipped and the endpoint resumed, then the endpoint obeys', async () => {
    const receiver = await Receiver.listen();
    try {
      const { body } = await client.api.post<Resource>('/api/v1/webhooks/endpoints', { url: receiver.url });
      const found = await sql.first(database)<{ nonce: string }>`SELECT nonce FROM webhook_endpoints
           WHERE id = ${body.id}`;
      const { nonce } = found as { nonce: string };
      const paused = () =>
        sql.first(database)<{ paused: boolean }>`SELECT paused FROM webhook_endpoints WHERE id = ${body.id}`;
      const workflowId = endpointWorkflowId({ endpointId: body.id, nonce });
      await ui.openList(`WorkflowType = 'webhookEndpoint' AND ClientId = ${client.id}`);
      await ui.openWorkflow(workflowId);
      await ui.signal('pause');
      await until('the pause', async () => (await paused())?.paused);
      expect(await ui.update('skipEvent', '"evt_unknown"')).toBeUndefined();
      await ui.page.reload();
      expect(await ui.readDetails()).toContain('Paused by an operator');
      await ui.signal('resume');
      await until('the end of the pause', async () => !(await paused())?.paused);
    } finally {
      receiver.close();
    }
  });
});
