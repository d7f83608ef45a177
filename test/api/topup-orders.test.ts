import { randomUUID } from 'node:crypto';
import type { TopupProductInput } from '../../src/data/catalogue/import/product-inputs';
import { failureMeaning, type FailureCode } from '../../src/domain/orders/failure-codes';
import { importProducts, newMark, topupProduct } from '../support/catalogue';
import { newClient, type OwnClient, useDatabase } from '../support/clients';
import { ops } from '../support/operator';
import { balanceOf, orderCount, unsoundWallets } from '../support/records';
import { invalidQuery, type ErrorBody, type Json, validation } from '../support/stack';
import {
  accepted,
  esimOrders,
  scenariosOf,
  inList,
  startScenarios,
  topupOrders,
  type ScenarioRun,
  type VariantOrder,
} from '../support/variant-orders';

jest.setTimeout(120_000);

const database = useDatabase();
const scenarios = scenariosOf(topupOrders);
let runs: Map<string, Promise<ScenarioRun>>;

beforeAll(() => {
  runs = startScenarios(database, topupOrders);
});
afterAll(() => Promise.allSettled(runs.values()));

function instant(): Json {
  return scenarios.find(({ name }) => name === 'topup_instant')?.body as Json;
}

describe('scenarios', () => {
  test('When the stack is up, then every failure code and outcome of a top-up has a sandbox scenario', () => {
    expect(scenarios.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['topup_instant', 'topup_pending', 'topup_failed_later', 'topup_flaky']),
    );
    expect(scenarios).toHaveLength(16);
  });

  test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    'When %s is ordered, then it runs as described',
    async (name, scenario) => {
      const run = await (runs.get(name) as Promise<ScenarioRun>);
      expect(run.created).toEqual(shown(run, scenario.initial_status, scenario.failure_code));
      expect(run.detail).toEqual(shown(run, scenario.final_status, scenario.failure_code));
      expect(run.listed).toEqual(inList(run.detail));
      expect(run.bought).toHaveLength(scenario.final_status === 'DELIVERED' ? 1 : 0);
      await expectMoney(run, scenario.final_status);
    },
  );

  /** The whole order, with exactly the fields of its state. */
  function shown({ created }: ScenarioRun, status: string, failureCode?: string): Json {
    const reference = created['client_reference'];
    const failed = status === 'FAILED' ? failureMeaning(failureCode as FailureCode) : undefined;
    return {
      id: created.id,
      client_reference: reference,
      product_id: instant()['product_id'],
      product_name: 'Liberty Mobile',
      variant_name: 'Liberty Airtime',
      country_code: 'USA',
      amount: 10,
      currency: 'USD',
      status,
      status_text: expect.stringMatching(/\w/),
      ...(failed && { failure_code: failureCode, failure_reason: failed.reason, is_user_fixable: failed.userFixable }),
      input_data: { phone_number: expect.stringMatching(/^\+12025550\d{3}$/) },
      transaction_id: expect.any(Number),
      charged_amount: 10,
      charged_currency: 'USD',
      refunded_amount: failed ? 10 : 0,
      ...(failed && { refund_transaction_id: expect.any(Number) }),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      ...(status !== 'PENDING' && { completed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) }),
    };
  }

  async function expectMoney({ client, entries, events }: ScenarioRun, status: string): Promise<void> {
    const debit = { kind: 'ORDER', type: 'DEBIT', amount: '10' };
    const refund = { kind: 'REFUND', type: 'CREDIT', amount: '10' };
    expect(entries).toEqual(status === 'DELIVERED' ? [debit] : [debit, refund]);
    expect(await balanceOf(database, client.wallets['USD'] as number)).toBe(status === 'DELIVERED' ? '90' : '100');
    const ends = events.filter(({ type }) => type.startsWith('topup.'));
    expect(ends.map(({ type }) => type)).toEqual([`topup.${status.toLowerCase()}`]);
    expect(JSON.stringify(events)).not.toContain('1202555');
  }
});

describe('order request', () => {
  let client: OwnClient;
  let dragon: number;
  const post = (body: unknown) => client.api.order<ErrorBody>(topupOrders, body);

  beforeAll(async () => {
    client = await newClient(database, { USD: 1_000, EUR: 1_000, JPY: 100_000 });
    const { body } = await client.api.get<{ id: number }[]>('/api/v1/topups/products?search=dragon%20realms');
    dragon = body[0]?.id as number;
  });

  const gems = (input: unknown, special: Json = {}) => ({
    product_id: dragon,
    amount: 0.99,
    input_data: input,
    ...special,
  });

  test.each([
    [{}, 'Product ID is required'],
    [{ product_id: null, amount: 10 }, 'Product ID is required'],
    [{ product_id: 0, amount: 10 }, 'Product ID is required'],
    [{ product_id: 1 }, 'Amount is required'],
    [{ product_id: 1, amount: 0 }, 'Amount is required'],
    [{ product_id: 1, amount: -5 }, 'Amount is required'],
    [{ product_id: '1', amount: 10 }, 'Invalid request body'],
    [{ product_id: 1, amount: '10' }, 'Invalid request body'],
    [{ product_id: 1, amount: 10, input_data: 'x' }, 'Invalid request body'],
    [{ product_id: 1, amount: 10, input_data: [] }, 'Invalid request body'],
    [{ product_id: 1, amount: 10, wallet_id: 'x' }, 'Invalid request body'],
    [{ product_id: 1, amount: 10, category: 5 }, 'Invalid request body'],
    [{ product_id: 1, amount: 10, redeem_voucher_code: 5 }, 'Invalid request body'],
  ])('When the body is %j, then it is rejected', async (body, message) => {
    expect(await post(body)).toMatchObject(validation(message));
  });

  test('When no variant has the amount, then the order is rejected', async () => {
    const message = 'Amount is not available for this product';
    for (const special of [{ amount: 4.99 }, { amount: 101 }, { amount: 10.001 }, { amount: 10, category: 'Data' }]) {
      expect(await post({ ...instant(), ...special })).toMatchObject(validation(message));
    }
    expect(await post(gems({ player_id: '12345678', server: 'eu' }, { amount: 1 }))).toMatchObject(validation(message));
  });

  test.each([
    [undefined, 'Missing input field: player_id'],
    [{}, 'Missing input field: player_id'],
    [{ player_id: '10000000100' }, 'Missing input field: server'],
    [{ player_id: '10000000100', server: 'europe', foo: 'x' }, 'Unknown input field: foo'],
    [{ player_id: '1', server: 'europe' }, 'Invalid input field: player_id (not of the expected format)'],
    [
      { player_id: '10000000100', server: 'mars' },
      'Invalid input field: server (must be one of americas, europe, asia)',
    ],
  ])('When the input is %j, then the error names the invalid field', async (input, message) => {
    expect(await post(gems(input))).toMatchObject(validation(message));
  });

  test('When the input has fields of all four types, then the order shows them in normalised form', async () => {
    const { body } = await client.api.get<{ id: number }[]>('/api/v1/topups/products?search=city%20power');
    const input = { account_number: '0040000100', meter_type: 'three', meter_reading: 12.5, contact_phone: '' };
    const order = await accepted(client.api, topupOrders, {
      product_id: body[0]?.id,
      amount: 25,
      input_data: { ...input, contact_phone: '49 (151) 234-56789' },
    });
    expect(order).toMatchObject({
      status: 'DELIVERED',
      variant_name: 'Night Saver',
      input_data: { ...input, contact_phone: '+4915123456789' },
    });
  });

  test('When a pattern of the catalogue needs exponential time, then the order is still rejected at once', async () => {
    const product: TopupProductInput = topupProduct(newMark(), [{ fixedAmounts: ['5'] }], {
      inputFields: [
        { fieldName: 'code', fieldLabel: 'Code', fieldType: 'text', isRequired: true, validationRegex: '^(a+)+$' },
      ],
    });
    const product_id = (await importProducts(database, { topupProducts: [product] })).get(product.sku);
    const answer = await post({ product_id, amount: 5, input_data: { code: `${'a'.repeat(400)}!` } });
    expect(answer).toMatchObject(validation('Invalid input field: code (not of the expected format)'));
  });

  test('When an input has NUL or half of a surrogate pair, then the order is rejected and not placed', async () => {
    const product = topupProduct(newMark(), [{ fixedAmounts: ['5'] }], {
      inputFields: [{ fieldName: 'player', fieldLabel: 'Player', fieldType: 'text', isRequired: true }],
    });
    const product_id = (await importProducts(database, { topupProducts: [product] })).get(product.sku);
    for (const player of ['a\0b', 'a\ud800b', '\udc00\ud800'])
      expect(await post({ product_id, amount: 5, input_data: { player } })).toMatchObject(
        validation('Invalid request body'),
      );
  });

  test("When no wallet is named, then the wallet in the variant's currency pays, or else the default wallet", async () => {
    await ops`rates set USD PLN 4.0123 --reason Test --force`;
    const inDollars = await newClient(database, { EUR: 50, USD: 50 });
    expect(await accepted(inDollars.api, topupOrders, instant())).toMatchObject({ amount: 10, currency: 'USD' });
    const inZloty = await newClient(database, { PLN: 50 });
    const charges = await inZloty.api.post('/api/v1/topups/charges', instant());
    expect(charges.body).toMatchObject({ total_payable: 40.12 });
    const order = await accepted(inZloty.api, topupOrders, instant());
    expect(order).toMatchObject({ amount: 40.12, currency: 'PLN' });
    expect(await balanceOf(database, inZloty.wallets['PLN'] as number)).toBe('9.88');
  });

  test('When the client has a discount, then the order shows the debited amount', async () => {
    const discounted = await newClient(database, { USD: 100 });
    await ops`discounts set ${discounted.id} topups ${instant()['product_id']} 2.5`;
    expect(await accepted(discounted.api, topupOrders, instant())).toMatchObject({ amount: 9.75, currency: 'USD' });
    expect(await balanceOf(database, discounted.wallets['USD'] as number)).toBe('90.25');
  });

  test('When concurrent requests of two families use one reference, then only one order is placed', async () => {
    const both = await newClient(database, { USD: 1_000 });
    const esim = scenariosOf(esimOrders).find(({ name }) => name === 'esim_instant')?.body;
    const client_reference = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        index % 2
          ? both.api.post(topupOrders, { ...instant(), client_reference })
          : both.api.post(esimOrders, { ...esim, client_reference }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(400)]);
    expect(await orderCount(database, both.id)).toBe(1);
    expect(await unsoundWallets(database)).toEqual([]);
  });
});

describe('list and detail', () => {
  let client: OwnClient;
  let delivered: VariantOrder;
  let failed: VariantOrder;
  let game: VariantOrder;

  beforeAll(async () => {
    client = await newClient(database, { USD: 1_000 });
    delivered = await accepted(client.api, topupOrders, { ...instant(), client_reference: 'first' });
    const rejected = scenarios.find(({ name }) => name === 'topup_reject_recipient_barred');
    failed = await accepted(client.api, topupOrders, rejected?.body as Json);
    const { body } = await client.api.get<{ id: number }[]>('/api/v1/topups/products?search=dragon%20realms');
    const input_data = { player_id: '10000000100', server: 'asia' };
    game = await accepted(client.api, topupOrders, { product_id: body[0]?.id, amount: 0.99, input_data });
  });

  const list = (query: string) => client.api.get<VariantOrder[]>(`${topupOrders}?${query}`);
  const ids = async (query: string) => (await list(query)).body.map(({ id }) => id);

  test('When orders are listed, then each page is newest first', async () => {
    const { headers, body } = await list('page=2&per_page=2');
    expect(body.map(({ id }) => id)).toEqual([delivered.id]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-page': '2',
      'x-per-page': '2',
      'x-total-count': '3',
      'x-total-pages': '2',
      'x-page-size': '1',
      'x-has-more': 'false',
    });
    expect(await ids('')).toEqual([game.id, failed.id, delivered.id]);
    expect(await ids('page=9')).toEqual([]);
    expect(body[0]).not.toHaveProperty('input_data');
  });

  test('When orders are filtered, then only matching orders are listed', async () => {
    expect(await ids('status=DELIVERED')).toEqual([game.id, delivered.id]);
    expect(await ids('status=FAILED')).toEqual([failed.id]);
    expect(await ids('status=PENDING')).toEqual([]);
    expect(await ids('status=CANCELLED')).toEqual([]);
    expect(await ids('status=RECHARGED')).toEqual([]);
    expect(await ids(`product_id=${String(game['product_id'])}`)).toEqual([game.id]);
    expect(await ids('country=USA')).toEqual([failed.id, delivered.id]);
    expect(await ids('country=GLO&status=DELIVERED')).toEqual([game.id]);
    expect(await ids('client_reference=first')).toEqual([delivered.id]);
    expect(await ids('client_reference=none')).toEqual([]);
  });

  test.each([
    'per_page=501',
    'status=PARTIALLY_DELIVERED',
    'country=usa',
    'country=US',
    'product_id=0',
    'product_id=x',
  ])('When the query is %s, then it is rejected', async (query) => {
    expect(await list(query)).toMatchObject(invalidQuery);
  });

  test('When an order is pending, and only then, its email can be changed', async () => {
    const path = (id: number) => `${topupOrders}/${id}/notification-email`;
    const email = { email: 'customer@client.example' };
    expect(await client.api.patch(path(delivered.id), email)).toMatchObject(
      validation('Notification email can no longer be changed'),
    );
    expect(await client.api.patch(path(delivered.id), {})).toMatchObject(validation('email is required'));
    const pending = await accepted(client.api, topupOrders, {
      ...instant(),
      input_data: { phone_number: '12025550101' },
    });
    expect(await client.api.patch(path(pending.id), email)).toMatchObject({
      status: 200,
      body: { success: true, message: expect.any(String) },
    });
  });
});
