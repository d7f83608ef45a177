import { rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { eraseOldPurchaseOrders } from '../../src/data/funding/funding-requests';
import { creditorReferencesIn } from '../../src/domain/funding/creditor-references';
import { sentenceOf } from '../../src/operators/operations/failure';
import { fund, stackDatabase } from '../../dev/testbed/clients';
import { newClient, type OwnClient, useClient, useDatabase } from '../support/clients';
import { ops } from '../support/operator';
import { orderOf, ordersPath } from '../support/orders';
import { eventsOf } from '../support/records';
import { apiAs, demoClient, refusal, validation, type Answer, type Json, type Resource } from '../support/stack';
import { ownMoment } from '../../src/domain/time';

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
    return (
      await sql(database)`
      SELECT FROM events WHERE client_id = ${id} AND type = 'wallet.low_balance'`
    ).length;
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
      expect(answer).toMatchObject({ status: 200, body: { ...walletFields, low_balance_threshold: threshold } });
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
    const limit = (amount: string) => ops`wallets credit-limit ${wallet} ${amount} --reason Test`;
    await own.api.patch(`/api/v1/wallets/${wallet}`, { low_balance_threshold: 5 });
    expect(await limit('100')).toMatchObject([{ credit_limit: '100.0000', available: '100.0000' }]);
    expect(await money()).toMatchObject({ balance: 0, credit_limit: 100, available: 100, pending_funding: 0 });
    const range = (denomination: number) => orderOf('voucher_range', { denomination, quantity: 1 });
    const { body: order } = await own.api.order<Json>(ordersPath, range(99));
    expect(order).toMatchObject({ status: 'DELIVERED', charged_amount: 97.76 });
    expect(await money()).toMatchObject({ balance: -97.76, available: 2.24 });
    expect(await own.api.order(ordersPath, range(5))).toMatchObject(
      refusal('INSUFFICIENT_BALANCE', 'Insufficient wallet balance'),
    );
    const [low] = (await eventsOf(database, order['id'] as number)).filter(({ type }) => type === 'wallet.low_balance');
    expect(low?.data).toMatchObject({ balance: '-97.76', available: '2.24', threshold: '5.00' });
    expect(await ops`wallets list ${own.id} --low`).toMatchObject([
      { balance: '-97.7600', credit_limit: '100.0000', available: '2.2400' },
    ]);
    const rejected = (...words: (string | number)[]) =>
      ops`wallets ${words} --reason Test`.then(() => 'no failure', sentenceOf);
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

  describe('funding requests', () => {
    const listOf = (wallet: number | undefined) => `/api/v1/wallets/${wallet}/funding-requests`;
    const one = (request: Json, action = '') => `/api/v1/funding-requests/${String(request['id'])}${action}`;
    const request = async (own: OwnClient, body: Json = { amount: 12.34 }): Promise<Json> =>
      (await own.api.post<Json>(listOf(own.wallets['USD']), body)).body;
    const pay = (own: OwnClient, { id }: Json) =>
      own.api.post<Json>(`/api/v1/sandbox/funding-requests/${String(id)}/pay`, {});
    const walletOf = async (own: OwnClient) => (await own.api.get<Json>(`/api/v1/wallets/${own.wallets['USD']}`)).body;
    const noRequest = refusal('NOT_FOUND', 'Funding request not found');
    const notPossible = (message: string) => refusal('NOT_POSSIBLE_NOW', message);

    test('When a client announces a transfer, then it gets reference and account, and the bank pays it once', async () => {
      const own = await newClient(database, { USD: 100 });
      const made = await own.api.post<Json>(listOf(own.wallets['USD']), { amount: 12.34, purchase_order: ' PO 4711 ' });
      const { body } = made;
      expect(made).toMatchObject({
        status: 201,
        body: {
          id: expect.any(Number),
          wallet_id: own.wallets['USD'],
          amount: 12.34,
          currency: 'USD',
          purchase_order: 'PO 4711',
          state: 'PENDING',
          bank_account: {
            beneficiary: 'Digital Goods Ltd',
            iban: 'GB33BUKB20201555555555',
            bic: 'BUKBGB22XXX',
            account_number: null,
            routing_code: null,
          },
          transaction_id: null,
        },
      });
      const reference = String(body['reference']);
      expect(creditorReferencesIn(reference)).toEqual([reference]);
      const days =
        (ownMoment(String(body['expires_at'])).getTime() - ownMoment(String(body['created_at'])).getTime()) /
        86_400_000;
      expect(days).toBe(30);
      const second = await request(own, { amount: 7 });
      expect(second).toMatchObject({ purchase_order: null });
      expect((await own.api.get<Json[]>(listOf(own.wallets['USD']))).body).toEqual([second, body]);
      expect((await own.api.get(one(body))).body).toEqual(body);
      expect(await walletOf(own)).toMatchObject({ balance: 100, pending_funding: 19.34 });

      const paid = await pay(own, body);
      const transactionId = expect.any(Number);
      expect(paid).toMatchObject({ status: 200, body: { ...body, state: 'CREDITED', transaction_id: transactionId } });
      expect(await walletOf(own)).toMatchObject({ balance: 112.34, pending_funding: 7 });
      expect((await own.api.get(`/api/v1/transactions/${String(paid.body['transaction_id'])}`)).body).toMatchObject({
        reference_number: reference,
        remarks: `Bank transfer ${reference}`,
        amount: 12.34,
      });
      for (const action of [() => pay(own, body), () => own.api.post<Json>(one(body, '/cancel'), {})])
        expect(await action()).toMatchObject(notPossible('The funding request is CREDITED'));
      const audited = await sql(database)`SELECT action, object FROM audit_entries
           WHERE client_id = ${own.id} AND action LIKE '%funded'`;
      expect(audited).toEqual([{ action: 'sandbox_wallet.funded', object: `wallet/${own.wallets['USD']}` }]);
    });

    test('When a request is cancelled or its time is over, then it is not pending and nothing credits it', async () => {
      const own = await newClient(database, { USD: 0 });
      const [cancelled, expired, byOperator] = [await request(own), await request(own), await request(own)];
      const broken = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' };
      expect(await own.api.send(one(cancelled, '/cancel'), broken)).toMatchObject(validation('Invalid request body'));
      expect(await own.api.post(one(cancelled, '/cancel'), {})).toMatchObject({
        status: 200,
        body: { state: 'CANCELLED' },
      });
      await sql(database)`UPDATE funding_requests SET expires_at = now() WHERE id = ${Number(expired['id'])}`;
      await ops`funding cancel ${Number(byOperator['id'])}`;
      expect((await own.api.get(one(expired))).body).toMatchObject({ state: 'EXPIRED' });
      const states = (await own.api.get<Json[]>(listOf(own.wallets['USD']))).body.map(({ state }) => state);
      expect(states).toEqual(['CANCELLED', 'EXPIRED', 'CANCELLED']);
      expect(await ops`funding list ${own.id} --state EXPIRED`).toMatchObject([
        { id: expired['id'], state: 'EXPIRED' },
      ]);
      const ended: [Json, string][] = [
        [cancelled, 'CANCELLED'],
        [expired, 'EXPIRED'],
      ];
      for (const [over, state] of ended)
        for (const action of [() => pay(own, over), () => own.api.post<Json>(one(over, '/cancel'), {})])
          expect(await action()).toMatchObject(notPossible(`The funding request is ${state}`));
      const again = ops`funding cancel ${Number(expired['id'])}`.then(() => 'no failure', sentenceOf);
      expect(await again).toMatch('is EXPIRED: only a PENDING one can be cancelled');
      expect(await walletOf(own)).toMatchObject({ balance: 0, pending_funding: 0 });
    });

    test("When the request is another client's or does not exist, then the response is the same 404", async () => {
      const foreign = await request(client);
      const stranger = await newClient(database, { USD: 0 });
      for (const id of [foreign, { id: 2_147_483_647 }]) {
        expect(await stranger.api.get(one(id))).toMatchObject(noRequest);
        expect(await stranger.api.post(one(id, '/cancel'), {})).toMatchObject(noRequest);
        expect(await pay(stranger, id)).toMatchObject(noRequest);
      }
      expect(await stranger.api.post(listOf(client.wallets['USD']), { amount: 1 })).toMatchObject(notFound);
      expect(await stranger.api.get(listOf(client.wallets['USD']))).toMatchObject(notFound);
      const noId = refusal('BAD_REQUEST', 'Invalid funding request ID');
      expect(await client.api.get('/api/v1/funding-requests/x')).toMatchObject(noId);
      expect(await client.api.post('/api/v1/funding-requests/x/cancel', {})).toMatchObject(noId);
      expect(await pay(client, { id: 'x' })).toMatchObject(noId);
    });

    test('When a wallet is closed, has no account or 100 pending requests, then it takes no other', async () => {
      const own = await newClient(database, { USD: 0, KWD: 0 });
      const wallet = own.wallets['USD'] as number;
      const made = await Promise.all(
        Array.from({ length: 110 }, () => own.api.post<Json>(listOf(wallet), { amount: 1 })),
      );
      const tooMany = notPossible(`Wallet ${wallet} has 100 pending funding requests: cancel one first`);
      expect(made.filter(({ status }) => status === 201)).toHaveLength(100);
      expect(made.find(({ status }) => status !== 201)).toMatchObject(tooMany);
      await own.api.post(one(made.find(({ status }) => status === 201)?.body ?? {}, '/cancel'), {});
      expect(await request(own)).toMatchObject({ state: 'PENDING' });
      const ofKuwait = await own.api.post(listOf(own.wallets['KWD']), { amount: 1.234 });
      expect(ofKuwait).toMatchObject(notPossible('We have no bank account that receives KWD'));
      const [open] = await ops`funding list ${own.id} --limit 1`;
      await ops`wallets close ${wallet}`;
      const closed = notPossible(`Wallet ${wallet} is closed`);
      expect(await own.api.post(listOf(wallet), { amount: 1 })).toMatchObject(closed);
      expect(await pay(own, open as Json)).toMatchObject(closed);
    });

    test('When the reference of an entry holds that of a request, then operators are told to credit the bank entry', async () => {
      const own = await newClient(database, { USD: 0 });
      const { id, reference } = await request(own);
      const written = `Transfer ${String(reference)
        .toLowerCase()
        .replace(/(.{4})/g, '$1-\u200b')}`;
      for (const [name, amount] of [
        ['fund', '12.34'],
        ['adjust', '12.34'],
      ] as const) {
        const entry = ops`wallets ${name} ${client.wallets['USD']} ${amount} --reference
          ${written} --reason Test`;
        expect(await entry.then(() => 'no failure', sentenceOf)).toMatch(
          `is that of funding request ${String(id)}. Credit the entry of the bank with: bank credit`,
        );
      }
    });

    test('When the text of a request is 400 days past its end, then maintenance deletes it, and the request stays', async () => {
      const own = await newClient(database, { USD: 0 });
      const [old, recent] = [
        await request(own, { amount: 1, purchase_order: 'old' }),
        await request(own, { amount: 1, purchase_order: 'recent' }),
      ];
      const age = "UPDATE funding_requests SET expires_at = now() - $days * interval '1 day' WHERE id = $id";
      await rows(database, age, { id: Number(old['id']), days: 401 });
      await rows(database, age, { id: Number(recent['id']), days: 399 });
      await eraseOldPurchaseOrders(database, 1000);
      expect((await own.api.get(one(old))).body).toMatchObject({ purchase_order: null, state: 'EXPIRED' });
      expect((await own.api.get(one(recent))).body).toMatchObject({ purchase_order: 'recent' });
    });

    test.each([
      ['USD', {}, 'amount is required'],
      ['USD', { amount: null }, 'amount is required'],
      ['USD', { amount: 0 }, 'amount must be a number above 0, at most 10000000'],
      ['USD', { amount: '5' }, 'amount must be a number above 0, at most 10000000'],
      ['USD', { amount: 10_000_000.01 }, 'amount must be a number above 0, at most 10000000'],
      ['EUR', { amount: 0.001 }, 'amount has more than 2 decimals (EUR)'],
      ['JPY', { amount: 0.5 }, 'amount has more than 0 decimals (JPY)'],
      [
        'USD',
        { amount: 1, purchase_order: '\u{1F4E6}'.repeat(141) },
        'purchase_order is too long (max 140 characters)',
      ],
      ['USD', { amount: 1, purchase_order: 7 }, 'purchase_order is invalid'],
      ['USD', { amount: 1, purchase_order: 'two\nlines' }, 'purchase_order is invalid'],
    ])('When a request for a %s wallet is %j, then it is rejected: %s', async (currency, body, message) => {
      const answer = await client.api.post(listOf(client.wallets[currency]), body);
      expect(answer).toMatchObject(validation(message));
    });

    test('When a purchase order has 140 characters or is blank, then it is accepted', async () => {
      const longest = '\u{1F4E6}'.repeat(140);
      expect(await request(client, { amount: 10_000_000, purchase_order: longest })).toMatchObject({
        purchase_order: longest,
      });
      expect(await request(client, { amount: 0.01, purchase_order: ' ' })).toMatchObject({ purchase_order: null });
    });
  });
});

describe('conversions', () => {
  const database = useDatabase();
  // Currencies of no other test. A rate is what one unit of the first one costs in a wallet of the second one.
  const client = useClient(database, { BHD: 1_000, TND: 1_000, CLP: 100, ZMW: 5 });
  const stranger = useClient(database, { TND: 5 });
  beforeAll(async () => {
    await sql(database)`INSERT INTO forex_rates (source_currency, destination_currency, rate)
       VALUES ('TND', 'BHD', 0.13), ('BHD', 'TND', 7.7), ('CLP', 'BHD', 0.0004), ('BHD', 'CLP', 2501) ON CONFLICT DO NOTHING`;
  });

  let made = 0;
  const convert = (
    from: string,
    to: string | number,
    amount: unknown,
    { reference = `conversion ${(made += 1)}`, of = client } = {},
  ): Promise<Answer<Json>> =>
    of.api.post(`/api/v1/wallets/${of.wallets[from]}/conversions`, {
      to_wallet_id: typeof to === 'number' ? to : of.wallets[to],
      amount,
      reference,
    });
  const balances = async (): Promise<Record<string, number>> => {
    const { body } = await client.api.get<Resource[]>('/api/v1/wallets');
    return Object.fromEntries(body.map((wallet) => [String(wallet['currency_code']), Number(wallet['balance'])]));
  };
  const enable = (of: OwnClient) => ops`clients set ${of.id} --conversions --rate-limit changes=1000`;

  test('When they are not enabled, then they are rejected, and nothing moves', async () => {
    const before = await balances();
    expect(await convert('BHD', 'TND', 1)).toMatchObject(refusal('FORBIDDEN', 'Conversions are not enabled'));
    expect(await balances()).toEqual(before);
    await enable(client);
    await enable(stranger);
  });

  test('When money is converted, then both wallets have an entry of it, at the inverse rate rounded down', async () => {
    const before = await balances();
    const { status, body } = await convert('BHD', 'TND', 10);
    expect(status).toBe(201);
    // 1 / 0.13
    expect(body).toEqual({
      id: expect.any(Number),
      from_wallet_id: client.wallets['BHD'],
      to_wallet_id: client.wallets['TND'],
      amount: 10,
      converted_amount: 76.923,
      forex_rate: 7.6923076923,
      conversion_charges: 0,
      debit_transaction_id: expect.any(Number),
      credit_transaction_id: expect.any(Number),
      created_at: expect.stringMatching(/Z$/),
    });
    expect(await balances()).toEqual({
      ...before,
      BHD: Number(before['BHD']) - 10,
      TND: Number(before['TND']) + 76.923,
    });
    const entry = (id: unknown) => client.api.get<Json>(`/api/v1/transactions/${String(id)}`);
    const common = {
      reference_number: `conversion-${String(body['id'])}`,
      source_currency: 'BHD',
      destination_currency: 'TND',
      forex_rate: 7.6923076923,
      conversion_charges: 0,
    };
    expect((await entry(body['debit_transaction_id'])).body).toMatchObject({
      ...common,
      transaction_type: 'DEBIT',
      amount: 10,
      remarks: 'Conversion to TND',
    });
    expect((await entry(body['credit_transaction_id'])).body).toMatchObject({
      ...common,
      transaction_type: 'CREDIT',
      amount: 76.923,
      remarks: 'Conversion from BHD',
    });
    const events = await sql(database)`SELECT type, data ->> 'amount' AS amount FROM events
         WHERE data ->> 'reference_number' = ${common.reference_number} ORDER BY type`;
    expect(events).toEqual([
      { type: 'wallet.credited', amount: '76.923' },
      { type: 'wallet.debited', amount: '10.000' },
    ]);
  });

  test('When a request is repeated, then it returns the same conversion; with another amount or wallet, 409', async () => {
    const reference = 'once';
    const answers = await Promise.all([1, 2, 3, 4].map(() => convert('BHD', 'TND', 2, { reference })));
    expect(answers.map(({ status }) => status).toSorted()).toContain(201);
    expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(1);
    expect((await convert('BHD', 'TND', 2, { reference })).status).toBe(200);
    const other = refusal('NOT_POSSIBLE_NOW', 'The reference belongs to another conversion');
    expect(await convert('BHD', 'TND', 3, { reference })).toMatchObject(other);
    expect(await convert('TND', 'BHD', 2, { reference })).toMatchObject(other);
  });

  test('When a fee is set, then it is rounded up, and taken from what is credited', async () => {
    await ops`fees set TND BHD 1.5 --on conversions --force --reason Test`;
    const { body } = await convert('BHD', 'TND', 10);
    expect(body).toMatchObject({ converted_amount: 75.769, conversion_charges: 1.154, forex_rate: 7.6923076923 });
    await ops`fees set TND BHD 0 --on conversions --force --reason Test`;
  });

  test('When a request is not valid, then the error names the field, and nothing moves', async () => {
    const before = await balances();
    for (const [amount, message] of [
      [undefined, 'amount is required'],
      [0, 'amount must be a number above 0, at most 1e15'],
      [-1, 'amount must be a number above 0, at most 1e15'],
      ['1', 'amount must be a number above 0, at most 1e15'],
      [1e16, 'amount must be a number above 0, at most 1e15'],
      [0.0001, 'amount has more than 3 decimals (BHD)'],
    ])
      expect(await convert('BHD', 'TND', amount)).toMatchObject(validation(String(message)));
    for (const reference of ['', 'é', 'x'.repeat(256)])
      expect(await convert('BHD', 'TND', 1, { reference })).toMatchObject(
        validation('reference must be 1 to 255 printable ASCII characters'),
      );
    expect(await convert('BHD', 'BHD', 1)).toMatchObject(validation('to_wallet_id must be another wallet'));
    expect(await convert('BHD', 'CLP', 0.0001)).toMatchObject({ status: 400 });
    expect(await convert('CLP', 'BHD', 1)).toMatchObject(validation('amount is too small to be converted'));
    expect(await convert('BHD', stranger.wallets['TND'] as number, 1)).toMatchObject({ status: 404 });
    expect(await convert('BHD', 'ZMW', 1)).toMatchObject(
      refusal('EXCHANGE_RATE_UNAVAILABLE', 'Exchange rate not available for the wallet currency'),
    );
    expect(await balances()).toEqual(before);
  });

  test('When more than the positive balance is converted, then it is rejected, whatever the credit limit is', async () => {
    await ops`wallets credit-limit ${stranger.wallets['TND']} 100 --reason Test`;
    const bahraini = await ops`wallets open ${stranger.id} BHD`;
    const [to] = JSON.stringify(bahraini).match(/\d+/) ?? [];
    const beyond = await convert('TND', Number(to), 5.001, { of: stranger });
    expect(beyond).toMatchObject(refusal('INSUFFICIENT_BALANCE', 'Insufficient wallet balance'));
    expect((await convert('TND', Number(to), 5, { of: stranger })).status).toBe(201);
  });

  test('When 20 requests with one reference convert at once, then one of them makes the conversion', async () => {
    const calls = Array.from({ length: 20 }, () => convert('BHD', 'TND', 1, { reference: 'all at once' }));
    const answers = await Promise.all(calls);
    expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(1);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
  });

  test('When 200 conversions run in both directions at once, then the sums are exact, and a round trip never gains', async () => {
    const before = await balances();
    const calls = Array.from({ length: 100 }, () => [convert('BHD', 'TND', 1), convert('TND', 'BHD', 7.692)]).flat();
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(calls.map(() => 201));
    // 7.692 TND at 1 / 7.7 are 0.998 BHD.
    expect(await balances()).toEqual({ ...before, BHD: Number((Number(before['BHD']) - 0.2).toFixed(3)) });
    expect(
      (
        await sql(database)`SELECT FROM wallets WHERE client_id = ${client.id}
             AND balance <> (SELECT sum(CASE transaction_type WHEN 'CREDIT' THEN amount ELSE -amount END)
             FROM transactions WHERE wallet_id = wallets.id)`
      ).length,
    ).toBe(0);
    await sql(database)`DELETE FROM forex_rates WHERE 'BHD' IN (source_currency, destination_currency)`;
  });
});

test('When any amount makes a round trip at rates without a circle, then it never gains, and the inverse is rounded down', async () => {
  const database = stackDatabase();
  const found = await sql(database)<{ wrong: number }>`WITH trip AS (
       SELECT (random() * 10 ^ (random() * 12 - 6))::numeric(20, 8) + 0.00000001 AS rate, (random() * 10 ^ (random() * 8))::numeric(20, 2) + 0.01 AS amount,
              (random() * 3)::numeric(7, 4) AS fee FROM generate_series(1, 2000)
     ), both_rates AS (
       -- The least opposite rate that makes no circle.
       SELECT *, ceil(('1e40')::numeric / rate) * '1e-40'::numeric AS opposite FROM trip
     )
     SELECT count(*) FILTER (WHERE back.converted > amount OR there.forex_rate * rate > 1
                                OR there.forex_rate * rate < 1 - 1e-10 OR there.charges < amount * there.forex_rate * fee * 0.01) AS wrong
       FROM both_rates, LATERAL price_conversion(amount, rate, fee, 2) there, LATERAL price_conversion(there.converted, opposite, 0, 2) back`;
  expect(found).toEqual([{ wrong: 0 }]);
});
