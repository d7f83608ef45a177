/** Many concurrent orders: the database decides, and the ledger stays exact. */
import { randomUUID } from 'node:crypto';
import { sql } from '../../dev/testbed/sql';
import { fund } from '../../dev/testbed/clients';
import { newClient, type OwnClient, useDatabase } from '../support/clients';
import { ended, orderOf, ordersPath, scenarioNamed, type VoucherOrder } from '../support/orders';
import { balanceOf, boughtFor, entriesOf, eventsOf, orderCount, unsoundWallets } from '../support/records';
import { refusal, type Answer, type Json } from '../support/stack';

/** The orders exceed the capacity of one statement, pool or worker, so they take some time. */
jest.setTimeout(180_000);

const database = useDatabase();

const tooPoor = refusal('INSUFFICIENT_BALANCE', 'Insufficient wallet balance');
const duplicate = refusal('DUPLICATE_CLIENT_REFERENCE', 'Duplicate client_reference');

function atOnce(count: number, create: () => Promise<Answer<VoucherOrder>>): Promise<Answer<VoucherOrder>[]> {
  return Promise.all(Array.from({ length: count }, create));
}

const orderAs = ({ api }: OwnClient, special: Json = {}, scenario = 'voucher_instant') =>
  api.order<VoucherOrder>(scenarioNamed(scenario).path, orderOf(scenario, special));

const accepted = (answers: Answer<VoucherOrder>[]) => answers.filter(({ status }) => status === 200);
const rejected = (answers: Answer<VoucherOrder>[]) => answers.filter(({ status }) => status !== 200);

/** The ids of the client's order requests that were reserved but not placed. */
async function refusedIds(client: OwnClient): Promise<number[]> {
  return (
    await sql(database)<{ id: number }>`SELECT order_id AS id FROM order_reservations
       WHERE client_id = ${client.id} AND state <> 'PLACED'`
  ).map(({ id }) => id);
}

/** Checks that order requests without a placed order have no purchase, event or entry. */
async function expectNothingOfRefused(client: OwnClient): Promise<void> {
  for (const id of await refusedIds(client)) {
    expect(await boughtFor(id)).toEqual([]);
    expect(await eventsOf(database, id)).toEqual([]);
    expect(await entriesOf(database, id)).toEqual([]);
  }
}

describe('When 20 orders with one reference arrive concurrently', () => {
  const reference = randomUUID();
  let client: OwnClient;
  let answers: Answer<VoucherOrder>[];
  let winner: VoucherOrder;
  beforeAll(async () => {
    client = await newClient(database, { USD: 1_000 });
    await client.api.accessToken();
    answers = await atOnce(20, () => orderAs(client, { client_reference: reference }));
    winner = (accepted(answers)[0] as Answer<VoucherOrder>).body;
  });

  test('then exactly one order is accepted, and every rejection names it in Location', () => {
    expect(accepted(answers)).toHaveLength(1);
    for (const answer of rejected(answers)) {
      expect(answer).toMatchObject(duplicate);
      expect(answer.headers.get('location')).toBe(`${ordersPath}/${winner.id}`);
    }
  });

  test('then one order exists, debited and bought once', async () => {
    expect(await orderCount(database, client.id)).toBe(1);
    expect(await entriesOf(database, winner.id)).toEqual([{ kind: 'ORDER', type: 'DEBIT', amount: '9.8' }]);
    expect(await balanceOf(database, client.wallets['USD'] as number)).toBe('990.2');
    expect(await boughtFor(winner.id)).toMatchObject([{ units: 1 }]);
    await expectNothingOfRefused(client);
  });
});

test('When orders, refunds and fundings change one wallet concurrently, then its ledger is gapless and its balance exact', async () => {
  const client = await newClient(database, { USD: 1_000 });
  await client.api.accessToken();
  const fundings = Array.from({ length: 20 }, () => fund(database, client.wallets['USD'] as number, 1));
  const failing = atOnce(20, () => orderAs(client, {}, 'voucher_out_of_stock'));
  const paying = atOnce(20, () => orderAs(client));
  const answers = await Promise.all([failing, paying]);
  await Promise.all(fundings);
  for (const { body } of accepted(answers.flat())) await ended(client.api, body.id);
  const paid = accepted(await paying).length * 980;
  expect(paid).toBeGreaterThan(0);
  expect(await balanceOf(database, client.wallets['USD'] as number)).toBe(String((102_000 - paid) / 100));
  expect(await unsoundWallets(database)).toEqual([]);
});

test('When two clients use the same reference concurrently, then both orders are accepted', async () => {
  const clients = await Promise.all([1, 2].map(() => newClient(database, { USD: 100 })));
  const special = { client_reference: randomUUID() };
  const answers = await Promise.all(clients.map((client) => orderAs(client, special)));
  expect(accepted(answers)).toHaveLength(2);
});

test('When a reference is used for two families concurrently, then exactly one order is placed', async () => {
  const client = await newClient(database, { USD: 100 });
  await client.api.accessToken();
  const special = { client_reference: randomUUID() };
  const families = ['voucher_instant', 'topup_instant'];
  const answers = await Promise.all(families.map((scenario) => orderAs(client, special, scenario)));
  expect(accepted(answers)).toHaveLength(1);
  expect(rejected(answers)[0]).toMatchObject(duplicate);
  expect(await orderCount(database, client.id)).toBe(1);
});

describe('When 300 concurrent orders use a wallet with the price of 10', () => {
  let client: OwnClient;
  let answers: Answer<VoucherOrder>[];
  beforeAll(async () => {
    client = await newClient(database, { USD: 98 });
    await client.api.accessToken();
    answers = await atOnce(300, () => orderAs(client));
  });

  test('then exactly 10 are accepted, and the others are rejected for the balance', () => {
    expect(accepted(answers)).toHaveLength(10);
    for (const answer of rejected(answers)) expect(answer).toMatchObject(tooPoor);
  });

  test('then the balance is 0 and the ledger is complete', async () => {
    expect(await balanceOf(database, client.wallets['USD'] as number)).toBe('0');
    expect(await orderCount(database, client.id)).toBe(10);
    expect(await unsoundWallets(database)).toEqual([]);
    const { body: entries } = await client.api.get<Json[]>('/api/v1/transactions');
    expect(entries.map((entry) => entry['transaction_type'])).toEqual([...Array(10).fill('DEBIT'), 'CREDIT']);
  });

  test('then rejected order requests have no purchase, no event and no entry', () => expectNothingOfRefused(client));
});
