/** The ops commands for delivered eSIMs. */
import { useClient, useDatabase } from '../../support/clients';
import { ops, runOps } from '../../support/operator';
import { place, orderOf, scenarioNamed } from '../../support/orders';
import { loadStack } from '../../../dev/testbed/loaded-stack';
import { accepted, esimOrders } from '../../support/variant-orders';
import { useMade } from '../../support/made';

const database = useDatabase();
const client = useClient(database, { USD: 1_000 });
const esim = useMade(() => accepted(client.api, esimOrders, scenarioNamed('esim_instant').body));

test('When an eSIM is shown, then its states and times are there, and its codes are not', async () => {
  const [shown] = await ops`esims show ${esim.id}`;
  expect(shown).toMatchObject({
    order_id: esim.id,
    client_id: client.id,
    supplier: 'simulator',
    status: 'NOT_INSTALLED',
    delivered_at: expect.any(String),
    installed_at: null,
    monitoring_ended_at: null,
    monitor: expect.stringMatching(/^esim-/),
  });
  expect(JSON.stringify(shown)).not.toContain(esim['iccid']);
  expect(JSON.stringify(shown)).not.toContain(esim['activation_code']);
});

test('When an eSIM is polled, then the supplier is asked at once, the change is stored, and the audit has an entry', async () => {
  const install = `${loadStack().simulator_url}/control/esims/${String(esim['iccid'])}/install`;
  expect((await fetch(install, { method: 'POST' })).status).toBe(200);
  const { stdout } = await runOps`--json esims poll ${esim.id}`;
  expect(JSON.parse(stdout)).toMatchObject([{ status: 'ACTIVE', installed_at: expect.any(String) }]);
  const entries = await ops`audit list --object order/${esim.id} --command "esims poll"`;
  expect(entries).toMatchObject([{ action: 'esim.polled', client_id: client.id, after: { status: 'ACTIVE' } }]);
});

test('When an order has no delivered eSIM, then the command says so', async () => {
  const { id } = await place(client.api, orderOf('voucher_instant'));
  await expect(ops`esims show ${id}`).rejects.toThrow(`Order ${id} has no delivered eSIM`);
});
