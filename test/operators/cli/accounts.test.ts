import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { sql } from '../../../dev/testbed/sql';
import { postEntry } from '../../../src/data/wallets/operated-entries';
import { changePricedValue } from '../../../src/data/prices/pricing-settings';
import { scopes } from '../../../src/domain/clients/scopes';
import { Exact } from '../../../src/domain/prices/money';
import { sentenceOf } from '../../../src/operators/operations/failure';
import { rateLimit } from '../../../src/operators/operations/clients/rate-limit';
import * as kinds from '../../../src/operators/operations/kinds';
import { timeOrAge } from '../../../src/operators/operations/time-kinds';
import { importProducts, newMark, voucherProduct } from '../../support/catalogue';
import { newClient, useDatabase } from '../../support/clients';
import { lockWaits } from '../../support/lock-waits';
import { ops, printedBy } from '../../support/operator';
import { orderOf, ordersPath, place } from '../../support/orders';
import { Receiver, register } from '../../support/receiver';
import { runTool } from '../../support/tool';
import { ApiClient, type Json } from '../../support/stack';
import { loadStack } from '../../../dev/testbed/loaded-stack';
import { until } from '../../../dev/testbed/waiting';
import { ownMoment } from '../../../src/domain/time';

const database = useDatabase();

const newName = () => `Operator test ${randomUUID()}`;
const create = async (...options: string[]): Promise<string> => {
  const name = newName();
  await ops`clients create ${name} --contact a@client.example ${options}`;
  return name;
};
const login = async (key: Json) =>
  new ApiClient(loadStack().api_url).post('/auth/login', { username: key['api_key'], password: key['api_secret'] });
const failure = (run: Promise<unknown>) => run.then(() => 'no failure', sentenceOf);
/** Runs the work with a terminal as the standard input. */
async function atTerminal(work: (terminal: PassThrough) => Promise<void>): Promise<void> {
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') as PropertyDescriptor;
  const terminal = Object.assign(new PassThrough(), { isTTY: true });
  Object.defineProperty(process, 'stdin', { configurable: true, get: () => terminal });
  await work(terminal).finally(() => Object.defineProperty(process, 'stdin', stdin));
}

describe('clients', () => {
  test('When a client is created, then it has the given settings, and `clients set` changes only the named ones', async () => {
    const name = await create('--features', 'vouchers,esim', '--cidrs', '10.0.0.0/8', '--bulk-limit', '50');
    const [created] = await ops`clients show ${name}`;
    expect(created).toMatchObject({
      name,
      status: 'ACTIVE',
      features: ['vouchers', 'esim'],
      bulk_limit: 50,
      allowed_cidrs: ['10.0.0.0/8'],
      rate_limits: {},
    });
    await ops`clients set ${name} --rate-limit reads=10 --rate-limit login=3 --cidrs ""`;
    const [changed] = await ops`clients set ${name} --rate-limit reads=default`;
    expect(changed).toEqual({ ...created, allowed_cidrs: [], rate_limits: { login: 3 } });
  });

  test('When a client is named by id, name or key, then each command finds it', async () => {
    const name = await create();
    const [{ api_key: key } = {}] = await ops`keys create ${name}`;
    const [{ id } = {}] = await ops`clients show ${key}`;
    for (const named of [String(id), name, String(key)]) {
      expect(await ops`clients show ${named}`).toMatchObject([{ id, name }]);
      expect(await ops`keys list ${named}`).toMatchObject([{ api_key: key }]);
      expect(await ops`wallets list ${named}`).toEqual([]);
      expect(await ops`discounts list ${named}`).toEqual([]);
    }
    expect(await failure(ops`wallets list nobody`)).toBe('There is no client "nobody". See them with: clients list');
  });

  test('When a daily cap is set, then it applies until it is removed', async () => {
    const name = await create();
    await ops`clients cap ${name} topups --count 5 --value USD=10.50 --value EUR=3`;
    const [capped] = await ops`clients cap ${name} esim --count 1`;
    expect(capped?.['daily_caps']).toEqual({
      TOPUP: { count: 5, value: { USD: '10.5', EUR: '3' } },
      ESIM: { count: 1 },
    });
    const [uncapped] = await ops`clients cap ${name} topups`;
    expect(uncapped?.['daily_caps']).toEqual({ ESIM: { count: 1 } });
  });

  test('When an account changes while `clients suspend` asks for confirmation, then the account is suspended all the same', async () => {
    const name = await create();
    const become = (status: string) => sql(database)`UPDATE clients SET status = ${status} WHERE name = ${name}`;
    await become('SUSPENDED');
    await atTerminal(async (terminal) => {
      const suspended = ops`clients suspend ${name}`;
      await until('the question', async () => terminal.listenerCount('data') > 0);
      await become('ACTIVE');
      terminal.write('y\n');
      await suspended;
    });
    expect(await ops`clients show ${name}`).toMatchObject([{ status: 'SUSPENDED' }]);
  });

  test('When another operator is changing the caps of an account, then a new cap of another family leaves them', async () => {
    const name = await create();
    const other = await database.transaction();
    await sql(database, other)`UPDATE clients SET daily_caps = '{"ESIM": {"count": 1}}' WHERE name = ${name}`;
    const capped = ops`clients cap ${name} topups --count 2`;
    await lockWaits(database, 1, '"clients"');
    await other.commit();
    expect((await capped)[0]?.['daily_caps']).toEqual({ ESIM: { count: 1 }, TOPUP: { count: 2 } });
  });

  test('When a client is suspended or its key revoked, then it cannot log in', async () => {
    const name = await create();
    const [key] = (await ops`keys create ${name}`) as [Json];
    expect((await login(key)).status).toBe(200);
    await ops`clients suspend ${name}`;
    expect((await login(key)).status).toBe(401);
    await ops`clients resume ${name}`;
    expect((await login(key)).status).toBe(200);
    await ops`keys revoke ${key['api_key']}`;
    expect((await login(key)).status).toBe(401);
    expect(await ops`keys list ${name}`).toEqual([
      {
        id: expect.any(Number),
        api_key: key['api_key'],
        label: null,
        scopes,
        created_at: expect.any(String),
        expires_at: null,
        last_used_at: null,
        revoked_at: expect.any(String),
      },
    ]);
  });

  test('When a key is created with settings and changed, then the list shows them', async () => {
    const name = await create();
    const [key] = (await ops`keys create ${name} --label Report --scopes read,codes --expires 90d`) as [Json];
    const apiKey = String(key['api_key']);
    const [created] = (await ops`keys list ${name}`) as [Json];
    expect(created).toMatchObject({ label: 'Report', scopes: ['read', 'codes'] });
    const days = (ownMoment(String(created['expires_at'])).getTime() - Date.now()) / 86_400_000;
    expect(Math.abs(days - 90)).toBeLessThan(0.01);
    const changed = { api_key: apiKey, label: null, scopes: ['read'], expires_at: null };
    expect(await ops`keys set ${apiKey} --label "" --scopes read --never-expires`).toMatchObject([changed]);
    expect(await ops`keys set ${apiKey}`).toMatchObject([changed]);
  });

  test('When a key is rolled, then both keys log in until the overlap is over, and it cannot be rolled again', async () => {
    const name = await create();
    const [key] = (await ops`keys create ${name} --scopes read`) as [Json];
    const apiKey = String(key['api_key']);
    const [successor] = (await ops`keys roll ${apiKey} --overlap 1`) as [Json];
    for (const each of [key, successor]) expect((await login(each)).status).toBe(200);
    expect(await ops`keys list ${name}`).toMatchObject([
      { api_key: apiKey, expires_at: expect.any(String) },
      { api_key: successor['api_key'], scopes: ['read'], expires_at: null },
    ]);
    expect(await failure(ops`keys roll ${apiKey}`)).toMatch('was rolled already');
    await ops`keys roll ${successor['api_key']} --overlap 0`;
    expect((await login(successor)).status).toBe(401);
    expect(await failure(ops`keys roll none`)).toMatch(/no valid key "none"/);
  });

  test('When a client is closed, then it has no access and gets no event, and what remains is printed', async () => {
    const { id, credentials, wallets, api } = await newClient(database, { USD: 500, EUR: 0 });
    const receiver = await Receiver.listen();
    const endpoint = await register(api, receiver);
    receiver.answer = () => 503;
    const order = await place(api, orderOf('voucher_delayed'));
    const pending = () =>
      sql(database)`SELECT FROM webhook_deliveries WHERE endpoint_id = ${endpoint.id}
           AND state IN ('DUE', 'RETRY')`;
    await until('an event that waits', async () => (await pending()).length > 0);

    const close = () => ops`clients close ${id} --reason "Contract ended"`;
    const [closed] = await close();
    expect(closed).toMatchObject({
      id,
      status: 'SUSPENDED',
      keys_revoked: 1,
      sessions_ended: 1,
      endpoints_disabled: 1,
      open_orders: 1,
      balances: [expect.stringMatching(/^[0-9.]+ USD$/)],
    });
    expect(await pending()).toEqual([]);
    expect(await ops`clients show ${id}`).toMatchObject([{ status: 'SUSPENDED' }]);
    expect(await ops`webhooks list ${id}`).toMatchObject([{ enabled: false, pending: 0 }]);
    expect((await login(credentials)).status).toBe(401);
    expect((await api.order(ordersPath, orderOf('voucher_instant'))).status).toBe(403);
    await until(
      'the end of the open order',
      async () => (await ops`orders find --client ${id} --status pending`).length === 0,
    );
    expect(await ops`wallets list ${id}`).toMatchObject([{ id: wallets['USD'] }, { id: wallets['EUR'] }]);
    const [found] = await ops`orders find --client ${id}`;
    expect(found).toMatchObject({ id: order.id, status: 'DELIVERED' });

    const entries = () => ops`audit list --client ${id} --command "clients close"`;
    const before = await entries();
    expect(before).toContainEqual(
      expect.objectContaining({ action: 'client.closed', object: `client/${id}`, reason: 'Contract ended' }),
    );
    const nothing = { keys_revoked: 0, sessions_ended: 0, endpoints_disabled: 0, open_orders: 0 };
    expect(await close()).toMatchObject([nothing]);
    expect(await entries()).toEqual(before);
    receiver.close();
  });

  test('When an object does not exist or already exists, then the error says so', async () => {
    const name = await create();
    expect(await failure(ops`clients show nobody`)).toBe('There is no client "nobody". See them with: clients list');
    expect(await failure(ops`clients create ${name} --contact a@b.example`)).toMatch(/name already/);
    expect(await failure(ops`keys revoke none`)).toMatch(/no valid key "none"/);
    expect(await failure(ops`wallets open ${name} ZZZ`)).toMatch(/not in ISO 4217/);
    expect(await failure(ops`discounts set ${name} vouchers 2000000000 5`)).toMatch(/no VOUCHER product/);
    expect(await failure(ops`rates set USD USD 1 --reason Test`)).toMatch(/different currencies/);
    expect(await failure(ops`fees set XAU XAG 1 --reason Test`)).toMatch(/rates set XAU XAG/);
  });
});

describe('output', () => {
  // Renames the window, clears the screen, begins a new line and reverses the direction of the text.
  const hostile = `Acme\u001b]0;owned\u0007\u009b2J\r\n\u202e${randomUUID()}\u2066`;
  const acting = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

  test('When a name contains terminal control characters, then a table omits them and JSON escapes them', async () => {
    await sql(database)`INSERT INTO clients (name, contact_email) VALUES (${hostile}, 'a@client.example')`;
    const url = loadStack().database_url;
    const table = await printedBy(url, 'clients', 'show', hostile);
    expect(table).not.toMatch(acting);
    expect(table.split('\n')).toHaveLength(2);
    const json = await printedBy(url, '--json', 'clients', 'show', hostile);
    expect(json).not.toMatch(acting);
    expect(JSON.parse(json)).toMatchObject([{ name: hostile }]);
  });

  test('When an error message repeats terminal control characters, then the output omits them', async () => {
    const { exitCode, stderr } = await runTool`clients show nobody[2J1A‮`;
    expect(exitCode).toBe(1);
    expect(stderr).toBe('There is no client "nobody[2J1A". See them with: clients list\n');
  });
});

describe('wallets', () => {
  const open = async (currency = 'USD'): Promise<number> => {
    const [wallet] = await ops`wallets open ${await create()} ${currency}`;
    return wallet?.['id'] as number;
  };
  const entries = (walletId: number) =>
    sql(database)<Json>`SELECT sequence, transaction_type AS type, trim_scale(amount)::text AS amount,
              trim_scale(balance_after)::text AS balance
         FROM transactions WHERE wallet_id = ${walletId} ORDER BY sequence`;

  test('When a funding is repeated with its reference, then the money is credited once', async () => {
    const wallet = await open();
    const fund = () => ops`wallets fund ${wallet} 100.50 --reference transfer-1`;
    const [posted] = await fund();
    expect(posted).toMatchObject({ type: 'CREDIT', amount: '100.5', outcome: 'posted' });
    const [repeated] = await fund();
    expect(repeated).toMatchObject({
      transaction_id: posted?.['transaction_id'],
      outcome: 'posted before, nothing changed',
    });
    expect(await entries(wallet)).toEqual([{ sequence: 1, type: 'CREDIT', amount: '100.5', balance: '100.5' }]);
  });

  test('When an operator at a terminal does not confirm a funding, then no money moves, unless --yes confirms it', async () => {
    const wallet = await open();
    const fund = (...options: string[]) =>
      failure(ops`wallets fund ${wallet} 250000 --reference transfer-3 ${options}`);
    await atTerminal(async (terminal) => {
      terminal.write('n\n');
      expect(await fund()).toBe('Nothing was done.');
      expect(await entries(wallet)).toEqual([]);
      expect(await fund('--yes')).toBe('no failure');
      expect(await entries(wallet)).toHaveLength(1);
    });
  });

  test('When fundings with the same reference arrive concurrently, then one of them is posted', async () => {
    const wallet = await open();
    const entry = {
      walletId: wallet,
      kind: 'FUNDING',
      type: 'CREDIT',
      amount: new Exact(7),
      reference: 'transfer-2',
      remarks: 'Wallet funding',
    } as const;
    const posted = await Promise.all(Array.from({ length: 10 }, () => postEntry(database, entry)));
    expect(posted.filter(({ repeated }) => !repeated)).toHaveLength(1);
    expect(new Set(posted.map(({ transactionId }) => transactionId)).size).toBe(1);
    expect(await entries(wallet)).toHaveLength(1);
  });

  test('When a reference has moved money, then it moves no more money in the wallet, by whichever command', async () => {
    const wallet = await open();
    await ops`wallets fund ${wallet} 7 --reference bank-2026-11-0042`;
    expect(await ops`wallets fund ${wallet} 7 --reference "  bank-2026-11-0042 "`).toMatchObject([
      { outcome: 'posted before, nothing changed' },
    ]);
    expect(await failure(ops`wallets adjust ${wallet} 7 --reference bank-2026-11-0042 --reason Test`)).toMatch(
      /Reference "bank-2026-11-0042" belongs to another entry: FUNDING CREDIT of 7/,
    );
    expect(await entries(wallet)).toHaveLength(1);
  });

  test('When a reference differs only in case, width or invisible characters, then it is the same reference', async () => {
    const [wallet, other] = [await open(), await open()];
    await ops`wallets fund ${wallet} 7 --reference Wire-77`;
    for (const reference of ['WIRE-77', 'Ｗire-７7', 'wi\u200bre-7\u00ad7\u00a0']) {
      expect(await ops`wallets fund ${wallet} 7 --reference ${reference}`).toMatchObject([
        { outcome: 'posted before, nothing changed' },
      ]);
      expect(await failure(ops`wallets adjust ${wallet} 7 --reference ${reference} --reason Test`)).toMatch(
        /belongs to another entry: FUNDING CREDIT of 7/,
      );
      expect(await failure(ops`wallets fund ${other} 7 --reference ${reference}`)).toMatch(
        `moved money in wallet ${wallet} of another client`,
      );
    }
    await expect(sql(database)`SELECT
         FROM post_entry(${wallet}, 'ADJUSTMENT', 'CREDIT', 1, NULL, 'wire-77', 'x', NULL, NULL, NULL, NULL)`).rejects.toThrow();
    expect(await entries(wallet)).toHaveLength(1);
  });

  test('When a reference has funded another client, then it needs --force', async () => {
    const [wallet, other] = [await open(), await open()];
    await ops`wallets fund ${wallet} 7 --reference transfer-4`;
    const again = (...options: string[]) => ops`wallets fund ${other} 7 --reference transfer-4 ${options}`;
    expect(await failure(again())).toBe(
      `Reference "transfer-4" moved money in wallet ${wallet} of another client: if both are right, repeat with --force`,
    );
    expect(await entries(other)).toEqual([]);
    expect(await again('--force')).toMatchObject([{ outcome: 'posted' }]);
  });

  test('When an operator uses an empty reference, or one of the service, however it is written, then it is rejected', async () => {
    const wallet = await open();
    const rejection = (command: string, reference: string, ...options: string[]) =>
      failure(ops`wallets ${command} ${wallet} 7 --reference ${reference} ${options}`);
    for (const reference of ['  ', '\u200b\ufeff', '\ufffb'])
      expect(await rejection('fund', reference)).toBe('The reference is empty');
    const ofService = /^Reference ".+" is the service's own: .* Name the operation that you record$/;
    for (const reference of [
      'order-17',
      'ORDER-17-r1',
      'ｏrd\u200ber-17',
      'convers\u0130on-17',
      'bank-17',
      ' BANK-0017\u00a0',
      'ｂａｎｋ－１７',
      'ban\ufff9k-17',
      'bank-17-2',
    ])
      expect(await rejection('fund', reference)).toMatch(ofService);
    expect(await rejection('adjust', 'bank-17', '--reason', 'Test')).toMatch(ofService);
    expect(await entries(wallet)).toEqual([]);
  });

  test('When a balance is adjusted, then the sign decides between credit and debit', async () => {
    const wallet = await open();
    await ops`wallets adjust ${wallet} 20 --reference a --reason Test`;
    await ops`wallets adjust ${wallet} -0.5 --reference b --reason Test`;
    expect(await entries(wallet)).toEqual([
      { sequence: 1, type: 'CREDIT', amount: '20', balance: '20' },
      { sequence: 2, type: 'DEBIT', amount: '0.5', balance: '19.5' },
    ]);
  });

  test('When money cannot be moved, then the error names the reason, and nothing is posted', async () => {
    const wallet = await open('JPY');
    await ops`wallets fund ${wallet} 500 --reference r-${wallet}`;
    const fund = (amount: string, reference: string) =>
      failure(ops`wallets fund ${wallet} ${amount} --reference ${reference}`);
    expect(await fund('0.5', 'x')).toMatch(/0.5 is not an amount of JPY/);
    expect(await fund('501', `r-${wallet}`)).toMatch(/Reference "r-\d+" belongs to another entry/);
    expect(await failure(ops`wallets adjust ${wallet} -501 --reference y --reason Test`)).toMatch(/holds only 500/);
    expect(await failure(ops`wallets fund 2000000000 1 --reference z`)).toMatch(/no wallet/);
    expect(await entries(wallet)).toHaveLength(1);
  });

  test('When a wallet is closed, then it must be empty, and it accepts no money until it is reopened', async () => {
    const wallet = await open();
    await ops`wallets fund ${wallet} 5 --reference to-close`;
    expect(await failure(ops`wallets close ${wallet}`)).toMatch(/adjust it to 0 first/);
    await ops`wallets adjust ${wallet} -5 --reference to-empty --reason Test`;
    await ops`wallets close ${wallet}`;
    expect(await failure(ops`wallets make-default ${wallet}`)).toMatch(/is closed\. Reopen it with/);
    const fund = () => ops`wallets fund ${wallet} 1 --reference again`;
    expect(await failure(fund())).toMatch(/is closed/);
    await ops`wallets reopen ${wallet}`;
    expect(await fund()).toMatchObject([{ outcome: 'posted' }]);
  });

  test('When wallets are opened, then the first is the default until an operator makes another one the default', async () => {
    const name = await create();
    await ops`wallets open ${name} USD`;
    const [euro] = await ops`wallets open ${name} EUR`;
    const defaults = async () => (await ops`wallets list ${name}`).map((wallet) => wallet['is_default']);
    expect(await defaults()).toEqual([true, false]);
    // Also if it is the default already.
    for (let times = 1; times <= 2; times++) {
      await ops`wallets make-default ${euro?.['id']}`;
      expect(await defaults()).toEqual([false, true]);
    }
  });
});

describe('prices', () => {
  const why = ['--reason', 'Asked for by mail'] as const;
  const printed = (...words: (string | number)[]) => printedBy(loadStack().database_url, ...words);
  const rates = async () => (await ops`rates list`).filter(({ source }) => source === 'TTD');
  const reasons = (object: string) =>
    sql(database)<{ reason: string | null }>`SELECT reason FROM audit_entries WHERE object = ${object}
         ORDER BY id`;
  const needsReason = /reason/;
  let product: number;
  beforeAll(async () => {
    // An earlier run on the same stack may have left this rate.
    await ops`rates remove TTD BBD ${why} --force`.catch(() => undefined);
    const voucher = voucherProduct(`Priced ${newMark()}`);
    product = (await importProducts(database, { voucherProducts: [voucher] })).get(voucher.sku) as number;
  });

  test('When a rate changes by more than a fifth, then only --force applies it, and both values are shown', async () => {
    expect(await printed('rates', 'set', 'TTD', 'BBD', '0.92', ...why, '--force')).toContain(
      'Rate TTD/BBD: old value none, new value 0.92',
    );
    expect(await printed('rates', 'set', 'TTD', 'BBD', '0.8', ...why)).toContain(
      'old value 0.92, new value 0.8, difference -0.12 (-13.04 %)',
    );
    const typo = await runTool`rates set TTD BBD 80 ${why}`;
    expect(typo).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(
        'Rate TTD/BBD since the last confirmed value: old value 0.92, new value 80, difference +79.08 (+8595.65 %). More than 20 %: add --force to apply it. Nothing was changed.',
      ),
    });
    expect(await rates()).toMatchObject([{ rate: '0.8' }]);
    await ops`rates set TTD BBD 80 ${why} --force`;
    expect(await rates()).toMatchObject([{ rate: '80' }]);
  });

  test('When an operator at a terminal sets and removes a rate, then the command does not ask', async () => {
    await atTerminal(async () => {
      await ops`rates set TTD XCD 0.4 ${why} --force`;
      await ops`rates remove TTD XCD ${why} --force`;
    });
  });

  test('When a fee changes by more than a fifth, then only --force applies it', async () => {
    await ops`fees set TTD BBD 2 ${why} --force`;
    const fee = failure(ops`fees set TTD BBD 3 ${why}`);
    expect(await fee).toMatch(/old value 2, new value 3, difference \+1 \(\+50 %\)\. More than 20 %: add --force/);
    await ops`fees set TTD BBD 3 ${why} --force`;
  });

  test('When a discount changes the price by more than a fifth, then only --force applies it, also for the first one', async () => {
    const name = await create();
    const discount = (percent: string, ...more: string[]) =>
      ops`discounts set ${name} vouchers ${product} ${percent} ${why} ${more}`;
    expect(await failure(discount('60'))).toMatch(/old value 100, new value 40, difference -60 \(-60 %\)/);
    await discount('80', '--force');
    expect(await failure(discount('95'))).toMatch(/old value 20, new value 5, difference -15 \(-75 %\)/);
    expect(await ops`discounts list ${name}`).toMatchObject([{ percent: '80.0000' }]);
    await discount('2', '--force');
    await discount('1.5');
    await discount('20');
    expect(await ops`discounts list ${name}`).toMatchObject([{ percent: '20.0000' }]);
  });

  test('When the default discount of a denomination is higher, then the command prints the discounts that apply', async () => {
    const voucher = voucherProduct('Both', {
      denominations: [
        { min: '10', max: '10', discount: '25' },
        { min: '20', max: '20', discount: '2' },
      ],
    });
    const id = (await importProducts(database, { voucherProducts: [voucher] })).get(voucher.sku) as number;
    const { stdout } = await runTool`discounts set ${await create()} vouchers ${id} 5`;
    expect(stdout).toMatch(/ gets 5 % or 25 % off .*: the higher of its own and the default discount/);
  });

  test('When a price changes or money moves without a reason, then nothing changes, and the error requests a reason', async () => {
    const name = await create();
    const [{ id: wallet } = {}] = await ops`wallets open ${name} USD`;
    await ops`discounts set ${name} vouchers ${product} 5`;
    const commands = [
      ['rates', 'set', 'TTD', 'BBD', '80'],
      ['rates', 'remove', 'TTD', 'BBD'],
      ['fees', 'set', 'TTD', 'BBD', '3'],
      ['discounts', 'clear', name, 'vouchers', product],
      ['discounts', 'clear', name, 'vouchers', product, '--reason', ' '],
      ['wallets', 'adjust', wallet as number, '5', '--reference', 'r'],
      ['wallets', 'credit-limit', wallet as number, '5'],
    ];
    for (const command of commands) {
      const { exitCode, stderr } = await runTool`${command}`;
      expect([exitCode, stderr]).toEqual([1, expect.stringMatching(needsReason)]);
    }
    expect(await failure(ops`discounts set ${name} vouchers ${product} 5.5`)).toBe(
      'A discount of a client needs a reason for the audit log. Give it with: --reason "<text>"',
    );
    expect(await ops`discounts list ${name}`).toMatchObject([{ percent: '5.0000' }]);
  });

  test('When a client has ordered, then its first discount also needs a reason', async () => {
    const client = await newClient(database, { USD: 100 });
    await place(client.api, orderOf('voucher_instant'));
    expect(await failure(ops`discounts set ${client.id} vouchers ${product} 5`)).toMatch(needsReason);
    await ops`discounts set ${client.id} vouchers ${product} 5 ${why}`;
  });

  test('When a wallet is funded, then the reference is the reason in the audit', async () => {
    const [{ id: wallet } = {}] = await ops`wallets open ${await create()} USD`;
    const [{ transaction_id: id } = {}] = await ops`wallets fund ${wallet} 5 --reference
      transfer-7`;
    expect(await reasons(`transaction/${Number(id)}`)).toEqual([{ reason: 'transfer-7' }]);
  });

  test('When two operators change a value concurrently, then one of them gets an error', async () => {
    const value = { kind: 'rate', key: { source_currency: 'TTD', destination_currency: 'BBD' } } as const;
    await ops`rates set TTD BBD 80 ${why} --force`;
    const changes = ['81', '82'].map((after) => changePricedValue(database, value, { before: '80', after }));
    const outcomes = await Promise.allSettled(changes);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('arguments', () => {
  test.each<[string, () => unknown]>([
    ['a day that its month lacks', () => timeOrAge.read('2026-02-31')],
    ['a reason of a thousand and one characters', () => kinds.reasonText.read('x'.repeat(1_001))],
    ['an invalid network', () => kinds.cidrs.read('10.0.0.0/8,10.0.0.0/33')],
    ['an unknown feature', () => kinds.featureList.read('vouchers,cars')],
    ['an unknown family', () => kinds.family.read('VOUCHER')],
    ['a bulk limit above the cap', () => kinds.bulkLimit.read('5001')],
    ['a number with an exponent', () => kinds.id.read('1e3')],
    ['a zero', () => kinds.id.read('0')],
    ['an amount with a comma', () => kinds.positiveDecimal.read('1,50')],
    ['a negative amount', () => kinds.positiveDecimal.read('-1')],
    ['a decimal with an exponent', () => kinds.decimal.read('1e9')],
    ['a percentage above 100', () => kinds.percent.read('100.0001')],
    ['a percentage with five decimals', () => kinds.percent.read('1.00001')],
    ['a currency in lower case', () => kinds.currencyCode.read('usd')],
    ['an invalid address', () => kinds.email.read('nobody')],
    ['an address with an invisible character', () => kinds.email.read('ops\u200b@client.example')],
    ['an abbreviated network', () => kinds.cidrs.read('10/8')],
    ['an unknown rate class', () => rateLimit.read('writes=5')],
    ['a rate without a number', () => rateLimit.read('reads=fast')],
    ['money without an amount', () => kinds.money.read('USD')],
  ])('When %s is given, then the error names the valid form', (_what, readArgument) => {
    expect(readArgument).toThrow(/[Gg]ive /);
  });
});
