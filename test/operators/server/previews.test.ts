/** What operations say before they change money, prices and rates. docs/operators/office.md. */
import { randomUUID } from 'node:crypto';
import { openDatabase, rows } from '../../../src/data/database/database';
import { empty, sql } from '../../../dev/testbed/sql';
import { tryOut, actingAs, inOneTransaction } from '../../../src/data/database/acting-person';
import { postEntry, type EntryInput } from '../../../src/data/wallets/operated-entries';
import { Exact } from '../../../src/domain/prices/money';
import { sentenceOf } from '../../../src/operators/operations/failure';
import { importProducts, voucherProduct } from '../../support/catalogue';
import { deliveredOrder } from '../../support/ledger-orders';
import { newHolder, newKey } from '../../../dev/testbed/ledger-rows';
import { storePerson, useOperatingPeople } from '../../support/operating-people';
import { balanceOf } from '../../support/records';
import { scratchDatabase } from '../../../dev/testbed/scratch-database';
import { useNew } from '../../support/made';

const scratch = scratchDatabase();
const { database } = scratch;
const reason = 'Ticket 4711';

const { people } = useOperatingPeople(scratch);
const ada = people.as('ada', 'admin');
const holder = useNew(() => newHolder(database, 1_000));

const balance = async () => Number(await balanceOf(database, holder.walletId));

/** An ended order of units that cost 9.99 each. */
const delivered = (quantity: number) => deliveredOrder(database, holder, { productId: 999, quantity });

/** Previews the operation, then runs it: both must say the same. */
async function rejectedTwice(operation: string, given: object): Promise<string> {
  const messageOf = (promise: Promise<unknown>) => promise.then(() => 'done', sentenceOf);
  const preview = await messageOf(ada.preview(operation, given));
  expect(await messageOf(ada.run(operation, given))).toBe(preview);
  return preview;
}

describe('Money', () => {
  const fund = (more: object) => ({ wallet: holder.walletId, amount: '2.5', reference: randomUUID(), reason, ...more });

  test('When money is added, then the preview has the old and the new balance, and nothing has changed', async () => {
    expect(await ada.preview('wallets fund', fund({}))).toMatch(
      /^Credits 2\.5 USD in wallet \d+ of \S+, which holds 1000 USD and will hold 1002\.5 USD\.$/,
    );
    expect(await ada.preview('wallets adjust', fund({ amount: '-0.5' }))).toMatch(
      /^Debits 0\.5 USD .* which holds 1000 USD and will hold 999\.5 USD\.$/,
    );
    expect(await balance()).toBe(1_000);
    expect(await sql(database)`SELECT FROM audit_entries WHERE reason = ${reason}`).toEqual([]);
  });

  test('When the run rejects an entry, then the preview rejects it with the same message', async () => {
    expect(await rejectedTwice('wallets fund', fund({ amount: '0.001' }))).toContain(
      '0.001 is not an amount of USD: give an amount above 0 with at most 2 decimals',
    );
    expect(await rejectedTwice('wallets adjust', fund({ amount: '-1000.01' }))).toContain('holds only');
    const opened = await ada.run('wallets open', { client: String(holder.clientId), currency: 'JPY' });
    const [{ id: yen }] = opened.data as [{ id: number }];
    expect(await rejectedTwice('wallets adjust', fund({ wallet: yen, amount: '0.5' }))).toContain(
      '0.5 is not an amount of JPY: give an amount above 0 with at most 0 decimals',
    );
    const reference = randomUUID();
    await ada.run('wallets fund', fund({ reference }));
    expect(await rejectedTwice('wallets fund', fund({ reference, amount: '3' }))).toContain(
      'belongs to another entry: FUNDING CREDIT of 2.5',
    );
    expect(await ada.preview('wallets fund', fund({ reference }))).toMatch(
      /^Nothing changes: wallet \d+ of \S+, which holds 1002\.5 USD, has the entry with the reference /,
    );
  });

  test('When the run rejects a refund, then the preview rejects it with the same message', async () => {
    const order = await delivered(1);
    const refund = (more: object) => ({
      order,
      amount: '1',
      reason_code: 'GOODWILL',
      reference: 'first',
      note: 'Jane Doe',
      reason,
      ...more,
    });
    expect(await rejectedTwice('orders refund', refund({ amount: '0.001' }))).toContain(
      '0.001 is not an amount of USD, which has 2 decimals',
    );
    expect(await rejectedTwice('orders refund', refund({ amount: '99999' }))).toContain('more are not left');
    expect(await rejectedTwice('orders refund', refund({ order: order + 1_000_000 }))).toContain('There is no order');
    expect(await ada.preview('orders refund', refund({}))).toMatch(/^Refunds 1 USD of order /);
    expect(await balance()).toBe(990);
    await ada.run('orders refund', refund({}));
    expect(await rejectedTwice('orders refund', refund({ amount: '2' }))).toContain('belongs to another refund');
    expect(await ada.preview('orders refund', refund({}))).toContain('Nothing changes: order');
  });

  test('When refunds wait for a closed wallet, then the preview of its opening has the old and the new balance', async () => {
    const order = await delivered(1);
    await ada.run('wallets adjust', fund({ amount: String(-(await balance())), reason }));
    await ada.run('wallets close', { wallet: holder.walletId });
    const refund = { order, amount: '3', reason_code: 'GOODWILL', reference: 'r', reason };
    expect(await ada.preview('orders refund', refund)).toContain(
      `It waits, because wallet ${holder.walletId} is closed.`,
    );
    await ada.run('orders refund', refund);
    expect(await ada.preview('wallets reopen', { wallet: holder.walletId })).toMatch(
      /^Opens wallet \d+ of \S+, which holds 0 USD\. With the refunds that wait for it, it will hold 3 USD\.$/,
    );
    expect(await balance()).toBe(0);
    await ada.run('wallets reopen', { wallet: holder.walletId });
    expect(await ada.preview('wallets reopen', { wallet: holder.walletId })).toContain('Nothing changes');
    expect(await balance()).toBe(3);
  });

  test('When an import of refunds is resumed, then the preview says what waits, and that an ended import is rejected', async () => {
    const order = await delivered(2);
    const text = `order,units,amount,reason_code,reference\n${order},1,,INVALID_GOODS,line`;
    const file = { name: 'refunds.csv', text };
    expect(await ada.preview('refunds import', { file, reason })).toContain('Credits 1 refund of');
    const [{ id }] = (await ada.run('refunds import', { file, reason })).data as [{ id: number }];
    await ada.run('refunds pause', { import: id });
    expect(await ada.preview('refunds resume', { import: id })).toBe(
      `Import ${id}, which is PAUSED, goes on: 1 of its refunds wait to be credited, and 0 are credited.`,
    );
    await sql(database)`UPDATE refund_imports SET ended_at = now(), paused = false WHERE id = ${id}`;
    expect(await rejectedTwice('refunds resume', { import: id })).toContain('has ended');
  });

  test('When the work of a preview throws inside a larger transaction, then the transaction goes on', async () => {
    const operated = openDatabase(scratch.url, 1, { isOperated: true });
    const entry = (amount: string): EntryInput => ({
      walletId: holder.walletId,
      kind: 'FUNDING',
      type: 'CREDIT',
      remarks: 'Test',
      amount: new Exact(amount),
      reference: randomUUID(),
    });
    const person = { operator: 'ada', command: 'wallets fund', reason, statementMs: 5_000 };
    await actingAs(person, () =>
      inOneTransaction(operated, async () => {
        await postEntry(operated, entry('1'));
        await tryOut(operated, () => postEntry(operated, entry('10')));
        await expect(tryOut(operated, () => postEntry(operated, entry('0.001')))).rejects.toThrow('0.001');
        await postEntry(operated, entry('2'));
      }),
    );
    await operated.close();
    expect(await balance()).toBe(1_003);
  });
});

describe('Prices and rates', () => {
  const card = voucherProduct('Card', { denominations: [{ min: '5', max: '500', discount: '2' }] });
  let product: number;
  beforeAll(async () => {
    const categories = [{ name: card.category, subCategories: [] }];
    const ids = await importProducts(database, { categories, voucherProducts: [card] });
    product = ids.get(card.sku) as number;
  });
  beforeEach(async () => {
    await empty(database, 'conversion_fees forex_rates reference_rates margin_rules confirmed_values');
  });

  const pair = { product_currency: 'EUR', wallet_currency: 'USD' };

  test('When a rate or a fee is set, then the preview has the old and the new value, and nothing has changed', async () => {
    const set = { ...pair, rate: '1.10', reason };
    expect(await ada.preview('rates set', set)).toBe('Rate EUR/USD: old value none, new value 1.1.');
    await ada.run('rates set', { ...set, force: true });
    expect(await ada.preview('rates set', { ...set, rate: '1.15' })).toBe(
      'Rate EUR/USD: old value 1.1, new value 1.15, difference +0.05 (+4.55 %).',
    );
    expect(await ada.preview('rates set', set)).toBe('Nothing changes: the values are the present ones.');
    expect(await ada.preview('rates set', { ...set, rate: '92' })).toContain('old value 1.1, new value 92');
    expect(await ada.preview('rates remove', { ...pair, reason })).toBe(
      'Rate EUR/USD: old value 1.1, new value none. Orders across the pair are then rejected.',
    );
    await ada.run('fees set', { ...pair, percent: '2', reason });
    expect(await ada.preview('fees set', { ...pair, percent: '2.1', reason })).toContain('old value 2, new value 2.1');
    expect(await sql(database)`SELECT trim_scale(rate)::text AS rate FROM forex_rates`).toEqual([{ rate: '1.1' }]);
    await expect(ada.run('rates set', { ...set, rate: '92' })).rejects.toThrow('add --force to apply it');
    const opposite = { product_currency: 'USD', wallet_currency: 'EUR', reason };
    expect(await rejectedTwice('rates remove', opposite)).toContain('There is no rate from USD to EUR');
    expect(await rejectedTwice('fees set', { ...opposite, percent: '1' })).toContain('Set it first');
    expect(await rejectedTwice('rates set', { ...set, wallet_currency: 'XXY' })).toContain('ISO 4217');
  });

  test('When reference rates are changed, then the preview has the old and the new value, and nothing has changed', async () => {
    const set = { currency: 'EUR', other: 'USD', rate: '1.1', reason };
    await ada.run('rates reference set', { ...set, force: true });
    expect(await ada.preview('rates reference set', { ...set, rate: '1.2' })).toContain(
      'Reference rate EUR/USD: old value 1.1, new value 1.2',
    );
    const file = {
      name: 'rates.json',
      text: JSON.stringify([
        { source: 'EUR', destination: 'USD', rate: '1.12' },
        { source: 'GBP', destination: 'USD', rate: '1.3' },
      ]),
    };
    expect(await ada.preview('rates reference import', { file, reason })).toBe(
      'Reference rate EUR/USD: old value 1.1, new value 1.12, difference +0.02 (+1.82 %).\n' +
        'Reference rate GBP/USD: old value none, new value 1.3.',
    );
    const removed = { currency: 'EUR', other: 'USD', reason };
    expect(await ada.preview('rates reference remove', removed)).toBe(
      'Removes the reference rate EUR/USD, which is 1.1. Costs are then valued at no rate: they are unknown.',
    );
    expect(await sql(database)`SELECT trim_scale(rate)::text AS rate FROM reference_rates`).toEqual([{ rate: '1.1' }]);
    expect(await rejectedTwice('rates reference remove', { ...removed, currency: 'GBP' })).toContain(
      'There is no reference rate',
    );
  });

  test('When a discount or a margin is changed, then the preview has the old and the new value, and nothing has changed', async () => {
    const discount = { client: String(holder.clientId), family: 'vouchers', product, reason };
    await ada.run('discounts set', { ...discount, percent: '5' });
    expect(await ada.preview('discounts set', { ...discount, percent: '6' })).toMatch(
      /old value 5, new value 6, difference \+1 \(\+20 %\)\. \S.* gets 6 % off/,
    );
    expect(await ada.preview('discounts clear', discount)).toContain('old value 5, new value none');
    expect(await sql(database)`SELECT trim_scale(discount_percent)::text AS percent FROM client_discounts`).toEqual([
      { percent: '5' },
    ]);
    const margin = { family: 'vouchers', product, reason };
    const [named] = await sql(database)<{ name: string }>`SELECT name FROM voucher_products
         WHERE id = ${product}`;
    const name = String(named?.name);
    await ada.run('margins set', { ...margin, min_margin: '3' });
    expect(await ada.preview('margins set', { ...margin, min_margin: '4', markup: '7' })).toBe(
      [
        `${name} for all clients: markup in percent: old value none, new value 7.`,
        `${name} for all clients: minimum margin in percent: old value 3, new value 4, difference +1 (+33.33 %).`,
      ].join('\n'),
    );
    expect(await ada.preview('margins clear', margin)).toContain('old value 3, new value none');
    expect((await ada.run('margins list')).data).toMatchObject([{ min_margin_percent: '3' }]);
    expect(await rejectedTwice('margins clear', { family: 'topups', reason })).toContain('There is no such rule');
  });

  test('When a source is set, then the preview has the old and the new values, and nothing has changed', async () => {
    const source = { family: 'vouchers', item: product, supplier: 'simulator', sku: card.sku };
    await ada.run('sources set', { ...source, cost_percent: '95' });
    expect(await ada.preview('sources set', { ...source, cost_percent: '96', priority: 2 })).toBe(
      [
        `Changes a source of item ${product}: simulator ${card.sku}.`,
        'priority: old value 0, new value 2, difference +2.',
        'cost percent: old value 95, new value 96, difference +1 (+1.05 %).',
      ].join('\n'),
    );
    expect(await ada.preview('sources set', { ...source, sku: 'other', cost: '4' })).toContain(
      `Adds a source to item ${product}: simulator other.`,
    );
    expect(await rejectedTwice('sources set', { ...source, item: 999_999 })).toContain('There is no item');
    expect(await sql(database)`SELECT trim_scale(cost_percent)::text AS cost FROM product_sources`).toEqual([
      { cost: '95' },
    ]);
  });

  test('When a catalogue is imported, then the preview says what it creates and changes, or why it does nothing', async () => {
    const fileOf = (...products: object[]) => ({
      name: 'file.json',
      text: JSON.stringify({ supplier: 'simulator', voucherProducts: products }),
    });
    const priced = (discount: string) => ({ ...card, denominations: [{ min: '5', max: '500', discount }] });
    const [file, large] = [fileOf(priced('2.1'), voucherProduct('New card')), fileOf(priced('60'))];
    const preview = await ada.preview('catalogue import', { file, reason });
    expect(preview).toContain('Creates 1 products and changes 1.');
    expect(preview).toContain('2.1');
    expect(await ada.preview('catalogue import', { file: large, reason })).toContain(
      'Imports nothing, because 1 of 1 products are rejected.',
    );
    expect(await ada.preview('catalogue import', { file: large, reason, force: true })).toContain(
      'Creates 0 products and changes 1.',
    );
    expect(await ada.preview('catalogue import', { file, reason, dry_run: true })).toBeUndefined();
    expect((await ada.run('products list', { family: 'vouchers' })).data).toHaveLength(1);
  });
});

describe('Lists', () => {
  const one = async (statement: string, binds: object) =>
    (await rows<{ list: string[] }>(database, statement, { ...binds }))[0]?.list;
  const networksOf = () => one('SELECT allowed_cidrs AS list FROM clients WHERE id = $id', { id: holder.clientId });
  const set = (more: object) => ({ client: String(holder.clientId), ...more });
  /** What the preview says will change, below the name of the client. */
  const changeOf = async (more: object) => {
    const [heading, ...lines] = ((await ada.preview('clients set', set(more))) ?? '').split('\n');
    expect(heading).toMatch(new RegExp(`^Client ${holder.clientId}, .`));
    return lines.join('\n');
  };

  test('When parts of an account’s lists change, then the preview names what is there, what goes and what comes', async () => {
    await ada.run('clients set', set({ cidrs: '192.0.2.0/24,198.51.100.0/24', features: 'vouchers,topups' }));
    const change = { add_cidrs: '203.0.113.0/24', remove_cidrs: '192.0.2.0/24', remove_features: 'topups' };
    expect(await changeOf(change)).toBe(
      [
        'Features: vouchers, topups. Goes: topups.',
        'Networks: 192.0.2.0/24, 198.51.100.0/24. Goes: 192.0.2.0/24. Comes: 203.0.113.0/24.',
      ].join('\n'),
    );
    await ada.run('clients set', set(change));
    expect(await networksOf()).toEqual(['198.51.100.0/24', '203.0.113.0/24']);
    const { data } = await ada.run('audit list', { object: `client/${holder.clientId}`, limit: 1 });
    expect(data).toMatchObject([
      {
        changed: expect.stringContaining(
          'Allowed cidrs: 192.0.2.0/24, 198.51.100.0/24 → 198.51.100.0/24, 203.0.113.0/24 (gone: 192.0.2.0/24; new: 203.0.113.0/24)',
        ),
      },
    ]);
    expect(await changeOf({ cidrs: '' })).toBe(
      'Networks: 198.51.100.0/24, 203.0.113.0/24. Goes: 198.51.100.0/24, 203.0.113.0/24. Then: every address.',
    );
    expect(await changeOf({ add_cidrs: '203.0.113.0/24' })).toBe('Nothing changes.');
    expect(await changeOf({ bulk_limit: 7, rate_limit: ['reads=9'], codes_in_mail: true })).toMatch(
      /^Vouchers in one order: \d+ → 7\.\nCodes in mail: no → yes\.\nCalls a minute, reads: .+ → 9\.$/,
    );
  });

  test('When the last network would go, or a list is given in both ways, then the change is rejected', async () => {
    await ada.run('clients set', set({ cidrs: '192.0.2.0/24' }));
    const rejected = (more: object) => rejectedTwice('clients set', set(more));
    expect(await rejected({ remove_cidrs: '192.0.2.0/24' })).toContain('No network would be left');
    expect(await rejected({ cidrs: '', add_cidrs: '192.0.2.0/24' })).toContain('Give the whole list, or');
    expect(await rejected({ add_features: 'esim', remove_features: 'esim' })).toContain('both added and removed');
    expect(await networksOf()).toEqual(['192.0.2.0/24']);
  });

  test('When what goes is not on the list, then the change is rejected, and a network is the same in each spelling', async () => {
    await ada.run('clients set', set({ cidrs: '2001:DB8::/32,203.0.113.7/24,192.0.2.0/24', features: 'vouchers' }));
    const rejected = (more: object) => rejectedTwice('clients set', set(more));
    expect(await rejected({ remove_cidrs: '192.0.2.0/24,198.51.100.0/24' })).toContain(
      '--remove-cidrs: 198.51.100.0/24 is not on the list.',
    );
    expect(await rejected({ remove_features: 'esim' })).toContain('--remove-features: esim is not on');
    expect(await rejected({ add_cidrs: '2001:db8::/32', remove_cidrs: '2001:DB8:0::/32' })).toContain(
      'both added and removed',
    );
    await ada.run(
      'clients set',
      set({ remove_cidrs: '2001:db8::/32,203.0.113.0/24', add_cidrs: '::ffff:192.0.2.9/120' }),
    );
    expect(await networksOf()).toEqual(['192.0.2.0/24']);
  });

  test('When two change parts of one list at once, then each keeps what the other does', async () => {
    const networks = Array.from({ length: 8 }, (_, index) => `192.0.${index}.0/24`);
    await ada.run('clients set', set({ cidrs: '203.0.113.0/24' }));
    await Promise.all([
      ...networks.map((network) => ada.run('clients set', set({ add_cidrs: network }))),
      ada.run('clients set', set({ remove_cidrs: '203.0.113.0/24', add_cidrs: '198.51.100.0/24' })),
    ]);
    expect((await networksOf())?.toSorted()).toEqual([...networks, '198.51.100.0/24'].toSorted());
    const { apiKey } = await newKey(database, holder.clientId);
    await ada.run('keys set', { api_key: apiKey, scopes: 'read,wallets' });
    const changes = [{ add_scopes: 'codes' }, { add_scopes: 'webhooks' }, { remove_scopes: 'wallets' }];
    await Promise.all(changes.map((change) => ada.run('keys set', { api_key: apiKey, ...change })));
    const scopes = await one('SELECT scopes AS list FROM api_keys WHERE api_key = $apiKey', { apiKey });
    expect(scopes?.toSorted()).toEqual(['codes', 'read', 'webhooks']);
    expect(await ada.preview('keys set', { api_key: apiKey, add_scopes: 'wallets', remove_scopes: 'codes' })).toMatch(
      /^Key \S+ of .+\nScopes: .*\. Goes: codes\. Comes: wallets\.$/,
    );
    const none = { api_key: apiKey, remove_scopes: 'codes,read,webhooks' };
    expect(await rejectedTwice('keys set', none)).toContain('A key needs a scope');
  });

  test('When the approvers of a rule or a cap change, then the preview names what goes and what comes', async () => {
    for (const name of ['fay', 'fox']) await storePerson(scratch, name, 'finance');
    const rule = { operation: 'fund', currency: 'KWD', amount: '5', reason };
    await sql(database)`INSERT INTO approval_rules (operation, currency, amount, roles)
         VALUES ('FUND', 'KWD', 5, ARRAY['finance', 'support'])`;
    const change = { ...rule, add_roles: 'catalogue', remove_roles: 'support' };
    expect(await ada.preview('approval-rules set', change)).toContain(
      'Who may approve: finance, support. Goes: support. Comes: catalogue.',
    );
    await sql(database)`DELETE FROM approval_rules`;
    const capped = set({ family: 'vouchers', count: 5, value: ['USD=100'] });
    await ada.run('clients cap', capped);
    expect(await ada.preview('clients cap', set({ family: 'vouchers', count: 7 }))).toBe(
      'Caps: 5 orders, 100 USD. Goes: 5 orders, 100 USD. Comes: 7 orders.',
    );
  });
});

describe('One stored value', () => {
  const client = () => String(holder.clientId);
  const run = (operation: string, given: object) => ada.run(operation, { reason, ...given });
  /** What the preview says changes, without what has the values. Nothing has changed then: a second preview says the same. */
  async function changes(operation: string, given: object): Promise<string[]> {
    const text = await ada.preview(operation, { reason, ...given });
    expect(await ada.preview(operation, { reason, ...given })).toBe(text);
    return String(text).split('\n').slice(1);
  }

  test('When one stored value changes, then the preview compares it with the old one by itself, and nothing has changed', async () => {
    const product = voucherProduct('Old and new');
    const categories = [{ name: product.category, subCategories: [] }];
    const ids = await importProducts(database, { categories, voucherProducts: [product] });
    const item = ids.get(product.sku) as number;
    const goods = { family: 'vouchers', product: item };

    expect(await changes('claims days', { ...goods, days: '20' })).toEqual(['Days: default, 60 → 20.']);
    await run('claims days', { ...goods, days: '20' });
    expect(await changes('claims days', { ...goods, days: 'default' })).toEqual(['Days: 20 → default, 60.']);

    const hidden = { client: client(), ...goods };
    expect(await changes('blacklist remove', hidden)).toEqual(['Nothing changes.']);
    expect(await changes('blacklist add', hidden)).toEqual(['Hidden: no → yes.']);

    const rule = { kind: 'per-hour', client: client(), orders: 5 };
    expect(await changes('spend-rules set', rule)).toEqual([
      'Rule: none → holds orders.',
      'Orders: none → 5.',
      'Review hours: none → 24.',
    ]);
    await run('spend-rules set', rule);
    expect(await changes('spend-rules set', { ...rule, orders: 7 })).toEqual(['Orders: 5 → 7.']);
    const [stored] = (await ada.run('spend-rules list', { client: client() })).data as { id: number }[];
    expect(await changes('spend-rules remove', { rule: stored?.id })).toContain('Orders: 5 → none.');

    const { data } = await run('wallets open', { client: client(), currency: 'EUR' });
    const [opened] = data as { id: number }[];
    const usual = `wallet ${holder.walletId}, USD`;
    expect(await changes('wallets make-default', { wallet: opened?.id })).toEqual([
      `Default wallet: ${usual} → wallet ${opened?.id}, EUR.`,
    ]);

    await run('clients suspend', { client: client() });
    expect(await changes('clients resume', { client: client() })).toEqual(['Status: suspended → active.']);
  });

  test('When the change is not possible, then its preview says so', async () => {
    expect(await rejectedTwice('spend-rules remove', { rule: 999_999_999, reason })).toContain('There is no rule');
    expect(await rejectedTwice('webhooks enable', { endpoint: 999_999_999 })).toContain('There is no endpoint');
  });
});
