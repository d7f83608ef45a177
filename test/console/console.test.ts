/** A client in the console: every page, with mouse and keyboard, on a narrow screen, in light and dark. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import jsQR from 'jsqr';
import type { Browser } from 'playwright-core';
import { sql } from '../../dev/testbed/sql';
import { typesOnlyByName } from '../../src/domain/webhooks/event-payloads';
import { newClient, useClient, useDatabase, type OwnClient } from '../support/clients';
import { ops } from '../support/operator';
import { orderOf, place, reached } from '../support/orders';
import { register, useReceivers } from '../support/receiver';
import { orderCount } from '../support/records';
import type { Json, Resource } from '../support/stack';
import { accepted, esimOrders } from '../support/variant-orders';
import { until } from '../../dev/testbed/waiting';
import { describeInBrowser } from '../ui/describe-in-browser';
import { faultsInEveryLook, faultsOf } from '../ui/looks';
import { ConsolePage, openBrowser } from './console-page';

const database = useDatabase();
const newReceiver = useReceivers();
let browser: Browser;
const client = useClient(database, { USD: 1_000, EUR: 100 });
const opened: ConsolePage[] = [];

async function consoleOf(owner = client, look = {}): Promise<ConsolePage> {
  const page = await ConsolePage.of(browser, owner, look);
  opened.push(page);
  return page;
}

async function consoleAt(address: string, owner = client, look = {}): Promise<ConsolePage> {
  const page = await consoleOf(owner, look);
  await page.show(address);
  return page;
}

/** The button that shows how an eSIM is installed. */
const showCode = 'Show QR code and links';

interface Installation {
  activation_code: string;
  links: { lpa: string; apple: string; android: string };
  instructions: string[];
}

const nothingReported = {
  data_total_mb: null,
  data_used_mb: null,
  data_left_mb: null,
  validity_ends_at: null,
  checked_at: null,
};

const keyInUse = {
  error: {
    name: 'ConflictError',
    code: 'IDEMPOTENCY_KEY_IN_USE',
    message: 'A request with this Idempotency-Key is in progress',
  },
};

const use = (id: number, data: number) => client.api.post(`/api/v1/sandbox/esims/${id}/use`, { megabytes: data });

/** An amount of data as the console writes it. */
const megabytes = (amount: number) => `${amount.toLocaleString('en')} MB`;

const balanceOf = async ({ api, wallets }: OwnClient) =>
  Number((await api.get<Json>(`/api/v1/wallets/${wallets['USD']}`)).body.balance);

describeInBrowser('The console', () => {
  beforeAll(async () => void (browser = await openBrowser()));
  afterEach(async () => {
    for (const page of opened.splice(0)) {
      // The page's policy blocked nothing, and no script failed.
      expect(page.complaints.filter((text) => !/status of 40[0149]|net::ERR_FAILED/.test(text))).toEqual([]);
      await page.close();
    }
  });
  afterAll(() => browser?.close());

  test('When the secret is right, and only then, the page shows the account until the sign-out', async () => {
    const console = await ConsolePage.open(browser);
    opened.push(console);
    const { page } = console;
    await page.getByLabel('API key').fill(client.credentials.api_key);
    await page.getByLabel('API secret').fill('wrong');
    await console.button('Sign in').click();
    await page.getByRole('alert').getByText('Invalid credentials').waitFor();
    await console.signIn(client);
    const kept = '[document.cookie, localStorage.length, sessionStorage.length]';
    expect(await page.evaluate(kept)).toEqual(['', 0, 0]);
    await page.reload();
    await console.heading('Overview').waitFor();
    await console.page.locator('.who > button').click();
    await console.button('Sign out').click();
    await console.heading('Sign in').waitFor();
    await page.reload();
    await console.heading('Sign in').waitFor();
  });

  test('When a client selects a product, an amount and the price, then that price is debited', async () => {
    const console = await consoleOf();
    const before = await balanceOf(client);
    await console.show('new/vouchers');
    await console.button(/Harbour Coffee Gift Card/).click();
    await console.button('25.00 USD').click();
    const order = console.button(/^Order for/);
    const price = Number(/([\d.]+) USD/.exec(await order.innerText())?.[1]);
    await order.click();
    await console.heading(/^Order \d+/).waitFor();
    expect(before - (await balanceOf(client))).toBeCloseTo(price, 4);
    expect(await console.fact('Charged').innerText()).toBe(`${price.toFixed(2)} USD`);
  });

  test('When an order costs more than the sum of its wallet, then the console asks once, and what it charges is said before', async () => {
    const own = await newClient(database, { USD: 100 });
    const console = await consoleOf(own);
    const dialog = console.page.getByRole('dialog');
    const sum = console.page.getByLabel('Ask above');
    await sum.fill('20');
    await sum.press('Enter');
    await console.page.getByText('The console asks before an order above 20.00 USD.').waitFor();
    await console.show('new/vouchers');
    await console.button(/Digital Goods House Card/).click();
    await console.button('25.00 USD').click();
    const said = '25.00 USD will be charged to the USD wallet, which then has 75.00 USD.';
    await console.page.getByText(said).waitFor();
    await console.button(/^Order for/).click();
    await dialog.getByText(said, { exact: false }).waitFor();
    await dialog.getByRole('button', { name: 'Do not order' }).click();
    expect(await orderCount(database, own.id)).toBe(0);
    await console.button(/^Order for/).click();
    await dialog.getByRole('button', { name: 'Place the order' }).click();
    await console.heading(/^Order \d+/).waitFor();
    expect(await balanceOf(own)).toBe(75);
  });

  test('When the price rises after it was shown, then nothing is ordered until the client accepts the new one', async () => {
    const own = await newClient(database, { USD: 100 });
    const discount = [own.id, 'vouchers', orderOf('voucher_instant')['product_id'] as number] as const;
    await ops`discounts set ${discount} 10 --reason Test`;
    const console = await consoleAt('new/vouchers', own);
    await console.button(/Harbour Coffee Gift Card/).click();
    await console.button('25.00 USD').click();
    await console.button('Order for 22.50 USD').waitFor();
    await ops`discounts clear ${discount} --reason Test`;
    await console.button(/^Order for/).click();
    const dialog = console.page.getByRole('dialog', { name: 'The price has changed' });
    const said = 'It was 22.50 USD. 24.50 USD will be charged to the USD wallet, which then has 75.50 USD.';
    await dialog.getByText(said).waitFor();
    expect(await orderCount(database, own.id)).toBe(0);
    expect(await faultsOf(console.page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Do not order' }).click();
    await console.button('Order for 24.50 USD').click();
    await console.heading(/^Order \d+/).waitFor();
    expect(await balanceOf(own)).toBe(75.5);
  });

  test('When an account is new, then its overview leads to the next step, until the list is put away', async () => {
    const own = await newClient(database, { USD: 100 });
    const console = await consoleOf(own);
    const { page } = console;
    const next = page.getByRole('region', { name: 'The first order', exact: true });
    await next.getByText('First steps: 1 of 12 done').waitFor();
    await place(own.api, orderOf('voucher_instant'));
    await console.show('first-steps');
    await page.getByRole('listitem').filter({ hasText: 'The first order (done)' }).waitFor();
    await page.getByLabel('Done').first().check();
    await console.heading('Going live: 1 of 8').waitFor();
    await console.button('Put it away').click();
    await console.show('');
    await console.heading('Wallets').waitFor();
    expect(await page.getByText(/^First steps: /).count()).toBe(0);
    await console.show('first-steps');
    await console.button('Show it there').waitFor();
  });

  test('When the response to an order request is lost, then each further click repeats it, and one order is placed', async () => {
    const impatient = await newClient(database, { USD: 100 });
    const console = await consoleOf(impatient);
    const keys: (string | undefined)[] = [];
    await console.page.route('**/api/v1/orders', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length > 2) return route.continue();
      if (keys.length === 2) return route.fulfill({ status: 409, json: keyInUse });
      await route.fetch();
      await route.abort();
    });
    await console.show('new/vouchers');
    await console.button(/Harbour Coffee Gift Card/).click();
    await console.button('25.00 USD').click();
    const order = console.button(/^Order for/);
    await order.click();
    await console.page.getByText('The service cannot be reached').waitFor();
    await order.click();
    await console.page.getByText(keyInUse.error.message).waitFor();
    await order.click();
    await console.heading(/^Order \d+/).waitFor();
    expect(keys).toEqual([keys[0], keys[0], keys[0]]);
    expect(await orderCount(database, impatient.id)).toBe(1);
  });

  test('When a client orders a top-up with a number, or an eSIM, then the order is placed', async () => {
    const console = await consoleAt('new/topups');
    await console.button(/Liberty/).click();
    await console
      .button('10.00 USD')
      .or(console.page.getByLabel(/Any amount/))
      .first()
      .waitFor();
    const range = console.page.getByLabel(/Any amount/);
    if (await range.isVisible()) {
      await range.fill('10');
      await range.blur();
    } else await console.button('10.00 USD').click();
    await console.page.getByLabel('Phone number').fill('12025550100');
    await console.button(/^Order for/).click();
    await console.heading(/^Order \d+/).waitFor();
    expect(await console.fact('Phone number').innerText()).toBe('+12025550100');
    await console.show('new/esim');
    await console.page.locator('.products button').first().click();
    await console.page.locator('fieldset button').first().click();
    await console.button(/^Order for/).click();
    await console.heading(/^Order \d+/).waitFor();
    await console.page.locator('.status-line').waitFor();
  });

  test('When the API rejects a field, then the field has the focus and says why, until the next attempt', async () => {
    const console = await consoleAt('new/topups');
    const { page } = console;
    await console.button(/Liberty/).click();
    await console.button(/15\.00 USD/).click();
    const phone = page.getByLabel('Phone number');
    await phone.fill('none');
    await console.button(/^Order for/).click();
    await page.locator('[aria-invalid]').waitFor();
    expect(await marked(console)).toEqual({ label: 'Phone number', isFocused: true, reasons: 1 });
    expect(await faultsOf(console.page)).toEqual([]);
    await phone.fill('12025550100');
    await console.button(/^Order for/).click();
    await console.heading(/^Order \d+/).waitFor();
    await console.show('webhooks');
    await console.button('Add endpoint').click();
    await page.getByLabel('URL').fill('ftp://shop.example');
    await page.getByLabel('Description').fill('by mistake');
    await page.keyboard.press('Enter');
    await page.locator('[aria-invalid]').waitFor();
    expect(await marked(console)).toEqual({ label: 'URL', isFocused: true, reasons: 1 });
  });

  test('When the API rejects a value that the page has sent while it was typed, then the field is marked, and the focus stays', async () => {
    const console = await consoleAt('new/vouchers');
    const { page } = console;
    await console.button(/Harbour Coffee Gift Card/).click();
    await console.button('25.00 USD').click();
    await page.getByLabel('Quantity').fill('100000');
    await page.locator('[aria-invalid]').waitFor();
    expect(await marked(console)).toEqual({ label: 'Quantity', isFocused: true, reasons: 2 });
    await page.getByLabel('Quantity').fill('2');
    await console.button(/^Order for/).waitFor();
    expect(await page.locator('[aria-invalid]').count()).toBe(0);
    await console.show('requests?order=none');
    await page.locator('[aria-invalid]').waitFor();
    expect(await marked(console)).toEqual({ label: 'Order', isFocused: false, reasons: 2 });
  });

  test('When an order progresses, then list and order show the progress without a reload', async () => {
    const console = await consoleAt('orders/vouchers');
    await console.heading('Orders').waitFor();
    const placed = await place(client.api, orderOf('voucher_slow'));
    const row = console.page.locator(`[data-order="${placed.id}"]`);
    await row.getByText('Pending').waitFor();
    const asked = console.answers.length;
    await row.getByText('Delivered', { exact: true }).waitFor({ timeout: 60_000 });
    expect(console.answers.length).toBe(asked);
    const another = await place(client.api, orderOf('voucher_slow'));
    await console.show(`orders/vouchers/${another.id}`);
    await console.page.locator('.status-line').getByText('Pending').waitFor();
    await console.page.locator('.status-line').getByText('Delivered', { exact: true }).waitFor({ timeout: 60_000 });
    const codes = (await client.api.get<{ vouchers: Json[] }>(`/api/v1/orders/${another.id}`)).body.vouchers;
    const code = String(codes[0]?.card_number);
    expect(await console.page.locator('main').innerText()).not.toContain(code);
    await console.button('Show codes').click();
    await console.page.getByText(code).waitFor();
  });

  test('When orders are filtered, then status and reference apply', async () => {
    const reference = `filter-${Date.now()}`;
    const failed = await place(client.api, orderOf('voucher_out_of_stock', { client_reference: reference }));
    await reached(client.api, failed.id, 'FAILED');
    const console = await consoleAt('orders/vouchers');
    await console.page.getByLabel(/client reference/).fill(reference.slice(0, -2));
    await console.page.keyboard.press('Enter');
    await until('one row', async () => (await console.page.locator('tbody tr').count()) === 1);
    await console.openFilters();
    const status = console.page.getByRole('combobox', { name: 'Status' });
    await status.selectOption('DELIVERED');
    await console.page.getByText('No order matches the filter.').waitFor();
    await console.button('Remove the filter Status: Delivered').click();
    await status.selectOption('FAILED');
    await console.page.locator(`[data-order="${failed.id}"] a`).click();
    expect(await console.fact('Failure code').innerText()).toBe('PRODUCT_OUT_OF_STOCK');
    expect(await console.fact('Refunded').innerText()).toBe(await console.fact('Charged').innerText());
  });

  test('When an eSIM is delivered, then its QR code is its activation code, and the client can install and use up the profile', async () => {
    const esim = await accepted(client.api, esimOrders, orderOf('esim_instant'));
    const console = await consoleAt(`orders/esim/${esim.id}`);
    await console.button(showCode).click();
    const { body } = await client.api.get<Json>(`/api/v1/esim/orders/${esim.id}`);
    expect(await scanned(console)).toBe(body.activation_code);
    await console.page.keyboard.press('Escape');
    await console.page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await focused(console)).toBe(showCode);
    for (const [button, state] of [
      ['Install', 'Active'],
      ['Use data', 'Active'],
      ['Use up', 'Expired'],
    ] as const) {
      await console.button(button).click();
      await console.fact('State').getByText(state).waitFor();
    }
  });

  test('When an eSIM is installed, then its page offers the plans that recharge it, at their prices, and orders one', async () => {
    const esim = await accepted(client.api, esimOrders, orderOf('esim_instant'));
    await client.api.post(`/api/v1/sandbox/esims/${esim.id}/install`, {});
    const console = await consoleAt(`orders/esim/${esim.id}`);
    await console.button('Recharge').click();
    const dialog = console.page.getByRole('dialog', { name: 'Recharge the eSIM' });
    const offered = dialog.getByRole('button').filter({ hasText: '5.70 USD' });
    await offered.getByText(/^You pay /).waitFor();
    await offered.click();
    await dialog.getByText(/ will be charged to the /).waitFor();
    expect(await faultsInEveryLook(console.page)).toEqual([]);
    await dialog.getByRole('button', { name: /^Order for / }).click();
    await console.fact('Recharges').getByText(String(esim.id)).waitFor();
    const { body } = await client.api.get<Json>(`${esimOrders}/${esim.id}`);
    expect(body.recharged_by).toHaveLength(1);

    const unlimited = await accepted(client.api, esimOrders, orderOf('esim_unlimited'));
    await client.api.post(`/api/v1/sandbox/esims/${unlimited.id}/install`, {});
    await console.show(`orders/esim/${unlimited.id}`);
    await console.page.getByText('The data of this plan are unlimited').waitFor();
    expect(await console.button('Recharge').count()).toBe(0);
  });

  test('When an eSIM uses data, then its page shows the usage that the supplier reports', async () => {
    const { id } = await accepted(client.api, esimOrders, orderOf('esim_instant'));
    await use(id, 300);
    const { body } = await client.api.get<Json>(`${esimOrders}/${id}/usage`);
    const [total, left] = [Number(body.data_total_mb), Number(body.data_left_mb)].map(megabytes);
    const console = await consoleAt(`orders/esim/${id}`);
    const meter = console.page.getByLabel('Used data');
    expect(await meter.getAttribute('value')).toBe('300');
    expect(await meter.getAttribute('max')).toBe(String(body.data_total_mb));
    expect(await console.fact('Total').innerText()).toBe(total);
    expect(await console.fact('Used').innerText()).toMatch(/^300 MB \(\d+ %\)$/);
    expect(await console.fact('Left').innerText()).toBe(left);
    expect(await console.fact('Valid until').innerText()).toMatch(/ UTC$/);
    expect(await console.fact('Reported').innerText()).toMatch(/ UTC$/);
    await use(id, 100);
    await console.button('Refresh').focus();
    await console.page.keyboard.press('Enter');
    await console.fact('Used').getByText('400 MB').waitFor();
    await console.page.getByLabel('Megabytes').fill('50');
    await console.page.keyboard.press('Enter');
    await console.fact('Used').getByText('450 MB').waitFor();
  });

  test('When the supplier reports no usage, or the usage cannot be read, then the page says so', async () => {
    const { id } = await accepted(client.api, esimOrders, orderOf('esim_instant'));
    const console = await consoleOf();
    const { page } = console;
    const usage = page.getByRole('region', { name: 'Usage' });
    await page.route('**/esim/orders/*/usage', (route) => route.abort());
    await console.show(`orders/esim/${id}`);
    await usage
      .getByRole('alert')
      .getByText(/cannot be reached/)
      .waitFor();
    await page.unroute('**/esim/orders/*/usage');
    await page.route('**/esim/orders/*/usage', (route) => route.fulfill({ json: nothingReported }));
    await usage.getByText('The supplier reports no amounts of data for this eSIM.').waitFor();
    expect(await usage.getByRole('alert').count()).toBe(0);
    expect(await page.getByLabel('Used data').count()).toBe(0);
    console.complaints.splice(0);
  });

  test('When an activation code is shown, then so are the links and steps of its installation, until a device has the eSIM', async () => {
    const { id } = await accepted(client.api, esimOrders, orderOf('esim_instant'));
    const { body } = await client.api.get<Installation>(`${esimOrders}/${id}/installation`);
    const console = await consoleAt(`orders/esim/${id}`, client, { width: 390 });
    const { page } = console;
    await console.button(showCode).waitFor();
    expect(await page.locator('main').innerHTML()).not.toContain(encodeURIComponent(body.activation_code));
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await console.button(showCode).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(body.instructions[0] ?? '').waitFor();
    expect(await dialog.locator('ol li').allInnerTexts()).toEqual(body.instructions);
    const links = await dialog.getByRole('link').all();
    const addresses = await Promise.all(links.map((link) => link.getAttribute('href')));
    expect(addresses).toEqual([body.links.apple, body.links.android, body.links.lpa]);
    const [, server = '', matchingId = ''] = body.activation_code.split('$');
    for (const part of [server, matchingId]) await dialog.getByText(part, { exact: true }).waitFor();
    expect(await faultsOf(console.page)).toEqual([]);
    const overflow = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('dialog'))`;
    expect(await page.evaluate(overflow)).toBe(0);
    await client.api.post(`/api/v1/sandbox/esims/${id}/install`, undefined);
    await dialog.waitFor({ state: 'detached' });
    expect(await console.button(showCode).count()).toBe(0);
    expect(await page.content()).not.toContain(encodeURIComponent(body.activation_code));
  });

  test('When a webhook failed, then its attempts appear live, and a click sends it again', async () => {
    const receiver = await newReceiver();
    const endpoint = await register(client.api, receiver);
    const console = await consoleAt('webhooks');
    await console.button('Send test event').first().click();
    const row = console.page.locator('tr', { hasText: 'webhook.test' }).first();
    await row.getByText('Delivered').waitFor();
    await row.getByRole('link', { name: 'webhook.test' }).click();
    const dialog = console.page.getByRole('dialog');
    const attempts = dialog.locator('table', { hasText: 'Attempts' }).locator('tbody tr');
    await until('an attempt', async () => (await attempts.count()) >= 1);
    const before = await attempts.count();
    // Endpoints are named by their URLs.
    expect(await attempts.first().innerText()).toContain(receiver.url);
    await dialog.getByRole('button', { name: /^Send again/ }).click();
    await until('another attempt', async () => (await attempts.count()) > before);
    await console.page.keyboard.press('Escape');
    await console.button('Show secret').first().click();
    const secret = console.fact('Secret').first();
    expect(await secret.innerText()).toContain(receiver.secret);
    await console.button('Rotate secret').first().click();
    await console.page.getByRole('dialog').getByRole('button', { name: 'Keep' }).click();
    expect(await secret.innerText()).toContain(receiver.secret);
    await console.button('Rotate secret').first().click();
    await console.page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    await until('another secret', async () => !(await secret.innerText()).includes(receiver.secret));
    await console.button('Disable').first().click();
    await console.button('Enable').first().click();
    await console.button('Disable').first().waitFor();
    await client.api.send(`/api/v1/webhooks/endpoints/${endpoint.id}`, { method: 'DELETE' });
  });

  test('When an endpoint is added and deleted, then the list shows it and removes it', async () => {
    const console = await consoleAt('webhooks');
    await console.button('Add endpoint').click();
    await console.page.getByLabel('URL').fill('http://127.0.0.1:9/none');
    await console.page.getByRole('checkbox', { name: 'order.failed' }).check();
    await console.page.getByRole('checkbox', { name: 'topup.delivered' }).check();
    await console.page.getByLabel('Description').fill('by hand');
    await console.page.keyboard.press('Enter');
    const card = console.page.locator('.card', { hasText: 'by hand' });
    expect(await card.getByText('order.failed').innerText()).toBe('order.failed, topup.delivered');
    await card.getByText('It receives no refunds, no claims, no eSIM usage, no price changes.').waitFor();
    await card.getByRole('button', { name: 'Add refunds' }).click();
    await card.getByText('order.failed, topup.delivered, order.refunded, topup.refunded').waitFor();
    await card.getByRole('button', { name: 'Delete' }).click();
    const dialog = console.page.getByRole('dialog');
    await dialog.getByText('http://127.0.0.1:9/none').waitFor();
    await console.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await card.waitFor();
    await card.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await card.waitFor({ state: 'hidden' });
  });

  test('When a threshold is set, and a wallet is funded, then both are shown', async () => {
    const own = await newClient(database, { EUR: 100 });
    const console = await consoleOf(own);
    const euro = console.page.locator('.card', { hasText: 'EUR' });
    const field = euro.getByLabel(/Alert below/);
    const stored = async () =>
      (await own.api.get<Json>(`/api/v1/wallets/${own.wallets['EUR']}`)).body.low_balance_threshold;
    await field.fill('1,000');
    await field.press('Enter');
    await euro.getByText('Alert below 1,000.00 EUR.').waitFor();
    expect(await stored()).toBe(1_000);
    await field.fill('1,5');
    await field.press('Enter');
    await euro.getByRole('alert').getByText('is not an amount').waitFor();
    expect(await stored()).toBe(1_000);
    await field.fill('150');
    await euro.getByRole('button', { name: 'Save' }).first().click();
    await euro.getByText('Alert below 150.00 EUR.').waitFor();
    await euro.getByText('low', { exact: true }).waitFor();
    expect(await stored()).toBe(150);
    await euro.getByRole('button', { name: /^Add/ }).click();
    await euro.getByText('200.00', { exact: true }).waitFor();
    await euro.getByText('low', { exact: true }).waitFor({ state: 'hidden' });
    const [statement] = await Promise.all([
      console.page.waitForEvent('download'),
      console.page.getByRole('link', { name: /Statement of the/ }).click(),
    ]);
    const lines = readFileSync(await statement.path(), 'utf8').split('\n');
    expect(lines.length).toBeGreaterThan(2);
    await console.page.getByLabel('First day').fill('2020-01-01');
    await console.page.getByText('Choose at most 366 days.').waitFor();
    await console.page.getByLabel('Last day').fill('2020-01-31');
    const link = console.page.getByRole('link', { name: 'Statement of all orders' });
    expect(await link.getAttribute('href')).toContain('from=2020-01-01T00:00:00.000Z&to=2020-02-01T00:00:00.000Z');
  });

  test('When a transfer is announced, then its page has what the bank needs, shows its end, and prints nothing else', async () => {
    const console = await consoleOf();
    const { page } = console;
    const wallet = client.wallets['EUR'] as number;
    await page.locator('.card', { hasText: 'EUR' }).getByText('Add funds by bank transfer').click();
    await page.getByLabel('Amount (EUR)').fill('0.001');
    await console.button('Show the bank details').click();
    await page.getByText('Amount (EUR) has more than 2 decimals (EUR)').waitFor();
    await page.getByLabel('Amount (EUR)').fill('250');
    await page.getByLabel('Purchase order').fill('PO 4711');
    await console.button('Show the bank details').click();
    await page.getByText('Pending', { exact: true }).waitFor();
    const [request] = (await client.api.get<Json[]>(`/api/v1/wallets/${wallet}/funding-requests`)).body;
    const reference = String(request?.['reference']);
    const groups = console.fact('Reference').locator('.groups > span');
    expect(await groups.allInnerTexts()).toEqual(reference.match(/.{4}/g));
    // A selection of it has no blanks.
    expect(await console.fact('Reference').innerText()).toContain(reference);
    expect(await console.fact('IBAN').innerText()).toContain('DE89370400440532013000');
    expect(await console.fact('Account number').count()).toBe(0);
    expect(await console.fact('Purchase order').innerText()).toBe('PO 4711');
    expect(await faultsInEveryLook(page)).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    expect((await page.locator('body').innerText()).trim()).toMatch(/^Funding request \d+\s+Transfer exactly/);
    expect(await page.getByRole('button').count()).toBe(0);
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
    await console.button('Pay as the bank').click();
    await page.getByText('Credited', { exact: true }).waitFor();
    await page.getByText('All announced transfers of the wallet').click();
    await page.getByRole('row').filter({ hasText: reference }).getByText('Credited').waitFor();
    expect(await faultsInEveryLook(page)).toEqual([]);
    await page.getByLabel('Amount (EUR)').fill('5');
    await console.button('Show the bank details').click();
    await console.button('Cancel').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled', { exact: true }).waitFor();
  });

  test('When a client runs a scenario, then the order has the announced final status', async () => {
    const console = await consoleAt('scenarios');
    const row = console.page.locator('tr', { hasText: 'Voucher out of stock' });
    await row.getByRole('button').click();
    await row.locator('td').nth(4).getByText('Failed').waitFor();
  });

  test('When the console is open for a minute, then it sends no request', async () => {
    const limited = await newClient(database, { USD: 1 }, { reads: 9, refresh: 2 });
    const console = await consoleOf(limited);
    await sleep(1_000);
    const asked = console.answers.length;
    await sleep(60_000);
    expect(console.answers.length).toBe(asked);
    expect(console.answers.map((answer) => answer.status())).not.toContain(429);
    expect((await limited.api.get('/api/v1/wallets')).headers.get('ratelimit')).toMatch(/^"reads";r=8;/);
  });

  test('When only the keyboard is used, then an order can be placed', async () => {
    const console = await consoleOf();
    const { keyboard } = console.page;
    const before = await balanceOf(client);
    await console.page.reload();
    await console.page.getByText('Live', { exact: true }).waitFor();
    await keyboard.press('Tab');
    expect(await focused(console)).toBe('Skip to the page');
    await tabTo(console, 'New order');
    await keyboard.press('Enter');
    await console.heading('New order').waitFor();
    await tabTo(console, /^Harbour Coffee Gift Card/);
    await keyboard.press('Enter');
    await console.button('10.00 USD').waitFor();
    await tabTo(console, /^10\.00 USD/);
    await keyboard.press('Space');
    await console.button(/^Order for/).waitFor();
    await tabTo(console, /^Order for/);
    await keyboard.press('Enter');
    await console.heading(/^Order \d+/).waitFor();
    expect(await balanceOf(client)).toBeLessThan(before);
  });

  test('When a client has more than fifty events, then the newest one is in the first row', async () => {
    const busy = await newClient(database, { USD: 1_000 });
    for (let index = 0; index < 30; index += 1) await place(busy.api, orderOf('voucher_instant'));
    const console = await consoleAt('webhooks', busy);
    const [newest] = (await busy.api.get<{ id: string }[]>('/api/v1/webhooks/events')).body;
    const events = console.page.locator('tr[data-event]');
    await events.nth(40).waitFor();
    expect(await events.first().getAttribute('data-event')).toBe(newest?.id);
    const times = await events
      .locator('td:first-child time')
      .evaluateAll((shown: readonly { dateTime: string }[]) => shown.map(({ dateTime }) => dateTime));
    expect(times.length).toBeGreaterThan(40);
    expect(times).toEqual([...times].sort().reverse());
  });

  test('When the service fails and recovers, then the page reports the outage, and shows current data without a click', async () => {
    const console = await consoleOf();
    await console.page.route('**/console/api/v1/wallets', (route) => route.abort());
    await console.show('new/vouchers');
    await console.show('');
    await console.page
      .getByRole('alert')
      .getByText(/cannot be reached/)
      .first()
      .waitFor();
    const wallets = console.page.getByRole('region', { name: 'Wallets' });
    expect(await wallets.getByText('Loading …').count()).toBe(0);
    await console.page.unroute('**/console/api/v1/wallets');
    await console.page.locator('.balance').first().waitFor();
    expect(await console.page.getByRole('alert').count()).toBe(0);
    console.complaints.splice(0);
  });

  test('When a client has no vouchers, then no page is an error', async () => {
    const others = await newClient(database, { USD: 100 });
    await sql(database)`UPDATE clients SET features = '{topups,esim}' WHERE id = ${others.id}`;
    const console = await consoleOf(others);
    for (const address of ['', 'orders', 'new', 'webhooks', 'scenarios', 'requests']) {
      await console.show(address);
      await settled(console);
      expect([address, await console.page.getByRole('alert').count()]).toEqual([address, 0]);
    }
    await console.show('new');
    await console.page.getByRole('link', { name: 'Top-ups', exact: true }).waitFor();
    expect(await console.page.getByRole('link', { name: 'Vouchers', exact: true }).count()).toBe(0);
    await console.show('orders');
    await console.page.getByText('No orders yet.').waitFor();
  });

  test('When an eSIM has several plans, then each button says what its plan contains', async () => {
    const console = await consoleAt('new/esim');
    await console.page.locator('.products button').first().click();
    const plans = console.page.locator('fieldset button');
    await plans.first().getByText('You pay').waitFor();
    const names = await plans.allInnerTexts();
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) {
      expect(name).toMatch(/(GB|Unlimited).* \d+ days?[\s\S]*[\d,.]+ [A-Z]{3}\s+You pay [\d,.]+ [A-Z]{3}$/);
    }
  });

  test('When an amount is typed and then a preset chosen, then Enter orders the preset', async () => {
    const console = await consoleOf();
    const { page } = console;
    await page.route('**/api/v1/topups/products/*/variants', async (route) => {
      const response = await route.fetch();
      const [variant] = (await response.json()) as Json[];
      const both = [
        { ...variant, id: 1, fixed_amounts: ['10', '20'], min_amount: undefined, max_amount: undefined },
        { ...variant, id: 2, fixed_amounts: undefined, min_amount: 5, max_amount: 50 },
      ];
      await route.fulfill({ response, json: both });
    });
    await console.show('new/topups');
    await console.button(/Liberty/).click();
    const typed = page.getByLabel(/Any amount/);
    await typed.fill('30');
    await typed.press('Enter');
    await console.button('Order for 30.00 USD').waitFor();
    await console.button('10.00 USD').first().click();
    expect(await typed.inputValue()).toBe('');
    await console.button('Order for 10.00 USD').waitFor();
    await page.getByLabel('Phone number').fill('12025550100');
    await page.keyboard.press('Enter');
    await console.heading(/^Order \d+/).waitFor();
    expect(await console.fact('Charged').innerText()).toBe('10.00 USD');
  });

  test("When the product's currency has no wallet, then the note names the wallet that pays", async () => {
    const euro = await newClient(database, { EUR: 500 });
    const console = await consoleOf(euro);
    const note = console.page.getByLabel('Pay from').locator('option').first();
    await console.show('new/vouchers');
    await console.button(/Harbour Coffee Gift Card/).click();
    expect(await note.innerText()).toBe('Choose a wallet: you have none in USD');
    await console.show('new/topups');
    await console.button(/Liberty/).click();
    await console.heading(/Liberty/).waitFor();
    expect(await note.innerText()).toBe('Your default wallet, with 500.00 EUR: you have none in USD');
    const both = await consoleOf();
    await both.show('new/vouchers');
    await both.button(/Harbour Coffee Gift Card/).click();
    const own = both.page.getByLabel('Pay from').locator('option').first();
    expect(await own.innerText()).toMatch(/^The USD wallet, with [\d,.]+ USD$/);
  });

  test('When balances and times are shown, then the chart has axes, times have a zone, and names are in plain spelling', async () => {
    const console = await consoleOf();
    await console.page.locator('.axis-y li').first().waitFor();
    const levels = await console.page.locator('.axis-y li').allInnerTexts();
    for (const level of levels) expect(level).toMatch(/^[125]?[\d,]*0*(\.\d+)?$/);
    expect(levels.length).toBeGreaterThan(1);
    expect(await console.page.locator('.axis-x li').count()).toBeGreaterThan(1);
    const limits = await console.page.locator('.meters label').allInnerTexts();
    expect(limits).toContain('Top-up orders');
    expect(limits).toContain('eSIM orders');
    expect(await console.page.getByText('API docs').getAttribute('href')).toBe('/docs');
    await console.show('scenarios');
    const names = await console.page.locator('td:first-child').allInnerTexts();
    expect(names.filter((name) => /Topup|Esim|esim/.test(name))).toEqual([]);
    await console.show('orders');
    await console.page.locator('tr[data-order]').first().waitFor();
    expect(await console.page.locator('tr[data-order] time').last().getAttribute('title')).toMatch(/UTC$/);
  });

  test('When a client cancels an open order in the sandbox, then the console asks for a confirmation first', async () => {
    const open = await place(client.api, orderOf('voucher_slow', { quantity: 6 }));
    const console = await consoleAt(`orders/vouchers/${open.id}`);
    const dialog = console.page.getByRole('dialog');
    await console.button('Cancel the order').click();
    await dialog.getByRole('button', { name: 'Keep' }).click();
    expect((await client.api.get<Json>(`/api/v1/orders/${open.id}`)).body.status).toBe('PENDING');
    await console.button('Cancel the order').click();
    await dialog.getByRole('button', { name: 'Cancel the order' }).click();
    await console.page.locator('.status-line').getByText('Cancelled', { exact: true }).waitFor();
  });

  test('When all orders are listed, then one list has every family, and the client can export the filtered list', async () => {
    const reference = `all-${Date.now()}`;
    const esim = await accepted(client.api, esimOrders, orderOf('esim_instant'));
    const voucher = await place(client.api, orderOf('voucher_instant', { client_reference: reference }));
    const console = await consoleAt('orders');
    const { page } = console;
    await page.locator(`[data-order="${esim.id}"]`).getByText('eSIM', { exact: true }).waitFor();
    await page.locator(`[data-order="${voucher.id}"]`).getByText('Voucher', { exact: true }).waitFor();
    await console.button('Columns').click();
    await page.getByLabel('Units').check();
    await page.getByLabel('Family').uncheck();
    await page.getByRole('columnheader', { name: 'Family' }).waitFor({ state: 'detached' });
    await page.locator(`[data-order="${voucher.id}"]`).getByText('1 of 1').waitFor();
    await page.getByLabel('Order id').fill(String(esim.id));
    await console.button('Search').click();
    await until('one row', async () => (await page.locator('tr[data-order]').count()) === 1);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export the filtered orders as CSV' }).click(),
    ]);
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\n');
    expect(lines.length).toBe(3);
    expect(lines[1]).toContain(`,ESIM,${esim.id},`);
    await console.show('orders?from=2020-01-01&to=2020-01-02');
    await page.getByText('No order matches the filter.').waitFor();
  });

  test('When prices are searched, then the page shows what the client pays, and the export has the found rows', async () => {
    const console = await consoleAt('prices');
    const { page } = console;
    await page.getByLabel('Product').fill('harbour coffee');
    await console.button('Search').click();
    const row = page.getByRole('row', { name: /Harbour Coffee Gift Card/ }).first();
    await row.getByText('5.00 USD').first().waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export as CSV' }).click(),
    ]);
    const [columns, ...lines] = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\n');
    expect(columns).toMatch(/^family,product_id,.*,total_payable,/);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.every((line) => line.includes('Harbour Coffee'))).toBe(true);
  });

  test('When an order is opened, then the page has its timeline and its codes as CSV', async () => {
    const receiver = await newReceiver();
    const endpoint = await register(client.api, receiver);
    const order = await place(client.api, orderOf('voucher_instant'));
    const console = await consoleAt(`orders/vouchers/${order.id}`);
    const timeline = console.page.locator('.timeline');
    await timeline.getByText('The order was placed.').waitFor();
    expect((await console.page.locator('main h2').allInnerTexts())[0]).toBe('Vouchers');
    await console.button('Report a problem').click();
    const dialog = console.page.getByRole('dialog');
    await dialog.getByLabel('The code was used before').check();
    await dialog.getByLabel('What happened').fill('The shop says so');
    await dialog.getByRole('button', { name: 'Report' }).click();
    await console.page.getByRole('row', { name: 'The code was used before' }).getByText('Open').waitFor();
    await timeline.getByText(`order.delivered to ${receiver.url}`).waitFor();
    const [file] = await Promise.all([
      console.page.waitForEvent('download'),
      console.page.getByRole('link', { name: 'Download the codes as CSV' }).click(),
    ]);
    const { body } = await client.api.get<{ vouchers: Json[] }>(`/api/v1/orders/${order.id}`);
    expect(readFileSync(await file.path(), 'utf8')).toContain(String(body.vouchers[0]?.card_number));
    await client.api.send(`/api/v1/webhooks/endpoints/${endpoint.id}`, { method: 'DELETE' });
  });

  test('When a product is opened, then the page shows its picture, its terms and the prices for the client', async () => {
    const console = await consoleOf();
    const product = await productNamed('Harbour Coffee Gift Card');
    await console.show(`products/vouchers/${product.id}`);
    const picture = console.page.locator('main img');
    await picture.waitFor();
    const size = `document.querySelector('main img').decode().then(() => document.querySelector('main img').naturalWidth)`;
    expect(await console.page.evaluate(size)).toBe(320);
    const row = console.page.locator('tbody tr', { hasText: '25.00 USD' });
    const charges = await client.api.post<Json>(`/api/v1/products/${product.id}/charges`, {
      denomination: 25,
      quantity: 1,
    });
    await row.getByText(`${Number(charges.body.total_payable).toFixed(2)} USD`).waitFor();
    const { body } = await client.api.get<Json>(`/api/v1/products/${product.id}`);
    await console.page.getByText(String(body.terms)).waitFor();
    await console.page.getByRole('link', { name: 'Order it' }).click();
    await console.button('25.00 USD').waitFor();
  });

  test.each([
    ['vouchers', '/api/v1/products?limit=100'],
    ['topups', '/api/v1/topups/products?limit=100'],
    ['esim', '/api/v1/esim/products?limit=100'],
  ])('When the products of %s are listed, then the browser shows their pictures', async (feature, path) => {
    const console = await consoleAt(`new/${feature}`);
    const { body } = await client.api.get<Json[]>(path);
    const names = body.filter(({ image_url }) => image_url).map(({ name }) => String(name));
    const widths = `Promise.all([...document.querySelectorAll('.products img')].map(async (image) => {
      image.loading = 'eager';
      await image.decode();
      return image.naturalWidth;
    }))`;
    await console.page
      .locator('.products li', { hasText: names.at(-1) ?? '' })
      .first()
      .waitFor();
    expect(await console.page.evaluate(widths)).toEqual(names.map(() => 320));
  });

  test('When the API is called, then the log of requests shows it', async () => {
    const answer = await client.api.get('/api/v1/countries', { 'x-request-id': `seen-${Date.now()}` });
    const id = answer.headers.get('x-request-id') ?? '';
    const console = await consoleAt('requests');
    const row = console.page.locator('tr', { hasText: id });
    await until('the entry', async () => {
      if ((await row.count()) === 1) return true;
      await console.button('Refresh').click();
      await sleep(300);
      return undefined;
    });
    expect(await row.innerText()).toContain('/api/v1/countries');
    await console.openFilters();
    await console.page.getByLabel('Status').selectOption('5xx');
    await row.waitFor({ state: 'hidden' });
  });

  test('When the screen is 390 px wide, then the amount of an order is visible without scrolling', async () => {
    await place(client.api, orderOf('voucher_instant'));
    const console = await consoleAt('orders', client, { width: 390 });
    const amount = console.page.locator('tr[data-order] .number').first();
    await amount.waitFor();
    const box = await amount.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 1_000)).toBeLessThan(390);
  });

  const pages = [
    '',
    'orders',
    'orders/vouchers',
    'new/vouchers',
    'webhooks',
    'prices',
    'requests',
    'scenarios',
    'first-steps',
    'nowhere',
  ];

  test('When a client opens the console, then the first page says how today is', async () => {
    const own = await newClient(database, { USD: 100 });
    const { id } = await place(own.api, orderOf('voucher_instant'));
    const sold = (await own.api.get<Json>(`/api/v1/orders/${id}`)).body;
    const spent = `${Number(sold.charged_amount).toFixed(2)} USD`;
    const failed = await place(own.api, orderOf('voucher_out_of_stock'));
    await reached(own.api, failed.id, 'FAILED');
    const console = await consoleOf(own);
    const { page } = console;
    const today = page.getByRole('region', { name: 'Today' });
    const figures = today.locator('.figures');
    await figures.getByText('50 %').waitFor();
    await figures.getByText(spent).waitFor();
    const row = today.getByRole('row', { name: String(sold.product_name) });
    expect(await row.getByRole('cell').allInnerTexts()).toEqual([sold.product_name, '1', '100 %', spent, 'none']);
    await figures.getByRole('link', { name: 'Product out of stock: 1' }).click();
    await page.locator(`[data-order="${failed.id}"]`).waitFor();
    expect(await page.locator('tr[data-order]').count()).toBe(1);
  });

  test('When an address is unknown, then the page says so and leads back', async () => {
    const console = await consoleOf();
    for (const address of ['nowhere', 'orders/cars', 'orders/vouchers/12x', 'orders/vouchers/1/2', 'products']) {
      await console.show(address);
      await console.heading('Page not found').waitFor();
    }
    await console.page.getByRole('link', { name: 'Go to the overview' }).click();
    await console.heading('Overview').waitFor();
  });

  test('When the session ends elsewhere, then the sign-in page says why, and signing in leads back to the page', async () => {
    const own = await newClient(database, { USD: 100 });
    const console = await consoleAt('orders', own);
    const { page } = console;
    await console.heading('Orders').waitFor();
    await console.context.clearCookies();
    await console.show('webhooks');
    await page.getByText('You signed out in another window. Sign in to return to the page.').waitFor();
    await console.signIn(own);
    await console.heading('Webhooks').waitFor();
    await sql(database)`UPDATE api_keys SET revoked_at = now() WHERE client_id = ${own.id}`;
    await sql(database)`UPDATE token_families SET revoked_at = now() WHERE client_id = ${own.id}`;
    await page.getByText(/^The API key of your session was revoked/).waitFor();
  });

  test('When the window is 1280 px wide, then the pages stand at the side; when it is 375 px wide, then in a menu', async () => {
    const wide = await consoleOf(client, { width: 1280 });
    expect((await wide.page.locator('.top').boundingBox())?.width).toBeLessThan(280);
    const console = await consoleOf(client, { width: 375 });
    const orders = console.page.getByRole('link', { name: 'Orders', exact: true });
    expect(await orders.isVisible()).toBe(false);
    await console.button('Menu').click();
    await orders.click();
    await console.heading('Orders').waitFor();
    expect(await orders.isVisible()).toBe(false);
    // The filters are closed: the first order is on the first screen.
    await place(client.api, orderOf('voucher_instant'));
    const box = await console.page.locator('tr[data-order]').first().boundingBox();
    expect(box?.y).toBeLessThan(400);
    await console.openFilters();
    await console.page.getByRole('combobox', { name: 'Status' }).waitFor();
  });

  test('When a balance is large, then it fits its card', async () => {
    const rich = await newClient(database, { USD: 12_345_678_901.25 });
    for (const width of [375, 1280]) {
      const { page } = await consoleOf(rich, { width });
      const balance = page.locator('.balance');
      await balance.getByText('12,345,678,901.25').waitFor();
      const overflow = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.balance'))`;
      expect(await page.evaluate(overflow)).toBe(0);
      await page.getByText('Lowest 0.00 USD, highest 12,345,678,901.25 USD.', { exact: false }).waitFor();
    }
  });

  test('When an endpoint fails, then the console says since when and what waits, tells events apart, and replays', async () => {
    const own = await newClient(database, { USD: 100 });
    const receiver = await newReceiver();
    await register(own.api, receiver, { event_types: ['order.delivered'] });
    receiver.answer = () => 500;
    await place(own.api, orderOf('voucher_instant'));
    const console = await consoleAt('webhooks', own);
    const { page } = console;
    await page.getByText(/^Failing since .* 1 event waits\./).waitFor();
    await page.locator('tr', { hasText: 'order.delivered' }).getByText('Waiting').waitFor();
    await page.locator('tr', { hasText: 'wallet.debited' }).first().getByText('No endpoint takes it').waitFor();
    await console.openFilters();
    await page.getByRole('combobox', { name: 'State' }).selectOption('WAITING');
    await until('one event', async () => (await page.locator('tr[data-event]').count()) === 1);
    await console.button('Add endpoint').click();
    await page
      .getByText(
        `Choose none to receive all except ${typesOnlyByName.slice(0, -1).join(', ')} and ${typesOnlyByName.at(-1)}.`,
      )
      .waitFor();
    await page.keyboard.press('Escape');
    receiver.answer = () => 204;
    await console.button('Replay').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
    await page.getByText('1 event is being sent again.').waitFor();
    await receiver.untilTaken(1);
    await page.keyboard.press('Escape');
    receiver.answer = () => 500;
    await place(own.api, orderOf('voucher_instant'));
    const row = page.locator('tr', { hasText: 'order.delivered' }).first();
    await row.getByText('Waiting').waitFor();
    receiver.answer = () => 204;
    await row.getByRole('button', { name: /^Send now/ }).click();
    await receiver.untilTaken(2);
  });

  test('When a request is rejected, then the log groups the error, and leads from it to the request', async () => {
    const own = await newClient(database, { USD: 100 });
    await own.api.post('/api/v1/orders', { ...orderOf('voucher_instant'), denomination: 0.01 });
    const console = await consoleAt('requests', own);
    const { page } = console;
    const group = page.locator('tr', { hasText: 'Invalid denomination: not available for this product' }).first();
    await until('the error', async () => {
      if (await group.isVisible()) return true;
      await console.button('Refresh').click();
      await sleep(300);
      return undefined;
    });
    await group.getByRole('link', { name: /^Show the requests/ }).click();
    await console.button('Remove the filter Method: POST').waitFor();
    const result = page.getByRole('table', { name: 'Requests, newest first' }).locator('tbody tr');
    expect(await result.innerText()).toContain('/api/v1/orders');
    expect(await result.getByRole('link', { name: 'VALIDATION_FAILURE' }).getAttribute('href')).toBe(
      '/docs/errors#validation_failure',
    );
  });

  test('When a client opens every page, then axe finds nothing, and none is too wide, in every look', async () => {
    const [order, esim] = [
      await place(client.api, orderOf('voucher_instant')),
      await accepted(client.api, esimOrders, orderOf('esim_instant')),
    ];
    const [event] = (await client.api.get<(Resource & { id: string })[]>('/api/v1/webhooks/events')).body;
    const outside = await ConsolePage.open(browser);
    opened.push(outside);
    await outside.heading('Sign in').waitFor();
    expect(await faultsInEveryLook(outside.page)).toEqual([]);
    const console = await consoleOf(client);
    const product = await productNamed('Harbour Coffee Gift Card');
    for (const address of [
      ...pages,
      `orders/vouchers/${order.id}`,
      `orders/esim/${esim.id}`,
      `webhooks/${String(event?.id)}`,
      `products/vouchers/${product.id}`,
    ]) {
      await console.show(address);
      await settled(console);
      expect([address, await faultsInEveryLook(console.page)]).toEqual([address, []]);
    }
    await console.show('new/vouchers');
    await console.button(/Harbour Coffee/).click();
    await console.button('10.00 USD').click();
    await console.button(/^Order for/).waitFor();
    expect(await faultsInEveryLook(console.page)).toEqual([]);
  });
});

async function productNamed(name: string): Promise<Resource> {
  const path = `/api/v1/products?search=${encodeURIComponent(name)}`;
  const [product] = (await client.api.get<Resource[]>(path)).body;
  if (!product) throw new Error(`No product is called ${name}`);
  return product;
}

/** Draws a picture in the page. Returns its pixels as base64: Playwright takes seconds for an array of as many numbers. */
const pixelsOf = (base64: string) => `(async () => {
  const image = new Image();
  image.src = 'data:image/png;base64,${base64}';
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.width, image.height];
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  const text = Array.from(data, (byte) => String.fromCharCode(byte)).join('');
  return { width: image.width, height: image.height, data: btoa(text) };
})()`;

/** The decoded QR code on the page. */
async function scanned({ page }: ConsolePage): Promise<string | undefined> {
  const picture = await page.locator('.qr').screenshot();
  const { width, height, data } = await page.evaluate<{ width: number; height: number; data: string }>(
    pixelsOf(picture.toString('base64')),
  );
  return jsQR(Uint8ClampedArray.from(Buffer.from(data, 'base64')), width, height)?.data;
}

/** The marked control: its label, whether it has the focus, and how often the page shows the reason that describes it. */
function marked({ page }: ConsolePage): Promise<unknown> {
  return page.evaluate(`(() => {
    const control = document.querySelector('[aria-invalid="true"]');
    const reason = document.getElementById(control.getAttribute('aria-describedby').split(' ').at(-1));
    const alerts = [...document.querySelectorAll('[role="alert"]')];
    return {
      label: control.labels[0].textContent,
      isFocused: document.activeElement === control,
      reasons: alerts.filter(({ textContent }) => textContent === reason.textContent).length,
    };
  })()`);
}

/** The name of the focused element. */
function focused({ page }: ConsolePage): Promise<string> {
  return page.evaluate(`(document.activeElement?.textContent ?? '').trim()`);
}

/** Presses Tab until the element has the focus. */
async function tabTo(console: ConsolePage, name: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    await console.page.keyboard.press('Tab');
    const text = await focused(console);
    if (typeof name === 'string' ? text === name : name.test(text)) return;
  }
  throw new Error(`Tab does not reach ${String(name)}`);
}

/** Waits until the page has loaded its data. */
async function settled({ page }: ConsolePage): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => undefined);
  await until('the page', async () => (await page.getByText('Loading …').count()) === 0);
}
