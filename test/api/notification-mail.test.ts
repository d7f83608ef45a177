/** Mail on the running stack: who gets one, when, about what, and what the lock of the address is worth. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { newClient, stackDatabase, type OwnClient } from '../support/clients';
import { ops } from '../support/operator';
import { apiAs, loadStack, refusal, type ApiClient, type Json, type Resource } from '../support/stack';

interface CaughtMail {
  to: string;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
}

const database = stackDatabase();
const load = apiAs('load');
let own: OwnClient;

beforeAll(async () => {
  own = await newClient(database, { USD: 1_000 });
});
afterAll(() => database.close());

/** The scenario's order, with what else the body should hold. */
function scenario(name: string, extras: Json = {}): { path: string; body: Json } {
  const found = loadStack().scenarios.find((candidate) => candidate.name === name);
  if (!found) throw new Error(`The stack has no scenario "${name}"`);
  return { path: found.path, body: { ...found.body, ...extras } };
}

/** Asks until there is an answer. */
async function until<T>(ask: () => Promise<T | undefined>, seconds = 30): Promise<T> {
  const deadline = Date.now() + seconds * 1_000;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(`Nothing within ${seconds} s`);
    await sleep(50);
  }
}

async function mailsOf(orderId: number): Promise<CaughtMail[]> {
  const response = await fetch(`${loadStack().mailbox_url}/messages`);
  const mails = (await response.json()) as CaughtMail[];
  return mails.filter((mail) => mail.headers['message-id']?.startsWith(`<order-${orderId}-`));
}

/** The one mail about the order; waits for it, and a little longer for a second one that must not come. */
async function mailOf(orderId: number, seconds?: number): Promise<CaughtMail> {
  await until(async () => ((await mailsOf(orderId)).length > 0 ? true : undefined), seconds);
  await sleep(500);
  const mails = await mailsOf(orderId);
  expect(mails).toHaveLength(1);
  return mails[0] as CaughtMail;
}

/** Creates the order and attaches the address while the create may still be waiting. */
async function orderAndAttach(api: ApiClient, name: string, email: string): Promise<number> {
  const client_reference = `mail-${randomUUID()}`;
  const { path, body } = scenario(name, { client_reference });
  const created = api.post(path, body);
  const id = await until(async () => {
    const { status, body } = await api.get<Resource[]>(`${path}?client_reference=${client_reference}`);
    return status === 200 ? body[0]?.id : undefined;
  });
  expect(await api.patch(`${path}/${id}/notification-email`, { email })).toMatchObject({
    status: 200,
    body: { success: true },
  });
  expect((await created).status).toBe(200);
  return id;
}

describe('what is mailed', () => {
  test('When vouchers are delivered to an address, then one mail says how to fetch and use them, without codes', async () => {
    const { path, body } = scenario('voucher_instant', { email: 'ann@example.com' });
    const { body: order } = await own.api.post<Resource & { vouchers: Json[] }>(path, body);
    const mail = await mailOf(order.id);
    expect(mail.to).toBe('ann@example.com');
    expect(mail.subject).toMatch(/^Delivered: /);
    for (const part of [mail.text, mail.html]) {
      expect(part).toContain(`GET ${path}/${order.id}`);
      expect(part).toContain('Enter the card number and PIN at the checkout.');
      expect(part).not.toContain(order.vouchers[0]?.['card_number']);
      expect(part).not.toContain(order.vouchers[0]?.['pin_code']);
    }
    expect(mail.headers).toMatchObject({ 'auto-submitted': 'auto-generated' });
  });

  test('When an operator has put codes into the mails of the client, then they are there', async () => {
    const client = await newClient(database, { USD: 100 });
    await ops('clients', 'set', client.id, '--codes-in-mail');
    const { path, body } = scenario('voucher_instant', { email: 'ann@example.com' });
    const { body: order } = await client.api.post<Resource & { vouchers: Json[] }>(path, body);
    const { text, html } = await mailOf(order.id);
    for (const part of [text, html]) {
      expect(part).toContain(order.vouchers[0]?.['card_number']);
      expect(part).toContain(order.vouchers[0]?.['pin_code']);
    }
    const esim = await orderAndAttach(client.api, 'esim_timeout_fulfilled', 'ann@example.com');
    const esimMail = await mailOf(esim);
    const { body: shown } = await client.api.get(`/api/v1/esim/orders/${esim}`);
    expect(esimMail.text).toContain(shown['activation_code']);
    expect(esimMail.html).toMatch(/<img\s+src="(cid|data):/);
  });

  test('When vouchers fail, then the mail tells of the refund', async () => {
    const { path, body } = scenario('voucher_out_of_stock', { email: 'ann@example.com' });
    const { body: order } = await own.api.post<Resource>(path, body);
    const mail = await mailOf(order.id);
    expect(mail.subject).toMatch(/^Not delivered: /);
    for (const part of [mail.text, mail.html]) expect(part).toContain('has been refunded');
  });

  test('When part of the vouchers fails later, then there is one mail, at the end, about both parts', async () => {
    const { path, body } = scenario('voucher_partial_then_failed', { email: 'ann@example.com' });
    const { body: order } = await own.api.post<Resource>(path, body);
    const mail = await mailOf(order.id);
    expect(mail.subject).toMatch(/^Delivered in part: /);
    for (const part of [mail.text, mail.html]) {
      expect(part).toContain('6 of 10 could not be delivered');
      expect(part).toContain('has been refunded');
    }
  });

  test('When a top-up is delivered, then the mail tells what was recharged', async () => {
    const id = await orderAndAttach(own.api, 'topup_pending', 'ann@example.com');
    const mail = await mailOf(id);
    const { body: order } = await own.api.get<Json & { input_data: Record<string, string> }>(
      `/api/v1/topups/orders/${id}`,
    );
    expect(mail.to).toBe('ann@example.com');
    for (const part of [mail.text, mail.html]) {
      expect(part).toContain(order['product_name']);
      for (const value of Object.values(order.input_data)) expect(part).toContain(value);
    }
  });

  test('When a top-up fails, then the mail tells why, and of the refund', async () => {
    const id = await orderAndAttach(own.api, 'topup_failed_later', 'ann@example.com');
    const mail = await mailOf(id);
    const { body: order } = await own.api.get(`/api/v1/topups/orders/${id}`);
    for (const part of [mail.text, mail.html]) {
      expect(part).toContain(order['failure_reason']);
      expect(part).toContain('has been refunded');
    }
  });

  test('When an eSIM is delivered, then the mail says how to install it, without the code', async () => {
    const id = await orderAndAttach(own.api, 'esim_timeout_fulfilled', 'ann@example.com');
    const mail = await mailOf(id);
    for (const part of [mail.text, mail.html]) {
      expect(part).toContain(`GET /api/v1/esim/orders/${id}`);
      expect(part).not.toContain('LPA:');
    }
    expect(mail.text).toContain('HOW TO INSTALL IT');
  });

  test('When no address is attached, then no mail is sent', async () => {
    const { path, body } = scenario('voucher_instant');
    const { body: order } = await own.api.post<Resource>(path, body);
    await sleep(1_000);
    expect(await mailsOf(order.id)).toEqual([]);
  });
});

describe('the address', () => {
  test('When the order has ended, then the address is locked', async () => {
    const { path, body } = scenario('voucher_instant', { email: 'ann@example.com' });
    const { body: order } = await own.api.post<Resource>(path, body);
    const late = await own.api.patch(`${path}/${order.id}/notification-email`, { email: 'late@example.com' });
    const message = 'Notification email can no longer be changed';
    expect(late).toMatchObject(refusal(400, 'ValidationException', 'VALIDATION_FAILURE', message));
    expect((await mailOf(order.id)).to).toBe('ann@example.com');
  });

  test.each([
    'ann@example.com\r\nBcc: eve@example.com',
    'ann@example.com, eve@example.com',
    'Ann <ann@example.com>',
  ])('When it is %j, then it is refused', async (email) => {
    const { path, body } = scenario('voucher_delayed');
    const created = await own.api.post<Resource>(path, { ...body, email });
    expect(created).toMatchObject(
      refusal(400, 'ValidationException', 'VALIDATION_FAILURE', 'Invalid email: not a valid email'),
    );
  });

  test('When many change it until the order ends, then it is mailed to the last one that was accepted', async () => {
    const { path, body } = scenario('voucher_delayed');
    const orders = await Promise.all([1, 2, 3].map(() => load.post<Resource>(path, body)));
    await Promise.all(orders.map((order) => raceForTheAddress(path, order.body.id)));
  });

  /** Six writers, each sure of its own last accepted address: a later one of another may have replaced it. */
  async function raceForTheAddress(path: string, id: number): Promise<void> {
    const writers = [1, 2, 3, 4, 5, 6].map((writer) => changeUntilLocked(path, id, writer));
    const lastAccepted = await Promise.all(writers);
    const { to } = await mailOf(id);
    expect(lastAccepted).toContain(to);
    expect((await load.get(`${path}/${id}`)).body['email']).toBe(to);
  }

  async function changeUntilLocked(path: string, id: number, writer: number): Promise<string> {
    let accepted = '';
    for (let turn = 1; ; turn++) {
      const email = `writer-${writer}-${turn}@example.com`;
      const { status } = await load.patch(`${path}/${id}/notification-email`, { email });
      if (status === 400) return accepted;
      expect(status).toBe(200);
      accepted = email;
    }
  }
});
