/** Recharges: orders that add a plan to the profile of an earlier eSIM order. docs/specification.md#recharging-an-esim. */
import { sql } from '../../dev/testbed/sql';
import { newClient, useClient, useDatabase } from '../support/clients';
import { ops, printedBy } from '../support/operator';
import { boughtFor, eventsOf } from '../support/records';
import { endedInList, esimOrders, accepted, type VariantOrder } from '../support/variant-orders';
import { scenarioNamed } from '../support/orders';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { notFound, refusal, type Json } from '../support/stack';
import { until } from '../../dev/testbed/waiting';

jest.setTimeout(120_000);

interface Esim extends VariantOrder {
  iccid?: string;
  activation_code?: string;
  activation_status?: string;
  is_installed: boolean;
  installed_at?: string;
  activated_at?: string;
  recharges?: { order_id: number };
  recharged_by?: { order_id: number; delivered_at: string }[];
}

const database = useDatabase();
const client = useClient(database, { USD: 1_000 });
const stranger = useClient(database, { USD: 100 });

const read = async (id: number) => (await client.api.get<Esim>(`${esimOrders}/${id}`)).body;
const plansOf = (id: unknown) => client.api.get<Json[]>(`${esimOrders}/${String(id)}/recharge-plans`);
const change = (id: number, what: string, body: Json = {}) =>
  client.api.post<Esim>(`/api/v1/sandbox/esims/${id}/${what}`, body);

async function delivered(name = 'esim_instant'): Promise<Esim> {
  return (await accepted(client.api, esimOrders, scenarioNamed(name).body)) as Esim;
}

/** A delivered eSIM that a device has installed. */
async function installed(name?: string): Promise<Esim> {
  const { id } = await delivered(name);
  expect((await change(id, 'install')).status).toBe(200);
  return read(id);
}

const bodyOf = (recharged: number | null, special: Json = {}) => ({
  ...scenarioNamed('esim_recharge').body,
  recharge_order_id: recharged,
  ...special,
});
const recharge = async (recharged: number, special: Json = {}) =>
  (await accepted(client.api, esimOrders, bodyOf(recharged, special))) as Esim;
const typesOf = async (id: number) =>
  (await eventsOf(database, id)).map(({ type }) => type).filter((type) => type.startsWith('esim.'));
/** Sets modes of the simulator while the body runs. */
async function behaving<T>(selector: Record<string, string>, modes: Json, run: () => Promise<T>): Promise<T> {
  const behaviour = (method: string, query: string, body?: object) =>
    fetch(`${loadStack().simulator_url}/control/behaviour${query}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  expect((await behaviour('PUT', '', { ...selector, modes })).status).toBe(200);
  try {
    return await run();
  } finally {
    await behaviour('DELETE', `?${new URLSearchParams(selector).toString()}`);
  }
}
const usage = async (id: number) => (await client.api.get<Json>(`${esimOrders}/${id}/usage`)).body;

test('When an installed eSIM is recharged, then the plan is added to its profile, and both orders name each other', async () => {
  const esim = await installed();
  const charges = await client.api.post<Json>('/api/v1/esim/charges', bodyOf(esim.id));
  const order = await recharge(esim.id);
  expect(order).toMatchObject({
    status: 'DELIVERED',
    amount: charges.body['total_payable'],
    iccid: esim.iccid,
    is_installed: true,
    installed_at: esim.installed_at,
    activation_status: 'ACTIVE',
    recharges: { order_id: esim.id },
  });
  for (const absent of ['activation_code', 'activated_at', 'recharged_by']) expect(order).not.toHaveProperty(absent);
  const { recharged_by: rechargedBy, ...parent } = await read(esim.id);
  expect(parent).toEqual(esim);
  expect(rechargedBy).toEqual([{ order_id: order.id, delivered_at: expect.stringMatching(/Z$/) as string }]);
  expect(await usage(order.id)).toMatchObject({ data_total_mb: 2_000 });
  expect(await boughtFor(order.id)).toHaveLength(1);
  expect(await typesOf(order.id)).toEqual(['esim.delivered']);
  const { body } = await client.api.get<Esim[]>(`${esimOrders}?limit=2`);
  expect(body.map(({ recharges }) => recharges)).toEqual([{ order_id: esim.id }, undefined]);

  const second = await recharge(order.id);
  expect(second.recharges).toEqual({ order_id: esim.id });
  expect((await read(esim.id)).recharged_by).toHaveLength(2);
});

test('When the plans end, then each recharge is EXPIRED with one event, and the first order ends after them', async () => {
  const esim = await installed();
  await change(esim.id, 'use', { megabytes: 10 });
  const order = await recharge(esim.id);
  await change(esim.id, 'use', { megabytes: 10 });
  expect(await read(order.id)).not.toHaveProperty('activated_at');
  await change(order.id, 'deplete');
  expect(await read(order.id)).toMatchObject({ activation_status: 'EXPIRED', is_installed: true });
  expect(await typesOf(order.id)).toEqual(['esim.delivered', 'esim.depleted']);
  await until('the end of the first order', async () => {
    return (await read(esim.id)).activation_status === 'EXPIRED';
  });
  const events = ['esim.delivered', 'esim.installed', 'esim.activated', 'esim.depleted'];
  expect(await typesOf(esim.id)).toEqual(events);

  const another = await recharge(esim.id);
  expect(another).toMatchObject({ status: 'DELIVERED', activation_status: 'ACTIVE' });
  expect(await read(esim.id)).toMatchObject({ activation_status: 'EXPIRED' });
  expect(await typesOf(esim.id)).toEqual(events);
});

test('When 20 requests with one reference recharge an eSIM at once, then it gets one plan', async () => {
  const esim = await installed();
  const before = (await client.api.get<{ balance: number }[]>('/api/v1/wallets')).body;
  const body = bodyOf(esim.id, { client_reference: `recharge-${esim.id}` });
  const answers = await Promise.all(Array.from({ length: 20 }, () => client.api.post<Esim>(esimOrders, body)));
  const [order, ...others] = answers.filter(({ status }) => status === 200);
  expect(others).toEqual([]);
  const { id } = await endedInList(client.api, esimOrders, order?.body.id ?? 0);
  expect(await usage(id)).toMatchObject({ data_total_mb: 2_000 });
  const after = (await client.api.get<{ balance: number }[]>('/api/v1/wallets')).body;
  expect((before[0]?.balance ?? 0) - (after[0]?.balance ?? 0)).toBeCloseTo(order?.body.amount ?? 0);
});

test('When the answer to a recharge is lost, then it is found, and the eSIM has the plan once', async () => {
  const esim = await installed();
  const lost = scenarioNamed('esim_recharge_lost');
  const order = await recharge(esim.id, lost.body);
  expect(order).toMatchObject({ status: lost.initial_status, iccid: esim.iccid });
  expect(await boughtFor(order.id)).toHaveLength(1);
  expect(await usage(order.id)).toMatchObject({ data_total_mb: 2_000 });
});

test('When an eSIM has recharge plans, then exactly these can be ordered, and plans for recharges only nowhere else', async () => {
  const { product_id: product } = scenarioNamed('esim_instant').body as { product_id: number };
  const esim = await installed();
  const { status, body: plans } = await plansOf(esim.id);
  expect(status).toBe(200);
  const { body: catalogue } = await client.api.get<Json[]>(`/api/v1/esim/products/${product}/variants`);
  expect(plans).toEqual(catalogue);
  expect(plans[0]).toMatchObject({ esim_product_id: product });

  const [states] = (await client.api.get<{ id: number }[]>('/api/v1/esim/products?search=United')).body;
  const listed = (await client.api.get<Json[]>(`/api/v1/esim/products/${states?.id}/variants`)).body;
  expect(listed.map(({ amount }) => amount)).not.toContain(7.5);
  const first = { product_id: states?.id, amount: 4.5 };
  const us = (await accepted(client.api, esimOrders, first)) as Esim;
  await change(us.id, 'install');
  const only = { ...first, amount: 7.5 };
  expect(await client.api.post(esimOrders, only)).toMatchObject(notFound('Variant'));
  expect(await client.api.post('/api/v1/esim/charges', only)).toMatchObject(notFound('Variant'));
  expect((await plansOf(us.id)).body).toEqual(
    expect.arrayContaining([...listed, expect.objectContaining({ amount: 7.5, name: '2 GB - 15 days' })]),
  );
  const order = (await accepted(client.api, esimOrders, { ...only, recharge_order_id: us.id })) as Esim;
  expect(order).toMatchObject({ status: 'DELIVERED', iccid: us.iccid, data_amount_gb: 2 });
  // A plan of another product of the supplier does not fit.
  expect(await client.api.post(esimOrders, { ...first, recharge_order_id: esim.id })).toMatchObject(
    notFound('Variant'),
  );
});

describe('A recharge', () => {
  const missing = {
    status: 404,
    body: {
      error: { name: 'NotFoundError', code: 'NOT_FOUND', message: 'Order not found', param: 'recharge_order_id' },
    },
  };
  const impossible = {
    status: 400,
    body: {
      error: { name: 'BadRequestError', code: 'ESIM_NOT_RECHARGEABLE', message: 'The eSIM cannot be recharged' },
    },
  };

  test.each([0, -1, 2_000_000_000, 5_000_000_000, 9_007_199_254_740_993])(
    'When its order has the id %s, which does not exist, then it is not found, before product and amount',
    async (id) => {
      const nonsense = { product_id: 999_999, amount: 1 };
      expect(await client.api.post(esimOrders, bodyOf(id, nonsense))).toMatchObject(missing);
      expect(await client.api.post('/api/v1/esim/charges', bodyOf(id, nonsense))).toMatchObject(missing);
    },
  );

  test('When its order is of another client or family, then it is not found, but a used reference is found first', async () => {
    const esim = await installed();
    expect(await stranger.api.post(esimOrders, bodyOf(esim.id))).toMatchObject(missing);
    expect(await stranger.api.get(`${esimOrders}/${esim.id}/recharge-plans`)).toMatchObject(notFound('Order'));
    const { body: voucher } = await client.api.post<{ id: number }>(
      '/api/v1/orders',
      scenarioNamed('voucher_instant').body,
    );
    expect(await client.api.post(esimOrders, bodyOf(voucher.id))).toMatchObject(missing);
    const reference = `used-${esim.id}`;
    await recharge(esim.id, { client_reference: reference });
    expect(await client.api.post(esimOrders, bodyOf(5_000_000_000, { client_reference: reference }))).toMatchObject(
      refusal('DUPLICATE_CLIENT_REFERENCE', 'Duplicate client_reference'),
    );
  });

  test('When recharge_order_id is null, then the order is an ordinary one, and other values are invalid', async () => {
    expect(await accepted(client.api, esimOrders, bodyOf(null))).not.toHaveProperty('recharges');
    for (const wrong of ['17', 1.5, true])
      expect((await client.api.post(esimOrders, { ...bodyOf(null), recharge_order_id: wrong })).status).toBe(400);
  });

  test('When its eSIM was never installed, then it is impossible, before product and amount', async () => {
    const esim = await delivered();
    expect(await client.api.post(esimOrders, bodyOf(esim.id, { product_id: 999_999 }))).toMatchObject(impossible);
    expect(await plansOf(esim.id)).toMatchObject({ status: 200, body: [] });
    const { body: slow } = await client.api.post<Esim>(esimOrders, scenarioNamed('esim_failed_now').body);
    expect(await client.api.post(esimOrders, bodyOf(slow.id))).toMatchObject(impossible);
    expect(await client.api.post('/api/v1/esim/charges', bodyOf(slow.id))).toMatchObject(impossible);
    expect(await plansOf(slow.id)).toMatchObject({
      status: 409,
      body: { error: { code: 'NOT_POSSIBLE_NOW', message: 'The order is FAILED: it has no eSIM' } },
    });
  });

  test('When its supplier has no plan for its eSIM, then it is impossible', async () => {
    const esim = await installed('esim_unlimited');
    expect(await plansOf(esim.id)).toMatchObject({ status: 200, body: [] });
    const body = { ...scenarioNamed('esim_unlimited').body, recharge_order_id: esim.id };
    expect(await client.api.post(esimOrders, body)).toMatchObject(impossible);
    expect(await client.api.post('/api/v1/esim/charges', body)).toMatchObject(impossible);
  });

  test('When its eSIM is claimed, refunded or replaced, then it is impossible; an erased one can be recharged', async () => {
    const [claimed, refunded, replaced, erased] = await Promise.all([
      installed(),
      installed(),
      installed(),
      installed(),
    ]);
    const claim = (id: number) =>
      client.api.post<{ id: number }>(`${esimOrders}/${id}/claims`, { kind: 'NOT_WORKING', text: 'No net' });
    const { body: open } = await claim(claimed.id);
    expect(await client.api.post(esimOrders, bodyOf(claimed.id))).toMatchObject(impossible);
    await client.api.post(`/api/v1/sandbox/claims/${open.id}/reject`, undefined);
    expect((await recharge(claimed.id)).status).toBe('DELIVERED');
    await ops`orders refund ${refunded.id} --amount 0.5 --reason-code GOODWILL --reference g-${refunded.id}`;
    expect(await client.api.post(esimOrders, bodyOf(refunded.id))).toMatchObject(impossible);
    const { body: second } = await claim(replaced.id);
    await client.api.post(`/api/v1/sandbox/claims/${second.id}/replace`, undefined);
    expect(await client.api.post(esimOrders, bodyOf(replaced.id))).toMatchObject(impossible);
    await sql(database)`UPDATE orders SET sealed_email = NULL WHERE id = ${erased.id}`;
    expect((await recharge(erased.id)).status).toBe('DELIVERED');
  });

  test('When it costs more than its max_total_payable, then it is rejected with the price', async () => {
    const esim = await installed();
    const limited = (max_total_payable: number) => bodyOf(esim.id, { max_total_payable });
    expect((await client.api.post('/api/v1/esim/charges', limited(0))).status).toBe(200);
    expect(await client.api.post(esimOrders, limited(5.69))).toMatchObject(
      refusal('PRICE_CHANGED', 'The total is 5.70 USD'),
    );
    expect((await recharge(esim.id, { max_total_payable: 5.7 })).status).toBe('DELIVERED');
  });

  test('When it is held until its eSIM is refunded, then the release cancels and refunds it', async () => {
    const { api, id: clientId } = await newClient(database, { USD: 100 });
    const esim = (await accepted(api, esimOrders, scenarioNamed('esim_instant').body)) as Esim;
    await api.post(`/api/v1/sandbox/esims/${esim.id}/install`, {});
    await ops`spend-rules set per-hour --client ${clientId} --orders 1 --reason test`;
    const { body: first } = await api.post<Esim>(esimOrders, bodyOf(esim.id));
    const { body: second } = await api.post<Esim>(esimOrders, bodyOf(esim.id));
    expect(second).toMatchObject({
      status: 'PENDING',
      status_text: 'Under review',
      is_installed: false,
      recharges: { order_id: esim.id },
    });
    for (const absent of ['iccid', 'installed_at', 'activation_status']) expect(second).not.toHaveProperty(absent);
    expect((await api.post(`/api/v1/sandbox/orders/${first.id}/release`, undefined)).status).toBe(200);
    expect(await endedInList(api, esimOrders, first.id)).toMatchObject({ status: 'DELIVERED' });
    await ops`orders refund ${esim.id} --amount 0.5 --reason-code GOODWILL --reference h-${esim.id}`;
    await api.post(`/api/v1/sandbox/orders/${second.id}/release`, undefined);
    expect(await endedInList(api, esimOrders, second.id)).toMatchObject({ status: 'CANCELLED' });
    expect((await api.get<Esim>(`${esimOrders}/${second.id}`)).body).toMatchObject({ refunded_amount: second.amount });
    expect(await boughtFor(second.id)).toEqual([]);
  });

  test('When it is claimed, then its replacement recharges the same profile', async () => {
    const esim = await installed();
    const order = await recharge(esim.id);
    const { body: claim } = await client.api.post<{ id: number }>(`${esimOrders}/${order.id}/claims`, {
      kind: 'NOT_WORKING',
      text: 'No data',
    });
    await client.api.post(`/api/v1/sandbox/claims/${claim.id}/replace`, undefined);
    const { replacement_order_id: id } = (
      await client.api.get<{ replacement_order_id: number }>(`/api/v1/claims/${claim.id}`)
    ).body;
    await endedInList(client.api, esimOrders, id);
    expect(await read(id)).toMatchObject({
      status: 'DELIVERED',
      charged_amount: 0,
      replaces: { order_id: order.id },
      recharges: { order_id: esim.id },
      iccid: esim.iccid,
    });
  });

  test('When the supplier answers with another profile, then it waits for an operator and shows none of it', async () => {
    const esim = await installed();
    const modes = { repeated_goods: 'from_another_purchase' };
    await behaving({ sku: 'SIM-ESIM-SANDBOX-RECHARGE' }, modes, async () => {
      await delivered();
      const placed = client.api.post<Esim>(esimOrders, bodyOf(esim.id, { client_reference: `profile-${esim.id}` }));
      const [listed] = await until('the order on the attention list', async () => {
        const found = (await ops`orders attention`).filter(({ client_id: id }) => id === client.id);
        return found.length > 0 ? found : undefined;
      });
      const id = Number(listed?.['order_id']);
      expect(await read(id)).not.toHaveProperty('iccid');
      await ops`orders resolve ${id} unusable --reason test`;
      expect((await placed).body).toMatchObject({ id, status: 'FAILED', is_installed: false });
      expect(await read(id)).toMatchObject({ refunded_amount: 5.7 });
      expect(await read(esim.id)).not.toHaveProperty('recharged_by');
    });
  });

  test('When the supplier answers with the profile that it recharged, then the plan is delivered', async () => {
    const esim = await installed();
    await behaving({ sku: 'SIM-ESIM-SANDBOX-RECHARGE' }, { shows_profile: true }, async () => {
      expect(await recharge(esim.id)).toMatchObject({ status: 'DELIVERED', iccid: esim.iccid });
    });
  });
});

test('When the supplier fills up ICCIDs, then its calls get its own spelling, and everybody else the digits', async () => {
  const [states] = (await client.api.get<{ id: number }[]>('/api/v1/esim/products?search=United')).body;
  const body = { product_id: states?.id, amount: 4.5 };
  await behaving({ sku: 'SIM-ESIM-USA-1GB' }, { filled_iccids: true }, async () => {
    const bought = (await accepted(client.api, esimOrders, body)) as Esim;
    const digits = expect.stringMatching(/^\d{19,20}$/) as string;
    expect((await change(bought.id, 'install')).status).toBe(200);
    expect(await read(bought.id)).toMatchObject({ iccid: digits, is_installed: true });
    expect((await plansOf(bought.id)).body).toContainEqual(expect.objectContaining({ amount: 4.5 }));
    const order = (await accepted(client.api, esimOrders, { ...body, recharge_order_id: bought.id })) as Esim;
    expect(order).toMatchObject({ status: 'DELIVERED', iccid: digits });
    const events = await client.api.get<{ data: Json }[]>(`/api/v1/webhooks/events?type=esim.delivered`);
    const ofOrder = events.body.filter(({ data }) => data['id'] === bought.id && data['iccid'] !== undefined);
    expect(ofOrder.map(({ data }) => data['iccid'])).toContain(order.iccid);
    const revealed = ['--json', 'orders', 'reveal', bought.id, '--reason', 'test'] as const;
    expect(JSON.parse(await printedBy(loadStack().database_url, ...revealed))).toMatchObject({ iccid: order.iccid });
  });
});

test('When the supplier does not know a delivered profile, then it is listed at once, and its recharge plans are unknown until it is found', async () => {
  const esim = await delivered();
  const listed = async () => {
    const unknown = await ops`attention --kind ESIM_UNKNOWN --client ${client.id}`;
    return unknown.filter(({ order_id: id }) => id === esim.id);
  };
  await behaving({ reference: `order-${esim.id}` }, { profile_unknown: true }, async () => {
    expect(await read(esim.id)).toMatchObject({ activation_status: 'NOT_INSTALLED' });
    expect(await listed()).toMatchObject([
      { reason: 'The supplier does not know the eSIM: simulator: GET /esims/:iccid: 404 NOT_FOUND' },
    ]);
    const unavailable = { status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } };
    expect(await plansOf(esim.id)).toMatchObject(unavailable);
    expect(await client.api.post(esimOrders, bodyOf(esim.id))).toMatchObject(unavailable);
  });
  await read(esim.id);
  expect(await listed()).toEqual([]);
  expect(await plansOf(esim.id)).toMatchObject({ status: 200, body: [] });
});
