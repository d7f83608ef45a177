/** Daily caps of a client: the database enforces them, also for concurrent orders. */
import { sql } from '../../dev/testbed/sql';
import { newClient, type OwnClient, useDatabase } from '../support/clients';
import { ops } from '../support/operator';
import { orderOf, place } from '../support/orders';
import { balanceOf, boughtFor, entriesOf, eventsOf, orderCount, unsoundWallets } from '../support/records';
import { refusal, type Answer } from '../support/stack';
import { accepted, esimOrders, topupOrders, type VariantOrder } from '../support/variant-orders';

const database = useDatabase();

const topup = orderOf('topup_instant');
const esim = orderOf('esim_instant');
const voucher = orderOf('voucher_url');
const overCap = {
  status: 'FAILED',
  failure_code: 'CLIENT_LIMIT_EXCEEDED',
  failure_reason: expect.stringContaining('account manager') as unknown,
  is_user_fixable: false,
};

async function capped(family: string, ...cap: string[]): Promise<OwnClient> {
  const client = await newClient(database, { USD: 1_000, EUR: 1_000 });
  await ops`clients cap ${client.id} ${family} ${cap}`;
  return client;
}

/** Places ten orders concurrently. */
async function tenTimes(client: OwnClient, path: string, body: object): Promise<Answer<VariantOrder>[]> {
  return Promise.all(Array.from({ length: 10 }, () => client.api.order<VariantOrder>(path, body)));
}

function balance({ wallets }: OwnClient): Promise<string> {
  return balanceOf(database, wallets['USD'] as number);
}

describe.each([
  ['topups', topupOrders, topup, 10, 'topup.failed'],
  ['esim', esimOrders, esim, 5, 'esim.failed'],
] as const)('%s', (family, path, body, price, event) => {
  test.each([
    ['count', ['--count', '3'], 3],
    ['value', ['--value', `USD=${price * 2.5}`], 2],
    ['value met exactly', ['--value', `USD=${price * 4}`], 4],
    ['count and value', ['--count', '1', '--value', `USD=${price * 4}`], 1],
    ['value in another currency', ['--value', 'EUR=1'], 10],
  ])(
    'When ten orders arrive concurrently under a cap of %s, then no more than allowed are sold',
    async (_cap, options, sold) => {
      const client = await capped(family, ...options);
      const answers = await tenTimes(client, path, body);
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
      const failed = answers.map((answer) => answer.body).filter(({ status }) => status !== 'DELIVERED');
      expect(failed).toHaveLength(10 - sold);
      for (const order of failed) {
        expect(order).toMatchObject({ ...overCap, amount: price });
        expect(order).not.toHaveProperty('transaction_id');
        expect((await client.api.get(`${path}/${order.id}`)).body).toEqual(order);
        expect(await entriesOf(database, order.id)).toEqual([]);
        expect(await boughtFor(order.id)).toEqual([]);
        expect(await eventsOf(database, order.id)).toMatchObject([{ type: event }]);
      }
      expect(await balance(client)).toBe(String(1_000 - sold * price));
      expect(await unsoundWallets(database)).toEqual([]);
    },
  );
});

test('When ten voucher orders arrive concurrently under a cap, then the excess is rejected', async () => {
  const client = await capped('vouchers', '--count', '3');
  const answers = await tenTimes(client, '/api/v1/orders', voucher);
  const refused = refusal('CLIENT_LIMIT_EXCEEDED', 'Daily limit of the account reached');
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  for (const answer of answers.filter(({ status }) => status !== 200)) expect(answer).toMatchObject(refused);
  expect(await orderCount(database, client.id)).toBe(3);
});

test('When an order has failed or is of another day, then it does not count towards the cap', async () => {
  const client = await capped('topups', '--count', '1', '--value', 'USD=10');
  const rejected = orderOf('topup_reject_recipient_barred');
  expect(await accepted(client.api, topupOrders, rejected)).toMatchObject({ failure_code: 'RECIPIENT_BARRED' });
  expect(await accepted(client.api, topupOrders, topup)).toMatchObject({ status: 'DELIVERED' });
  expect(await accepted(client.api, topupOrders, topup)).toMatchObject(overCap);
  const { id } = client;
  await sql(database)`UPDATE daily_orders SET day = day - 1 WHERE client_id = ${id}`;
  await sql(database)`UPDATE orders SET placed_at = placed_at - interval '1 day' WHERE client_id = ${id}`;
  expect(await accepted(client.api, topupOrders, topup)).toMatchObject({ status: 'DELIVERED' });
  expect(await accepted(client.api, topupOrders, topup)).toMatchObject(overCap);
});

test('When the database clock was a day ahead and was set back, then the cap still holds', async () => {
  const client = await capped('topups', '--count', '2');
  expect(await accepted(client.api, topupOrders, topup)).toMatchObject({ status: 'DELIVERED' });
  // A clock that was ahead leaves a newest timestamp in the future. The client's next timestamps continue from it.
  await sql(database)`UPDATE client_clocks SET moment = moment + interval '26 hours'
       WHERE client_id = ${client.id}`;
  for (let order = 0; order < 2; order++) {
    expect(await accepted(client.api, topupOrders, topup)).toMatchObject({ status: 'DELIVERED' });
  }
  expect(await accepted(client.api, topupOrders, topup)).toMatchObject(overCap);
  expect(await unsoundWallets(database)).toEqual([]);
});

test('When one family has a cap, then only orders of this family are limited, and only until the cap is removed', async () => {
  const client = await capped('topups', '--count', '1');
  await accepted(client.api, topupOrders, topup);
  expect(await accepted(client.api, topupOrders, topup)).toMatchObject(overCap);
  expect(await accepted(client.api, esimOrders, esim)).toMatchObject({ status: 'DELIVERED' });
  expect(await place(client.api, voucher)).toMatchObject({ status: 'DELIVERED' });
  await ops`clients cap ${client.id} topups`;
  expect(await accepted(client.api, topupOrders, topup)).toMatchObject({ status: 'DELIVERED' });
});

test('When an order over the cap names a paying voucher, then the voucher can still pay another order', async () => {
  const client = await capped('topups', '--count', '1');
  const { vouchers } = await place(client.api, orderOf('voucher_redeemable'));
  const paidByVoucher = { redeem_voucher_code: vouchers[0]?.card_number };
  await accepted(client.api, topupOrders, topup);
  expect(await accepted(client.api, topupOrders, { ...topup, ...paidByVoucher })).toMatchObject(overCap);
  expect(await accepted(client.api, esimOrders, { ...esim, ...paidByVoucher })).toMatchObject({ status: 'DELIVERED' });
});

test('When an order over the cap has a reference, then the reference cannot be used again', async () => {
  const client = await capped('topups', '--count', '1');
  await accepted(client.api, topupOrders, topup);
  const body = { ...topup, client_reference: 'over-cap' };
  expect(await accepted(client.api, topupOrders, body)).toMatchObject({ ...overCap, client_reference: 'over-cap' });
  expect((await client.api.post(topupOrders, body)).status).toBe(400);
});
