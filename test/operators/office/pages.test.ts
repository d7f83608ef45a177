/** Every page of the back office, as each role, in every look. docs/operators/office.md. */
import { readFileSync } from 'node:fs';
import { roles, type Role } from '../../../src/domain/operators/roles';
import { sql } from '../../../dev/testbed/sql';
import { formless } from '../../../packages/office/src/main-lists';
import { operations } from '../../../src/operators/operations/operations';
import { newMark, voucherProduct } from '../../support/catalogue';
import { newClient, useClient, useDatabase } from '../../support/clients';
import { ops } from '../../support/operator';
import { scenarioNamed } from '../../support/orders';
import { callOperation } from '../../support/service-accounts';
import { loadStack, stackDirectory } from '../../../dev/testbed/loaded-stack';
import type { Resource } from '../../support/stack';
import { until } from '../../../dev/testbed/waiting';
import { describeInBrowser } from '../../ui/describe-in-browser';
import { faultsInEveryLook } from '../../ui/looks';
import { placeClaimedOrder, proposeRefund, type ClaimedOrder } from './after-the-sale';
import { useOfficeBrowser, type OfficePage } from './office-page';

const database = useDatabase();
const browser = useOfficeBrowser();
const client = useClient(database, { USD: 1_000 });
let order: Resource;
/** An order with a refunded unit, a replaced one and an open claim. */
let claimed: ClaimedOrder;
let proposal: number;

/** The pages of the navigation, with the operation that a role needs. */
const places = [
  ['', 'Today', undefined],
  ['attention', 'Attention', 'attention'],
  ['approvals', 'Approvals', 'approvals list'],
  ['orders', 'Orders', 'orders find'],
  ['claims', 'Claims', 'claims list'],
  ['clients', 'Clients', 'clients list'],
  ['money-in', 'Money in', 'bank entries'],
  ['catalogue', 'Catalogue', 'products list'],
  ['stopped', 'What is stopped', 'products stopped'],
  ['suppliers', 'Suppliers', 'suppliers list'],
  ['reports', 'Reports', 'reports margin'],
  ['books', 'Books', 'books show'],
  ['audit', 'Audit', 'audit list'],
  ['people', 'People', 'people list'],
  ['service', 'Service', 'maintenance list'],
  ['operations', 'Operations', undefined],
] as const;

/** Names of operations, which people do not type. A sentence can have the words, too. */
const commands = operations.map(({ name }) => name).filter((name) => name.includes(' '));
const commandsIn = (text: string) =>
  commands.filter((name) => new RegExp(String.raw`(^|[^\w ] ?)${name}($|[^\w])`, 'm').test(text));

const mayUse = (role: Role, name: string | undefined) =>
  name === undefined || operations.some((each) => each.name === name && each.roles.includes(role));

/** The names that buttons of different operations share, and the buttons in rows that do not name their row. */
async function ambiguous(page: OfficePage['page']): Promise<string[]> {
  const buttons = await page.evaluate<[name: string, operation: string, isNamed: boolean][]>(
    `[...document.querySelectorAll('main button[data-operation]')].map((button) => [
      button.ariaLabel ?? button.textContent,
      button.dataset.operation,
      button.ariaLabel !== null || button.closest('tbody') === null,
    ])`,
  );
  const shared = buttons.filter(([name, operation]) =>
    buttons.some(([other, its]) => other === name && its !== operation),
  );
  return [...shared, ...buttons.filter(([, , isNamed]) => !isNamed)].map(
    ([name, operation]) => `${operation}: ${name}`,
  );
}

describeInBrowser('The back office', () => {
  beforeAll(async () => {
    const { path, body } = scenarioNamed('voucher_instant');
    order = (await client.api.post<Resource>(path, body)).body;
    claimed = await placeClaimedOrder(client.api);
    proposal = await proposeRefund(order.id);
  });
  afterAll(() => sql(database)`DELETE FROM approval_rules`);

  test.each(roles)('When a %s opens every page, then it shows what the role may see, without a fault', async (role) => {
    const office = await browser.as(role);
    const open = places.filter(([, , needed]) => mayUse(role, needed));
    const links = await office.page.locator('.top nav a').allTextContents();
    expect(links).toEqual(open.map(([, title]) => title));
    const addresses = [
      ...open.map(([address]) => address),
      `orders/${order.id}`,
      `orders/${claimed.id}`,
      `orders/${claimed.replacement}`,
      `claims/${claimed.openClaim}`,
      `approvals/${proposal}`,
      `clients/${client.id}`,
      'suppliers/simulator',
      'operations/orders/show',
      'search',
    ];
    for (const address of addresses) {
      await office.open(address);
      const shown = await office.page.getByRole('main').innerText();
      expect([address, commandsIn(shown)]).toEqual([address, []]);
      expect([address, await office.page.getByRole('alert').allTextContents()]).toEqual([address, []]);
      expect([address, await ambiguous(office.page)]).toEqual([address, []]);
      expect([address, await faultsInEveryLook(office.page)]).toEqual([address, []]);
    }
  });

  test('When a browser opens a page for the first time, then it loads at most 110 KB', async () => {
    const { context, page } = await browser.as('admin');
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    let bytes = 0;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
    await page.goto(`${loadStack().ops_url}/office/operations`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(110_000);
    await context.close();
  });

  test('When the cost of orders is unknown, then Today says so with the margin, unless the role sees no margins', async () => {
    const unknown = /cost unknown \(USD\)|without \d+ of unknown cost/;
    const shownTo = async (role: Role) => {
      const office = await browser.as(role);
      const text = await office.page.getByRole('main').innerText();
      await office.close();
      return text;
    };
    expect(await shownTo('viewer')).toMatch(unknown);
    expect(await shownTo('support')).not.toMatch(unknown);
  });

  test('When a role may not open a page, then its address says so and reads nothing', async () => {
    const office = await browser.as('viewer');
    const called: string[] = [];
    office.page.on('request', (request) => {
      if (request.method() === 'POST') called.push(new URL(request.url()).pathname);
    });
    await office.open('people');
    expect(await office.page.getByRole('main').innerText()).toContain('Your role does not open this page.');
    expect(called).toEqual([]);
    await office.open('operations/wallets/fund');
    expect(await office.page.getByRole('main').innerText()).toContain('Your role has no such operation');
  });

  const subjectOf = ({ name }: { name: string }) => name.split(' ', 1).join();

  test.each([...new Set(operations.map(subjectOf))])(
    'When an admin opens the operations of "%s", then each form has a field for each argument, or a page replaces it',
    async (subject) => {
      const office = await browser.as('admin');
      for (const operation of operations.filter((each) => subjectOf(each) === subject)) {
        await office.open(`operations/${operation.name.replaceAll(' ', '/')}`);
        const fields = await office.page.locator('main .field').count();
        // A form that begins with present values asks for its subject first.
        const asked = operation.present?.subject ?? Object.keys(operation.arguments);
        const isFormless = formless.includes(operation.name);
        expect([operation.name, fields]).toEqual([operation.name, isFormless ? 0 : asked.length]);
        if (!isFormless) continue;
        await office.page.getByRole('main').getByRole('link', { name: 'The page of this list' }).click();
        await office.settled();
        const text = await office.page.getByRole('main').innerText();
        expect([operation.name, /no page|not open/.test(text)]).toEqual([operation.name, false]);
      }
    },
  );

  test('When a person works with the keyboard alone, then every control is reached in sequence and shows the focus', async () => {
    const office = await browser.as('admin');
    const { page } = office;
    for (const address of ['', 'attention', `orders/${order.id}`, 'operations/wallets/fund']) {
      await office.open(address);
      // No poll is answered: it could add a control that is already behind the focus.
      await page.route('**/ops/v1/**', () => undefined);
      const controls = page.locator(':is(a, button, input, select, textarea, summary):visible:enabled');
      const unseen = new Set<string>();
      await page.evaluate('document.activeElement.blur()');
      // Twice around: the answer to an earlier poll can add controls behind the focus. Each table can be scrolled, and so has the focus,
      // too. A field of a date shows it at the part that has it.
      for (let step = 2 * (await controls.count()) + 40; step > 0; step--) {
        await page.keyboard.press('Tab');
        const [tag, outline] = await page.evaluate<[string, string]>(
          `(({ dataset, outerHTML, type }) => {
            dataset.reached = '';
            return [outerHTML.slice(0, 80), type === 'date' ? 'solid' : getComputedStyle(document.activeElement).outlineStyle];
          })(document.activeElement)`,
        );
        if (outline === 'none' && !tag.startsWith('<body')) unseen.add(tag);
      }
      const missed = await controls.and(page.locator(':not([data-reached])')).allInnerTexts();
      expect([address, missed, [...unseen]]).toEqual([address, [], []]);
      await page.unroute('**/ops/v1/**');
    }
    await office.open('orders');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
  });

  test('When a person opens a form with the keyboard, then the focus stays in it and returns with Escape', async () => {
    const office = await browser.as('admin', { at: `clients/${client.id}` });
    const { page } = office;
    // Behind the last control, the browser's own ones have the focus, and the body stands for them.
    const isInside = () => page.evaluate<boolean>('document.activeElement.matches("body, dialog[open] *")');
    const wallets = page.getByRole('region', { name: 'Wallets', exact: true });
    await wallets.getByRole('button', { name: 'More actions', exact: true }).focus();
    for (const key of ['Enter', 'ArrowDown']) await page.keyboard.press(key);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Adjust');
    await page.keyboard.press('Enter');
    for (const label of ['Amount in USD', 'Reason']) {
      await office.dialog.getByLabel(label, { exact: true }).focus();
      await page.keyboard.type('12');
    }
    for (let step = 0; step < 12; step++) {
      await page.keyboard.press('Tab');
      expect(await isInside()).toBe(true);
    }
    await page.keyboard.press('Escape');
    await office.dialog.waitFor({ state: 'detached' });
    const focused = () => page.evaluate<string>('document.activeElement.ariaLabel');
    await until('the focus', async () => (await focused()) === 'More actions');
  });

  test('When a person searches, then the order is found, and the value is in no address', async () => {
    const office = await browser.as('support');
    const search = office.page.getByRole('search').getByRole('combobox');
    await search.fill(String(order.id));
    await office.page.keyboard.press('Enter');
    await office.page
      .getByRole('link', { name: `Order ${order.id}` })
      .first()
      .click();
    await office.heading(`Order ${order.id}`).waitFor();
    expect(office.page.url()).toMatch(new RegExp(`/office/orders/${order.id}$`));
    await office.page.goBack();
    expect(office.page.url()).toMatch(/\/office\/search$/);
    await search.fill(client.credentials.api_key);
    await office.page.keyboard.press('Enter');
    await office.page.locator(`main a[href$="/clients/${client.id}"]`).waitFor();
    await office.page.goBack();
    await office.page
      .getByRole('link', { name: `Order ${order.id}` })
      .first()
      .waitFor();
  });

  test('When a person presses / and types the beginning of a name, then a suggestion leads to its page', async () => {
    const [owner] = await sql(database)<{ name: string }>`SELECT name FROM clients WHERE id = ${client.id}`;
    const name = String(owner?.name);
    const office = await browser.as('viewer');
    const { page } = office;
    await page.locator('main').focus();
    await page.keyboard.press('/');
    await page.keyboard.type(name.slice(0, -1).toUpperCase());
    const suggestions = page.getByRole('search');
    await suggestions.getByRole('group', { name: 'Clients' }).getByRole('option', { name }).waitFor();
    await suggestions.getByText('1 suggestion. The arrow keys choose.').waitFor();
    expect(await office.faults()).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await office.heading(name).waitFor();
    expect(await suggestions.getByRole('option').count()).toBe(0);
    await suggestions.getByRole('combobox').fill('no-such-thing');
    await suggestions
      .locator('.suggestions')
      .getByText(
        'Enter also looks for references, and for the ids of events, and of order requests of the last 30 days.',
      )
      .waitFor();
    expect(await office.faults()).toEqual([]);
  });

  test('When a person presses keys, then ? shows them, g opens a page, and j and k move through its rows', async () => {
    const office = await browser.as('viewer');
    const { page } = office;
    await page.locator('main').focus();
    await page.keyboard.press('?');
    await office.dialog.getByText('Next row').waitFor();
    expect(await office.faults()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await office.heading('Orders').waitFor();
    await page.locator('tbody tr').nth(1).waitFor();
    const focused = () => page.evaluate<string>('document.activeElement.textContent');
    const ids = await page.locator('tbody tr td[data-column="ID"]').allTextContents();
    for (const [key, row] of [
      ['j', 0],
      ['j', 1],
      ['k', 0],
    ] as const) {
      await page.keyboard.press(key);
      expect(await focused()).toBe(ids[row]);
    }
    await page.keyboard.press('Enter');
    await office.heading(`Order ${ids[0]}`).waitFor();
  });

  test('When a person chooses the columns of the orders, then the list has them, also when it is opened again', async () => {
    const office = await browser.as('viewer', { at: 'orders' });
    const { page } = office;
    const captions = () => page.getByRole('columnheader').allTextContents();
    expect(await captions()).toContain('Placed at');
    await office.button('Columns').click();
    await page.getByLabel('Placed at', { exact: true }).uncheck();
    await page.getByLabel('Quantity', { exact: true }).check();
    const chosen = await captions();
    expect(chosen).toContain('Quantity');
    expect(chosen).not.toContain('Placed at');
    await office.open('orders');
    expect(await captions()).toEqual(chosen);
  });

  test('When an order, a client or a list is read on a phone, then it takes at most eight screens', async () => {
    const phone = await browser.as('admin', { width: 375 });
    for (const address of [`orders/${claimed.id}`, `clients/${client.id}`, 'orders', 'clients', 'audit']) {
      await phone.open(address);
      const height = await phone.page.evaluate<number>('document.documentElement.scrollHeight');
      expect([address, height < 8 * 860]).toEqual([address, true]);
    }
  });

  test('When a person opens Yesterday, then its charts stand beside those of a week before, each with its table', async () => {
    const office = await browser.as('viewer');
    const { page } = office;
    await page.getByRole('link', { name: 'Yesterday' }).click();
    await office.heading('Yesterday').waitFor();
    await office.settled();
    const chart = page.getByRole('figure').filter({ hasText: 'Ended orders' });
    await chart
      .getByRole('img', { name: /^Ended orders\. \d+, beside \d+ in the same hours a week before\.$/ })
      .waitFor();
    await chart.getByText('As a table').click();
    expect(await chart.getByRole('row').count()).toBe(25);
    expect(await office.faults()).toEqual([]);
  });

  test('When the products of all families fill a list, then its end adds those behind the last row', async () => {
    const mark = newMark();
    const products = Array.from({ length: 60 }, (_, index) => voucherProduct(`Page ${mark} ${index}`));
    const file = { name: 'catalogue.json', text: JSON.stringify({ supplier: 'simulator', voucherProducts: products }) };
    const imported = { file, reason: 'more than a page' };
    expect(await callOperation(stackDirectory().operatorToken(), 'catalogue import', imported)).toMatchObject({
      status: 200,
    });
    const listed = await ops`products list --limit 51`;
    const office = await browser.as('viewer', { at: 'catalogue' });
    const list = office.page.getByRole('region', { name: 'Products', exact: true });
    const names = () => list.locator('tbody tr').getByRole('link').allInnerTexts();
    expect((await names())[0]).toBe(listed[0]?.['name']);
    await list.getByRole('button', { name: 'Show more' }).scrollIntoViewIfNeeded();
    await list.getByRole('link', { name: String(listed[50]?.['name']), exact: true }).waitFor();
    expect(await names()).toEqual(expect.arrayContaining(listed.map(({ name }) => name)));
    expect(await office.page.getByRole('alert').allTextContents()).toEqual([]);
  });

  test('When a person saves the attention list as CSV, then the file has the rows of the present filters', async () => {
    const other = await newClient(database, { USD: 1_000 });
    const { path, body } = scenarioNamed('voucher_needs_operator');
    const waiting = [client, other].map(({ api }) => api.post<Resource>(path, body));
    const [, wanted] = (await Promise.all(waiting)).map(({ body: placed }) => placed.id);
    for (const { id } of [client, other])
      await until('the entry', async () => (await ops`attention --client ${id}`).length > 0);
    const office = await browser.as('viewer', { at: 'attention' });
    await office.page.getByText('Filter and sort').click();
    await office.page.getByLabel('Client', { exact: true }).fill(String(other.id));
    await office.button('Apply').click();
    await office.page.getByText('Filter and sort (1)').waitFor();
    await office.settled();
    const download = office.page.waitForEvent('download');
    await office.button('CSV').click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('attention.csv');
    const saved = readFileSync(await file.path(), 'utf8');
    // The byte order mark, by which spreadsheets know UTF-8.
    expect(saved).toMatch(/^\ufeffid,kind,order_id,client,/);
    const [, ...entries] = saved.trim().split(/\r?\n/);
    expect(entries).toEqual([expect.stringContaining(`,OUTCOME_UNKNOWN,${wanted},`)]);
  });

  test('When a person chooses a heading of a list that has no pages, then its rows are sorted by it, up and down', async () => {
    const office = await browser.as('viewer', { at: 'service' });
    const list = office.page.getByRole('region', { name: 'Schedules', exact: true });
    const names = () => list.locator('tbody td[data-column="Schedule"]').allTextContents();
    const asListed = await names();
    const up = [...asListed].sort();
    const heading = list.getByRole('columnheader', { name: 'Schedule' });
    await heading.getByRole('button').click();
    expect([await names(), await heading.getAttribute('aria-sort')]).toEqual([up, 'ascending']);
    await heading.getByRole('button').click();
    expect([await names(), await heading.getAttribute('aria-sort')]).toEqual([up.toReversed(), 'descending']);
    await heading.getByRole('button').click();
    expect(await names()).toEqual(asListed);
    await office.close();
    const phone = await browser.as('viewer', { at: 'service', width: 375 });
    await phone.page.getByLabel('Sort by').first().selectOption('Schedule ↓');
    expect(await phone.page.locator('tbody td[data-column="Schedule"]').allTextContents()).toEqual(up.toReversed());
  });

  test('When an admin filters and sorts people, then the list and its file have those people, in that sequence', async () => {
    const mark = newMark();
    for (const name of ['Cleo', 'Ann', 'Bob'])
      await ops`people invite ${name}.${mark}@goods.example --name ${name} --role viewer`;
    const office = await browser.as('admin', { at: 'people' });
    const list = office.page.getByRole('region', { name: 'People', exact: true });
    await list.getByText('Filter and sort').click();
    await list.getByRole('combobox', { name: 'State', exact: true }).selectOption('INVITED');
    await list.getByLabel('Search', { exact: true }).fill(mark);
    await list.getByLabel('Sort', { exact: true }).selectOption('name');
    await list.getByRole('button', { name: 'Apply' }).click();
    await list.getByText('Filter and sort (3)').waitFor();
    await office.settled();
    expect(await list.locator('tbody td[data-column="Name"]').allTextContents()).toEqual(['Ann', 'Bob', 'Cleo']);
    const saved = office.page.waitForEvent('download');
    await list.getByRole('button', { name: 'CSV' }).click();
    const lines = readFileSync(await (await saved).path(), 'utf8')
      .trim()
      .split(/\r?\n/);
    expect(lines.map((line) => line.split(',')[1])).toEqual(['name', 'Ann', 'Bob', 'Cleo']);
    await list.getByLabel('Search', { exact: true }).fill('no such person');
    await list.getByRole('button', { name: 'Apply' }).click();
    await list.getByText('Nothing is listed.').waitFor();
    const empty = office.page.waitForEvent('download');
    await list.getByRole('button', { name: 'CSV' }).click();
    expect(readFileSync(await (await empty).path(), 'utf8').trim()).toBe(lines[0]);
  });

  test('When a person sorts the attention list by amount, then the largest one comes first', async () => {
    const other = await newClient(database, { USD: 1_000 });
    const { path, body } = scenarioNamed('voucher_needs_operator');
    for (const quantity of [1, 3, 2]) await other.api.post<Resource>(path, { ...body, quantity });
    const listed = () => ops`attention --client ${other.id} --kind OUTCOME_UNKNOWN`;
    await until('the entries', async () => (await listed()).length === 3);
    const office = await browser.as('viewer', { at: 'attention' });
    await office.page.getByText('Filter and sort').click();
    await office.page.getByLabel('Client', { exact: true }).fill(String(other.id));
    await office.page.getByLabel('Kind', { exact: true }).selectOption('OUTCOME_UNKNOWN');
    await office.page.getByLabel('Sort', { exact: true }).selectOption('amount');
    await office.button('Apply').click();
    await office.page.getByText('Filter and sort (3)').waitFor();
    await office.settled();
    const amounts = await office.page.locator('[data-entry] .number').allTextContents();
    expect(amounts).toHaveLength(3);
    const numbers = amounts.map((amount) => Number.parseFloat(amount));
    expect(numbers).toEqual([...numbers].sort((one, next) => next - one));
  });

  test('When the keys of a client are filtered on its page, then those of the state are listed', async () => {
    const own = await newClient(database, { USD: 10 });
    await ops`keys revoke ${own.credentials.api_key}`;
    const [made] = await ops`keys create ${own.id} --label "shop server"`;
    const office = await browser.as('admin', { at: `clients/${own.id}` });
    const list = office.page.getByRole('region', { name: 'API keys', exact: true });
    const keys = list.locator('tbody td[data-column="API key"]');
    expect(await keys.count()).toBe(2);
    await list.getByText('Filter and sort').click();
    await list.getByLabel('State', { exact: true }).selectOption('ACTIVE');
    await list.getByRole('button', { name: 'Apply' }).click();
    await list.getByText('Filter and sort (1)').waitFor();
    await office.settled();
    expect(await keys.allTextContents()).toEqual([String(made?.['api_key'])]);
  });

  test('When an admin limits the calls of a client, then the audit finds the change by its object and by what was done', async () => {
    const own = await newClient(database, { USD: 10 });
    await ops`clients set ${own.id} --group walk-ins`;
    const office = await browser.as('admin');
    await office.operate('clients set', { Client: String(own.id), Reads: '50' }, 'Change the account');
    await office.open('audit');
    const list = office.page.getByRole('region', { name: 'Entries', exact: true });
    await list.getByText('Filter and sort').click();
    // The menu of columns has the same labels.
    const filters = list.locator('form.arguments');
    await filters.getByLabel('Object', { exact: true }).selectOption('Client');
    await filters.getByLabel('Number or name').fill(String(own.id));
    await filters.getByLabel('Command', { exact: true }).selectOption('Clients: set');
    await list.getByRole('button', { name: 'Apply' }).click();
    await list.getByText('Filter and sort (2)').waitFor();
    await list.getByText(`Client ${own.id}`, { exact: true }).first().waitFor();
    await office.settled();
    expect(await list.locator('tbody td[data-column="Changed"]').allTextContents()).toEqual([
      expect.stringContaining('reads 50'),
      'Client group: walk-ins',
    ]);
  });

  test('When the session ends, then the open page leads to the sign-in and back', async () => {
    const office = await browser.as('viewer', { at: 'attention' });
    await office.context.clearCookies();
    await office.page.getByRole('link', { name: 'Orders', exact: true }).click();
    await office.page.waitForURL(/\/identity\/sign-in\?next=%2Foffice%2Forders/);
  });

  test('When the session ends while a person fills in a form, then the form stays', async () => {
    const office = await browser.as('support', { at: 'operations/orders/cancel' });
    await office.page.getByLabel('Order', { exact: true }).fill(String(order.id));
    const reason = office.page.getByLabel('Reason', { exact: true });
    await reason.fill('The client asked for it');
    const cookies = await office.context.cookies();
    await office.context.clearCookies();
    await office.button('Continue').click();
    await office.page.getByRole('alert').getByText('Your session has ended.').waitFor();
    expect(await reason.inputValue()).toBe('The client asked for it');
    await office.context.addCookies(cookies);
    await office.button('Continue').click();
    await office.page.getByRole('alert').getByText(`Order ${order.id} is `).waitFor();
  });
});
