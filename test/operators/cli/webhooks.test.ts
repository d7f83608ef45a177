/** The ops commands for webhook endpoints. */
import { sql } from '../../../dev/testbed/sql';
import { endpointWorkflowId } from '../../../src/domain/webhooks/delivery-rules';
import { webhooksQueue } from '../../../src/temporal/task-queues';
import { useClient, useDatabase } from '../../support/clients';
import { ops, runOps } from '../../support/operator';
import { ended, orderOf, place } from '../../support/orders';
import { Receiver, register } from '../../support/receiver';
import type { Json } from '../../support/stack';
import { until } from '../../../dev/testbed/waiting';
import { closed } from '../../support/workflows';
import { temporalClient } from '../../../dev/testbed/temporal-clients';
import { useMade } from '../../support/made';

const database = useDatabase();
const client = useClient(database, { USD: 1_000 });
const receiver = useMade(() => Receiver.listen(), 'close');
let id: number;
beforeAll(async () => {
  id = (await register(client.api, receiver)).id;
});

const endpoint = async (): Promise<Json> =>
  (await ops`webhooks list ${client.id}`).find((one) => one['id'] === id) as Json;
/** The endpoint's entry on the attention list, of this kind. */
const listed = async (kind: string): Promise<Json | undefined> =>
  (await ops`attention`).find((one) => one['endpoint_id'] === id && one['kind'] === kind);
const sentence = async (...words: (string | number)[]) => {
  const { stdout, stderr } = await runOps`webhooks ${words}`;
  return `${stdout}${stderr}`.trim();
};

/** An event that waits, while the workflow of the endpoint does not send it. */
const waitingEvent = async (): Promise<string> => {
  await ended(client.api, (await place(client.api, orderOf('voucher_instant'))).id);
  return until('an event that waits', async () => ((await endpoint())['oldest_event'] as string) ?? undefined);
};

test('When an endpoint is paused, then it is listed, its events wait, one can be skipped, and the others are delivered after the resume', async () => {
  await until('the verification test', async () => (await endpoint())['pending'] === 0);
  expect(await sentence('retry', id)).toMatch(`No event waits for endpoint ${id}`);
  expect(await sentence('pause', id)).toMatch(/ is paused: its events wait/);
  await until('the pause', async () => (await endpoint())['paused'] === true);
  const entry = await until('the entry on the attention list', () => listed('ENDPOINT_PAUSED'));
  expect(entry).toMatchObject({
    reason: 'An operator has paused it: its events wait, and are deleted undelivered when their retention ends',
    resolve: `webhooks resume ${id}`,
  });
  const order = await ended(client.api, (await place(client.api, orderOf('voucher_instant'))).id);
  const { client: name, ...shown } = await until('what waits', async () => {
    const one = await endpoint();
    return Number(one['pending']) >= 2 ? one : undefined;
  });
  expect(shown).toMatchObject({ client_id: client.id, enabled: true, paused: true, failing_since: null });
  expect(name).toMatch(/^test-/);
  const failing = await ops`webhooks failing`;
  expect(failing.map((one) => one['id'])).toContain(id);
  const url = receiver.url.replace('key=value', 'key=…');
  expect(shown['url']).toBe(url);
  const story = await runOps`--json orders story ${order.id}`;
  expect(story.stdout).toContain(`${url}: due`);
  for (const seen of [JSON.stringify(failing), story.stdout]) expect(seen).not.toContain('key=value');

  const event = String(shown['oldest_event']);
  expect(await sentence('skip', id, event)).toBe(`${event} is not sent to endpoint ${id} of ${String(name)}.`);
  expect(await sentence('skip', id, event)).toBe(`${event} does not wait for endpoint ${id}: check both ids`);
  expect(await sentence('retry', id)).toBe(`Endpoint ${id} is paused. Resume it with: webhooks resume ${id}`);
  await sentence('resume', id);
  await until('what waited', async () => (await endpoint())['pending'] === 0);
  await until('the end of the entry', async () => !(await listed('ENDPOINT_PAUSED')));
  const skipped = await sql.first(database)<{ state: string }>`SELECT state FROM webhook_deliveries
       JOIN events ON sequence = event_sequence WHERE endpoint_id = ${id} AND events.id = ${event}`;
  expect(skipped).toEqual({ state: 'SKIPPED' });
});

test('When events are replayed, then they are delivered again', async () => {
  expect(await sentence('replay', id, '--since', '1h')).toMatch(/^\d+ events since .* are sent to endpoint/);
  await until('the replay', async () => (await endpoint())['pending'] === 0);
});

test('When the workflow of an endpoint fails its tasks, then the command names the error', async () => {
  const { nonce } = (await sql.first(database)<{ nonce: string }>`SELECT nonce FROM webhook_endpoints
       WHERE id = ${id}`) as { nonce: string };
  const temporal = await temporalClient();
  const workflow = temporal.workflow.getHandle(endpointWorkflowId({ endpointId: id, nonce }));
  const { workflowId } = workflow;
  await workflow.terminate('A mistake').catch(() => undefined);
  await closed(workflow);
  await temporal.workflow.start('noWorkflowOfThisName', { workflowId, taskQueue: webhooksQueue });
  await until('failed tasks', async () => {
    const { raw } = await workflow.describe();
    return (raw.pendingWorkflowTask?.attempt ?? 0) > 3;
  });
  const failing = new RegExp(`^Workflow ${workflowId} makes no progress: its tasks fail with ".*noWorkflowOfThisName`);
  expect(await sentence('pause', id)).toMatch(failing);
  expect(await sentence('skip', id, await waitingEvent())).toMatch(failing);
  await workflow.terminate('It cannot go on');
  await closed(workflow);
  expect(await sentence('resume', id)).toMatch(/ is resumed\./);
  await temporal.connection.close();
});

test('When the workflow of an endpoint takes no message, then `webhooks skip` says what to do', async () => {
  const { nonce } = (await sql.first(database)<{ nonce: string }>`SELECT nonce FROM webhook_endpoints
       WHERE id = ${id}`) as { nonce: string };
  await sentence('pause', id);
  await until('the pause', async () => (await endpoint())['paused'] === true);
  const event = await waitingEvent();
  const temporal = await temporalClient();
  const workflow = temporal.workflow.getHandle(endpointWorkflowId({ endpointId: id, nonce }));
  const { workflowId } = workflow;
  await workflow.terminate('A mistake').catch(() => undefined);
  await closed(workflow);
  await temporal.workflow.start('any', { workflowId, taskQueue: 'polled-by-no-worker' });
  expect(await sentence('skip', id, event)).toBe(
    `The workflow of endpoint ${id} did not take the message. It may still skip ${event}. Check that a worker runs with ` +
      `\`deploy status\`, and whether the event still waits with \`webhooks list ${client.id}\`, then retry.`,
  );
  await workflow.terminate('It cannot go on');
  await closed(workflow);
  await sentence('resume', id);
  await until('what waited', async () => (await endpoint())['pending'] === 0);
  await temporal.connection.close();
});

test('When an endpoint is disabled, then nothing is sent to it until it is enabled', async () => {
  expect(await sentence('disable', id)).toMatch(/ is disabled\.$/);
  expect(await endpoint()).toMatchObject({ enabled: false, disabled_reason: null });
  expect(await sentence('retry', id)).toBe(`Endpoint ${id} is disabled. Enable it with: webhooks enable ${id}`);
  expect(await sentence('enable', id)).toMatch(/ is enabled\.$/);
  expect(await endpoint()).toMatchObject({ enabled: true });
  expect(await sentence('pause', 2_000_000_000)).toBe('There is no endpoint 2000000000. See them with: webhooks list');
});
