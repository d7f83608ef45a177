/** Claims as operators see and decide them. docs/operators/claims.md. */
import { parse } from 'csv-parse/sync';
import { sql } from '../../../dev/testbed/sql';
import { day } from '../../../src/domain/time';
import { newClient, useDatabase } from '../../support/clients';
import { ops, printedBy, runOps } from '../../support/operator';
import { ended, orderOf, ordersPath, place } from '../../support/orders';
import { loadStack } from '../../../dev/testbed/loaded-stack';
import type { Json } from '../../support/stack';
import { accepted, endedInList, esimOrders } from '../../support/variant-orders';
import { until } from '../../../dev/testbed/waiting';
import { useNew } from '../../support/made';

jest.setTimeout(120_000);

const database = useDatabase();
const client = useNew(() => newClient(database, { USD: 1_000 }));

const text = 'Card of Jane Roe, +12025550199';
async function claimed(quantity = 1): Promise<{ id: number; order: number }> {
  const { id: order } = await place(client.api, orderOf('voucher_instant', { quantity }));
  await ended(client.api, order);
  const body = { kind: 'INVALID_CODE', unit: 1, text };
  const { id } = (await client.api.post<{ id: number }>(`${ordersPath}/${order}/claims`, body)).body;
  return { id, order };
}
const shown = async (id: number) =>
  JSON.parse((await runOps`--json claims show ${id}`).stdout) as Json & { purchases: Json[] };
const why = ['--reason', 'ticket 4711'];
const story = async (order: number) =>
  JSON.parse((await runOps`--json orders story ${order}`).stdout) as { timeline: Json[] };
/** The step of a reported claim. */
const reported = async (id: number) => {
  const { client: name } = (await shown(id)) as Json;
  return [`Claim ${id}: ${String(name)} reported unit 1, invalid code.`, name, null];
};
/** The steps of claims in the story of an order: their texts, the persons and the reasons. */
const claimSteps = async (order: number) =>
  (await story(order)).timeline
    .filter(({ kind }) => kind === 'CLAIM')
    .map(({ text: said, by, detail }) => [said, by, detail]);
const audited = async (object: string) => ops`audit list --object ${object}`;

test('When support reads a claim, then it has what the supplier asks for, the text, and what to do', async () => {
  const { id, order } = await claimed();
  const found = await shown(id);
  expect(found).toMatchObject({
    id,
    order_id: order,
    unit: 1,
    state: 'OPEN',
    text,
    wallet_currency: 'USD',
    face_value: '10 USD',
    purchases: [{ supplier: 'simulator', reference: expect.any(String), supplier_order_id: expect.any(String) }],
  });
  const actions = found['actions'] as { operation: string }[];
  expect(actions.map(({ operation }) => operation)).toEqual([
    'claims send',
    'claims accept',
    'claims reject',
    // The order names no recipient.
    'claims credit',
  ]);
  expect((await runOps`claims show ${id}`).stdout).toContain(`Claim ${id} of`);
  expect(await ops`claims list --client ${client.id} --open`).toMatchObject([{ id, order_id: order }]);
});

test('When a claim is sent and accepted with a credit of the supplier, then the order is refunded and the audit has no text', async () => {
  const { id, order } = await claimed(2);
  await ops`claims send ${id} ${why}`;
  expect(await shown(id)).toMatchObject({ state: 'AT_SUPPLIER' });
  await ops`claims accept ${id} refund --supplier-credit USD=9.50 ${why} --operator alice`;
  expect(await shown(id)).toMatchObject({
    state: 'ACCEPTED',
    outcome: 'REFUNDED',
    refund_number: 1,
    supplier_credit: '9.5 USD',
  });
  await ops`claims credit ${id} USD=9 ${why}`;
  expect(await shown(id)).toMatchObject({ supplier_credit: '9 USD' });
  expect((await client.api.get(`${ordersPath}/${order}/refunds`)).body).toMatchObject([{ amount: 9.8, units: 1 }]);
  const entries = await audited(`claim/${id}`);
  expect(entries.map(({ command }) => command)).toEqual(
    expect.arrayContaining(['claims send', 'claims accept', 'claims credit']),
  );
  expect(entries.find(({ command }) => command === 'claims accept')).toMatchObject({ operator: 'alice' });
  expect(JSON.stringify(entries)).not.toContain('Jane');
  const steps = await claimSteps(order);
  expect(steps).toEqual([
    await reported(id),
    [`Claim ${id} was sent to the supplier.`, expect.any(String), 'ticket 4711'],
    [`Claim ${id} was accepted: refund 1 of order ${order}.`, 'alice', 'ticket 4711'],
    [`Claim ${id} is closed: refunded.`, null, null],
  ]);
});

test('When an operator replaces a unit, then its order is bought at once, and a second decision is rejected', async () => {
  const { id, order } = await claimed(2);
  await ops`claims accept ${id} replace ${why}`;
  const other = Number((await shown(id))['replacement_order_id']);
  const bought = await ended(client.api, other);
  expect(bought).toMatchObject({ status: 'DELIVERED', charged_amount: 0, replaces: { order_id: order, unit: 1 } });
  expect(await shown(id)).toMatchObject({ state: 'ACCEPTED', outcome: 'REPLACED' });
  const { stderr } = await runOps`claims accept ${id} refund ${why} --yes`;
  expect(stderr).toContain(`Claim ${id} is ACCEPTED`);
  expect((await runOps`orders show ${other}`).stdout).toContain(`Replaces unit 1 of order ${order}`);
  expect(await claimSteps(order)).toEqual([
    await reported(id),
    [`Claim ${id} was accepted: order ${other} replaces the unit.`, expect.any(String), 'ticket 4711'],
    [`Claim ${id} is closed: replaced by order ${other}.`, null, null],
  ]);
  const [placed] = (await story(other)).timeline;
  expect(placed).toMatchObject({
    kind: 'PLACED',
    text: expect.stringContaining(`Placed to replace unit 1 of order ${order} of `),
  });
});

test('When an order replaces a unit, then the statement names the unit, and the report of sales does not count the order', async () => {
  const { id, order } = await claimed(2);
  const sold = () => ops`reports sales --from 1d --client ${client.id}`;
  const [before, ...others] = await sold();
  expect(before).toMatchObject({ orders: 1, delivered: 1, orders_with_unknown_cost: 1 });
  expect(others).toEqual([]);
  await ops`claims accept ${id} replace ${why}`;
  const other = Number((await shown(id))['replacement_order_id']);
  await ended(client.api, other);
  // What the replacement cost is unknown as well.
  expect(await sold()).toEqual([{ ...before, orders_with_unknown_cost: 2 }]);
  const [from, to] = [-1, 1].map((days) => new Date(Date.now() + days * day).toISOString());
  const { body } = await client.api.get<string>(`/api/v1/statements/orders?from=${from}&to=${to}`);
  const lines = parse(body, { columns: true }) as unknown as Json[];
  expect(lines.filter(({ line }) => line === 'ORDER')).toMatchObject([
    { id: String(order), charged_amount: '19.60', replaces_order_id: '', replaces_unit: '' },
    { id: String(other), charged_amount: '0.00', replaces_order_id: String(order), replaces_unit: '1' },
  ]);
});

test('When a claim is rejected, then the client reads it, and a second decision is rejected', async () => {
  const { id, order } = await claimed();
  await ops`claims reject ${id} ${why}`;
  expect((await client.api.get<Json>(`/api/v1/claims/${id}`)).body).toMatchObject({ state: 'REJECTED' });
  const { stderr, exitCode } = await runOps`claims accept ${id} refund ${why} --yes`;
  expect(exitCode).toBe(1);
  expect(stderr).toContain(`Claim ${id} is REJECTED`);
  expect(await audited(`claim/${id}`)).toMatchObject([{ command: 'claims reject', reason: 'ticket 4711' }]);
  expect((await claimSteps(order)).slice(1)).toEqual([
    [`Claim ${id} was rejected.`, expect.any(String), 'ticket 4711'],
    [`Claim ${id} is closed: rejected.`, null, null],
  ]);
});

test('When a claim is new or due, then the attention list has it with its action until it is decided', async () => {
  const { id, order } = await claimed();
  const entry = async (kind: string) =>
    (await ops`attention --client ${client.id}`).find((one) => one['order_id'] === order && one['kind'] === kind);
  const listed = (kind: string) => until(kind, () => entry(kind), 90);
  await ops`maintenance run maintenance`;
  expect(await listed('CLAIM_NEW')).toMatchObject({
    reason: `Claims that no operator has decided, by number: ${id}`,
    action: { operation: 'claims list', arguments: { order, open: true } },
  });
  await sql(database)`UPDATE claims SET due_at = now() - interval '1 day' WHERE id = ${id}`;
  await ops`maintenance run maintenance`;
  expect(await listed('CLAIM_DUE')).toMatchObject({ reason: `Claims whose answer is due, by number: ${id}` });
  await ops`claims reject ${id} ${why}`;
  await ops`maintenance run maintenance`;
  await until('no entry', async () => !(await entry('CLAIM_DUE')), 90);
});

test('When an unused eSIM is accepted, then its credit must be recorded, and a poll must find it not installed', async () => {
  const { id: order } = await accepted(client.api, esimOrders, orderOf('esim_instant'));
  const { iccid } = (await endedInList(client.api, esimOrders, order)) as unknown as { iccid: string };
  const body = { kind: 'UNUSED', text };
  const { id } = (await client.api.post<{ id: number }>(`${esimOrders}/${order}/claims`, body)).body;
  const accept = (...options: string[]) => runOps`claims accept ${id} refund ${why} --yes ${options}`;
  expect((await accept()).stderr).toContain(
    `The supplier's credit for claim ${id} is not recorded, which --supplier-credit does: add --force to refund it anyway. Nothing was changed.`,
  );
  await ops`claims credit ${id} USD=1 ${why}`;
  await fetch(`${loadStack().simulator_url}/control/esims/${iccid}/install`, { method: 'POST' });
  expect((await accept()).stderr).toContain(
    `The eSIM of order ${order} is installed: add --force to refund it anyway. Nothing was changed.`,
  );
  expect(await shown(id)).toMatchObject({ state: 'OPEN' });
  expect((await runOps`claims accept ${id} replace ${why} --yes`).stderr).toContain(
    'such an eSIM is refunded, never replaced',
  );
  expect((await accept('--force')).stdout).toContain(`Claim ${id} is ACCEPTED, by refund 1 of order ${order}.`);
});

test('When an unused eSIM is not installed and its credit recorded, then support accepts it', async () => {
  const { id: order } = await accepted(client.api, esimOrders, orderOf('esim_instant'));
  await endedInList(client.api, esimOrders, order);
  const body = { kind: 'UNUSED', text };
  const { id } = (await client.api.post<{ id: number }>(`${esimOrders}/${order}/claims`, body)).body;
  await ops`claims accept ${id} refund --supplier-credit USD=1 ${why}`;
  expect(await shown(id)).toMatchObject({ state: 'ACCEPTED', outcome: 'REFUNDED', supplier_credit: '1 USD' });
});

test('When the days of a product are set, then the audit has them', async () => {
  const { id } = await sql.one(database)<{ id: number }>`SELECT max(id) AS id FROM voucher_products`;
  await ops`claims days vouchers ${id} 3650 ${why}`;
  await ops`claims days vouchers ${id} default ${why}`;
  expect((await audited(`claim_days/VOUCHER/${id}`)).slice(0, 2)).toMatchObject([
    { action: 'claim_days.deleted', before: { days: 3650 } },
    { action: 'claim_days.created', after: { days: 3650 } },
  ]);
});

test('When the days of an unknown product are set, then the command is rejected', async () => {
  await expect(printedBy(loadStack().database_url, 'claims', 'days', 'vouchers', 999_999, 90, ...why)).rejects.toThrow(
    'There is no VOUCHER product 999999. See them with: products list',
  );
});
