/** The incidents of the runbook that support may end, in the browser. docs/operators/runbook.md. */
import { callControl } from '../../dev/stack/controls';
import { firstRow, rows } from '../../src/data/database/database';
import { raiseAttention } from '../../src/data/operations/attention';
import { reportUndeliverable } from '../../src/data/orders/order-mails';
import { newClient, stackDatabase, type OwnClient } from '../support/clients';
import { ops } from '../support/operator';
import { ended, orderOf, place, reached, type VoucherOrder } from '../support/orders';
import { Receiver, register } from '../support/receiver';
import { loadStack, type Json } from '../support/stack';
import { until } from '../support/waiting';
import { describeInBrowser } from '../ui/describe-in-browser';
import { OfficeBrowser, type OfficePage } from './office-page';

const database = stackDatabase();
let browser: OfficeBrowser;
let office: OfficePage;
let client: OwnClient;

const control = (path: string, body?: unknown, method = 'POST') =>
  callControl(loadStack().simulator_url, method, path, body);

const entriesOf = (kind: string) =>
  rows<{ id: number; order_id: number | null; endpoint_id: number | null }>(
    database,
    'SELECT id, order_id, endpoint_id FROM attention WHERE kind = $kind AND cleared_at IS NULL',
    { kind },
  );
const untilListed = (kind: string, of: { order?: number; endpoint?: number }) =>
  until(`${kind} on the list`, async () =>
    (await entriesOf(kind)).find(
      ({ order_id: order, endpoint_id: endpoint }) =>
        order === (of.order ?? null) && endpoint === (of.endpoint ?? null),
    ),
  );

/** Opens the attention list. Returns the card of the entry. */
async function entryOf(id: number) {
  await office.open('attention');
  return office.page.locator(`li[data-entry="${id}"]`);
}

/** Opens the order's page. Returns the button with this text. */
async function onOrder({ id }: Pick<VoucherOrder, 'id'>, button: string) {
  await office.open(`orders/${id}`);
  return office.page
    .getByRole('group', { name: 'Actions' })
    .getByRole('button', { name: button, exact: true });
}

describeInBrowser('When support works without a terminal', () => {
  beforeAll(async () => {
    browser = await OfficeBrowser.open();
    client = await newClient(database, { USD: 10_000 });
    office = await browser.as('support');
  });
  afterEach(() => {
    expect(browser.complaints.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await office?.close();
    await browser?.close();
    await database.close();
  });

  test('then orders of a supplier that was down are retried from its page', async () => {
    await control('outage', { seconds: 3_600 });
    const order = await place(client.api, orderOf('voucher_instant'));
    expect(order.status).toBe('PENDING');
    await control('outage', { seconds: 0 });
    await office.open('suppliers/simulator');
    await office.act(
      office.button('Retry its open orders'),
      { 'Reason (optional)': 'The outage is over' },
      'Retry',
    );
    await office.outcome();
    expect(await ended(client.api, order.id)).toMatchObject({ status: 'DELIVERED' });
  });

  test('then an order of a blocked account is retried from its entry', async () => {
    await control('account', { blocked: true });
    const order = await place(client.api, orderOf('voucher_instant'));
    const { id } = await untilListed('SUPPLIER_BLOCKED', { order: order.id });
    const entry = await entryOf(id);
    await entry.getByRole('button', { name: 'Retry', exact: true }).click();
    await office.dialog.getByRole('button', { name: 'Continue' }).click();
    await control('account', { blocked: false });
    await office.dialog.getByRole('button', { name: 'Retry', exact: true }).click();
    await office.outcome();
    expect(await ended(client.api, order.id)).toMatchObject({ status: 'DELIVERED' });
    await entry.waitFor({ state: 'detached' });
  });

  test('then an order for which nothing was bought is cancelled from its page', async () => {
    await control('behaviour', { sku: 'SIM-GC-COFFEE-US', modes: { busy: {} } }, 'PUT');
    const order = await place(client.api, orderOf('voucher_instant'));
    const cancel = await onOrder(order, 'Cancel');
    const preview = await office.act(cancel, { Reason: 'Client asked for it' }, 'Cancel');
    expect(preview).toContain(`order ${order.id}`);
    await office.outcome();
    await control('behaviour', undefined, 'DELETE');
    expect(await reached(client.api, order.id, 'CANCELLED')).toMatchObject({ refunded_amount: 9.8 });
  });

  test('then an order of unknown outcome is delivered with the goods of a file', async () => {
    const order = await place(client.api, orderOf('voucher_needs_operator'));
    await untilListed('OUTCOME_UNKNOWN', { order: order.id });
    await (await onOrder(order, 'Resolve')).click();
    const { dialog } = office;
    await dialog.getByLabel('Decision', { exact: true }).selectOption('delivered');
    await dialog.getByLabel(/^Goods/).setInputFiles({
      name: 'goods.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify([{ card_number: `OFFICE-${order.id}`, pin_code: '0042' }])),
    });
    await dialog.getByLabel(/^Reason/).fill('Goods by mail, ticket 992');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    expect(await dialog.locator('.confirm').innerText()).not.toContain(`OFFICE-${order.id}`);
    await dialog.getByRole('button', { name: 'Resolve', exact: true }).click();
    await office.outcome();
    expect(await reached(client.api, order.id, 'DELIVERED')).toMatchObject({
      vouchers: [{ card_number: `OFFICE-${order.id}`, pin_code: '0042' }],
    });
  });

  test('then an order with unusable goods fails and is refunded', async () => {
    await control('behaviour', { modes: { unreadable_units: [1] } }, 'PUT');
    const order = await place(client.api, orderOf('voucher_instant'));
    await untilListed('OUTCOME_UNKNOWN', { order: order.id });
    const fields = { Decision: 'unusable', 'Reason (optional)': 'No correction, ticket 993' };
    await office.act(await onOrder(order, 'Resolve'), fields, 'Resolve');
    await office.outcome();
    await control('behaviour', undefined, 'DELETE');
    expect(await reached(client.api, order.id, 'FAILED')).toMatchObject({ refunded_amount: 9.8 });
  });

  test('then goods that no order waits for are settled from their entry', async () => {
    const order = await place(client.api, orderOf('voucher_instant'));
    await ended(client.api, order.id);
    await raiseAttention(database, { orderId: order.id }, 'GOODS_APART', 'One unit of 9.80 USD arrived late');
    const { id } = await untilListed('GOODS_APART', { order: order.id });
    const entry = await entryOf(id);
    const reason = { Reason: 'Credited by the supplier, note 2026-118' };
    await office.act(entry.getByRole('button', { name: 'Settle', exact: true }), reason, 'Settle');
    await office.outcome();
    await entry.waitFor({ state: 'detached' });
  });

  test('then events of an endpoint that failed arrive, and a paused one goes on', async () => {
    const owner = await newClient(database, { USD: 100 });
    const receiver = await Receiver.listen();
    const { id } = await register(owner.api, receiver);
    receiver.answer = () => 500;
    await place(owner.api, orderOf('voucher_instant'));
    await until('its first attempt', async () => receiver.seen.length > 0 || undefined);
    receiver.answer = () => 204;
    await office.open(`clients/${owner.id}`);
    const row = office.page.getByRole('region', { name: 'Webhook endpoints' }).getByRole('row').nth(1);
    const run = async (button: string) => {
      await office.act(row.getByRole('button', { name: button, exact: true }), {}, button);
      await office.outcome();
    };
    await run('Retry');
    await receiver.untilTaken(1);
    await run('Pause');
    await untilListed('ENDPOINT_PAUSED', { endpoint: Number(id) });
    await run('Resume');
    await until(
      'the entry off the list',
      async () =>
        (await entriesOf('ENDPOINT_PAUSED')).every(({ endpoint_id: of }) => of !== Number(id)) || undefined,
    );
    receiver.close();
  });

  test('then an email that the mail server rejected is sent again', async () => {
    const email = `incident-${client.id}@customer.example`;
    const order = await place(client.api, orderOf('voucher_instant', { email }));
    await ended(client.api, order.id);
    const mailedAt = async () =>
      (
        await firstRow<{ at: Date | null }>(database, 'SELECT mailed_at AS at FROM orders WHERE id = $id', {
          id: order.id,
        })
      )?.at ?? undefined;
    await until('the first mail', mailedAt);
    await rows(database, 'UPDATE orders SET mailed_at = NULL WHERE id = $id', { id: order.id });
    await reportUndeliverable(database, order.id);
    await office.act(await onOrder(order, 'Resend the email'), {}, 'Resend the email');
    await office.outcome();
    expect(await mailedAt()).toBeDefined();
    expect((await entriesOf('MAIL_UNDELIVERABLE')).map((entry) => entry.order_id)).not.toContain(order.id);
  });

  test('then a task of maintenance that failed runs again', async () => {
    await office.open('service');
    const row = office.page.getByRole('row', { name: /maintenance-balances/ });
    await office.act(row.getByRole('button', { name: 'Run now' }), {}, 'Run now');
    expect(await office.outcome()).toContain('maintenance-balances');
  });

  test('then a held order is released from its page', async () => {
    const owner = await newClient(database, { USD: 100 });
    await ops('spend-rules', 'set', 'per-hour', '--orders', 1, '--client', owner.id, '--reason', 'test');
    await place(owner.api, orderOf('voucher_instant'));
    const order = await place(owner.api, orderOf('voucher_instant'));
    expect(order).toMatchObject({ status: 'PENDING', message: 'Under review' });
    await office.act(await onOrder(order, 'Release'), { Reason: 'The customer is known' }, 'Release');
    await office.outcome();
    expect(await ended(owner.api, order.id)).toMatchObject({ status: 'DELIVERED' });
  });

  test('then a claim is accepted by a refund on its page', async () => {
    const order = await place(client.api, orderOf('voucher_instant'));
    const report = { kind: 'INVALID_CODE', unit: 1, text: 'The shop rejects the code' };
    const { body: claim } = await client.api.post<{ id: number }>(
      `/api/v1/orders/${order.id}/claims`,
      report,
    );
    await office.open(`orders/${order.id}`);
    await office.page.getByRole('link', { name: String(claim.id), exact: true }).click();
    await office.page.getByText(report.text).waitFor();
    expect(await office.faults()).toEqual([]);
    const accept = office.page
      .getByRole('group', { name: 'Actions' })
      .getByRole('button', { name: 'Accept' });
    const preview = await office.act(accept, { How: 'refund', Reason: 'The supplier confirms it' }, 'Accept');
    expect(preview).toContain(`Refunds unit 1 of order ${order.id}`);
    await office.outcome();
    const { body } = await client.api.get<Json>(`/api/v1/claims/${claim.id}`);
    expect(body).toMatchObject({ state: 'ACCEPTED', outcome: 'REFUNDED' });
  });

  test('then the recipient of an order is revealed for a reason', async () => {
    const email = `reveal-${client.id}@customer.example`;
    const order = await place(client.api, orderOf('voucher_instant', { email }));
    await (await onOrder(order, 'Reveal the recipient')).click();
    await office.dialog.getByLabel('Reason', { exact: true }).fill('The customer called');
    await office.dialog.getByRole('button', { name: 'Show' }).click();
    expect(await office.outcome()).toContain(email);
    const [entry] = await ops('audit', 'list', '--object', `order/${order.id}`, '--command', 'orders reveal');
    expect(entry).toMatchObject({ operator: 'Pat support', door: 'PAGE', reason: 'The customer called' });
  });
});
