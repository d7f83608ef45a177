/** A client in the console: every page, with mouse and keyboard, on a narrow screen, in light and dark. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import jsQR from 'jsqr';
import type { Browser } from 'playwright-core';
import { newClient, stackDatabase, type OwnClient } from '../support/clients';
import { orderOf, place, reached } from '../support/orders';
import { Receiver, register } from '../support/receiver';
import type { Json, Resource } from '../support/stack';
import { accepted, esimOrders } from '../support/variant-orders';
import { until } from '../support/waiting';
import { describeInBrowser } from '../ui/describe-in-browser';
import { ConsolePage, openBrowser } from './console-page';

const database = stackDatabase();
let browser: Browser;
let client: OwnClient;
const opened: ConsolePage[] = [];

async function consoleOf(owner = client, look = {}): Promise<ConsolePage> {
  const page = await ConsolePage.of(browser, owner, look);
  opened.push(page);
  return page;
}

const balanceOf = async ({ api, wallets }: OwnClient) =>
  Number((await api.get<Json>(`/api/v1/wallets/${wallets['USD']}`)).body.balance);

describeInBrowser('The console', () => {
  beforeAll(async () => {
    browser = await openBrowser();
    client = await newClient(database, { USD: 1_000, EUR: 100 });
  });
  afterEach(async () => {
    for (const page of opened.splice(0)) {
      // The page's policy blocked nothing, and no script failed.
      expect(page.complaints.filter((text) => !/status of 40[14]/.test(text))).toEqual([]);
      await page.close();
    }
  });
  afterAll(async () => {
    await browser?.close();
    await database.close();
  });

  test('When the secret is wrong, then the page says so; when it is right, then the account is shown until the sign-out', async () => {
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
    await console.button('USD 25.00').click();
    const order = console.button(/^Order for/);
    const price = Number(/USD ([\d.]+)/.exec(await order.innerText())?.[1]);
    await order.click();
    await console.heading(/^Order \d+/).waitFor();
    expect(before - (await balanceOf(client))).toBeCloseTo(price, 4);
    expect(await console.fact('Charged').innerText()).toBe(`USD ${price.toFixed(2)}`);
  });

  test('When a client orders a top-up with a number, or an eSIM, then the order is placed', async () => {
    const console = await consoleOf();
    await console.show('new/topups');
    await console.button(/Liberty/).click();
    await console
      .button('USD 10.00')
      .or(console.page.getByLabel(/Any amount/))
      .first()
      .waitFor();
    const range = console.page.getByLabel(/Any amount/);
    if (await range.isVisible()) {
      await range.fill('10');
      await range.blur();
    } else await console.button('USD 10.00').click();
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

  test('When an order progresses, then list and order show it without a reload', async () => {
    const console = await consoleOf();
    await console.show('orders/vouchers');
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
    await console.page
      .locator('.status-line')
      .getByText('Delivered', { exact: true })
      .waitFor({ timeout: 60_000 });
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
    const console = await consoleOf();
    await console.show('orders/vouchers');
    await console.page.getByLabel('Client reference').fill(reference);
    await console.button('Filter').click();
    await until('one row', async () =>
      (await console.page.locator('tbody tr').count()) === 1 ? true : undefined,
    );
    await console.page.getByLabel('Status').selectOption('DELIVERED');
    await console.page.getByText('No orders.').waitFor();
    await console.page.getByLabel('Status').selectOption('FAILED');
    await console.page.locator(`[data-order="${failed.id}"] a`).click();
    expect(await console.fact('Failure code').innerText()).toBe('PRODUCT_OUT_OF_STOCK');
    expect(await console.fact('Refunded').innerText()).toBe(await console.fact('Charged').innerText());
  });

  test('When an eSIM is delivered, then its QR code is its activation code, and the client can install and use up the profile', async () => {
    const esim = await accepted(client.api, esimOrders, orderOf('esim_instant'));
    const console = await consoleOf();
    await console.show(`orders/esim/${esim.id}`);
    await console.button('Show QR code').click();
    const { body } = await client.api.get<Json>(`/api/v1/esim/orders/${esim.id}`);
    expect(await scanned(console)).toBe(body.activation_code);
    await console.page.keyboard.press('Escape');
    await console.page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await focused(console)).toBe('Show QR code');
    for (const [button, state] of [
      ['Install', 'Active'],
      ['Use data', 'Active'],
      ['Use up', 'Expired'],
    ] as const) {
      await console.button(button).click();
      await console.fact('State').getByText(state).waitFor();
    }
  });

  test('When a webhook failed, then its attempts appear live, and a click sends it again', async () => {
    const receiver = await Receiver.listen();
    const endpoint = await register(client.api, receiver);
    const console = await consoleOf();
    await console.show('webhooks');
    await console.button('Send a test').first().click();
    const row = console.page.locator('tr', { hasText: 'webhook.test' }).first();
    await row.getByText('Delivered').waitFor();
    await row.getByRole('link', { name: /Details/ }).click();
    const dialog = console.page.getByRole('dialog');
    const attempts = dialog.locator('table', { hasText: 'Attempts' }).locator('tbody tr');
    await until('an attempt', async () => ((await attempts.count()) >= 1 ? true : undefined));
    const before = await attempts.count();
    await dialog.getByRole('button', { name: 'Redeliver' }).click();
    await until('another attempt', async () => ((await attempts.count()) > before ? true : undefined));
    await console.page.keyboard.press('Escape');
    await console.button('Show secret').first().click();
    const secret = console.fact('Secret').first();
    expect(await secret.innerText()).toContain(receiver.secret);
    await console.button('Rotate secret').first().click();
    await until('another secret', async () =>
      (await secret.innerText()).includes(receiver.secret) ? undefined : true,
    );
    await console.button('Disable').first().click();
    await console.button('Enable').first().click();
    await console.button('Disable').first().waitFor();
    await client.api.send(`/api/v1/webhooks/endpoints/${endpoint.id}`, { method: 'DELETE' });
    receiver.close();
  });

  test('When an endpoint is added and deleted, then the list shows it and removes it', async () => {
    const console = await consoleOf();
    await console.show('webhooks');
    await console.button('Add endpoint').click();
    await console.page.getByLabel('URL').fill('http://127.0.0.1:9/none');
    await console.page.getByLabel('Description').fill('by hand');
    await console.page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    const card = console.page.locator('.card', { hasText: 'by hand' });
    await card.getByRole('button', { name: 'Delete' }).click();
    await card.waitFor({ state: 'hidden' });
  });

  test('When a threshold is set, and a wallet is funded, then both are shown', async () => {
    const console = await consoleOf();
    const euro = console.page.locator('.card', { hasText: 'EUR' });
    await euro.getByLabel(/Tell me below/).fill('150');
    await euro.getByRole('button', { name: 'Save' }).click();
    await euro.getByText('low', { exact: true }).waitFor();
    const { body } = await client.api.get<Json>(`/api/v1/wallets/${client.wallets['EUR']}`);
    expect(body.low_balance_threshold).toBe(150);
    await euro.getByRole('button', { name: /^Add/ }).click();
    await euro.getByText('200.00', { exact: true }).waitFor();
    await euro.getByText('low', { exact: true }).waitFor({ state: 'hidden' });
    const [statement] = await Promise.all([
      console.page.waitForEvent('download'),
      console.page.getByRole('link', { name: /statement of the/ }).click(),
    ]);
    const rows = readFileSync(await statement.path(), 'utf8').split('\n');
    expect(rows.length).toBeGreaterThan(2);
  });

  test('When a client runs a scenario, then the order has the announced final status', async () => {
    const console = await consoleOf();
    await console.show('scenarios');
    const row = console.page.locator('tr', { hasText: 'Voucher out of stock' });
    await row.getByRole('button').click();
    await row.locator('td').nth(4).getByText('Failed').waitFor();
  });

  test('When the console is open for two minutes, then it sends no request', async () => {
    const limited = await newClient(database, { USD: 1 }, { reads: 8, refresh: 2 });
    const console = await consoleOf(limited);
    await sleep(1_000);
    const asked = console.answers.length;
    await sleep(120_000);
    expect(console.answers.length).toBe(asked);
    expect(console.answers.map((answer) => answer.status())).not.toContain(429);
    expect((await limited.api.get('/api/v1/wallets')).headers.get('ratelimit')).toMatch(/^"reads";r=7;/);
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
    await console.button('USD 10.00').waitFor();
    await tabTo(console, 'USD 10.00');
    await keyboard.press('Space');
    await console.button(/^Order for/).waitFor();
    await tabTo(console, /^Order for/);
    await keyboard.press('Enter');
    await console.heading(/^Order \d+/).waitFor();
    expect(await balanceOf(client)).toBeLessThan(before);
  });

  const pages = ['', 'orders/vouchers', 'new/vouchers', 'webhooks', 'scenarios'];

  test('When the screen is 390 px wide, then no page is wider', async () => {
    const console = await consoleOf(client, { width: 390 });
    const order = await place(client.api, orderOf('voucher_instant'));
    for (const address of [...pages, `orders/vouchers/${order.id}`]) {
      await console.show(address);
      await settled(console);
      const width = await console.page.evaluate('document.documentElement.scrollWidth');
      expect([address, width]).toEqual([address, 390]);
    }
  });

  test.each(['light', 'dark'] as const)(
    'When colours are %s, then axe finds nothing serious on any page',
    async (colorScheme) => {
      const [order, esim] = [
        await place(client.api, orderOf('voucher_instant')),
        await accepted(client.api, esimOrders, orderOf('esim_instant')),
      ];
      const [event] = (await client.api.get<(Resource & { id: string })[]>('/api/v1/webhooks/events')).body;
      const outside = await ConsolePage.open(browser, { colorScheme });
      opened.push(outside);
      await outside.heading('Sign in').waitFor();
      expect(await violations(outside)).toEqual([]);
      const console = await consoleOf(client, { colorScheme });
      for (const address of [
        ...pages,
        `orders/vouchers/${order.id}`,
        `orders/esim/${esim.id}`,
        `webhooks/${String(event?.id)}`,
      ]) {
        await console.show(address);
        await settled(console);
        expect([address, await violations(console)]).toEqual([address, []]);
      }
      await console.show('new/vouchers');
      await console.button(/Harbour Coffee/).click();
      await console.button('USD 10.00').click();
      await console.button(/^Order for/).waitFor();
      expect(await violations(console)).toEqual([]);
    },
  );
});

/** Draws a picture in the page. Returns its pixels. */
const pixelsOf = (base64: string) => `(async () => {
  const image = new Image();
  image.src = 'data:image/png;base64,${base64}';
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.width, image.height];
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  return { width: image.width, height: image.height, data: [...data] };
})()`;

/** The decoded QR code on the page. */
async function scanned({ page }: ConsolePage): Promise<string | undefined> {
  const picture = await page.locator('.qr').screenshot();
  const pixels = await page.evaluate<{ width: number; height: number; data: number[] }>(
    pixelsOf(picture.toString('base64')),
  );
  return jsQR(Uint8ClampedArray.from(pixels.data), pixels.width, pixels.height)?.data;
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
  await until('the page', async () => ((await page.getByText('Loading …').count()) === 0 ? true : undefined));
}

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  impact: string;
  nodes: { html: string; failureSummary: string }[];
}

/** The accessibility violations that axe-core finds: the broken rules and their places. */
async function violations({ page }: ConsolePage): Promise<string[]> {
  await page.evaluate(axe);
  const found = await page.evaluate<Violation[]>('axe.run().then(({ violations }) => violations)');
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}
