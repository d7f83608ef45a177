/** Members in the console: how they sign in, what each role sees, and the pages of admins. */
import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { useClient, useDatabase } from '../support/clients';
import { MemberBrowser } from '../support/members';
import { ended, scenarioNamed } from '../support/orders';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { lockOut } from '../support/wrong-codes';
import { describeInBrowser } from '../ui/describe-in-browser';
import { faultsInEveryLook } from '../ui/looks';
import { ConsolePage, openBrowser } from './console-page';

const database = useDatabase();
let browser: Browser;
const client = useClient(database, { USD: 100 });
const opened: ConsolePage[] = [];

async function invited(role: string, owner = client): Promise<string> {
  const email = `${randomUUID()}@shop.example`;
  await owner.api.post('/api/v1/members', { email, name: 'Ann Miller', role });
  return email;
}

/** The console of a member who has signed in, on this page. */
async function consoleOf(role: string, address = ''): Promise<ConsolePage> {
  const member = await MemberBrowser.signedIn(database, await invited(role));
  const console = await ConsolePage.open(browser);
  opened.push(console);
  await console.context.addCookies(
    [...member.cookies].map(([name, value]) => ({ name, value, url: loadStack().api_url })),
  );
  await console.page.reload();
  await console.page.getByText('Live', { exact: true }).waitFor();
  await console.show(address);
  return console;
}

describeInBrowser('The console of members', () => {
  beforeAll(async () => void (browser = await openBrowser()));
  afterEach(async () => {
    for (const page of opened.splice(0)) {
      expect(page.complaints.filter((text) => !/status of 40[0149]/.test(text))).toEqual([]);
      await page.close();
    }
  });
  afterAll(() => browser?.close());

  test('When a member signs in, then the link leads to the sign-in, and back to the console', async () => {
    const console = await ConsolePage.open(browser);
    opened.push(console);
    const nextOf = async (address: string) => {
      await console.page.goto(`${loadStack().api_url}/console${address}`);
      await console.page.reload();
      await console.page.getByRole('link', { name: 'Sign in with your email address' }).click();
      await console.page.getByRole('heading', { name: 'Sign in to Digital Goods console' }).waitFor();
      return console.page.locator('input[name="next"]').getAttribute('value');
    };
    expect(await nextOf('')).toBe('/console');
    expect(await nextOf('#/orders/vouchers?client_reference=7')).toBe('/console#/orders/vouchers');
  });

  test.each([
    [
      'admin',
      ['Overview', 'Orders', 'New order', 'Prices', 'Webhooks', 'Requests', 'Scenarios', 'First steps', 'Account'],
    ],
    ['support', ['Overview', 'Orders', 'New order', 'Prices', 'Requests', 'Scenarios']],
    ['finance', ['Overview', 'Orders', 'Prices', 'Requests']],
    ['viewer', ['Overview', 'Orders', 'Prices', 'Requests']],
  ])('When a member is %s, then the pages are %j', async (role, pages) => {
    const console = await consoleOf(role);
    const links = console.page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    await console.page.getByRole('link', { name: 'Requests' }).waitFor();
    expect(await links.allInnerTexts()).toEqual(pages);
  });

  test('When an admin invites, suspends and removes a member, then the list follows', async () => {
    const console = await consoleOf('admin', 'account/members');
    const { page } = console;
    await console.button('Invite').first().click();
    const email = `${randomUUID()}@shop.example`;
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Name', { exact: true }).fill('Bob');
    await console.button('Send the invitation').click();
    const row = page.locator('tr', { hasText: email });
    await row.getByText('Invited').waitFor();
    await row.getByRole('button', { name: 'Invite again' }).click();
    await row.getByText('The invitation is sent again.').waitFor();
    await row.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'detached' });
  });

  test('When wrong codes keep a member out of new browsers, then an admin unlocks the member, who signs in again', async () => {
    const email = await invited('viewer');
    const joined = await MemberBrowser.signedIn(database, email);
    await joined.session();
    await lockOut(database, 'identity_members', email);
    const console = await consoleOf('admin', 'account/members');
    const row = console.page.locator('tr', { hasText: email });
    await row.getByRole('button', { name: 'Unlock' }).click();
    await console.page.getByRole('dialog').getByText(`The wrong codes of today for ${email}`).waitFor();
    await console.page.getByRole('dialog').getByRole('button', { name: 'Unlock' }).click();
    await row.getByText('New browsers get codes again.').waitFor();
    expect((await MemberBrowser.signedIn(database, email)).cookies.size).toBeGreaterThan(0);
  });

  test('When an admin creates a key, then its secret is shown once, and the activity names the admin', async () => {
    const console = await consoleOf('admin', 'account/access');
    const { page } = console;
    await console.button('Create a key').click();
    await page.getByLabel('Name', { exact: true }).fill('Shop');
    const scopes = page.getByRole('dialog').getByRole('checkbox', { checked: true });
    const count = await scopes.count();
    for (let left = count; left > 0; left--) await scopes.first().uncheck();
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByText('Choose at least one scope.').waitFor();
    await page.getByRole('checkbox', { name: 'read' }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByText('it is shown only this once').waitFor();
    expect(await console.fact('Secret').innerText()).toContain('dgs_');
    await console.show('account/activity');
    const entry = page.locator('tr', { hasText: 'API key created' }).first();
    await entry.waitFor();
    expect(await entry.innerText()).toContain('@shop.example');
  });

  test('When an admin filters and sorts members and keys, then the tables have those, in that sequence', async () => {
    const console = await consoleOf('admin', 'account/members');
    const { page } = console;
    const names = () => page.locator('section[aria-labelledby="members"] td[data-column="Member"]').allInnerTexts();
    await page.locator('td', { hasText: '(you)' }).waitFor();
    await page.getByRole('columnheader', { name: 'Member' }).first().getByRole('button').click();
    const sorted = (await names()).map((cell) => cell.replace(' (you)', '').replace('\n', ' '));
    expect(sorted).toEqual([...sorted].sort((one, other) => one.localeCompare(other, 'en', { numeric: true })));
    await console.openFilters();
    await page.getByRole('combobox', { name: 'Role', exact: true }).selectOption('viewer');
    // The admin is not among the viewers.
    await page.locator('td', { hasText: '(you)' }).waitFor({ state: 'detached' });
    expect(page.url()).toContain('role=viewer');
    await page.getByLabel('Name or address').fill('no such member');
    await page.keyboard.press('Enter');
    await page.getByText('No member matches.').waitFor();
    await console.show('account/access');
    await console.openFilters();
    await page.getByRole('combobox', { name: 'State', exact: true }).selectOption('REVOKED');
    await page.getByText('No key matches.').waitFor();
    await console.button('Remove the filter State: Revoked').click();
    await page.locator('td[data-column="Key"]').first().waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export all keys as CSV' }).click();
    expect((await saved).suggestedFilename()).toBe('api-keys.csv');
  });

  test('When an admin filters the activity, then it has the entries of the action', async () => {
    const console = await consoleOf('admin', 'account/activity');
    const { page } = console;
    await console.openFilters();
    await page.getByRole('searchbox', { name: 'What' }).fill('session');
    await page.keyboard.press('Enter');
    await page.waitForURL(/action=session/);
    await page.locator('td[data-column="What"]').first().waitFor();
    const actions = await page.locator('td[data-column="What"]').allInnerTexts();
    expect(actions.filter((action) => !action.toLowerCase().includes('session'))).toEqual([]);
  });

  test('When a member may only read, then the pages have no form that the service would reject', async () => {
    const { path, body } = scenarioNamed('voucher_instant');
    const { id } = (await client.api.post<{ id: number }>(path, body)).body;
    await ended(client.api, id);
    const viewer = await consoleOf('viewer');
    await viewer.page.getByText('No alert is set.').first().waitFor();
    expect(await viewer.button('Save').count()).toBe(0);
    await viewer.show(`orders/vouchers/${id}`);
    await viewer.heading('Timeline').waitFor();
    expect(await viewer.button('Report a problem').count()).toBe(0);
    const support = await consoleOf('support');
    await support.show(`orders/vouchers/${id}`);
    await support.button('Report a problem').waitFor();
  });

  test('When a removed member read codes, then the activity still names the member', async () => {
    const { body } = await client.api.post<{ id: number; email: string }>('/api/v1/members', {
      email: `${randomUUID()}@shop.example`,
      name: 'Bob',
      role: 'viewer',
    });
    await client.api.send(`/api/v1/members/${body.id}`, { method: 'DELETE' });
    const admin = await consoleOf('admin');
    await admin.show('account/activity');
    await admin.page.locator('td[data-column="Object"]', { hasText: body.email }).first().waitFor();
  });

  test('When an admin opens the pages of the account, then axe finds nothing, and none is too wide, in every look', async () => {
    const console = await consoleOf('admin');
    for (const name of ['members', 'access', 'activity']) {
      await console.show(`account/${name}`);
      await console.page.getByRole('navigation', { name: 'Account' }).waitFor();
      await console.page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => undefined);
      expect([name, await faultsInEveryLook(console.page)]).toEqual([name, []]);
    }
  });
});
