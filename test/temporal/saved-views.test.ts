/** The views of docs/operators/temporal-ui.md: each link opens its query, and each query finds the documented workflows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../dev/stack/run-directory';
import { useClient, useDatabase } from '../support/clients';
import { scenarioNamed } from '../support/orders';
import type { Resource } from '../support/stack';
import { until } from '../../dev/testbed/waiting';
import { closed, workflowOf } from '../support/workflows';
import { serviceTemporalClient } from '../../dev/testbed/temporal-clients';
import { useMade } from '../support/made';

const page = readFileSync(join(ROOT, 'docs/operators/temporal-ui.md'), 'utf8');
const views = [...page.matchAll(/^\| \[([^\]]+)\]\(([^)]+)\) \| `([^`]+)` \|/gm)].map(([, name, link, query]) => ({
  name: name as string,
  link: link as string,
  query: query as string,
}));

const database = useDatabase();
const temporal = useMade(serviceTemporalClient, ({ connection }) => connection.close());
const client = useClient(database, { USD: 1_000 });

async function place(scenario: string) {
  const { path, body } = scenarioNamed(scenario);
  const { id } = (await client.api.post<Resource>(path, body)).body;
  return workflowOf(temporal, database, id);
}

/** The view's query, limited to this file's client. */
function ofClient(name: string, special: Record<string, string> = {}): string {
  const view = views.find((known) => known.name === name);
  if (!view) throw new Error(`There is no view "${name}"`);
  const query = Object.entries(special).reduce(
    (text, [from, to]) => text.replaceAll(from, to),
    view.query.replace('ClientId = 1', `ClientId = ${client.id}`),
  );
  return `(${query}) AND ClientId = ${client.id}`;
}

async function found(query: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { workflowId } of temporal.workflow.list({ query })) ids.push(workflowId);
  return ids;
}

/** Waits until the view shows the workflow, because the server's list is updated with a delay. */
const shows = (query: string, workflowId: string) =>
  until(`${workflowId} by ${query}`, async () => (await found(query)).includes(workflowId), 60);

test('When the views are listed, then there are ten, and each link is its query', () => {
  expect(views).toHaveLength(10);
  for (const { link, query } of views) expect(new URL(link).searchParams.get('query')).toBe(query);
});

test.each(views)('When the view "$name" is opened, then the server accepts its query', async ({ query }) => {
  await expect(temporal.workflow.count(query)).resolves.toMatchObject({ count: expect.any(Number) as number });
});

test('When an order is parked, then the views of waiting orders show it, and those of failures do not', async () => {
  const { workflowId } = await place('voucher_needs_operator');
  await shows(ofClient('Needs attention'), workflowId);
  for (const name of ['Pending', 'By supplier', 'By client']) {
    expect(await found(ofClient(name))).toContain(workflowId);
  }
  const before = { '2026-11-20T12:00:00Z': '2020-01-01T00:00:00Z' };
  const after = { '2026-11-20T12:00:00Z': new Date(Date.now() + 60_000).toISOString() };
  expect(await found(ofClient('Long pending', before))).toEqual([]);
  expect(await found(ofClient('Long pending', after))).toContain(workflowId);
  for (const name of ['Failed by code', 'Undelivered emails', 'Endpoints failing', 'eSIMs', 'Failing workflow tasks']) {
    expect(await found(ofClient(name))).not.toContain(workflowId);
  }
});

test('When an order failed, then it is found by its code, and its workflow failed', async () => {
  const workflow = await place('voucher_out_of_stock');
  expect(await closed(workflow)).toMatchObject({
    status: { name: 'FAILED' },
    searchAttributes: {
      OrderStatus: ['FAILED'],
      FailureCode: ['PRODUCT_OUT_OF_STOCK'],
      Supplier: ['simulator'],
      ProductId: [expect.any(Number)],
    },
  });
  await shows(ofClient('Failed by code'), workflow.workflowId);
  expect(await found(ofClient('Pending'))).not.toContain(workflow.workflowId);
});

test('When an eSIM is delivered, then the view of eSIMs shows it with its supplier', async () => {
  const workflow = await place('esim_instant');
  const life = workflow.workflowId.replace('order-', 'esim-');
  await shows(ofClient('eSIMs'), life);
  expect(await found(ofClient('By supplier'))).toContain(life);
});
