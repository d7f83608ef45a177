/** The data usage of a delivered eSIM, its notifications, and the installation of the eSIM. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../dev/testbed/sql';
import { newClient, useClient, useDatabase } from '../support/clients';
import { ops } from '../support/operator';
import { register, useReceivers } from '../support/receiver';
import { eventsOf } from '../support/records';
import { scenarioNamed } from '../support/orders';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { accepted, esimOrders } from '../support/variant-orders';
import { until } from '../../dev/testbed/waiting';
import { ownMoment } from '../../src/domain/time';

const database = useDatabase();
const newReceiver = useReceivers();
const client = useClient(database, { USD: 1_000 });
const stranger = useClient(database, { USD: 1_000 });

interface Esim {
  id: number;
  iccid: string;
  data_amount_gb: number;
  activation_code: string;
}

async function delivered(): Promise<Esim> {
  const order = await accepted(client.api, esimOrders, scenarioNamed('esim_instant').body);
  return order as unknown as Esim;
}

const usageOf = (id: number) => client.api.get(`${esimOrders}/${id}/usage`);
const installationOf = (id: number) => client.api.get(`${esimOrders}/${id}/installation`);
const use = (id: number, megabytes: unknown) => client.api.post(`/api/v1/sandbox/esims/${id}/use`, { megabytes });
const notNow = (message: string) => ({ status: 409, body: { error: { code: 'NOT_POSSIBLE_NOW', message } } });
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;

/** The thresholds of the eSIM's events, in their order. */
async function thresholdsOf(id: number): Promise<unknown[]> {
  const events = await eventsOf(database, id);
  return events.filter(({ type }) => type === 'esim.usage').map(({ data }) => data['threshold_percent']);
}

describe('The usage of an eSIM', () => {
  test('When a device uses data, then the next read shows the usage', async () => {
    const { id, data_amount_gb: gb } = await delivered();
    const total = gb * 1_000;
    const unused = { data_total_mb: total, data_used_mb: 0, data_left_mb: total, validity_ends_at: null };
    expect(await usageOf(id)).toMatchObject({ status: 200, body: { ...unused, checked_at: time } });
    expect(await use(id, 100)).toMatchObject({ status: 200, body: { is_installed: true } });
    expect((await use(id, 200)).status).toBe(200);
    const { body } = await usageOf(id);
    expect(body).toEqual({
      data_total_mb: total,
      data_used_mb: 300,
      data_left_mb: total - 300,
      validity_ends_at: time,
      checked_at: time,
    });
  });

  test('When the time of the last poll is in the future because a clock was ahead, then the next read polls the supplier', async () => {
    const { id } = await delivered();
    await usageOf(id);
    await sql(database)`UPDATE esim_orders SET usage_checked_at = now() + interval '6 hours'
         WHERE order_id = ${id}`;
    const { body } = await usageOf(id);
    expect(ownMoment((body as { checked_at: string }).checked_at).getTime()).toBeLessThan(Date.now() + 60_000);
  });

  test('When a device uses data, then the push of the supplier updates the usage', async () => {
    const { id, iccid } = await delivered();
    const url = `${loadStack().simulator_url}/control/esims/${iccid}/use`;
    const headers = { 'content-type': 'application/json' };
    await usageOf(id);
    await fetch(url, { method: 'POST', headers, body: JSON.stringify({ megabytes: 7 }) });
    await until('the used data', async () => {
      const { body } = await usageOf(id);
      return (body as { data_used_mb: number }).data_used_mb === 7;
    });
  });

  test('When the usage passes 50, 80 and 100 %, then only the endpoint that lists the type gets each threshold, once', async () => {
    const [listing, other] = await Promise.all([newReceiver(), newReceiver()]);
    await register(client.api, listing, { event_types: ['esim.usage'] });
    await register(client.api, other, {});
    const { id, data_amount_gb: gb } = await delivered();
    const percent = gb * 10;
    await use(id, 49 * percent);
    expect(await thresholdsOf(id)).toEqual([]);
    await use(id, 1 * percent);
    expect(await thresholdsOf(id)).toEqual([50]);
    await use(id, 1 * percent);
    expect(await thresholdsOf(id)).toEqual([50]);
    expect(await use(id, 60 * percent)).toMatchObject({ body: { activation_status: 'EXPIRED' } });
    expect(await thresholdsOf(id)).toEqual([50, 80, 100]);
    const types = (await eventsOf(database, id)).map(({ type }) => type);
    expect(types.slice(-3)).toEqual(['esim.usage', 'esim.usage', 'esim.depleted']);
    expect((await usageOf(id)).body).toMatchObject({ data_used_mb: gb * 1_000, data_left_mb: 0 });
    expect(await use(id, 1)).toMatchObject(notNow('The eSIM is EXPIRED: that is final'));

    await until('three events', async () => listing.types.filter((type) => type === 'esim.usage').length === 3);
    await until('the end', async () => other.types.includes('esim.depleted'));
    await sleep(500);
    expect(listing.types.filter((type) => type !== 'webhook.test')).toEqual(Array(3).fill('esim.usage'));
    expect(other.types).not.toContain('esim.usage');
    expect([...listing.faults, ...other.faults]).toEqual([]);
    expect(listing.taken.at(-3)?.data).toMatchObject({
      id,
      activation_status: 'ACTIVE',
      threshold_percent: 50,
      data_total_mb: gb * 1_000,
      data_used_mb: gb * 500,
      data_left_mb: gb * 500,
      validity_ends_at: time,
    });
  });

  test('When a recharged profile passes a threshold, then it is an event of the newest recharge only', async () => {
    const receiver = await newReceiver();
    await register(client.api, receiver, { event_types: ['esim.usage'] });
    const first = await delivered();
    await use(first.id, 1);
    const recharge = { ...scenarioNamed('esim_recharge').body, recharge_order_id: first.id };
    const older = await accepted(client.api, esimOrders, recharge);
    const newest = await accepted(client.api, esimOrders, recharge);
    for (const { id } of [first, older, newest]) expect((await use(id, 600)).status).toBe(200);
    await use(first.id, 1);
    expect((await usageOf(first.id)).body).toMatchObject({ data_total_mb: 3_000, data_used_mb: 1_802 });
    for (const { id } of [first, older]) expect(await thresholdsOf(id)).toEqual([]);
    expect(await thresholdsOf(newest.id)).toEqual([50]);
  });

  test('When the body of `use` is invalid, then the usage does not change', async () => {
    const { id } = await delivered();
    const message = 'megabytes must be a whole number from 1 to 1000000';
    for (const invalid of [0, -1, '5', 1.5, 1_000_001]) {
      expect(await use(id, invalid)).toMatchObject({ status: 400, body: { error: { message } } });
    }
    expect((await usageOf(id)).body).toMatchObject({ data_used_mb: 0 });
  });
});

describe('The installation of an eSIM', () => {
  test('When the eSIM is read, then the response has activation code, links and steps only until the installation', async () => {
    const { id, activation_code: code } = await delivered();
    const { status, body } = await installationOf(id);
    expect(status).toBe(200);
    const carddata = encodeURIComponent(code);
    expect(body).toEqual({
      activation_code: code,
      links: {
        lpa: code,
        apple: `https://esimsetup.apple.com/esim_qrcode_provisioning?carddata=${carddata}`,
        android: `https://esimsetup.android.com/esim_qrcode_provisioning?carddata=${carddata}`,
      },
      instructions: expect.arrayContaining([expect.any(String)]) as string[],
    });
    await client.api.post(`/api/v1/sandbox/esims/${id}/install`, undefined);
    expect(await installationOf(id)).toMatchObject(notNow('The eSIM is installed already'));
    expect((await client.api.get(`${esimOrders}/${id}`)).body).not.toHaveProperty('activation_code');
  });
});

test.each(['usage', 'installation'])(
  'When eSIMs are not enabled for the client, then the error of %s is INVALID_FEATURE',
  async (what) => {
    const other = await newClient(database);
    await ops`clients set ${other.id} --features vouchers`;
    const answer = await other.api.get(`${esimOrders}/1/${what}`);
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'INVALID_FEATURE' } } });
  },
);

test.each(['usage', 'installation'])('When the order has no eSIM, then the error of %s says so', async (what) => {
  const failed = await accepted(client.api, esimOrders, scenarioNamed('esim_failed_now').body);
  const read = (id: unknown) => client.api.get(`${esimOrders}/${String(id)}/${what}`);
  expect(await read(failed.id)).toMatchObject(notNow('The order is FAILED: it has no eSIM'));
  expect(await read('x')).toMatchObject({ status: 400, body: { error: { message: 'Invalid order ID' } } });
  const { id } = await delivered();
  const foreign = await stranger.api.get(`${esimOrders}/${id}/${what}`);
  expect(foreign).toMatchObject({ status: 404, body: { error: { message: 'Order not found' } } });
});
