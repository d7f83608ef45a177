/** Mails on the running stack: their recipients, time and content, and the lock of the address. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { newClient, useClient, useDatabase } from '../support/clients';
import { ops } from '../support/operator';
import { orderOf, ordersPath, place, scenarioNamed } from '../support/orders';
import { apiAs, validation, type ApiClient, type Json, type Resource } from '../support/stack';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { until } from '../../dev/testbed/waiting';
import { temporalClient } from '../../dev/testbed/temporal-clients';
import { workflowOf } from '../support/workflows';
import { useMade } from '../support/made';

interface CaughtMail {
  to: string;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
}

const email = 'ann@example.com';
const database = useDatabase();
const load = apiAs('load');
const temporal = useMade(temporalClient, ({ connection }) => connection.close());
const own = useClient(database, { USD: 1_000 });

async function mailsOf(orderId: number): Promise<CaughtMail[]> {
  const response = await fetch(`${loadStack().mailbox_url}/messages`);
  const mails = (await response.json()) as CaughtMail[];
  return mails.filter((mail) => mail.headers['message-id']?.startsWith(`<order-${orderId}-`));
}

/** Waits for the mail about the order, checks that no second mail follows, and returns the mail. */
async function mailOf(orderId: number): Promise<CaughtMail> {
  await until(`a mail about order ${orderId}`, async () => (await mailsOf(orderId))[0]);
  await sleep(500);
  const mails = await mailsOf(orderId);
  expect(mails).toHaveLength(1);
  return mails[0] as CaughtMail;
}

/** Both parts of a mail. Each part must have the whole content. */
function partsOf({ text, html }: CaughtMail): string[] {
  return [text, html];
}

/** Sends the order request, and attaches the address possibly before the response to that request. */
async function orderAndAttach(api: ApiClient, scenario: string): Promise<number> {
  const client_reference = randomUUID();
  const { path } = scenarioNamed(scenario);
  const created = api.post(path, orderOf(scenario, { client_reference }));
  const id = await until(`an order of ${scenario}`, async () => {
    const { status, body } = await api.get<Resource[]>(`${path}?client_reference=${client_reference}`);
    return status === 200 ? body[0]?.id : undefined;
  });
  const attached = await api.patch(`${path}/${id}/notification-email`, { email });
  expect(attached).toMatchObject({ status: 200, body: { success: true } });
  expect((await created).status).toBe(200);
  return id;
}

describe('mails about orders', () => {
  test('When vouchers are delivered, then one mail says how to fetch and use them, without codes or the client’s reference', async () => {
    const client_reference = randomUUID();
    const order = await place(own.api, orderOf('voucher_instant', { email, client_reference }));
    const mail = await mailOf(order.id);
    expect(mail.to).toBe(email);
    expect(mail.subject).toMatch(/^Delivered: /);
    expect(mail.headers).toMatchObject({ 'auto-submitted': 'auto-generated' });
    for (const part of partsOf(mail)) {
      expect(part).toContain(`GET ${ordersPath}/${order.id}`);
      expect(part).toContain('Enter the card number and PIN at the checkout.');
      expect(part).not.toContain(order.vouchers[0]?.card_number);
      expect(part).not.toContain(order.vouchers[0]?.pin_code);
      expect(part).not.toContain(client_reference);
    }
  });

  test('When an operator has enabled codes in the mails of the client, then the mails have the codes', async () => {
    const { id: clientId, api } = await newClient(database, { USD: 100 });
    await ops`clients set ${clientId} --codes-in-mail`;
    const order = await place(api, orderOf('voucher_instant', { email }));
    for (const part of partsOf(await mailOf(order.id))) {
      expect(part).toContain(order.vouchers[0]?.card_number);
      expect(part).toContain(order.vouchers[0]?.pin_code);
    }
    const esim = await orderAndAttach(api, 'esim_flaky');
    const { text, html } = await mailOf(esim);
    expect(text).toContain((await api.get(`/api/v1/esim/orders/${esim}`)).body['activation_code']);
    expect(html).toContain('esim_qrcode_provisioning?carddata=LPA');
    expect(html).not.toContain('<img');
  });

  test('When vouchers fail, then the mail mentions the refund', async () => {
    const order = await place(own.api, orderOf('voucher_out_of_stock', { email }));
    const mail = await mailOf(order.id);
    expect(mail.subject).toMatch(/^Not delivered: /);
    for (const part of partsOf(mail)) expect(part).toContain('has been refunded');
  });

  test('When part of the vouchers fails later, then one mail at the end reports both parts', async () => {
    const order = await place(own.api, orderOf('voucher_partial_then_failed', { email }));
    const mail = await mailOf(order.id);
    expect(mail.subject).toMatch(/^Delivered in part: /);
    for (const part of partsOf(mail)) {
      expect(part).toContain('6 of 10 could not be delivered');
      expect(part).toContain('has been refunded');
    }
  });

  test('When an operator cancels the workflow of an order, then the mail reports the cancellation', async () => {
    const order = await place(own.api, orderOf('voucher_slow', { quantity: 6, email }));
    await (await workflowOf(temporal, database, order.id)).cancel();
    const mail = await mailOf(order.id);
    expect(mail.subject).toMatch(/^Cancelled: /);
    for (const part of partsOf(mail)) expect(part).toContain('has been refunded');
  });

  test('When a top-up is delivered, then the mail names the top-up', async () => {
    const id = await orderAndAttach(own.api, 'topup_pending');
    const mail = await mailOf(id);
    const { body: order } = await own.api.get<Json & { input_data: Json }>(`/api/v1/topups/orders/${id}`);
    expect(mail.to).toBe(email);
    for (const part of partsOf(mail)) {
      expect(part).toContain(order['product_name']);
      for (const value of Object.values(order.input_data)) expect(part).toContain(value);
    }
  });

  test('When a top-up fails, then the mail has the reason and the refund', async () => {
    const id = await orderAndAttach(own.api, 'topup_failed_later');
    const mail = await mailOf(id);
    const { body: order } = await own.api.get(`/api/v1/topups/orders/${id}`);
    for (const part of partsOf(mail)) {
      expect(part).toContain(order['failure_reason']);
      expect(part).toContain('has been refunded');
    }
  });

  test('When an eSIM is delivered, then the mail says how to install it, without the code', async () => {
    const id = await orderAndAttach(own.api, 'esim_flaky');
    for (const part of partsOf(await mailOf(id))) {
      expect(part).toContain(`GET /api/v1/esim/orders/${id}`);
      expect(part).toMatch(/how to install it/i);
      expect(part).not.toContain('LPA:');
    }
  });

  test('When no address is attached, then no mail is sent', async () => {
    const order = await place(own.api, orderOf('voucher_instant'));
    await sleep(1_000);
    expect(await mailsOf(order.id)).toEqual([]);
  });
});

describe('the address', () => {
  test('When the order has ended, then the address is locked', async () => {
    const order = await place(own.api, orderOf('voucher_instant', { email }));
    const late = await own.api.patch(`${ordersPath}/${order.id}/notification-email`, { email: 'late@example.com' });
    expect(late).toMatchObject(validation('Notification email can no longer be changed'));
    expect((await mailOf(order.id)).to).toBe(email);
  });

  test.each([`${email}\r\nBcc: eve@example.com`, `${email}, eve@example.com`, `Ann <${email}>`])(
    'When the address is %j, then the order request is rejected',
    async (hostile) => {
      const created = await own.api.post(ordersPath, orderOf('voucher_delayed', { email: hostile }));
      expect(created).toMatchObject(validation('Invalid email: not a valid email'));
    },
  );

  test('When concurrent writers change the address until the order ends, then the mail goes to the last accepted address', async () => {
    const orders = await Promise.all([1, 2, 3].map(() => place(load, orderOf('voucher_delayed'))));
    await Promise.all(orders.map(({ id }) => raceForTheAddress(id)));
  });

  /** Runs six writers. A writer's last accepted address may be replaced by another writer's later address. */
  async function raceForTheAddress(id: number): Promise<void> {
    const writers = [1, 2, 3, 4, 5, 6].map((writer) => changeUntilLocked(id, writer));
    const lastAccepted = await Promise.all(writers);
    const { to } = await mailOf(id);
    expect(lastAccepted).toContain(to);
    expect((await load.get(`${ordersPath}/${id}`)).body['email']).toBe(to);
  }

  /** Changes the address until it is locked. Returns the last address that got a 200. */
  async function changeUntilLocked(id: number, writer: number): Promise<string> {
    let accepted = '';
    for (let turn = 1; ; turn++) {
      const address = `writer-${writer}-${turn}@example.com`;
      const { status } = await load.patch(`${ordersPath}/${id}/notification-email`, { email: address });
      if (status === 400) return accepted;
      expect(status).toBe(200);
      accepted = address;
    }
  }
});
