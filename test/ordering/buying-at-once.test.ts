/** A small order is bought within its first workflow task. A slow or failed purchase becomes a visible activity. */
import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { useClient, useDatabase } from '../support/clients';
import { ended, idOfReference, orderOf, place } from '../support/orders';
import { boughtFor } from '../support/records';
import { until } from '../../dev/testbed/waiting';
import { serviceTemporalClient } from '../../dev/testbed/temporal-clients';
import { workflowOf } from '../support/workflows';
import { useMade } from '../support/made';

const database = useDatabase();
const temporal = useMade(serviceTemporalClient, ({ connection }) => connection.close());
const client = useClient(database, { USD: 1_000 });

/** The names of the activities that were scheduled. */
async function activitiesOf(workflow: WorkflowHandle): Promise<string[]> {
  const { events } = await workflow.fetchHistory();
  return (events ?? []).flatMap((event) => event.activityTaskScheduledEventAttributes?.activityType?.name ?? []);
}

test('When the supplier delivers immediately, then the order takes one workflow task and no activity', async () => {
  const { id } = await place(client.api, orderOf('voucher_instant'));
  const workflow = await workflowOf(temporal, database, id);
  await workflow.result();
  expect(await activitiesOf(workflow)).toEqual([]);
  const { events } = await workflow.fetchHistory();
  expect(events?.filter((event) => event.workflowTaskCompletedEventAttributes)).toHaveLength(1);
});

test('When the supplier does not answer, then operators see the activity, and it is bought once', async () => {
  const reference = randomUUID();
  const creating = place(client.api, orderOf('voucher_timeout_fulfilled', { client_reference: reference }));
  const id = await idOfReference(client.api, reference);
  const workflow = await workflowOf(temporal, database, id);
  const pending = await until('the activity', async () => {
    const { raw } = await workflow.describe();
    return raw.pendingActivities?.[0]?.activityType?.name ?? undefined;
  });
  expect(pending).toBe('buy');
  await creating;
  expect(await ended(client.api, id)).toMatchObject({ status: 'DELIVERED' });
  expect(await boughtFor(id)).toHaveLength(1);
});

test('When the inline attempt fails, then the first activity attempt fails without another call, and the next one waits', async () => {
  const { id } = await place(client.api, orderOf('voucher_flaky'));
  expect(await ended(client.api, id)).toMatchObject({ status: 'DELIVERED' });
  const workflow = await workflowOf(temporal, database, id);
  await workflow.result();
  const { events } = await workflow.fetchHistory();
  // Two calls fail, and the third one delivers. The inline attempt makes the first call. The second and the third
  // attempt of the activity make the others.
  const [buy] = (events ?? []).flatMap((event) => event.activityTaskStartedEventAttributes ?? []);
  expect(buy?.attempt).toBe(3);
  expect(await boughtFor(id)).toHaveLength(1);
});
