import { failureMeaning, type FailureCode } from '../../src/domain/orders/failure-codes';
import { newClient, type OwnClient, useDatabase } from '../support/clients';
import { ops } from '../support/operator';
import { balanceOf, boughtFor } from '../support/records';
import { invalidQuery, notFound, validation, type Json } from '../support/stack';
import { loadStack } from '../../dev/testbed/loaded-stack';
import {
  accepted,
  esimOrders,
  scenariosOf,
  inList,
  startScenarios,
  type ScenarioRun,
  type VariantOrder,
} from '../support/variant-orders';

jest.setTimeout(150_000);

const database = useDatabase();
const scenarios = scenariosOf(esimOrders);
let runs: Map<string, Promise<ScenarioRun>>;

beforeAll(() => {
  runs = startScenarios(database, esimOrders);
});
afterAll(() => Promise.allSettled(runs.values()));

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown;
const activationCode = expect.stringMatching(/^LPA:1\$[^$]+\$[^$]+$/) as unknown;

function bodyOf(name: string): Json {
  return scenarios.find((scenario) => scenario.name === name)?.body as Json;
}

describe('order request', () => {
  let client: OwnClient;
  const instant = bodyOf('esim_instant');
  const post = (body: unknown) => client.api.order<VariantOrder>(esimOrders, body);

  beforeAll(async () => {
    client = await newClient(database, { USD: 1_000, JPY: 100_000 });
  });

  test.each([
    [{}, 'Product ID is required'],
    [{ product_id: -1, amount: 5 }, 'Product ID is required'],
    [{ product_id: 1 }, 'Amount is required'],
    [{ product_id: 1, amount: 0 }, 'Amount is required'],
    [{ product_id: 1.5, amount: 5 }, 'Invalid request body'],
    [{ product_id: 1, amount: true }, 'Invalid request body'],
    [{ product_id: 1, amount: 5, wallet_id: -1 }, 'Invalid request body'],
    [{ product_id: 1, amount: 5, redeem_voucher_code: {} }, 'Invalid request body'],
  ])('When the body is %j, then it is rejected', async (body, message) => {
    expect(await post(body)).toMatchObject(validation(message));
  });

  test('When no variant has the amount, then the response is 404', async () => {
    expect(await post({ ...instant, amount: 5.01 })).toMatchObject(notFound('Variant'));
  });

  test.each([5, 0, -1, 1.5, 'many', null, true, [2]])(
    'When the quantity is %j, then one eSIM is sold',
    async (quantity) => {
      const own = await newClient(database, { USD: 20 });
      const order = await accepted(own.api, esimOrders, { ...instant, quantity, category: 'Data' });
      expect(order).toMatchObject({ status: 'DELIVERED', amount: 5 });
      expect(await boughtFor(order.id)).toMatchObject([{ units: 1 }]);
      expect(await balanceOf(database, own.wallets['USD'] as number)).toBe('15');
    },
  );

  test('When the client has a discount and pays in another currency, then the order debits the charges', async () => {
    await ops`rates set USD PLN 4.0123 --reason Test --force`;
    const abroad = await newClient(database, { PLN: 100 });
    await ops`discounts set ${abroad.id} esim ${instant['product_id']} 10`;
    const charges = await abroad.api.post('/api/v1/esim/charges', instant);
    expect(charges.body).toMatchObject({ total_payable: 18.06 });
    const order = await accepted(abroad.api, esimOrders, instant);
    expect(order).toMatchObject({ amount: 18.06, currency: 'PLN' });
    expect(await balanceOf(database, abroad.wallets['PLN'] as number)).toBe('81.94');
  });
});

describe('list and detail', () => {
  let client: OwnClient;
  let delivered: VariantOrder;
  let failed: VariantOrder;

  beforeAll(async () => {
    client = await newClient(database, { USD: 1_000 });
    const reference = { client_reference: 'first' };
    delivered = await accepted(client.api, esimOrders, { ...bodyOf('esim_instant'), ...reference });
    failed = await accepted(client.api, esimOrders, bodyOf('esim_failed_now'));
  });

  const list = (query: string) => client.api.get<VariantOrder[]>(`${esimOrders}?${query}`);
  const ids = async (query: string) => (await list(query)).body.map(({ id }) => id);

  test('When orders are listed, then the list is newest first, without activation codes', async () => {
    const { body, headers } = await list('');
    expect(body.map(({ id }) => id)).toEqual([failed.id, delivered.id]);
    expect(headers.get('x-total-count')).toBe('2');
    const { activation_code: code, ...shown } = delivered;
    const { charged_amount: _, charged_currency: __, refunded_amount: ___, ...inList } = shown;
    expect(code).toEqual(activationCode);
    expect(body[1]).toEqual(inList);
    expect(await ids('status=DELIVERED')).toEqual([delivered.id]);
    expect(await ids('status=FAILED')).toEqual([failed.id]);
    expect(await ids('status=PENDING')).toEqual([]);
    expect(await ids('client_reference=first')).toEqual([delivered.id]);
    expect(await ids('per_page=1&page=2')).toEqual([delivered.id]);
  });

  test.each(['per_page=501', 'status=RECHARGED'])('When the query is %s, then it is rejected', async (query) =>
    expect(await list(query)).toMatchObject(invalidQuery),
  );

  test('When a device has installed the profile, then reads show the installation and omit the activation code', async () => {
    const own = await accepted(client.api, esimOrders, bodyOf('esim_instant'));
    const read = async () => (await client.api.get<VariantOrder>(`${esimOrders}/${own.id}`)).body;
    const control = `${loadStack().simulator_url}/control/esims/${String(own['iccid'])}/install`;
    expect((await fetch(control, { method: 'POST' })).status).toBe(200);
    const installed = await read();
    expect(installed).toMatchObject({
      status: 'DELIVERED',
      activation_status: 'ACTIVE',
      is_installed: true,
      installed_at: time,
      iccid: own['iccid'],
    });
    expect(installed).not.toHaveProperty('activation_code');
    expect((await list(`status=DELIVERED`)).body[0]).toMatchObject({ id: own.id, is_installed: true });
  });

  test('When the order has ended, then its email is locked', async () => {
    const path = `${esimOrders}/${delivered.id}/notification-email`;
    expect(await client.api.patch(path, { email: 'a@client.example' })).toMatchObject(
      validation('Notification email can no longer be changed'),
    );
  });
});

// Last, because the slow scenarios take more than a minute.
describe('scenarios', () => {
  test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    'When %s is ordered, then it runs as described',
    async (name, scenario) => {
      const run = await (runs.get(name) as Promise<ScenarioRun>);
      const { initial_status: first, final_status: last, failure_code: code } = scenario;
      expect(run.created).toEqual(shown(run, first, code));
      expect(run.detail).toEqual(shown(run, last, code));
      expect(run.listed).toEqual(inList(run.detail));
      expect(run.bought).toHaveLength(last === 'DELIVERED' ? 1 : 0);
      await expectMoney(run, scenario.body['amount'] as number, last);
    },
  );

  test.each(['esim_slow', 'esim_failed_later'])(
    'When %s takes longer than 60 seconds, then the API responds to the order request before the order ends',
    async (name) => {
      const { answeredAfter } = await (runs.get(name) as Promise<ScenarioRun>);
      expect(answeredAfter).toBeGreaterThan(58_000);
      expect(answeredAfter).toBeLessThan(68_000);
    },
  );

  /** The whole order, with exactly the fields of its state. */
  function shown({ created }: ScenarioRun, status: string, failureCode?: string): Json {
    const failed = status === 'FAILED' ? failureMeaning(failureCode as FailureCode) : undefined;
    return {
      id: created.id,
      client_reference: created['client_reference'],
      product_name: 'Sandbox eSIM',
      country_code: 'GLO',
      data_amount_gb: created['client_reference'] === 'esim_unlimited' ? 0 : 1,
      validity_days: 7,
      amount: created.amount,
      currency: 'USD',
      status,
      status_text: expect.stringMatching(/\w/),
      is_installed: false,
      ...(failed && { failure_code: failureCode, failure_reason: failed.reason, is_user_fixable: failed.userFixable }),
      ...(status === 'DELIVERED' && {
        activation_code: activationCode,
        iccid: expect.stringMatching(/^\d{19,20}$/),
        activation_status: 'NOT_INSTALLED',
      }),
      transaction_id: expect.any(Number),
      charged_amount: created.amount,
      charged_currency: 'USD',
      refunded_amount: failed ? created.amount : 0,
      ...(failed && { refund_transaction_id: expect.any(Number) }),
      created_at: time,
    };
  }

  async function expectMoney({ client, entries, events }: ScenarioRun, price: number, status: string): Promise<void> {
    const debit = { kind: 'ORDER', type: 'DEBIT', amount: String(price) };
    const refund = { kind: 'REFUND', type: 'CREDIT', amount: String(price) };
    expect(entries).toEqual(status === 'DELIVERED' ? [debit] : [debit, refund]);
    expect(await balanceOf(database, client.wallets['USD'] as number)).toBe(
      String(status === 'DELIVERED' ? 100 - price : 100),
    );
    const ends = events.filter(({ type }) => type.startsWith('esim.'));
    expect(ends.map(({ type }) => type)).toEqual([`esim.${status.toLowerCase()}`]);
    expect(JSON.stringify(events)).not.toContain('LPA:1');
  }
});
