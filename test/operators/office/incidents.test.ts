/** The incidents of the runbook, ended in the browser by the roles that it names. docs/operators/runbook.md. */
import { callControl } from '../../../dev/stack/controls';
import { reportHeldChanges } from '../../../src/data/catalogue/offer-review';
import { rows } from '../../../src/data/database/database';
import { sql } from '../../../dev/testbed/sql';
import { raiseAttention } from '../../../src/data/attention/attention';
import { reportUndeliverable } from '../../../src/data/orders/order-mails';
import { reviewHeldRates, reviewRateCircles } from '../../../src/ordering/maintenance/rate-review';
import type { SupplierOffer } from '../../../src/domain/prices/supplier-catalogue';
import { importProducts, newMark, voucherProduct } from '../../support/catalogue';
import { newClient, useClient, useDatabase } from '../../support/clients';
import { ops, runOps } from '../../support/operator';
import { callerAt } from '../../support/from-address';
import { ended, orderOf, ordersPath, place, reached, scenarioNamed, type VoucherOrder } from '../../support/orders';
import { balanceOf, boughtFor, kindsMovedBy } from '../../support/records';
import type { Json } from '../../support/stack';
import { loadStack } from '../../../dev/testbed/loaded-stack';
import { until } from '../../../dev/testbed/waiting';
import { describeInBrowser } from '../../ui/describe-in-browser';
import { faultsInEveryLook } from '../../ui/looks';
import type { Role } from '../../../src/domain/operators/roles';
import { timeAt } from '../../../src/domain/time';
import * as incidents from '../incidents';
import { useOfficeBrowser, ofRow, type Filled, type OfficePage } from './office-page';

const database = useDatabase();
const browser = useOfficeBrowser();
let office: OfficePage;
const client = useClient(database, { USD: 10_000 });

const control = (path: string, body?: unknown, method = 'POST') =>
  callControl(loadStack().simulator_url, method, path, body);

const untilListed = (kind: string, of?: Parameters<typeof incidents.listed>[2]) =>
  incidents.untilListed(database, kind, of);
const untilUnlisted = (kind: string, of?: Parameters<typeof incidents.listed>[2]) =>
  incidents.untilUnlisted(database, kind, of);

/** Opens the attention list. Returns the card of the entry. */
async function entryOf(id: number, of = office) {
  await of.open('attention');
  return of.page.locator(`li[data-entry="${id}"]`);
}

/** The button among the actions of an object's page. */
const actionOn = (of: OfficePage, button: string) =>
  of.page.getByRole('group', { name: 'Actions' }).getByRole('button', { name: button, exact: true });

/** Opens the order's page. Returns the button with this text. */
async function onOrder({ id }: Pick<VoucherOrder, 'id'>, button: string, of = office) {
  await of.open(`orders/${id}`);
  return actionOn(of, button);
}

/** The row of a list of the page that has this text. */
const rowIn = (of: OfficePage, list: string, text: string | RegExp) =>
  of.page.getByRole('region', { name: list }).getByRole('row').filter({ hasText: text });

/** Works with the pages as a person of this role. */
async function actingAs(role: Role, work: (own: OfficePage) => Promise<void>): Promise<void> {
  await work(await browser.as(role));
}

/** A statement of the stack's account for dollars, in Latin-1. */
function statementOf(lines: readonly string[], id = 'A'): Buffer {
  const sum = lines.join().includes(':61:261127RC') ? 'D261127USD70,' : 'C261126USD70,';
  const fields = [`:20:${id}`, ':25:GB33BUKB20201555555555', ':28C:1', ':60F:C261125USD0,', ...lines, `:62F:${sum}`];
  return Buffer.from(fields.join('\r\n').replace('Mueller', 'Müller'), 'latin1');
}

/** Drops the file on the page, as a person does with a mouse. */
async function dropOn({ page }: OfficePage, content: Buffer): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    // In the browser.
    `(() => { const transfer = new DataTransfer(); transfer.items.add(new File([Uint8Array.from(${JSON.stringify([...content])})], 'bank.sta')); return transfer; })()`,
  );
  await page.dispatchEvent('.drop', 'drop', { dataTransfer });
}

describeInBrowser('When a case of the runbook is ended in the browser', () => {
  beforeAll(async () => void (office = await browser.as('support')));

  test('then orders of a supplier that was down are retried from its page (#supplier-down)', async () => {
    await control('outage', { seconds: 3_600 });
    const order = await place(client.api, orderOf('voucher_instant'));
    expect(order.status).toBe('PENDING');
    await control('outage', { seconds: 0 });
    await office.open('suppliers/simulator');
    await office.act(office.button('Retry its open orders'), { 'Reason (optional)': 'The outage is over' }, 'Retry');
    await office.outcome();
    expect(await ended(client.api, order.id)).toMatchObject({ status: 'DELIVERED' });
  });

  test('then the orders of a blocked account are retried from its incident (#account-blocked)', async () => {
    await control('account', { blocked: true });
    const order = await place(client.api, orderOf('voucher_instant'));
    await untilListed('SUPPLIER_BLOCKED', { order: order.id });
    await untilListed('ACCOUNT_BLOCKED', { supplier: 'simulator' });
    await office.open('attention');
    const incident = office.page.locator('[data-incident="simulator"]');
    await incident.getByText('It hits').waitFor();
    await control('account', { blocked: false });
    await office.act(incident.getByRole('button', { name: 'Retry', exact: true }), {}, 'Retry');
    await office.outcome();
    expect(await ended(client.api, order.id)).toMatchObject({ status: 'DELIVERED' });
    await untilUnlisted('SUPPLIER_BLOCKED', { order: order.id });
  });

  test('then an order for which nothing was bought is cancelled from its page (#stuck-order)', async () => {
    await control('behaviour', { sku: 'SIM-GC-COFFEE-US', modes: { busy: {} } }, 'PUT');
    const order = await place(client.api, orderOf('voucher_instant'));
    const cancel = await onOrder(order, 'Cancel');
    const preview = await office.act(cancel, { Reason: 'Client asked for it' }, 'Cancel the order');
    expect(preview).toContain(`order ${order.id}`);
    await office.outcome();
    await control('behaviour', undefined, 'DELETE');
    expect(await reached(client.api, order.id, 'CANCELLED')).toMatchObject({ refunded_amount: 9.8 });
  });

  test('then an order of unknown outcome is delivered with goods that a person enters (#unknown-outcome)', async () => {
    const order = await place(client.api, orderOf('voucher_needs_operator'));
    await untilListed('OUTCOME_UNKNOWN', { order: order.id });
    const goods = {
      'Deliver goods by hand': true,
      Code: `OFFICE-${order.id}`,
      PIN: '0042',
      Reason: 'Goods by mail, ticket 992',
    } as const;
    const effect = await office.act(await onOrder(order, 'Resolve'), goods, 'Deliver');
    expect(effect).toContain(`order ${order.id}`);
    expect(effect).not.toContain(`OFFICE-${order.id}`);
    await office.outcome();
    expect(await reached(client.api, order.id, 'DELIVERED')).toMatchObject({
      vouchers: [{ card_number: `OFFICE-${order.id}`, pin_code: '0042' }],
    });
  });

  test('then an order with unusable goods fails and is refunded (#unknown-outcome)', async () => {
    await control('behaviour', { modes: { unreadable_units: [1] } }, 'PUT');
    const order = await place(client.api, orderOf('voucher_instant'));
    await untilListed('OUTCOME_UNKNOWN', { order: order.id });
    const fields = { 'The goods cannot be used: refund': true, Reason: 'No correction, ticket 993' } as const;
    await office.act(await onOrder(order, 'Resolve'), fields, 'Refund the units');
    await office.outcome();
    await control('behaviour', undefined, 'DELETE');
    expect(await reached(client.api, order.id, 'FAILED')).toMatchObject({ refunded_amount: 9.8 });
  });

  test('then goods that no order waits for are settled from their entry (#late-goods)', async () => {
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

  test('then events of an endpoint that failed arrive, and a paused one continues (#endpoint-dead, #endpoint-paused)', async () => {
    const { owner, receiver, endpoint } = await incidents.failingEndpoint(database);
    receiver.answer = () => 204;
    await office.open(`clients/${owner.id}`);
    const row = office.page.getByRole('region', { name: 'Webhook endpoints' }).getByRole('row').nth(1);
    const run = async (button: string) => {
      await office.closeMessage();
      await office.act(await ofRow(row, button), {}, button);
      await office.outcome();
    };
    await office.press(await ofRow(row, 'Retry'));
    expect(await office.outcome()).toContain(receiver.url.replace(/value$/, '…'));
    await receiver.untilTaken(1);
    await run('Pause');
    await untilListed('ENDPOINT_PAUSED', { endpoint });
    await run('Resume');
    await untilUnlisted('ENDPOINT_PAUSED', { endpoint });
    receiver.close();
  });

  test('then an email that the mail server rejected is sent again (#mail-down)', async () => {
    const email = `incident-${client.id}@customer.example`;
    const order = await place(client.api, orderOf('voucher_instant', { email }));
    await ended(client.api, order.id);
    const mailedAt = () => incidents.mailedAt(database, order.id);
    await until('the first mail', mailedAt);
    await sql(database)`UPDATE orders SET mailed_at = NULL WHERE id = ${order.id}`;
    await reportUndeliverable(database, order.id);
    await office.press(await onOrder(order, 'Resend the email'));
    expect(await office.outcome()).toBe(`The mail of order ${order.id} went to i…@customer.example.`);
    expect(await mailedAt()).toBeDefined();
    expect(await incidents.listed(database, 'MAIL_UNDELIVERABLE', { order: order.id })).toBeUndefined();
  });

  test('then a task of maintenance that failed runs again (#maintenance-failing)', async () => {
    await office.open('service');
    const row = office.page.getByRole('row', { name: /^Suppliers / });
    await office.act(row.getByRole('button', { name: 'Run now' }), {}, 'Run now');
    expect(await office.outcome()).toContain('maintenance-suppliers');
  });

  test('then a paused supplier is resumed from its page (#supplier-paused)', async () => {
    await ops`suppliers pause simulator --reason "It delivers used codes"`;
    const paused = { supplier: 'simulator' };
    const { id } = await untilListed('SUPPLIER_PAUSED', paused);
    await actingAs('catalogue', async (own) => {
      expect(await (await entryOf(id, own)).innerText()).toContain('It delivers used codes');
      await own.open('suppliers/simulator');
      await own.act(actionOn(own, 'Resume'), { Reason: 'Repaired, ticket 4715' }, 'Resume');
      await own.outcome();
      await actionOn(own, 'Pause').waitFor();
      expect(await actionOn(own, 'Resume').count()).toBe(0);
    });
    await untilUnlisted('SUPPLIER_PAUSED', paused);
  });

  test('then a stopped sale is sold again from its page (#stopped-sales)', async () => {
    await ops`products stop --country BV --reason "A wrong price"`;
    await untilListed('SALES_STOPPED');
    await actingAs('catalogue', async (own) => {
      await own.open('stopped');
      const row = rowIn(own, 'Stopped sales', 'A wrong price');
      await own.act(row.getByRole('button', { name: 'Resume' }), { Reason: 'Repaired, ticket 4733' }, 'Resume');
      expect(await own.outcome()).toContain('is sold again');
      await row.waitFor({ state: 'detached' });
    });
  });

  test('then the threshold of a low balance is set on the supplier’s page, and a payment ends the entry (#balance-low)', async () => {
    await actingAs('catalogue', async (own) => {
      await own.open('suppliers/simulator');
      const threshold = { Currency: 'USD', Threshold: '500' };
      await own.act(actionOn(own, 'Set the alert'), threshold, 'Set the alert');
      expect(await own.outcome()).toContain('below 500.00 USD');
    });
    const readBalance = async (amount: string) => {
      await control('balance', { amount });
      await office.open('service');
      const row = rowIn(office, 'Schedules', 'Suppliers');
      await office.act(row.getByRole('button', { name: 'Run now' }), {}, 'Run now');
      await office.outcome();
    };
    await readBalance('499.99');
    await untilListed('BALANCE_LOW', { supplier: 'simulator' });
    await office.open('suppliers/simulator');
    await office.page.getByText(/499\.99 USD; .*threshold 500/).waitFor();
    await readBalance('100000');
    await untilUnlisted('BALANCE_LOW', { supplier: 'simulator' });
  });

  test('then the reopening of a closed wallet credits a refund that waits for it (#refund-due)', async () => {
    const { owner, credited } = await incidents.dueRefund(database, (seconds) => control('outage', { seconds }));
    await actingAs('finance', async (own) => {
      await own.open(`clients/${owner.id}`);
      const row = rowIn(own, 'Wallets', 'USD');
      await own.act(row.getByRole('button', { name: 'Reopen' }), {}, 'Reopen');
      await own.outcome();
    });
    await credited();
  });

  test('then the second of two orders is refunded from its page, which shows why (#double-charge-claimed)', async () => {
    const { shop, twice, refunded } = await incidents.doubleCharge(database);
    await office.open(`clients/${shop.id}`);
    const newest = office.page.getByRole('region', { name: 'Newest orders' });
    await newest.getByRole('link', { name: String(twice.id), exact: true }).click();
    await office.page.getByText(`again-${shop.id}`).waitFor();
    const effect = await office.act(actionOn(office, 'Refund'), { Reason: 'DUPLICATE' }, 'Refund 9.80 USD');
    expect(effect).toContain('80.40 USD → 90.20 USD');
    expect(await office.outcome()).toContain('Refunded 9.80 USD');
    const money = office.page.getByRole('region', { name: 'Money' });
    await money.getByText('9.80 USD', { exact: true }).nth(1).waitFor();
    await actionOn(office, 'Refund').waitFor({ state: 'detached' });
    expect(await office.page.getByRole('region', { name: 'What happened' }).innerText()).toContain('duplicate');
    await refunded();
  });

  test('then 50 orders of a wrong price are refunded by a file that a second person approves (#wrong-price)', async () => {
    const { shop, text, unchanged, refunded } = await incidents.wrongPrice(database);
    await ops`${incidents.refundsNeedTwo}`;
    await actingAs('catalogue', async (own) => {
      await own.open(`clients/${shop.id}`);
      const discounts = own.page.getByRole('region', { name: 'Discounts' });
      await own.press(discounts.getByRole('button', { name: 'Set a discount' }));
      await own.pick('Product', 'Harbour Coffee');
      await own.dialog.getByLabel('Discount in percent').fill('10');
      await own.dialog.getByLabel('Reason (optional)').fill('Agreed price, ticket 4720');
      await own.dialog.getByRole('button', { name: 'Set 10 %', disabled: false }).click();
      await own.outcome();
      await rowIn(own, 'Discounts', '10').waitFor();
    });
    const imported = { File: { name: 'wrong-price.csv', text }, Reason: 'Wrong price, ticket 4720' };
    const proposed = await office.operate('refunds import', imported, 'Import');
    const [, proposal = ''] = /proposal (\d+) waits for approval by admin/.exec(proposed) ?? [];
    await unchanged();
    await actingAs('admin', async (own) => {
      const waiting = own.page.getByRole('region', { name: 'Waits for your approval' });
      await waiting.getByRole('link', { name: proposal, exact: true }).click();
      await own.page.getByText('Credits 50 refunds of 40.00 USD in all').waitFor();
      await own.act(
        own.button('Approve'),
        { 'Reason (optional)': 'Compared with the agreed price' },
        'Approve and carry out',
      );
      await own.outcome();
    });
    await refunded();
    await sql(database)`DELETE FROM approval_rules`;
    await office.open('operations/refunds/list');
    await office.button('Show').click();
    await office.page.locator('.result').getByText('wrong-price.csv').waitFor();
  });

  test('then the held orders of a stolen key are released or cancelled, and the client gets another key (#stolen-key)', async () => {
    const shop = await newClient(database, { USD: 1_000 });
    await place(shop.api, orderOf('voucher_instant'));
    const rule = {
      Kind: 'NEW_NETWORK',
      'Client (optional)': String(shop.id),
      'Orders (optional)': '2',
      Reason: 'Agreed with the client, ticket 4721',
    };
    await actingAs('finance', async (own) => {
      expect(await own.operate('spend-rules set', rule, 'Set a rule')).toContain('applies');
    });
    const thief = callerAt('127.9.8.7');
    const authorization = `Bearer ${await shop.api.accessToken()}`;
    const steal = () => thief.post<VoucherOrder>(ordersPath, orderOf('voucher_instant'), { authorization });
    const placed: VoucherOrder[] = [];
    for (let count = 0; count < 5; count++) placed.push((await steal()).body);
    const [own, ...stolen] = placed.filter(({ message }) => message === 'Under review') as [
      VoucherOrder,
      ...VoucherOrder[],
    ];
    expect(stolen).toHaveLength(2);

    let created = '';
    await actingAs('admin', async (admin) => {
      await admin.open(`clients/${shop.id}`);
      await admin.act(
        admin.button('Suspend'),
        { 'Hold its open orders, too, of which nothing is bought yet': true },
        'Suspend',
      );
      await admin.outcome();
      const row = rowIn(admin, 'API keys', shop.credentials.api_key);
      await admin.act(await ofRow(row, 'Revoke'), {}, 'Revoke');
      await admin.outcome();
      await row.getByRole('button', { name: 'Change the key' }).waitFor({ state: 'detached' });
      await admin.act(admin.button('Create a key'), {}, 'Create a key');
      created = await admin.outcome();
    });
    const entry = await entryOf((await untilListed('UNDER_REVIEW', { order: own.id })).id);
    const confirmed = { Reason: 'The client confirmed it by phone' };
    await office.act(entry.getByRole('button', { name: 'Release', exact: true }), confirmed, 'Release and buy');
    await office.outcome();
    for (const order of stolen) {
      await office.act(await onOrder(order, 'Cancel'), { Reason: 'Stolen key, ticket 4721' }, 'Cancel the order');
      await office.outcome();
    }
    await actingAs('admin', async (admin) => {
      await admin.open(`clients/${shop.id}`);
      await admin.act(admin.button('Resume'), {}, 'Resume');
      await admin.outcome();
    });

    const restored = incidents.clientWithKeyIn(created, loadStack().api_url);
    expect(await ended(restored, own.id)).toMatchObject({ status: 'DELIVERED' });
    for (const { id } of stolen) {
      expect(await reached(restored, id, 'CANCELLED')).toMatchObject({ refunded_amount: 9.8 });
      expect(await boughtFor(id)).toEqual([]);
    }
    expect((await steal()).status).toBe(403);
    await thief.close();
    expect(await kindsMovedBy(database, shop.id)).toEqual({ FUNDING: 1, ORDER: 6, REFUND: 2 });
  });

  test('then claims about invalid codes are refunded, replaced or rejected on their pages (#invalid-codes)', async () => {
    const { shop, order, text, refunded, replaced, rejected, decided } = await incidents.invalidCodes(database);
    await actingAs('catalogue', async (own) => {
      await own.open('suppliers/simulator');
      await own.act(actionOn(own, 'Pause'), { Reason: 'Invalid codes, ticket 4722' }, 'Pause');
      await own.outcome();
    });
    const decide = async (claim: number, button: string, fields: Record<string, Filled>, confirm: string) => {
      await office.open(`claims/${claim}`);
      const preview = await office.act(actionOn(office, button), fields, confirm);
      await office.outcome();
      return preview;
    };

    await ops`maintenance run maintenance`;
    const entry = await entryOf((await untilListed('CLAIM_NEW', { order: order })).id);
    await entry.getByRole('button', { name: 'Show the claims' }).click();
    await office.dialog.getByRole('button', { name: 'Show' }).click();
    await office.dialog.getByRole('link', { name: String(refunded), exact: true }).click();
    await office.page.getByText(text).waitFor();
    expect(await office.page.getByText(`order-${order}-`).count()).toBeGreaterThan(0);
    expect(await office.faults()).toEqual([]);
    await office.press(actionOn(office, 'Mark as sent'));
    await office.outcome();
    const confirmed = { Reason: 'The supplier confirms, ticket 4722' };
    const preview = await decide(refunded, 'Accept', { 'Refund it': true, ...confirmed }, 'Accept and refund');
    expect(preview).toContain(`Refunds 9.80 USD for unit 1 of order ${order}`);
    await decide(refunded, 'Record a credit', { 'Amount in USD': '9.50' }, 'Record the credit');
    await actingAs('catalogue', async (own) => {
      await own.open('suppliers/simulator');
      await own.act(actionOn(own, 'Resume'), { Reason: 'The batch is withdrawn, ticket 4722' }, 'Resume');
      await own.outcome();
    });
    await decide(replaced, 'Accept', { 'Replace it': true, ...confirmed }, 'Accept and replace');
    await decide(rejected, 'Reject', { Reason: 'Used by its holder, says the supplier' }, 'Reject the claim');

    await until(
      'the replacement',
      async () => (await shop.api.get<Json>(`/api/v1/claims/${replaced}`)).body['outcome'] === 'REPLACED',
    );
    await office.open(`orders/${order}`);
    const replacement = rowIn(office, 'Claims', 'Replaced').getByRole('link').last();
    await replacement.click();
    await office.page.getByRole('link', { name: `order ${order}`, exact: true }).waitFor();
    for (const button of ['Mark as sent', 'Accept', 'Reject']) {
      await office.open(`claims/${rejected}`);
      expect([button, await actionOn(office, button).count()]).toEqual([button, 0]);
    }
    await decided();
  });

  test('then a supplier whose orders fail is paused from its entry (#unusual-failures)', async () => {
    const failing = { supplier: 'simulator' };
    await actingAs('catalogue', async (own) => {
      // Maintenance clears the entry within a minute, because no orders fail.
      await raiseAttention(database, failing, 'FAILURES_UNUSUAL', 'OUT_OF_STOCK: 12 of 20 orders failed');
      const { id } = await untilListed('FAILURES_UNUSUAL', failing);
      const entry = await entryOf(id, own);
      const reason = { Reason: 'It rejects every order, ticket 4716' };
      await own.act(entry.getByRole('button', { name: 'Pause', exact: true }), reason, 'Pause');
      await own.outcome();
      await own.open('suppliers');
      const row = rowIn(own, 'Health and balances', 'simulator');
      await own.act(await ofRow(row, 'Resume'), { Reason: 'Repaired' }, 'Resume');
      await own.outcome();
      await row.getByRole('button', { name: 'Pause' }).waitFor();
      expect(await row.getByRole('button').allTextContents()).toEqual(['Pause', 'Set the alert']);
    });
  });

  test('then a margin rule that keeps a client from buying is removed on the page Catalogue (#margin-too-low)', async () => {
    const product = Number(scenarioNamed('voucher_instant').body['product_id']);
    await ops`margins set vouchers --product ${product} --client ${client.id} --min-margin 99 --reason test`;
    const rejected = await client.api.post(ordersPath, orderOf('voucher_instant'));
    expect(rejected.status).toBe(400);
    await actingAs('catalogue', async (own) => {
      await own.open(`catalogue/products/vouchers/${product}`);
      await own.button('Explain the route').click();
      await own.dialog.getByLabel('Amount', { exact: true }).fill('10');
      await own.dialog.getByLabel('Client', { exact: true }).fill(String(client.id));
      await own.dialog.getByRole('button', { name: 'Show' }).click();
      await own.dialog.locator('.result, .failure').waitFor();
      expect(await own.dialog.innerText()).toContain('99');
      await own.dialog.getByRole('button', { name: 'Close' }).click();
      await own.open('catalogue');
      const row = rowIn(own, 'Margins', '99');
      const removal = { Reason: 'It was a mistake', 'Permit it (optional)': true } as const;
      await own.act(row.getByRole('button', { name: 'Clear' }), removal, 'Clear');
      await own.outcome();
    });
    const order = await place(client.api, orderOf('voucher_instant'));
    expect(await ended(client.api, order.id)).toMatchObject({ status: 'DELIVERED' });
  });

  test('then a month is closed on the page Books, its journal is exported, and a line shows its parts (#month-end)', async () => {
    const month = incidents.monthToClose();
    const owner = await newClient(database, { USD: 12 });
    await database.transaction(async (transaction) => {
      await sql(database, transaction)`SET LOCAL session_replication_role = replica`;
      await sql(
        database,
        transaction,
      )`UPDATE transactions SET created_at = ${`${month}-05`}::timestamptz WHERE client_id = ${owner.id}`;
    });
    await runOps`reconcile --since ${month}-01`;
    await actingAs('finance', async (own) => {
      await own.open('books');
      const button = rowIn(own, 'Months', month).getByRole('button', { name: 'Close the month' });
      await own.act(button, { Reason: 'Month end' }, 'Close the month');
      await own.outcome();
      await own.open(`books/${month}`);
      const download = own.page.waitForEvent('download');
      await own.button('Export the journal').click();
      expect((await download).suggestedFilename()).toBe(`journal-${month}.csv`);
      const lines = own.page.getByRole('region', { name: 'Lines', exact: true });
      await lines.getByRole('link', { name: 'Funding', exact: true }).click();
      await own.heading(new RegExp(`^Books of ${month}, line \\d+$`)).waitFor();
      const parts = own.page.getByRole('region', { name: 'Parts', exact: true });
      await parts.getByRole('cell', { name: '12.00 USD', exact: true }).waitFor();
      expect(await faultsInEveryLook(own.page)).toEqual([]);
    });
  });

  test('then a rate of a circle that an earlier release allowed is raised on the page Catalogue (#circle-of-rates)', async () => {
    await database.transaction(async (transaction) => {
      await sql(database, transaction)`SET LOCAL session_replication_role = replica`;
      await sql(database, transaction)`INSERT INTO forex_rates
           VALUES ('CZK', 'HUF', 15), ('HUF', 'CZK', 0.06)`;
    });
    const isListed = async () => {
      await reviewRateCircles(database);
      return sql.has(database)`SELECT FROM attention WHERE kind = 'RATES_CIRCLE' AND cleared_at IS NULL
           AND strpos(reason, 'HUF/CZK') > 0`;
    };
    expect(await isListed()).toBe(true);
    await actingAs('finance', async (own) => {
      await own.open('catalogue');
      const given = { 'Product currency': 'HUF', 'Wallet currency': 'CZK', Rate: '0.067' };
      await own.act(own.button('Set a rate').first(), { ...given, Reason: 'Ends the circle' }, 'Set a rate');
      await own.outcome();
    });
    expect(await isListed()).toBe(false);
  });

  test('then a held rate is accepted on the page Catalogue, and a file refreshes the others (#stale-rates)', async () => {
    await sql(database)`
      INSERT INTO forex_rates (source_currency, destination_currency, rate, as_of, spread_percent, held_rate, held_as_of, held_file_day, held_reason)
       VALUES ('NOK', 'HUF', 30, now() - interval '3 days', 1, 39, now() - interval '2 days', current_date - 2, 'more than 20 %')`;
    const isHeld = async () => {
      await reviewHeldRates(database);
      return sql.has(database)`SELECT FROM attention WHERE kind = 'RATE_HELD' AND cleared_at IS NULL
           AND strpos(reason, 'NOK/HUF 39') > 0`;
    };
    expect(await isHeld()).toBe(true);
    await actingAs('finance', async (own) => {
      await own.open('catalogue');
      const row = rowIn(own, 'Rates and fees', 'NOK');
      const reason = { Reason: 'The market moved' };
      await own.act(await ofRow(row, 'Accept the held rate'), reason, 'Accept the held rate');
      await own.outcome();
      await own.open('catalogue');
      const day = timeAt(Date.now() - 86_400_000)
        .toISOString()
        .slice(0, 10);
      const file = { name: 'ecb.csv', text: `Date,NOK,HUF\n${day},10,400` };
      await own.act(own.button('Refresh'), { 'File (optional)': file }, 'Refresh');
      await own.outcome();
    });
    expect(await isHeld()).toBe(false);
    expect(
      await sql(database)`SELECT trim_scale(rate)::text AS rate FROM forex_rates
         WHERE source_currency = 'NOK'`,
    ).toEqual([{ rate: '40.4' }]);
    await sql(database)`DELETE FROM forex_rates WHERE source_currency = 'NOK'`;
  });

  test('then a transfer without reference is credited, moved to the right wallet, and debited once the bank takes one back (#transfer-without-reference, #transfer-to-the-wrong-wallet, #reversed-transfer)', async () => {
    const [wrong, right] = [await newClient(database, { USD: 10 }), await newClient(database, { USD: 10 })];
    const { name } = await sql.one(database)<{ name: string }>`SELECT name FROM clients
         WHERE id = ${wrong.id}`;
    const balances = () =>
      Promise.all([wrong, right].map((one) => balanceOf(database, one.wallets['USD'] as number).then(Number)));
    await actingAs('finance', async (own) => {
      const entries = own.page.getByRole('region', { name: 'Entries', exact: true });
      const actionOf = async (text: string, button: string) => {
        const row = entries.getByRole('row').filter({ hasText: text });
        await row.waitFor();
        return ofRow(row, button);
      };
      const importFile = async (...lines: readonly string[]) => {
        await own.open('money-in');
        await dropOn(own, statementOf(lines));
        await own.page.getByText(/ will wait for a person/).waitFor();
        await own.button('Import').click();
        await own.page.getByText(/^Imported: /).waitFor();
        await own.settled();
      };
      await importFile(':61:261126C70,NTRFNONREF//B1', ':86:166?20Thank you?32Mueller');
      await own.press(await actionOf('Müller', 'Credit'));
      await own.pick('Wallet (optional)', name);
      await own.dialog.getByRole('button', { name: 'Continue' }).click();
      expect(await own.dialog.locator('.confirm').innerText()).toContain('which will hold 80.00 USD');
      await own.dialog.getByRole('button', { name: 'Credit', exact: true }).click();
      await own.outcome();
      expect(await balances()).toEqual([80, 10]);

      await own.open(`clients/${wrong.id}`);
      const correction = {
        'The balance is too high': true,
        'Amount in USD': '70',
        Reference: `wrong-${wrong.id}`,
        Reason: 'Paid by another',
      } as const;
      await own.act(await ofRow(rowIn(own, 'Wallets', 'USD'), 'Adjust'), correction, /^Debit/);
      await own.outcome();
      await own.open(`clients/${right.id}`);
      const credit = { 'Amount in USD': '70', Reference: `right-${right.id}` };
      await own.act(await ofRow(rowIn(own, 'Wallets', 'USD'), 'Fund'), credit, /^Credit/);
      await own.outcome();
      expect(await balances()).toEqual([10, 80]);

      const unnumbered = [':61:261126C70,NTRFNONREF', ':86:166?20Gift'];
      await importFile(...unnumbered);
      await dropOn(own, statementOf(unnumbered, 'B'));
      const question = own.page.getByText(/one payment or two\?/);
      await question.getByRole('button', { name: 'It is the same payment' }).click();
      await own.page.getByText('The import keeps it as the same payment.').waitFor();
      await own.button('Import').click();
      await own.page.getByText(/^Imported: 0 new, /).waitFor();
      expect(await question.count()).toBe(0);
      await own.settled();

      await importFile(':61:261127RC70,NTRFNONREF//B2', ':86:Storno');
      await untilListed('FUNDING_REVERSED');
      // The wallet holds less than the bank took back.
      await own.press(await actionOf('Reverses credit', 'Take back'));
      await own.dialog.getByRole('button', { name: 'Continue' }).click();
      await own.dialog.locator('.result, .failure, .confirm').first().waitFor();
      expect(await own.dialog.innerText()).toContain('holds only 10.00 USD');
      await own.dialog.getByRole('button', { name: 'Close' }).click();
      await own.open(`clients/${wrong.id}`);
      const refill = { 'Amount in USD': '70', Reference: `refill-${wrong.id}` };
      await own.act(await ofRow(rowIn(own, 'Wallets', 'USD'), 'Fund'), refill, /^Credit/);
      await own.outcome();
      await own.open('money-in');
      await own.act(await actionOf('Reverses credit', 'Take back'), {}, /^Take back/);
      await own.outcome();
      expect(await balances()).toEqual([10, 80]);
    });
    await untilUnlisted('FUNDING_REVERSED');
  });

  test('then a changed offer is accepted on its page, which shows what is sold now (#offers-changed)', async () => {
    const item = voucherProduct(`Offered ${newMark()}`);
    const { sku, name } = item;
    await importProducts(database, { voucherProducts: [item] });
    await sql(database)`UPDATE product_sources SET cost_fixed = 9, cost_currency = 'USD' WHERE sku = ${sku}`;
    const terms: SupplierOffer = {
      family: 'VOUCHER',
      sku,
      name,
      country: 'USA',
      currency: 'USD',
      inputs: [],
      amounts: { min: '5', max: '500' },
      cost: { fixed: '12', fee: '0', currency: 'USD' },
    };
    const offered = await sql.one(database)<{ id: number }>`
      INSERT INTO supplier_offers (supplier, family, sku, terms, held, first_seen_at, last_seen_at, changed_at, sellable_at)
       VALUES ('simulator', 'VOUCHER', ${sku}, ${JSON.stringify(terms)}::jsonb, 'Cost: old value 9, new value 12', now(), now(), now(), now())
       RETURNING id`;
    await reportHeldChanges(database, 'simulator');
    await untilListed('OFFERS_CHANGED', { supplier: 'simulator' });
    await actingAs('catalogue', async (own) => {
      await own.open('catalogue');
      const region = own.page.getByRole('region', { name: 'Offers to decide' });
      await region.getByRole('link', { name: String(offered.id), exact: true }).click();
      await own.heading(`Offer ${offered.id}`).waitFor();
      await own.settled();
      expect(await own.page.getByRole('table').first().innerText()).toMatch(/Cost\s+9\s+12/);
      expect(await own.faults()).toEqual([]);
      const acceptance = { Reason: 'The price list of May', 'Permit it (optional)': true } as const;
      await own.act(own.button('Accept'), acceptance, 'Accept');
      await own.outcome();
      await own.page.getByText('Nothing to decide').waitFor();
      expect(await own.button('Accept').count()).toBe(0);
    });
    const cost = 'SELECT trim_scale(cost_fixed)::text AS cost FROM product_sources WHERE sku = $sku';
    expect(await rows(database, cost, { sku })).toEqual([{ cost: '12' }]);
    await untilUnlisted('OFFERS_CHANGED', { supplier: 'simulator' });
  });

  test('then the recipient of an order is revealed for a reason', async () => {
    const email = `reveal-${client.id}@customer.example`;
    const order = await place(client.api, orderOf('voucher_instant', { email }));
    await (await onOrder(order, 'Reveal the recipient')).click();
    await office.dialog.getByLabel('Reason', { exact: true }).fill('The customer called');
    await office.dialog.getByRole('button', { name: 'Reveal', exact: true }).click();
    expect(await office.outcome()).toContain(email);
    const [entry] = await ops`audit list --object order/${order.id} --command "orders reveal"`;
    expect(entry).toMatchObject({ operator: 'Pat support', door: 'PAGE', reason: 'The customer called' });
  });
});
