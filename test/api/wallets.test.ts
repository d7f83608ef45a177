import { rows } from '../../src/data/database/database';
import { sentenceOf } from '../../src/operations/failure';
import { fund, newClient, type OwnClient, useClient, useDatabase } from '../support/clients';
import { ops } from '../support/operator';
import { orderOf, ordersPath } from '../support/orders';
import { eventsOf } from '../support/records';
import {
  apiAs,
  demoClient,
  refusal,
  validation,
  type Answer,
  type Json,
  type Resource,
} from '../support/stack';

const walletFields = {
  id: expect.any(Number),
  currency_id: expect.any(Number),
  balance: expect.any(Number),
  credit_limit: 0,
  available: expect.any(Number),
  pending_funding: 0,
  created_at: expect.stringMatching(/Z$/),
  updated_at: expect.stringMatching(/Z$/),
};
const notFound = refusal('NOT_FOUND', 'Wallet not found');

describe('wallets', () => {
  const database = useDatabase();
  const client = useClient(database, { USD: 100, EUR: 12.34, JPY: 500 });

  const pathOf = (currency: string) => `/api/v1/wallets/${client.wallets[currency]}`;
  const setThreshold = (currency: string, threshold: unknown): Promise<Answer<Json>> =>
    client.api.patch(pathOf(currency), { low_balance_threshold: threshold });
  const lowBalanceEvents = async ({ id }: OwnClient): Promise<number> => {
    const sql = `SELECT FROM events WHERE client_id = $id AND type = 'wallet.low_balance'`;
    return (await rows(database, sql, { id })).length;
  };

  test('When a client lists its wallets, then the list has all its wallets and no others, the default first', async () => {
    const { status, body } = await client.api.get<Resource[]>('/api/v1/wallets');
    expect(status).toBe(200);
    expect(body.map((wallet) => wallet.id)).toEqual(Object.values(client.wallets));
    const common = { ...walletFields, low_balance_threshold: null };
    expect(body).toEqual([
      { ...common, currency_code: 'USD', is_default: true, balance: 100, available: 100 },
      { ...common, currency_code: 'EUR', is_default: false, balance: 12.34, available: 12.34 },
      { ...common, currency_code: 'JPY', is_default: false, balance: 500, available: 500 },
    ]);
  });

  test('When a client reads one of its wallets, then it equals the item of the list, and its currency is in the list of currencies', async () => {
    const { body: list } = await client.api.get<Resource[]>('/api/v1/wallets');
    const jpy = list[2] as Resource;
    expect((await client.api.get(pathOf('JPY'))).body).toEqual(jpy);
    const { body: currencies } = await client.api.get<Resource[]>('/api/v1/currencies');
    const currency = currencies.find((candidate) => candidate.id === jpy['currency_id']);
    expect(currency).toMatchObject({ code: 'JPY' });
  });

  test("When the wallet is another client's or does not exist, then the response is the same 404", async () => {
    for (const id of [demoClient('demo').wallets[0]?.id, 2_147_483_647]) {
      expect(await client.api.get(`/api/v1/wallets/${id}`)).toMatchObject(notFound);
      const change = { low_balance_threshold: 1 };
      expect(await client.api.patch(`/api/v1/wallets/${id}`, change)).toMatchObject(notFound);
    }
    expect(await apiAs('demo').get(pathOf('USD'))).toMatchObject(notFound);
  });

  test('When a client sets a threshold, then the wallet shows it, and null clears it', async () => {
    for (const threshold of [0.01, 0, 1e15, null]) {
      const answer = await setThreshold('EUR', threshold);
      expect(answer).toMatchObject({
        status: 200,
        body: { ...walletFields, low_balance_threshold: threshold },
      });
      expect((await client.api.get(pathOf('EUR'))).body).toEqual(answer.body);
    }
  });

  test('When debits fall below a threshold, then one event reports it, and a second event follows after a change of the threshold', async () => {
    const debit = () => fund(database, client.wallets['USD'] as number, -10);
    await setThreshold('USD', 85);
    await debit();
    expect(await lowBalanceEvents(client)).toBe(0);
    await debit();
    await debit();
    await setThreshold('USD', 85);
    await debit();
    expect(await lowBalanceEvents(client)).toBe(1);
    await setThreshold('USD', 90);
    await debit();
    await debit();
    expect(await lowBalanceEvents(client)).toBe(2);
  });

  test('When a credit leaves a wallet below its threshold, then the next debit sends the event', async () => {
    const own = await newClient(database, { USD: 10 });
    const wallet = own.wallets['USD'] as number;
    await own.api.patch(`/api/v1/wallets/${wallet}`, { low_balance_threshold: 100 });
    await fund(database, wallet, 60);
    expect(await lowBalanceEvents(own)).toBe(0);
    await fund(database, wallet, -70);
    expect(await lowBalanceEvents(own)).toBe(1);
  });

  test('When a balance rises to its threshold but not above it, then no second event follows', async () => {
    const own = await newClient(database, { USD: 100 });
    const wallet = own.wallets['USD'] as number;
    await own.api.patch(`/api/v1/wallets/${wallet}`, { low_balance_threshold: 50 });
    for (const amount of [-60, 10, -10]) await fund(database, wallet, amount);
    expect(await lowBalanceEvents(own)).toBe(1);
    for (const amount of [11, -11]) await fund(database, wallet, amount);
    expect(await lowBalanceEvents(own)).toBe(2);
  });

  test('When operators set a credit limit, then orders spend what is available, and a debt cannot be closed', async () => {
    const own = await newClient(database, { USD: 0 });
    const wallet = own.wallets['USD'] as number;
    const money = async () => (await own.api.get<Json>(`/api/v1/wallets/${wallet}`)).body;
    const limit = (amount: string) => ops('wallets', 'credit-limit', wallet, amount, '--reason', 'Test');
    await own.api.patch(`/api/v1/wallets/${wallet}`, { low_balance_threshold: 5 });
    expect(await limit('100')).toMatchObject([{ credit_limit: '100.0000', available: '100.0000' }]);
    expect(await money()).toMatchObject({
      balance: 0,
      credit_limit: 100,
      available: 100,
      pending_funding: 0,
    });
    const range = (denomination: number) => orderOf('voucher_range', { denomination, quantity: 1 });
    const { body: order } = await own.api.order<Json>(ordersPath, range(99));
    expect(order).toMatchObject({ status: 'DELIVERED', charged_amount: 97.76 });
    expect(await money()).toMatchObject({ balance: -97.76, available: 2.24 });
    expect(await own.api.order(ordersPath, range(5))).toMatchObject(
      refusal('INSUFFICIENT_BALANCE', 'Insufficient wallet balance'),
    );
    const [low] = (await eventsOf(database, order['id'] as number)).filter(
      ({ type }) => type === 'wallet.low_balance',
    );
    expect(low?.data).toMatchObject({ balance: '-97.76', available: '2.24', threshold: '5.00' });
    expect(await ops('wallets', 'list', own.id, '--low')).toMatchObject([
      { balance: '-97.7600', credit_limit: '100.0000', available: '2.2400' },
    ]);
    const rejected = (...words: (string | number)[]) =>
      ops('wallets', ...words, '--reason', 'Test').then(() => 'no failure', sentenceOf);
    expect(await rejected('close', wallet)).toMatch('holds -97.7600 USD: fund it to 0 first');
    expect(await rejected('adjust', wallet, '-2.25', '--reference', `debt-${wallet}`)).toMatch(
      'holds only -97.76 USD, with a credit limit of 100',
    );
    for (const amount of ['-1', '0.001'])
      expect(await rejected('credit-limit', wallet, amount)).toMatch('is no credit limit in USD');

    await limit('10');
    expect(await money()).toMatchObject({ balance: -97.76, credit_limit: 10, available: -87.76 });
    const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString();
    const period = `from=${day(-1)}&to=${day(1)}`;
    const statement = await own.api.get<string>(`/api/v1/wallets/${wallet}/statement?${period}`);
    expect(statement.body).toMatch(/CLOSING,,,-97\.76,/);
  });

  test.each([
    [{}, 'low_balance_threshold is required'],
    [{ low_balance_threshold: '5' }, 'low_balance_threshold must be a number from 0 to 1e15, or null'],
    [{ low_balance_threshold: -0.01 }, 'low_balance_threshold must be a number from 0 to 1e15, or null'],
    [{ low_balance_threshold: 1.1e15 }, 'low_balance_threshold must be a number from 0 to 1e15, or null'],
    [{ low_balance_threshold: [1] }, 'low_balance_threshold must be a number from 0 to 1e15, or null'],
    [{ low_balance_threshold: 0.5 }, 'low_balance_threshold has more than 0 decimals (JPY)'],
  ])('When the change of a JPY wallet is %j, then it is rejected: %s', async (body, message) => {
    const answer = await client.api.patch(pathOf('JPY'), body);
    expect(answer).toMatchObject(validation(message));
  });
});
