/** Orders that are held for review: the rules, the review, and the doors that must not buy. docs/operators/holds.md. */
import { sql } from '../../dev/testbed/sql';
import { newClient, type OwnClient, useDatabase } from '../support/clients';
import { callerAt } from '../support/from-address';
import { ops, printedBy } from '../support/operator';
import { orderOf, ordersPath, place, reached, read, type VoucherOrder } from '../support/orders';
import { boughtFor, entriesOf, eventsOf } from '../support/records';
import { loadStack } from '../../dev/testbed/loaded-stack';
import type { Json } from '../support/stack';
import { topupOrders } from '../support/variant-orders';
import { until } from '../../dev/testbed/waiting';
import { resetToStart, workflowOf } from '../support/workflows';
import { serviceTemporalClient } from '../../dev/testbed/temporal-clients';

jest.setTimeout(120_000);

const database = useDatabase();
let client: OwnClient;
beforeEach(async () => {
  client = await newClient(database, { USD: 1_000 });
});

const sandbox = '/api/v1/sandbox/orders';
const decide = (id: number, decision: 'release' | 'cancel') =>
  client.api.post<VoucherOrder>(`${sandbox}/${id}/${decision}`, undefined);
const command = (...words: (string | number)[]) => printedBy(loadStack().database_url, ...words);

/** Orders this number of vouchers of 10 USD, one order each, in parallel. Returns which were held. */
async function holdsOf(count: number): Promise<boolean[]> {
  const orders = await Promise.all(Array.from({ length: count }, () => place(client.api, orderOf('voucher_instant'))));
  return orders.map(({ message }) => message === 'Under review');
}

const heldAmong = (holds: boolean[]) => holds.filter(Boolean).length;

/** The entry of the order on the attention list. */
async function entryOf(id: number): Promise<Json | undefined> {
  return (await ops`attention --client ${client.id}`).find((entry) => entry['order_id'] === id);
}

describe('A held order', () => {
  test('When voucher_held is ordered, then the request is answered at once, the wallet is debited, and nothing is bought', async () => {
    const begun = performance.now();
    const order = await place(client.api, orderOf('voucher_held'));
    // A request that waits for goods is answered after 10 s.
    expect(performance.now() - begun).toBeLessThan(8_000);
    expect(order).toMatchObject({ status: 'PENDING', message: 'Under review' });
    expect(await read(client.api, order.id)).toMatchObject({ status: 'PENDING', message: 'Under review' });
    expect(await entriesOf(database, order.id)).toMatchObject([{ kind: 'ORDER', amount: '10' }]);
    expect(await until('its entry', () => entryOf(order.id))).toMatchObject({ kind: 'UNDER_REVIEW' });
    expect(await boughtFor(order.id)).toEqual([]);
  });

  test('When the order is released, then it is bought once and delivered, and a second release is rejected', async () => {
    const { id } = await place(client.api, orderOf('voucher_held'));
    const answers = await Promise.all([decide(id, 'release'), decide(id, 'release'), decide(id, 'release')]);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(await reached(client.api, id, 'DELIVERED')).toMatchObject({ message: 'All vouchers are delivered' });
    expect(await boughtFor(id)).toHaveLength(1);
    expect(await entryOf(id)).toBeUndefined();
    expect(await decide(id, 'release')).toMatchObject({ status: 409 });
    const [audited] = await ops`audit list --object order/${id}`;
    expect(audited).toMatchObject({ action: 'sandbox_order.released', client_id: client.id });
  });

  test('When the order is cancelled, then it is refunded, with the event of a cancellation, and nothing is bought', async () => {
    const { id } = await place(client.api, orderOf('voucher_held'));
    expect(await decide(id, 'cancel')).toMatchObject({
      status: 200,
      body: { status: 'CANCELLED', refunded_amount: 10 },
    });
    expect((await entriesOf(database, id)).map(({ kind }) => kind)).toEqual(['ORDER', 'REFUND']);
    expect((await eventsOf(database, id)).map(({ type }) => type)).toContain('order.cancelled');
    expect(await boughtFor(id)).toEqual([]);
    expect(await decide(id, 'release')).toMatchObject({
      status: 409,
      body: { error: { message: 'The order is CANCELLED: that is final' } },
    });
  });

  test('When the wallet was closed since, then the order is bought, because it is paid', async () => {
    const { id } = await place(client.api, orderOf('voucher_held'));
    await sql(database)`UPDATE wallets SET closed_at = now() WHERE id = ${client.wallets['USD']}`;
    await command('orders', 'release', id, '--reason', 'The client confirmed it');
    expect(await reached(client.api, id, 'DELIVERED')).toMatchObject({ message: 'All vouchers are delivered' });
  });

  test('When an order is not under review, then its release is rejected', async () => {
    const { id } = await place(client.api, orderOf('voucher_delayed'));
    expect(await decide(id, 'release')).toMatchObject({
      status: 409,
      body: { error: { code: 'NOT_POSSIBLE_NOW', message: 'The order is not under review' } },
    });
  });

  test('When an operator retries a held order, or its workflow is reset or signalled, then nothing is bought before the release', async () => {
    const { id } = await place(client.api, orderOf('voucher_held'));
    await expect(command('orders', 'retry', id)).rejects.toThrow('is under review');
    const temporal = await serviceTemporalClient();
    const workflow = await workflowOf(temporal, database, id);
    await workflow.signal('retryNow');
    await resetToStart(temporal, workflow);
    await until('the reset order', async () => {
      const { step } = await workflow.query<{ step: string }>('state');
      return step === 'UNDER_REVIEW';
    });
    await expect(command('orders', 'resolve', id, 'not-bought', '--reason', 'test')).rejects.toThrow('under review');
    expect(await boughtFor(id)).toEqual([]);
    expect(await command('orders', 'release', id, '--reason', 'The client confirmed it')).toContain(`${id}`);
    await reached(client.api, id, 'DELIVERED');
    expect(await boughtFor(id)).toHaveLength(1);
    await temporal.connection.close();
  });

  test('When no source can sell the order at its release, then it stays held and the operator learns why', async () => {
    const { id } = await place(client.api, orderOf('voucher_held'));
    const product = orderOf('voucher_held')['product_id'] as number;
    await ops`margins set vouchers --product ${product} --client ${client.id} --min-margin 99 --reason test`;
    await expect(command('orders', 'release', id, '--reason', 'test')).rejects.toThrow('No source can sell');
    expect(await read(client.api, id)).toMatchObject({ message: 'Under review' });
    await ops`margins clear vouchers --product ${product} --client ${client.id} --force --reason test`;
    await decide(id, 'release');
    await reached(client.api, id, 'DELIVERED');
  });
});

describe('A rule', () => {
  const rule = (...words: (string | number)[]) => ops`spend-rules set ${words} --client ${client.id} --reason test`;

  test('When 20 orders in parallel exceed the number of an hour, then exactly those beyond it are held', async () => {
    await rule('per-hour', '--orders', 6);
    expect(heldAmong(await holdsOf(20))).toBe(14);
  });

  test('When orders exceed the sum of an hour, then exactly those beyond it are held, and orders in other currencies do not count', async () => {
    const euros = await newClient(database, { USD: 1_000, EUR: 1_000 });
    client = euros;
    await rule('per-hour', '--amount', 45, '--currency', 'USD');
    await place(client.api, orderOf('voucher_instant', { wallet_id: euros.wallets['EUR'] }));
    expect(heldAmong(await holdsOf(10))).toBe(6);
  });

  test('When orders for one recipient exceed the number of a day, then those for another are not held', async () => {
    await rule('per-recipient', '--orders', 1);
    const topup = async (phone: string) => {
      const body = orderOf('topup_instant', { input_data: { phone_number: phone } });
      return (await client.api.order<Json>(topupOrders, body)).body['status_text'];
    };
    expect(await topup('12025550142')).not.toBe('Under review');
    expect(await topup('12025550142')).toBe('Under review');
    expect(await topup('12025550143')).not.toBe('Under review');
  });

  test('When addresses differ only in tags, quotes or dots, then they are one recipient', async () => {
    await rule('per-recipient', '--orders', 1);
    const [name, shop] = [`ann.lee${client.id}`, 'mailbox.example'];
    const order = async (email: string) =>
      (await client.api.order<Json>(ordersPath, orderOf('voucher_instant', { email }))).body['message'];
    expect(await order(`${name}+1@${shop}`)).not.toBe('Under review');
    for (const local of [`${name}+2`, name, `"${name}"`, `"${name}+3"`, name.replace('.', '').toUpperCase()])
      expect(await order(`${local}@${shop}`)).toBe('Under review');
    expect(await order(`other${client.id}+1@${shop}`)).not.toBe('Under review');
  });

  test('When a client orders from a new network, then the orders beyond the sum are held, and those from a known network are not', async () => {
    await place(client.api, orderOf('voucher_instant'));
    await rule('new-network', '--amount', 15, '--currency', 'USD');
    expect(
      await sql(database)`UPDATE client_networks SET first_used_at = first_used_at - interval '2 days'
         WHERE client_id = ${client.id} RETURNING network`,
    ).toHaveLength(1);
    const thief = callerAt('127.9.8.7');
    const token = await client.api.accessToken();
    const steal = async () => {
      const headers = { authorization: `Bearer ${token}` };
      return (await thief.post(ordersPath, orderOf('voucher_instant'), headers)).body['message'];
    };
    expect(await steal()).toBe('All vouchers are delivered');
    expect(await steal()).toBe('Under review');
    expect(heldAmong(await holdsOf(3))).toBe(0);
    await thief.close();
  });

  test('When the rule is removed, then the next orders are not held, and those that it held stay held', async () => {
    await rule('per-hour', '--orders', 1);
    const [, second] = [
      await place(client.api, orderOf('voucher_instant')),
      await place(client.api, orderOf('voucher_instant')),
    ];
    const [{ id } = { id: 0 }] = (await ops`spend-rules list --client ${client.id}`) as { id: number }[];
    await ops`spend-rules remove ${id} --reason test`;
    expect(heldAmong(await holdsOf(2))).toBe(0);
    expect(await read(client.api, second.id)).toMatchObject({ message: 'Under review' });
  });

  test.each([
    [['per-hour'], 'Give --orders, --amount or both'],
    [['per-hour', '--amount', '5'], 'Give --amount and --currency together'],
    [['denomination', '--orders', '5'], 'Give --family, --product and --denomination'],
    [['per-hour', '--amount', '5', '--currency', 'ZZZ'], 'The currency is not in ISO 4217'],
    [
      ['denomination', '--family', 'vouchers', '--product', '999999', '--denomination', '5'],
      'There is no VOUCHER product 999999',
    ],
  ])('When a rule is set with %j, then it is rejected', async (words, message) => {
    await expect(command('spend-rules', 'set', ...words, '--reason', 'test')).rejects.toThrow(message);
  });
});
