/** What a page keeps while other people work, and on the way back: an open form, filters and the position in a list. */
import { sql } from '../../../dev/testbed/sql';
import { newClient, useClient, useDatabase, type OwnClient } from '../../support/clients';
import { ops } from '../../support/operator';
import { ended, scenarioNamed } from '../../support/orders';
import type { Resource } from '../../support/stack';
import { until } from '../../../dev/testbed/waiting';
import { describeInBrowser } from '../../ui/describe-in-browser';
import { useOfficeBrowser } from './office-page';

const database = useDatabase();
const browser = useOfficeBrowser();
const client = useClient(database, { USD: 1_000 });

async function placeWaiting(owner: OwnClient): Promise<number> {
  const { path, body } = scenarioNamed('voucher_needs_operator');
  const { id } = (await owner.api.post<Resource>(path, body)).body;
  await until('the entry', async () =>
    (await ops`attention --client ${owner.id}`).find((entry) => entry['order_id'] === id),
  );
  return id;
}

async function nameOfClient(): Promise<string> {
  return (await sql.one(database)<{ name: string }>`SELECT name FROM clients WHERE id = ${client.id}`).name;
}

describeInBrowser('A page of the back office', () => {
  test.each([
    ['order', (id: number) => `orders/${id}`],
    ['attention', () => 'attention'],
  ])(
    'When another person ends an entry of the page %s, then the form that a person fills in stays',
    async (_name, addressOf) => {
      const id = await placeWaiting(client);
      const office = await browser.as('support');
      const { page } = office;
      await page.clock.install();
      await office.open(addressOf(id));
      const entry = page.locator('li[data-entry]', { hasText: `Order ${id}` });
      const note = entry.getByLabel(/^Note/);
      await note.fill('Their support says that');
      await ops`orders resolve ${id} not-bought --reason "no such purchase" --yes`;
      await until('no entry', async () =>
        (await ops`attention --client ${client.id}`).every((each) => each['order_id'] !== id),
      );
      await page.clock.fastForward(30_000);
      await office.settled();
      expect(await note.inputValue()).toBe('Their support says that');
      await note.fill('');
      await page.clock.fastForward(30_000);
      await entry.waitFor({ state: 'detached' });
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
  });

  test('When costs are unknown, then reports and Today say so, and the charts show sales and margins', async () => {
    const { path, body } = scenarioNamed('voucher_instant');
    const { id } = (await client.api.post<Resource>(path, body)).body;
    await ended(client.api, id);
    // The chart of margins needs an order of a known cost.
    const other = await newClient(database, { USD: 100 });
    const known = (await other.api.post<Resource>(path, body)).body.id;
    await ended(other.api, known);
    await sql(database)`UPDATE supplier_purchases SET cost = 8, cost_currency = 'USD'
         WHERE order_id = ${known}`;
    const office = await browser.as('finance', { at: 'reports' });
    const { page } = office;
    await page.getByText('Filter and sort').last().click();
    await page
      .locator('section', { hasText: 'Margins of' })
      .getByLabel('One row for each', { exact: true })
      .selectOption('client');
    await office.button('Apply').last().click();
    const row = page.getByRole('row', { name: await nameOfClient() });
    expect(await row.locator('[data-column="Cost"]').innerText()).toBe('unknown');
    expect(await row.locator('[data-column="Margin"]').innerText()).toBe('unknown');
    await page.getByRole('img', { name: /^Sold in USD/ }).waitFor();
    await page.getByRole('img', { name: /^Margin in USD/ }).waitFor();
    await office.open('');
    const families = page.getByRole('table', { name: 'Orders by family' });
    await families.getByRole('columnheader', { name: 'Sold' }).waitFor();
  });

  test('When a name has direction marks, then the text around it keeps its direction', async () => {
    const office = await browser.as('viewer', { at: 'clients' });
    expect(
      await office.page.evaluate(
        `[...new Set([...document.querySelectorAll('main td, main td a, main td span')].map((each) => getComputedStyle(each).unicodeBidi))]`,
      ),
    ).toEqual(['isolate']);
  });

  test('When a reference looks like a number, then the list shows it as the client wrote it', async () => {
    const { path, body } = scenarioNamed('voucher_instant');
    const reference = `${client.id}.10`;
    await client.api.post<Resource>(path, { ...body, client_reference: reference });
    const office = await browser.as('viewer', { at: 'orders' });
    const row = office.page.locator('tbody tr').first();
    await row.getByText(reference, { exact: true }).waitFor();
  });

  test('When a person goes back, then the list has the rows and the filters of before, which the address has, too', async () => {
    const many = await newClient(database, { USD: 1_000 });
    const { path, body } = scenarioNamed('voucher_instant');
    for (let placed = 0; placed < 52; placed++) await many.api.post<Resource>(path, body);
    const office = await browser.as('viewer', { at: 'orders' });
    const { page } = office;
    // The menu of columns has the same labels.
    const filters = page.locator('form.arguments');
    const filter = async (label: string, value: string | true) => {
      const control = filters.getByLabel(label, { exact: true });
      if (!(await control.isVisible())) await page.getByText('Filter and sort').click();
      if (value === true) await control.check();
      else await control.fill(value);
      await office.button('Apply').click();
      await office.settled();
    };
    const orders = page.locator('tbody tr');
    const client = () => filters.getByLabel('Client', { exact: true });
    await filter('Client', String(many.id));
    // The end of the list reads the next rows once it comes into sight.
    await page.getByRole('button', { name: 'Show more' }).scrollIntoViewIfNeeded();
    await orders.nth(51).waitFor();
    expect(await orders.count()).toBe(52);
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    await filter('Failed', true);
    await page.getByText('Nothing is listed.').waitFor();
    expect(new URL(page.url()).search).toBe(`?client=${many.id}&status=failed`);
    await page.goBack();
    await orders.nth(51).waitFor();
    expect(await filters.getByLabel('Failed', { exact: true }).isChecked()).toBe(false);
    expect(await client().inputValue()).toBe(String(many.id));
    await page.goto(page.url());
    await orders.nth(49).waitFor();
    await page.getByRole('button', { name: `Remove the filter Client: ${many.id}` }).click();
    await page.getByText('Filter and sort', { exact: true }).waitFor();
    expect([new URL(page.url()).search, await client().inputValue()]).toEqual(['', '']);
  });

  test('When a person goes back from a filter by recipient, then the list is not filtered any more, and forward it is', async () => {
    const email = `keeping.${Date.now()}@customer.example`;
    const { path, body } = scenarioNamed('voucher_instant');
    const { id } = (await client.api.post<Resource>(path, { ...body, email })).body;
    const office = await browser.as('support', { at: 'orders' });
    const { page } = office;
    await page.getByText('Filter and sort').click();
    await page.getByLabel('Recipient', { exact: true }).fill(email);
    await office.button('Apply').click();
    await page.getByText('Filter and sort (1)').waitFor();
    await page.locator('tbody tr').nth(1).waitFor({ state: 'detached' });
    expect(await page.evaluate('JSON.stringify(history.state) + location.href')).not.toContain(email);
    await page.goBack();
    await page.locator('tbody tr').nth(1).waitFor();
    expect(await page.getByLabel('Recipient', { exact: true }).inputValue()).toBe('');
    await page.goForward();
    await page.locator('tbody tr').nth(1).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: String(id), exact: true }).waitFor();
  });

  test('When a person follows an entry of the filtered attention list and goes back, then the filter is still there', async () => {
    const other = await newClient(database, { USD: 100 });
    const [id] = [await placeWaiting(other), await placeWaiting(client)];
    const office = await browser.as('viewer', { at: 'attention' });
    const { page } = office;
    await page.getByText('Filter and sort').click();
    await page.getByLabel('Client', { exact: true }).fill(String(other.id));
    await office.button('Apply').click();
    await page.locator('li[data-entry]').nth(1).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: `Order ${id}`, exact: true }).click();
    await office.heading(`Order ${id}`).waitFor();
    await page.goBack();
    await page.getByText('Filter and sort (1)').waitFor();
    await page.getByRole('link', { name: `Order ${id}`, exact: true }).waitFor();
    expect(await page.locator('li[data-entry]').count()).toBe(1);
  });
});
