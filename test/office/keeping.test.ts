/** What a page keeps while other people work, and on the way back: an open form, filters and the position in a list. */
import { oneRow } from '../../src/data/database/database';
import { newClient, stackDatabase, type OwnClient } from '../support/clients';
import { ops } from '../support/operator';
import { ended, scenarioNamed } from '../support/orders';
import type { Resource } from '../support/stack';
import { until } from '../support/waiting';
import { describeInBrowser } from '../ui/describe-in-browser';
import { OfficeBrowser } from './office-page';

const database = stackDatabase();
let browser: OfficeBrowser;
let client: OwnClient;

async function placeWaiting(): Promise<number> {
  const { path, body } = scenarioNamed('voucher_needs_operator');
  const { id } = (await client.api.post<Resource>(path, body)).body;
  await until('the entry', async () =>
    (await ops('attention', '--client', client.id)).find((entry) => entry['order_id'] === id),
  );
  return id;
}

async function nameOfClient(): Promise<string> {
  const statement = 'SELECT name FROM clients WHERE id = $id';
  return (await oneRow<{ name: string }>(database, statement, { id: client.id })).name;
}

describeInBrowser('A page of the back office', () => {
  beforeAll(async () => {
    browser = await OfficeBrowser.open();
    client = await newClient(database, { USD: 1_000 });
  });
  afterEach(() => {
    expect(browser.complaints.splice(0)).toEqual([]);
    expect(browser.foreign.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await database.close();
  });

  test.each([
    ['order', (id: number) => `orders/${id}`],
    ['attention', () => 'attention'],
  ])(
    'When another person ends an entry of the page %s, then the form that a person fills in stays',
    async (_name, addressOf) => {
      const id = await placeWaiting();
      const office = await browser.as('support');
      const { page } = office;
      await page.clock.install();
      await office.open(addressOf(id));
      const entry = page.locator('li[data-entry]', { hasText: `Order ${id}` });
      await entry.getByRole('button', { name: 'Note', exact: true }).click();
      const note = office.dialog.getByLabel('Note', { exact: true });
      await note.fill('Their support says that');
      await ops('orders', 'resolve', id, 'not-bought', '--reason', 'no such purchase', '--yes');
      await until('no entry', async () =>
        (await ops('attention', '--client', client.id)).every((each) => each['order_id'] !== id),
      );
      await page.clock.fastForward(30_000);
      await office.settled();
      expect(await note.inputValue()).toBe('Their support says that');
      await office.dialog.getByRole('button', { name: 'Close' }).click();
      await page.clock.fastForward(30_000);
      await entry.waitFor({ state: 'detached' });
      await office.close();
    },
  );

  test('When the browser is in the next month already, then the report is of the month in UTC, and says which', async () => {
    const office = await browser.as('viewer', { timezoneId: 'Asia/Tokyo' });
    const { page } = office;
    await page.clock.setFixedTime('2026-11-30T20:00:00Z');
    const months: unknown[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/reports/margin')) months.push(request.postDataJSON());
    });
    await office.open('reports');
    await office.heading('Margins of 2026-11').waitFor();
    expect(months).toEqual([expect.objectContaining({ month: '2026-11' })]);
    await office.close();
  });

  test('When costs are unknown, then reports and Today say so, and the charts show sales and margins', async () => {
    const { path, body } = scenarioNamed('voucher_instant');
    const { id } = (await client.api.post<Resource>(path, body)).body;
    await ended(client.api, id);
    const office = await browser.as('finance');
    const { page } = office;
    await office.open('reports');
    await page.getByText('Filter and sort').last().click();
    await page
      .locator('section', { hasText: 'Margins of' })
      .getByLabel('By (optional)')
      .selectOption('client');
    await office.button('Apply').last().click();
    const row = page.getByRole('row', { name: await nameOfClient() });
    expect(await row.locator('[data-column="Cost"]').innerText()).toBe('unknown');
    expect(await row.locator('[data-column="Margin"]').innerText()).toBe('unknown');
    await page.getByRole('img', { name: /^Sold in USD/ }).waitFor();
    await page.getByRole('img', { name: /^Margin in USD/ }).waitFor();
    await office.open('');
    const families = page.getByRole('table', { name: 'Today by family' });
    await families.getByRole('columnheader', { name: 'Spent' }).waitFor();
    await office.close();
  });

  test('When a name has direction marks, then the text around it keeps its direction', async () => {
    const office = await browser.as('viewer');
    await office.open('clients');
    expect(
      await office.page.evaluate(
        `[...new Set([...document.querySelectorAll('main td, main td a, main td span')].map((each) => getComputedStyle(each).unicodeBidi))]`,
      ),
    ).toEqual(['isolate']);
    await office.close();
  });
});
