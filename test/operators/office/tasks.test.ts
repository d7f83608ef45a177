/** The tasks of a day, as the role that does each: how many clicks and fields it takes. docs/operators/office.md. */
import type { Locator } from 'playwright-core';
import { callControl } from '../../../dev/stack/controls';
import { loadStack } from '../../../dev/testbed/loaded-stack';
import { sql } from '../../../dev/testbed/sql';
import type { Role } from '../../../src/domain/operators/roles';
import { importProducts, newMark, voucherProduct } from '../../support/catalogue';
import { newClient, useClient, useDatabase } from '../../support/clients';
import { ops } from '../../support/operator';
import { ended, orderOf, place, reached, read } from '../../support/orders';
import { balanceOf } from '../../support/records';
import type { Json } from '../../support/stack';
import { accepted, topupOrders } from '../../support/variant-orders';
import { until } from '../../../dev/testbed/waiting';
import { describeInBrowser } from '../../ui/describe-in-browser';
import { failingEndpoint } from '../incidents';
import { placeClaimedOrder, proposeRefund } from './after-the-sale';
import { inRow, ofRow, useOfficeBrowser, type OfficePage } from './office-page';

const database = useDatabase();
const browser = useOfficeBrowser();
const client = useClient(database, { USD: 1_000 });

/** Does a task in an open page, and counts what the person does. */
class Steps {
  clicks = 0;
  fields = 0;

  constructor(readonly office: OfficePage) {}

  get count() {
    return { clicks: this.clicks, fields: this.fields };
  }

  async click(target: Locator | string): Promise<void> {
    this.clicks++;
    await (typeof target === 'string' ? this.office.button(target) : target).click();
  }

  /** Types a text, or chooses from a list. */
  async give(label: string | RegExp, value: string): Promise<void> {
    this.fields++;
    const inDialog = await this.office.dialog.count();
    const control = (inDialog > 0 ? this.office.dialog : this.office.page.getByRole('main')).getByLabel(label);
    if (await control.evaluate((element: { tagName: string }) => element.tagName === 'SELECT'))
      await control.selectOption(value);
    else await control.fill(value);
  }

  /** Types a part of a name, and takes the first that is found. */
  async pick(label: string, part: string): Promise<void> {
    this.fields++;
    await this.office.pick(label, part);
  }

  inDialog(label: string): Locator {
    return this.office.dialog.getByLabel(label, { exact: true });
  }
}

/** Opens a page as a person of the role, and does the task there. */
async function doing(role: Role, address: string, task: (steps: Steps) => Promise<void>): Promise<void> {
  const office = await browser.as(role, { at: address });
  await task(new Steps(office));
  expect(await office.faults()).toEqual([]);
}

async function entryOf(order: number): Promise<void> {
  await until('the entry', async () =>
    (await ops`attention --client ${client.id}`).find((entry) => entry['order_id'] === order),
  );
}

const actions = (office: OfficePage) => office.page.getByRole('group', { name: 'Actions' });
const wallet = () => client.wallets['USD'] as number;

describeInBrowser('A task of the back office', () => {
  afterEach(() => sql(database)`DELETE FROM approval_rules`);

  test('When support refunds two cards, then it takes four clicks and one field, and the sum and the balance are shown before', async () => {
    const buyer = await newClient(database, { USD: 1_000 });
    const { id } = await place(buyer.api, orderOf('voucher_instant', { quantity: 3 }));
    await ended(buyer.api, id);
    await doing('support', `orders/${id}`, async (steps) => {
      const { office } = steps;
      await steps.click(actions(office).getByRole('button', { name: 'Refund', exact: true }));
      await steps.click(steps.inDialog('Card 1 9.80 USD'));
      await office.dialog.getByRole('button', { name: 'Refund 9.80 USD' }).waitFor();
      await steps.click(steps.inDialog('Card 3 9.80 USD'));
      await office.dialog.getByText('970.60 USD → 990.20 USD').waitFor();
      await steps.give('Reason', 'INVALID_GOODS');
      expect(await office.faults()).toEqual([]);
      await steps.click('Refund 19.60 USD');
      expect(await office.outcome()).toMatch(/^Refunded 19\.60 USD to /);
      expect(steps.count).toEqual({ clicks: 4, fields: 1 });
      await office.page.getByRole('region', { name: 'Money' }).getByText('19.60 USD was given back').waitFor();
      await office.press(actions(office).getByRole('button', { name: 'Refund', exact: true }));
      await office.dialog.getByText('All that is left, 9.80 USD').waitFor();
    });
    expect(await balanceOf(database, buyer.wallets['USD'] as number)).toBe('990.2');
  });

  test('When a customer sends a code, then support finds and refunds its card in three clicks, and no page shows the code', async () => {
    const { id } = await place(client.api, orderOf('voucher_instant', { quantity: 3 }));
    await ended(client.api, id);
    const { vouchers } = await read(client.api, id);
    const code = String(vouchers[1]?.card_number);
    await doing('support', '', async (steps) => {
      const { office } = steps;
      const found = async (state: string) => {
        await office.page.getByRole('search').getByRole('combobox').fill(code);
        await office.page.keyboard.press('Enter');
        await office.page.getByRole('cell').getByText(`Card 2, ${state}:`).waitFor();
      };
      await found('not refunded');
      expect(await office.faults()).toEqual([]);
      await steps.click(office.page.getByRole('main').getByRole('link', { name: `Order ${id}`, exact: true }));
      await steps.click(actions(office).getByRole('button', { name: 'Refund', exact: true }));
      await steps.give('The code that the customer sent (optional)', code);
      await office.dialog.getByText('Card 2 of this order: not refunded.').waitFor();
      expect(steps.count).toEqual({ clicks: 2, fields: 1 });
      expect(await steps.inDialog('Card 2 9.80 USD').isChecked()).toBe(true);
      expect(await steps.inDialog('Card 1 9.80 USD').isChecked()).toBe(false);
      await steps.give('Reason', 'INVALID_GOODS');
      expect(await office.faults()).toEqual([]);
      const written = await office.page.evaluate(
        '[document.body.innerHTML, ...[...document.querySelectorAll("input")].map(({ value }) => value)].join()',
      );
      expect(written).not.toContain(code);
      await steps.click('Refund 9.80 USD');
      expect(await office.outcome()).toMatch(/^Refunded 9\.80 USD to /);
      await found('refunded');
      expect(steps.clicks).toBe(3);
      // Another customer's card must not be refunded instead.
      await office.open(`orders/${id}`);
      await office.press(actions(office).getByRole('button', { name: 'Refund', exact: true }));
      await steps.give('The code that the customer sent (optional)', code);
      await office.dialog.getByText('Card 2 of this order: refunded.').waitFor();
      expect(await office.dialog.getByRole('button', { name: /^Refund/ }).isDisabled()).toBe(true);
    });
  });

  test('When a customer calls about a card, then support opens a claim for the client, who reads what support wrote', async () => {
    const { id } = await place(client.api, orderOf('voucher_instant', { quantity: 2 }));
    await ended(client.api, id);
    const { vouchers } = await read(client.api, id);
    await doing('support', `orders/${id}`, async (steps) => {
      const { office } = steps;
      await steps.click('Open a claim');
      await steps.give('The code that the customer sent (optional)', String(vouchers[1]?.card_number));
      await steps.give('What is wrong', 'INVALID_CODE');
      await office.dialog.getByText(/^Opens a claim of .* about card 2 /).waitFor();
      await steps.give('What happened', 'The shop says that the code is unknown.');
      expect(await office.faults()).toEqual([]);
      await steps.click('Open the claim');
      expect(await office.outcome()).toMatch(/^Claim \d+ is open\.$/);
      await office.page.getByRole('region', { name: 'Claims' }).getByText('Invalid code').waitFor();
      expect(steps.count).toEqual({ clicks: 2, fields: 3 });
    });
    expect((await client.api.get<Json[]>(`/api/v1/claims?order_id=${id}`)).body).toMatchObject([
      { unit: 2, kind: 'INVALID_CODE', text: 'The shop says that the code is unknown.', state: 'OPEN' },
    ]);
  });

  test('When a top-up that is not bought yet has a wrong phone number, then support cancels it with two clicks and a reason', async () => {
    const careful = await newClient(database, { USD: 100 });
    await ops`spend-rules set per-hour --client ${careful.id} --amount 1 --currency USD --reason Agreed`;
    const { id } = await accepted(careful.api, topupOrders, orderOf('topup_instant'));
    await doing('support', `orders/${id}`, async (steps) => {
      const { office } = steps;
      await steps.click(actions(office).getByRole('button', { name: 'Cancel', exact: true }));
      await steps.give('Reason', 'The phone number is wrong');
      expect(await office.faults()).toEqual([]);
      await steps.click('Cancel the order');
      await office.page.locator('.status-line').getByText('Cancelled').waitFor();
      expect(steps.count).toEqual({ clicks: 2, fields: 1 });
    });
    expect(await balanceOf(database, careful.wallets['USD'] as number)).toBe('100');
  });

  test('When a refund is by an amount, then the amount is of the wallet’s currency with separators, and one that is too large says what is left', async () => {
    const { id } = await place(client.api, orderOf('voucher_instant'));
    await ended(client.api, id);
    await doing('finance', `orders/${id}`, async (steps) => {
      const { office } = steps;
      await steps.click(actions(office).getByRole('button', { name: 'Refund', exact: true }));
      await steps.click(steps.inDialog('An amount'));
      await steps.give('Amount in USD', '1,2');
      await office.dialog.getByText('Write it as 1000 or 1,000.50.').waitFor();
      await steps.give('Amount in USD', '1,000');
      await office.dialog.getByText('of which 0 are refunded or replaced: 1000 more are not left').waitFor();
      expect(await office.dialog.getByRole('button', { name: /^Refund/ }).isDisabled()).toBe(true);
    });
  });

  test('When support adds a note or takes an entry, then one click does it, and one takes it back', async () => {
    const { id } = await place(client.api, orderOf('voucher_needs_operator'));
    await entryOf(id);
    await doing('support', `orders/${id}`, async (steps) => {
      const { page } = steps.office;
      await steps.give(/^Note/, 'They call back on Monday');
      await steps.click('Add the note');
      await page.getByText('They call back on Monday').first().waitFor();
      expect(steps.count).toEqual({ clicks: 1, fields: 1 });
      await steps.click('Undo');
      await page.getByText('The note is withdrawn.').waitFor();
      await page.locator('.notes').waitFor({ state: 'detached' });
      await steps.click('Take');
      await page.getByText('Taken by you').waitFor();
      await steps.click('Undo');
      await page.getByText('Taken by you').waitFor({ state: 'detached' });
      expect(steps.clicks).toBe(4);
    });
  });

  test('When support sees why an order waits, then it takes two clicks, and its decision ends the order on the page', async () => {
    const { id } = await place(client.api, orderOf('voucher_needs_operator'));
    await entryOf(id);
    await doing('support', '', async (steps) => {
      const { office } = steps;
      await steps.click(office.page.getByRole('link', { name: 'Attention', exact: true }));
      await steps.click(office.page.getByRole('main').getByRole('link', { name: `Order ${id}`, exact: true }));
      await office.page.locator('.status-line').getByText('Waits').waitFor();
      expect(steps.count).toEqual({ clicks: 2, fields: 0 });
      await steps.click(actions(office).getByRole('button', { name: 'Resolve', exact: true }));
      await steps.click(steps.inDialog('Nothing was bought: refund'));
      await steps.give('Reason', 'Their portal has no such purchase');
      expect(await office.faults()).toEqual([]);
      await office.dialog.getByText(`Fails order ${id}`).waitFor();
      await steps.click('End and refund');
      expect(steps.count).toEqual({ clicks: 5, fields: 1 });
      await office.page.locator('.status-line').getByText('Failed').waitFor();
      await office.page.getByText('Nothing is left to do.').waitFor();
      // A decision is in the audit within a minute, and its request at once.
      await office.page.getByText(/(Decision requested|Resolved as not bought) by Pat support\./).waitFor();
    });
  });

  test('When support releases a held order, then the page shows each of its states without being loaded again', async () => {
    const { id } = await place(client.api, orderOf('voucher_held'));
    await doing('support', `orders/${id}`, async (steps) => {
      const { office } = steps;
      await steps.click(actions(office).getByRole('button', { name: 'Release', exact: true }));
      await steps.give('Reason', 'The client confirmed it');
      await steps.click('Release and buy');
      expect(await office.outcome()).toBe(`Order ${id} is released, and is being bought.`);
      await office.page.locator('.status-line').getByText('Delivered').waitFor();
      expect(steps.count).toEqual({ clicks: 2, fields: 1 });
    });
    expect(await reached(client.api, id, 'DELIVERED')).toBeDefined();
  });

  test('When finance credits a wallet, then it takes two clicks and two fields, in the currency of the wallet', async () => {
    const before = await balanceOf(database, wallet());
    await doing('finance', `clients/${client.id}`, async (steps) => {
      const { office } = steps;
      const wallets = office.page.getByRole('region', { name: 'Wallets', exact: true });
      await steps.click(wallets.getByRole('button', { name: inRow('Fund') }).first());
      await steps.give('Amount in USD', '1,250.50');
      await steps.give('Reference', `transfer-${client.id}`);
      await steps.click('Credit 1,250.50 USD');
      expect(await office.outcome()).toBe('Credited 1,250.50 USD.');
      expect(steps.count).toEqual({ clicks: 2, fields: 2 });
      // The same transfer once more.
      await office.press(wallets.getByRole('button', { name: inRow('Fund') }).first());
      await steps.give('Amount in USD', '1,250.50');
      await steps.give('Reference', `transfer-${client.id}`);
      await office.dialog.getByText('Nothing changes: wallet').waitFor();
    });
    expect(Number(await balanceOf(database, wallet()))).toBeCloseTo(Number(before) + 1_250.5, 4);
  });

  test('When catalogue sets a discount, then the product is picked by its name', async () => {
    const { id } = await newClient(database, { USD: 1 });
    await doing('catalogue', `clients/${id}`, async (steps) => {
      const { office } = steps;
      const discounts = office.page.getByRole('region', { name: 'Discounts' });
      await steps.click(discounts.getByRole('button', { name: 'Set a discount' }));
      await steps.pick('Product', 'harbour coff');
      expect(await office.dialog.getByRole('combobox', { name: 'Product' }).inputValue()).toBe(
        'Harbour Coffee Gift Card',
      );
      await steps.give('Discount in percent', '2.1');
      await steps.give('Reason (optional)', 'Agreed');
      expect(await office.faults()).toEqual([]);
      await steps.click('Set 2.1 %');
      await discounts.getByText('2.1', { exact: true }).waitFor();
      expect(steps.count).toEqual({ clicks: 2, fields: 3 });
    });
  });

  test('When an admin adds an address to those of a client, then the others stay, also those that another form adds meanwhile', async () => {
    const own = await newClient(database, { USD: 1 });
    await ops`clients set ${own.id} --cidrs 203.0.113.0/24 --features vouchers,topups,esim`;
    await doing('admin', `clients/${own.id}`, async (steps) => {
      const { office } = steps;
      await steps.click('Change the account');
      const networks = steps.inDialog('Networks');
      expect(await networks.inputValue()).toBe('203.0.113.0/24');
      await ops`clients set ${own.id} --add-cidrs 198.51.100.0/24 --bulk-limit 7`;
      await steps.give('Networks', '203.0.113.0/24\n192.0.2.7');
      await office.dialog.getByText('Comes: 192.0.2.7/32.').waitFor();
      expect(await office.faults()).toEqual([]);
      await steps.click(office.dialog.getByRole('button', { name: 'Change the account' }));
      await office.outcome();
      expect(steps.count).toEqual({ clicks: 2, fields: 1 });
    });
    expect(await ops`clients show ${own.id}`).toMatchObject([
      {
        allowed_cidrs: ['203.0.113.0/24', '198.51.100.0/24', '192.0.2.7/32'],
        features: ['vouchers', 'topups', 'esim'],
        bulk_limit: 7,
      },
    ]);
  });

  test('When an admin takes a feature from a client, then the others stay, and the dialog says what goes', async () => {
    const own = await newClient(database, { USD: 1 });
    await ops`clients set ${own.id} --features vouchers,topups,esim`;
    await doing('admin', `clients/${own.id}`, async (steps) => {
      const { office } = steps;
      await steps.click('Change the account');
      expect(await steps.inDialog('Vouchers').isChecked()).toBe(true);
      await steps.click(steps.inDialog('Vouchers'));
      await office.dialog.getByText('Features: vouchers, topups, esim. Goes: vouchers.').waitFor();
      await steps.click(office.dialog.getByRole('button', { name: 'Change the account' }));
      await office.outcome();
    });
    expect(await ops`clients show ${own.id}`).toMatchObject([{ features: ['topups', 'esim'] }]);
  });

  test('When an admin changes the number of a cap, then its sums stay', async () => {
    const own = await newClient(database, { USD: 1 });
    await ops`clients cap ${own.id} vouchers --count 5 --value USD=100`;
    await doing('admin', `clients/${own.id}`, async (steps) => {
      const { office } = steps;
      await steps.click('Cap orders');
      // The page has fields of this name, too.
      await office.dialog.waitFor();
      await steps.give('Family', 'vouchers');
      expect(await steps.inDialog('Value').inputValue()).toBe('USD=100');
      await steps.give('Count', '7');
      await office.dialog.getByText('Comes: 7 orders.').waitFor();
      expect(await office.faults()).toEqual([]);
      await steps.click(office.dialog.getByRole('button', { name: 'Cap orders' }));
      await office.outcome();
    });
    const [{ daily_caps: caps } = {}] = await ops`clients show ${own.id}`;
    expect(caps).toEqual({ VOUCHER: { count: 7, value: { USD: '100' } } });
  });

  test('When an admin gives a key another scope, then it keeps those that it has', async () => {
    const own = await newClient(database, { USD: 1 });
    const [key] = await ops`keys create ${own.id} --scopes codes,orders:vouchers --label till`;
    const name = String(key?.['api_key']);
    await doing('admin', `clients/${own.id}`, async (steps) => {
      const { office } = steps;
      const keys = office.page.getByRole('region', { name: 'API keys', exact: true });
      await steps.click(await ofRow(keys.getByRole('row').filter({ hasText: 'till' }), 'Change the key'));
      await steps.click(steps.inDialog('Read'));
      await office.dialog.getByText('Scopes: codes, orders:vouchers. Comes: read.').waitFor();
      expect(await steps.inDialog('Label').inputValue()).toBe('till');
      expect(await office.faults()).toEqual([]);
      await steps.click(office.dialog.getByRole('button', { name: 'Change the key' }));
      await office.outcome();
    });
    const [changed] = (await ops`keys list ${own.id}`).filter((each) => each['api_key'] === name);
    expect(changed).toMatchObject({ label: 'till', expires_at: null });
    expect(new Set(changed?.['scopes'] as string[])).toEqual(new Set(['codes', 'orders:vouchers', 'read']));
  });

  test('When support stops a product, then it takes two clicks and a reason, and says how many orders go on', async () => {
    const name = `${newMark()} card`;
    const card = voucherProduct(name);
    const ids = await importProducts(database, { voucherProducts: [card] });
    const product = ids.get(card.sku) as number;
    await doing('support', `catalogue/products/vouchers/${product}`, async (steps) => {
      const { office } = steps;
      await steps.click('Stop selling');
      await office.dialog
        .getByText(`Stops the sale of voucher product ${product}, ${name}. No order is open.`)
        .waitFor();
      await steps.give('Reason', 'Used codes');
      expect(await office.faults()).toEqual([]);
      await steps.click('Stop the sale');
      expect(await office.outcome()).toBe('The sale is stopped.');
      expect(steps.count).toEqual({ clicks: 2, fields: 1 });
      await office.page.getByRole('link', { name: 'Stopped', exact: true }).waitFor();
    });
    const [stop] = (await ops`products stopped`).filter((each) => each['product_id'] === product);
    expect(stop).toMatchObject({ reason: 'Used codes', what: `voucher product ${product}, ${name}` });
    await ops`products resume ${stop?.['id']} --reason Repaired`;
  });

  test('When support has no product in mind, then it stops a country by its code', async () => {
    await doing('support', 'stopped', async (steps) => {
      const { office } = steps;
      await steps.click('Stop');
      await steps.click(steps.inDialog('A country'));
      await steps.give(/^Country/, 'AQ');
      await office.dialog.getByText('Stops the sale of ATA (Antarctica). No order is open.').waitFor();
      await steps.give('Reason', 'An outage');
      expect(await office.faults()).toEqual([]);
      await steps.click('Stop the sale');
      expect(await office.outcome()).toBe('The sale is stopped.');
      const row = office.page.getByRole('row').filter({ hasText: 'ATA (Antarctica)' });
      await row.waitFor();
      expect(await office.page.getByRole('button', { name: 'Resume' }).count()).toBe(0);
      expect(steps.count).toEqual({ clicks: 3, fields: 2 });
    });
    const [stop] = (await ops`products stopped`).filter((each) => each['country'] === 'ATA');
    await ops`products resume ${stop?.['id']} --reason Repaired`;
  });

  test('When a person picks by the keyboard, then arrows choose, Enter takes, and Escape closes the list only', async () => {
    await doing('finance', 'operations/wallets/fund', async ({ office: { page } }) => {
      const field = page.getByRole('combobox', { name: 'Wallet' });
      await field.pressSequentially('demo cl');
      await page.getByRole('listbox').getByText('Demo Client, USD').waitFor();
      await field.press('ArrowDown');
      await field.press('Escape');
      expect(await field.getAttribute('aria-expanded')).toBe('false');
      await field.pressSequentially('i');
      await page.getByRole('listbox').getByText('Demo Client, USD').waitFor();
      await field.press('Enter');
      expect(await field.inputValue()).toBe('Demo Client, USD');
    });
  });

  test('When support accepts a claim, then it chooses in words, and the preview names the sum and the balance', async () => {
    const { openClaim } = await placeClaimedOrder(client.api);
    await doing('support', `claims/${openClaim}`, async (steps) => {
      const { office } = steps;
      await steps.click(actions(office).getByRole('button', { name: 'Accept', exact: true }));
      await steps.click(steps.inDialog('Refund it'));
      await office.dialog
        .getByText(/^Refunds 9\.80 USD .* Wallet \d+: [\d,.]+ USD → [\d,.]+ USD\. Claim \d+: At supplier → Accepted\./)
        .waitFor();
      await steps.give('Reason', 'The supplier confirms');
      await steps.click('Accept and refund');
      await office.page.getByText('Accepted', { exact: true }).waitFor();
      expect(steps.count).toEqual({ clicks: 3, fields: 1 });
    });
  });

  test('When a rule asks for a second person, then the dialog says so before, and the page does not say that it is done', async () => {
    const { id } = await place(client.api, orderOf('voucher_instant'));
    await ended(client.api, id);
    const other = await place(client.api, orderOf('voucher_instant'));
    await ended(client.api, other.id);
    const proposal = await proposeRefund(other.id);
    await doing('support', `orders/${id}`, async (steps) => {
      const { office } = steps;
      await steps.click(actions(office).getByRole('button', { name: 'Refund', exact: true }));
      await office.dialog.getByText('It needs approval: by finance').waitFor();
      await steps.give('Reason', 'GOODWILL');
      await steps.click('Refund 9.80 USD');
      expect(await office.outcome()).toMatch(/^Proposed, nothing is done yet/);
    });
    await doing('admin', `approvals/${proposal}`, async (steps) => {
      await steps.click('Approve');
      await steps.click('Approve and carry out');
      expect(await steps.office.outcome()).toBe('Approved, and carried out.');
      expect(steps.count).toEqual({ clicks: 2, fields: 0 });
    });
  });

  test('When support asks why a client was charged an amount, then it is one click from the found order, with who set each term', async () => {
    const own = await newClient(database, { USD: 1_000, EUR: 1_000 });
    await ops`discounts set ${own.id} vouchers ${Number(orderOf('voucher_instant').product_id)} 5`;
    const reference = `why-${own.id}`;
    const { id } = await place(
      own.api,
      orderOf('voucher_instant', { quantity: 3, wallet_id: own.wallets['EUR'], client_reference: reference }),
    );
    await ended(own.api, id);
    await doing('support', `orders?reference=${reference}`, async (steps) => {
      const { page } = steps.office;
      await steps.click(page.getByRole('main').getByRole('link', { name: String(id), exact: true }));
      const money = page.getByRole('region', { name: 'Money' });
      await money
        .getByText(/^3 x 10\.00 USD = 30\.00, less 1\.50 \(5 %\) = 28\.50 USD, x [\d.]+ = [\d.]+ EUR/)
        .waitFor();
      await money.getByText(/^Discount of the client, 5 %: set by .+ on /).waitFor();
      await money.getByText('for 3 of 3 units delivered').waitFor();
      expect(steps.count).toEqual({ clicks: 1, fields: 0 });
      await steps.click(money.getByRole('link', { name: '5 %' }));
      await page
        .getByRole('region', { name: 'Entries' })
        .getByRole('row')
        .nth(1)
        .getByText('Discount')
        .first()
        .waitFor();
    });
  });

  test('When support asks where the money of an order is, then its page says it', async () => {
    const { id } = await place(client.api, orderOf('voucher_needs_operator'));
    await entryOf(id);
    await doing('support', `orders/${id}`, async ({ office, count }) => {
      await office.page.getByText('With the supplier simulator, who has not answered: 10.00 USD.').waitFor();
      expect(count).toEqual({ clicks: 0, fields: 0 });
    });
  });

  test('When a supplier blocks our account, then support sees in two clicks who is hit, and one retry ends it', async () => {
    const account = (blocked: boolean) => callControl(loadStack().simulator_url, 'POST', 'account', { blocked });
    await account(true);
    try {
      const placed = await Promise.all([1, 2].map(() => place(client.api, orderOf('voucher_instant'))));
      for (const { id } of placed) await entryOf(id);
      await doing('support', '', async (steps) => {
        const { office } = steps;
        await steps.click(office.page.getByRole('link', { name: 'Attention', exact: true }));
        const incident = office.page.locator('[data-incident="simulator"]');
        await incident.getByText(/^It hits \d+ open orders of \d+ client/).waitFor();
        await steps.click(incident.getByText('Who is hit'));
        for (const { id } of placed) await incident.getByRole('link', { name: String(id), exact: true }).waitFor();
        expect(steps.count).toEqual({ clicks: 2, fields: 0 });
        const entries = incident.getByRole('heading', { name: /^[\d,]+ entr(y|ies)$/ });
        await entries.click();
        await incident.locator('[data-entry]').first().waitFor();
        // Another order may be listed meanwhile.
        await until('every entry', async () => {
          const listed = await incident.locator('[data-entry]').count();
          return `${listed} ${listed === 1 ? 'entry' : 'entries'}` === (await entries.innerText());
        });
        expect(await office.faults()).toEqual([]);
        await account(false);
        await office.act(incident.getByRole('button', { name: 'Retry', exact: true }).first(), {}, 'Retry');
        await office.outcome();
      });
      for (const { id } of placed) expect(await ended(client.api, id)).toMatchObject({ status: 'DELIVERED' });
    } finally {
      await account(false);
    }
  });

  test('When catalogue asks who changed a price, then one click on the page of the product says it', async () => {
    const product = Number(orderOf('voucher_instant').product_id);
    const own = await newClient(database, { USD: 1 });
    await ops`discounts set ${own.id} vouchers ${product} 3 --reason "Agreed in May"`;
    await doing('catalogue', `catalogue/products/vouchers/${product}`, async (steps) => {
      const { page } = steps.office;
      await steps.click(page.getByText('Who changed it', { exact: true }));
      await page.getByRole('region', { name: 'Who changed it' }).getByText('Agreed in May').first().waitFor();
      expect(steps.count).toEqual({ clicks: 1, fields: 0 });
    });
  });

  test('When the endpoint of a client is down, then support sends its events again in two clicks', async () => {
    const { receiver } = await failingEndpoint(database);
    receiver.answer = () => 204;
    await doing('support', '', async (steps) => {
      const { office } = steps;
      await steps.click(office.page.getByRole('link', { name: 'Clients', exact: true }));
      const failing = office.page.getByRole('region', { name: 'Webhook endpoints that fail' });
      const row = failing.getByRole('row').filter({ hasText: new URL(receiver.url).port });
      await steps.click(await ofRow(row, 'Retry'));
      await receiver.untilTaken(1);
      expect(steps.count).toEqual({ clicks: 2, fields: 0 });
    });
    receiver.close();
  });
});
