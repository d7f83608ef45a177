/** What people change in the back office: with a preview, a reason and an entry in the audit. docs/operators/office.md. */
import { randomUUID } from 'node:crypto';
import { rows } from '../../../src/data/database/database';
import { sql } from '../../../dev/testbed/sql';
import { newClient, useClient, useDatabase } from '../../support/clients';
import { ops } from '../../support/operator';
import { MemberBrowser } from '../../support/members';
import { scenarioNamed } from '../../support/orders';
import { Receiver, register } from '../../support/receiver';
import { loadStack } from '../../../dev/testbed/loaded-stack';
import type { Resource } from '../../support/stack';
import { until } from '../../../dev/testbed/waiting';
import { describeInBrowser } from '../../ui/describe-in-browser';
import { lockOut, wrongCodesOf } from '../../support/wrong-codes';
import { useOfficeBrowser, ofRow } from './office-page';

const database = useDatabase();
const browser = useOfficeBrowser();
const client = useClient(database, { USD: 1_000 });

const place = async (scenario: string, { api } = client) => {
  const { path, body } = scenarioNamed(scenario);
  return (await api.post<Resource>(path, body)).body;
};

describeInBrowser('In the back office', () => {
  test('When finance funds a wallet, then the page previews it first, the wallet has the money, and the audit names the page', async () => {
    const owner = await newClient(database, { USD: 1_000 });
    const office = await browser.as('finance', { at: 'operations/wallets/fund' });
    const wallet = owner.wallets['USD'];
    await office.page.getByLabel('Wallet', { exact: true }).fill(String(wallet));
    await office.page.getByLabel('Amount', { exact: true }).fill('12,5');
    await office.page.getByLabel('Reference', { exact: true }).fill(`transfer-${owner.id}`);
    await office.button('Continue').click();
    await office.page.getByText('Give a decimal number').waitFor();
    expect(await office.page.getByLabel('Amount', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    await office.page.getByLabel('Amount', { exact: true }).fill('12.50');
    await office.button('Continue').click();
    await office.page.getByText('Credits 12.50 USD').waitFor();
    const [before] = (await ops`wallets list ${owner.id}`).filter(({ id }) => id === wallet);
    expect(before?.['balance']).toBe('1000.0000');
    await office.button('Fund').click();
    await office.page.locator('.result').waitFor();
    const [after] = (await ops`wallets list ${owner.id}`).filter(({ id }) => id === wallet);
    expect(after?.['balance']).toBe('1012.5000');
    const [entry] = await ops`audit list --client ${owner.id} --command "wallets fund" --limit 1`;
    expect(entry).toMatchObject({ operator: 'Pat finance', door: 'PAGE', reason: `transfer-${owner.id}` });
  });

  test('When a change takes longer than a moment, then its dialog closes, and the page shows the change once it is made', async () => {
    const owner = await newClient(database, { USD: 5 });
    const office = await browser.as('finance', { at: `clients/${owner.id}` });
    const { page } = office;
    let answer = () => {};
    const closed = new Promise<void>((resolve) => (answer = resolve));
    await page.route(/wallets\/fund$/, (route) => closed.then(() => route.continue()));
    const wallets = page.getByRole('region', { name: 'Wallets', exact: true });
    const fields = { 'Amount in USD': ' 7 ', Reference: `closed-${owner.id}` };
    await office.act(await ofRow(wallets, 'Fund'), fields, 'Credit 7.00 USD');
    await office.dialog.waitFor({ state: 'detached' });
    await page.locator('.said.busy').waitFor();
    answer();
    await wallets.getByText('12.00', { exact: true }).first().waitFor();
  });

  test('When finance sets a rate, then the page shows the old and the new value first', async () => {
    await ops`rates set TTD JMD 23 --reason Test --force`;
    const office = await browser.as('finance', { at: 'operations/rates/set' });
    const given = { 'Product currency': 'TTD', 'Wallet currency': 'JMD', Rate: '23.5', Reason: 'Bank' };
    for (const [field, value] of Object.entries(given))
      await office.page.getByLabel(field, { exact: true }).fill(value);
    await office.button('Continue').click();
    await office.page.getByText('Rate TTD/JMD: 23 → 23.5').waitFor();
  });

  test('When a person looks for what does not exist, then the page says so, without a command', async () => {
    const office = await browser.as('finance', { at: 'suppliers/nosuch' });
    await office.page.getByText('There is no supplier "nosuch"').waitFor();
    expect(await office.page.getByRole('group', { name: 'Actions' }).count()).toBe(0);
    await office.open('operations/wallets/fund');
    for (const [field, value] of Object.entries({ Wallet: '2000000000', Amount: '1', Reference: 'none' }))
      await office.page.getByLabel(field, { exact: true }).fill(value);
    await office.button('Continue').click();
    await office.page.getByText('There is no wallet 2000000000.', { exact: true }).waitFor();
  });

  test('When finance searches for a funding, then the result links to the client with the wallet', async () => {
    const reference = `search-${client.id}`;
    await ops`wallets fund ${client.wallets['USD']} 1 --reference ${reference}`;
    const office = await browser.as('finance');
    await office.page.getByRole('search').getByRole('combobox').fill(reference);
    await office.page.getByRole('search').getByRole('combobox').press('Enter');
    const found = office.page.getByRole('link', { name: `Wallet ${client.wallets['USD']}` });
    expect(await found.getAttribute('href')).toMatch(new RegExp(`clients/${client.id}$`));
  });

  test('When finance exceeds a rule, then the form says that it is proposed, and a second person finds it on the start page and approves it', async () => {
    await ops`approval-rules set fund --currency USD --amount 100000 --roles admin --reason agreed
      --operator alice`;
    const office = await browser.as('finance', { at: 'operations/wallets/fund' });
    const given = { Wallet: String(client.wallets['USD']), Amount: '100000.01', Reference: `large-${client.id}` };
    for (const [label, value] of Object.entries(given))
      await office.page.getByLabel(label, { exact: true }).fill(value);
    await office.button('Continue').click();
    await office.page.getByText('It needs approval: by admin').waitFor();
    await office.button('Fund').click();
    const said = await office.page.locator('.result').innerText();
    const [, proposal] = /^Proposed, nothing is done yet: proposal (\d+) waits for approval by admin/.exec(said) ?? [];
    await office.open(`approvals/${proposal}`);
    await office.heading(`Proposal ${proposal}`).waitFor();
    expect(await office.button('Approve').count()).toBe(0);
    await office.close();

    const second = await browser.as('admin');
    const waiting = second.page.getByRole('region', { name: 'Waits for your approval' });
    await waiting.getByRole('link', { name: String(proposal), exact: true }).click();
    await second.heading(`Proposal ${proposal}`).waitFor();
    await second.page.getByText('Credits 100,000.01 USD').waitFor();
    expect(await second.faults()).toEqual([]);
    expect(await second.act(second.button('Approve'), {}, 'Approve and carry out')).toContain(
      'what Pat finance proposed',
    );
    expect(await second.outcome()).toBe('Approved, and carried out.');
    await second.page.getByText('Approved', { exact: true }).waitFor();
    await second.close();
    await sql(database)`DELETE FROM approval_rules`;
    const entry = { operator: 'Pat finance', approver: 'Local admin', command: 'wallets fund' };
    const audited = await ops`audit list --client ${client.id} --command "wallets fund" --limit 1`;
    expect(audited).toMatchObject([entry]);
  });

  test('When wrong codes keep people out of new browsers, then an admin unlocks a person, and support a member', async () => {
    const person = `${randomUUID()}@goods.example`;
    await ops`people invite ${person} --name Ann --role viewer`;
    await lockOut(database, 'identity_operators', person);
    const admin = await browser.as('admin', { at: 'people' });
    const said = await admin.act(
      await ofRow(admin.page.getByRole('row').filter({ hasText: person }), 'Unlock'),
      { Reason: 'Called back, ticket 4723' },
      'Unlock',
    );
    expect(said).toContain(`Forgets 30 wrong codes of the last day for ${person}`);
    expect(await admin.outcome()).toContain(`30 wrong codes for ${person} are forgotten`);
    expect(await wrongCodesOf(database, 'identity_operators', person)).toEqual([]);
    await admin.close();

    const email = `${randomUUID()}@shop.example`;
    await client.api.post('/api/v1/members', { email, name: 'Bob', role: 'viewer' });
    await MemberBrowser.signedIn(database, email);
    await lockOut(database, 'identity_members', email);
    const support = await browser.as('support', { at: `clients/${client.id}` });
    const row = support.page.getByRole('region', { name: 'Members' }).getByRole('row');
    await support.act(
      await ofRow(row.filter({ hasText: email }), 'Unlock'),
      { Reason: 'Called back, ticket 4724' },
      'Unlock',
    );
    expect(await support.outcome()).toContain(`30 wrong codes for ${email}`);
    expect((await MemberBrowser.signedIn(database, email)).cookies.size).toBeGreaterThan(0);
  });

  test('When a long operation runs, then the page shows its result', async () => {
    const office = await browser.as('finance', { at: 'service' });
    await office.button('Verify the ledger').click();
    await office.dialog.getByRole('button', { name: 'Show' }).click();
    await office.dialog.locator('.result').waitFor();
  });

  test('When an object is in a state, then it has only the buttons that the state allows', async () => {
    const owner = await newClient(database, { USD: 100 });
    const receiver = await Receiver.listen();
    const { id } = await register(owner.api, receiver);
    const office = await browser.as('admin');
    const buttonsIn = async (list: string) => {
      await office.open(`clients/${owner.id}`);
      const row = office.page.getByRole('region', { name: list }).getByRole('row').nth(1);
      const menu = row.getByRole('button', { name: 'More actions' });
      if ((await menu.count()) > 0) await menu.click();
      // "Show" opens the values that have no column.
      const texts = await row.getByRole('button').allTextContents();
      return texts.filter((text) => text !== '' && text !== 'Show');
    };
    const ofEndpoint = async (enabled: boolean, paused: boolean) => {
      await sql(database)`UPDATE webhook_endpoints SET enabled = ${enabled}, paused = ${paused}
           WHERE id = ${Number(id)}`;
      return buttonsIn('Webhook endpoints');
    };
    expect(await ofEndpoint(true, false)).toEqual(['Pause', 'Replay', 'Disable']);
    receiver.answer = () => 500;
    await place('voucher_instant', owner);
    await until('a failed delivery', async () => receiver.seen.length > 0);
    expect(await ofEndpoint(true, false)).toEqual(['Retry', 'Pause', 'Replay', 'Skip', 'Disable']);
    expect(await ofEndpoint(true, true)).toEqual(['Resume', 'Replay', 'Skip', 'Disable']);
    expect(await ofEndpoint(false, true)).toEqual(['Enable']);
    receiver.close();

    expect(await buttonsIn('Wallets')).toEqual([
      'Fund',
      'Adjust',
      'Set the credit limit',
      'Show the statement',
      'Close',
    ]);
    const own = { id: owner.id };
    await rows(database, 'UPDATE wallets SET closed_at = now() WHERE client_id = $id', own);
    expect(await buttonsIn('Wallets')).toEqual(['Show the statement', 'Reopen']);
    expect(await buttonsIn('API keys')).toEqual(['Change the key', 'Roll', 'Revoke']);
    await rows(database, 'UPDATE api_keys SET revoked_at = now() WHERE client_id = $id', own);
    expect(await buttonsIn('API keys')).toEqual([]);
  });

  test('When the second factor is too old, then the page shows where to give it, and then goes on once', async () => {
    const office = await browser.as('finance');
    const url = `${loadStack().ops_url}/identity/second-factor?session=own`;
    let isConfirmed = false;
    let funded = 0;
    await office.page.route('**/ops/v1/wallets/fund', (route) =>
      isConfirmed
        ? route.continue().then(() => void funded++)
        : route.fulfill({
            status: 403,
            json: {
              error: { name: 'ForbiddenError', code: 'SECOND_FACTOR_NEEDED', message: 'Again', confirmation_url: url },
            },
          }),
    );
    await office.open('operations/wallets/fund');
    for (const [label, value] of [
      ['Wallet', String(client.wallets['USD'])],
      ['Amount', '1'],
      ['Reference', 'second-factor'],
    ] as const)
      await office.page.getByLabel(label, { exact: true }).fill(value);
    await office.button('Continue').click();
    await office.button('Fund').click();
    expect(await office.page.getByRole('link', { name: 'Give it again' }).getAttribute('href')).toBe(url);
    isConfirmed = true;
    // A window that comes back has both events.
    await office.page.evaluate(
      "dispatchEvent(new Event('focus')); document.dispatchEvent(new Event('visibilitychange'))",
    );
    await office.page.locator('.result').waitFor();
    await office.settled();
    expect(funded).toBe(1);
    expect(await ops`audit list --client ${client.id} --command "wallets fund" --limit 1`).toMatchObject([
      { reason: 'second-factor' },
    ]);
  });
});
