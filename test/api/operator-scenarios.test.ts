/** The two sandbox scenarios that continue only after a person acts. */
import { callControl } from '../../dev/stack/controls';
import { newClient, useDatabase } from '../support/clients';
import { ops } from '../support/operator';
import { scenarioNamed } from '../support/orders';
import { boughtFor, entriesOf } from '../support/records';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { operatorScenarios, type Json } from '../support/stack';
import { accepted, type VariantOrder } from '../support/variant-orders';
import { until } from '../../dev/testbed/waiting';

jest.setTimeout(180_000);

const database = useDatabase();

/** Orders the scenario. Returns the order, its entry on the attention list, and a function that reads the order. */
async function listed(name: string) {
  const { path, body } = scenarioNamed(name);
  const { api } = await newClient(database, { USD: 100 });
  const order = await accepted(api, path, body);
  const entry = await until(`order ${order.id} on the list`, () => entryOf(order.id), 60);
  const read = async (): Promise<VariantOrder> => (await api.get<VariantOrder>(`${path}/${order.id}`)).body;
  return { order, entry, read };
}

async function entryOf(orderId: number): Promise<Json | undefined> {
  return (await ops`orders attention`).find(({ id }) => id === orderId);
}

test.each(operatorScenarios)('When %s is listed, then its initial status is PENDING', (name) => {
  expect(scenarioNamed(name)).toMatchObject({ initial_status: 'PENDING' });
});

test('When voucher_needs_operator is ordered, then it is on the attention list within 60 s, debited, and nothing is bought', async () => {
  const { order, entry, read } = await listed('voucher_needs_operator');
  expect(order.status).toBe('PENDING');
  expect(entry).toMatchObject({ kind: 'OUTCOME_UNKNOWN' });
  expect(entry['attention']).toContain('Ask it what it delivered under our reference');
  expect((await read()).status).toBe(scenarioNamed('voucher_needs_operator').final_status);
  expect(await boughtFor(order.id)).toEqual([]);
  expect(await entriesOf(database, order.id)).toMatchObject([{ kind: 'ORDER', type: 'DEBIT' }]);
});

test('When topup_supplier_blocked is ordered, then it is on the attention list until the account is unblocked, and is delivered afterwards', async () => {
  const { order, entry, read } = await listed('topup_supplier_blocked');
  expect(order.status).toBe('PENDING');
  expect(entry).toMatchObject({ kind: 'SUPPLIER_BLOCKED' });
  expect(await boughtFor(order.id)).toEqual([]);
  await callControl(loadStack().simulator_url, 'POST', 'account', { blocked: false });
  await until('the delivery', async () => (await read()).status === 'DELIVERED', 90);
  expect(await boughtFor(order.id)).toHaveLength(1);
  expect(await entryOf(order.id)).toBeUndefined();
});
