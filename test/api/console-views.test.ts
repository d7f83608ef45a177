/** What the console computes for its pages: the results of days, balances over time, and the states of events. */
import { fund } from '../../dev/testbed/clients';
import { newClient, useClient, useDatabase } from '../support/clients';
import { ConsoleSession } from '../support/console';
import { orderOf, place, reached } from '../support/orders';
import { register, useReceivers } from '../support/receiver';
import { invalidQuery, notFound, type Json, type Resource } from '../support/stack';
import { accepted, topupOrders } from '../support/variant-orders';
import { until } from '../../dev/testbed/waiting';
import { ownMoment, timeAt } from '../../src/domain/time';

const DAY_MS = 86_400_000;

const database = useDatabase();
const newReceiver = useReceivers();
const client = useClient(database, { USD: 500 });
let session: ConsoleSession;
let stranger: ConsoleSession;

const read = async <Body>(path: string, owner = session) =>
  (await owner.send<Body>('GET', `/console/api/${path}`)).body;
const iso = (at: number) => timeAt(at).toISOString();

beforeAll(async () => {
  session = await ConsoleSession.begin(client.credentials);
  stranger = await ConsoleSession.begin((await newClient(database, { USD: 1 })).credentials);
});

describe('The results of days', () => {
  interface Summary {
    groups: Json[];
    is_cut: boolean;
  }
  const now = Date.now();
  const bounds = [now - DAY_MS, now - DAY_MS / 2, now + DAY_MS / 2].map(iso).join();

  test('When orders end, then the console counts them by day and by product, with spend and failure codes', async () => {
    const sold = await place(client.api, orderOf('voucher_instant', { quantity: 2 }));
    const failed = await place(client.api, orderOf('voucher_out_of_stock'));
    await reached(client.api, failed.id, 'FAILED');
    const charged = Number((await client.api.get<Json>(`/api/v1/orders/${sold.id}`)).body.charged_amount);
    const { groups, is_cut: isCut } = await read<Summary>(`summary?by=day&bounds=${bounds}`);
    expect(isCut).toBe(false);
    expect(groups).toHaveLength(2);
    expect(groups.find(({ status }) => status === 'DELIVERED')).toMatchObject({
      day: 1,
      orders: 1,
      currency: 'USD',
      charged: charged.toFixed(2),
      refunded: '0.00',
      failure_code: null,
    });
    const undone = groups.find(({ status }) => status === 'FAILED');
    expect(undone).toMatchObject({ day: 1, orders: 1, failure_code: 'PRODUCT_OUT_OF_STOCK' });
    expect(undone?.refunded).toBe(undone?.charged);
    const products = await read<Summary>(`summary?by=product&bounds=${bounds}`);
    expect(products.groups).toContainEqual(
      expect.objectContaining({
        day: null,
        family: 'vouchers',
        product_id: orderOf('voucher_instant').product_id,
        product_name: expect.any(String),
        status: 'DELIVERED',
        orders: 1,
      }),
    );
    expect((await read<Summary>(`summary?by=day&bounds=${bounds}`, stranger)).groups).toEqual([]);
  });

  test.each([
    ['no bounds', 'by=day'],
    ['one bound', `by=day&bounds=${iso(now)}`],
    ['bounds that do not ascend', `by=day&bounds=${[now, now].map(iso).join()}`],
    ['a day of three days', `by=day&bounds=${[now - 3 * DAY_MS, now].map(iso).join()}`],
    ['another grouping', `by=name&bounds=${bounds}`],
  ])('When the summary is requested with %s, then the request is rejected', async (_what, query) => {
    expect(await session.send('GET', `/console/api/summary?${query}`)).toMatchObject(invalidQuery);
  });
});

describe('The balance of a wallet over time', () => {
  interface History {
    minor_unit: number;
    opening_balance: string;
    points: { at: string; balance: string }[];
  }

  test('When amounts move that binary floats cannot add up, then every balance is exact', async () => {
    const owner = await newClient(database, { USD: 16_172.8 });
    const own = await ConsoleSession.begin(owner.credentials);
    const began = Date.now();
    for (const amount of [0.1, 0.2]) await fund(database, owner.wallets['USD'] ?? 0, amount);
    const path = `wallets/${owner.wallets['USD']}/balances`;
    const since = (at: number) => `from=${iso(at)}&to=${iso(Date.now() + DAY_MS)}`;
    const all = await read<History>(`${path}?${since(began - DAY_MS)}`, own);
    expect(all).toMatchObject({ minor_unit: 2, opening_balance: '0.00' });
    expect(all.points.map(({ balance }) => balance)).toEqual(['16172.80', '16172.90', '16173.10']);
    const last = await read<History>(`${path}?${since(ownMoment(all.points[2]?.at ?? '').getTime())}`, own);
    expect(last.points.map(({ balance }) => balance)).toEqual(['16173.10']);
    expect(last.opening_balance).toBe('16172.90');
    const answer = await stranger.send('GET', `/console/api/${path}?${since(began)}`);
    expect(answer).toMatchObject(notFound('Wallet'));
  });
});

describe('The states of events', () => {
  interface Events {
    events: (Resource & { id: string; type: string; state: string; waiting: number })[];
    next: string | null;
  }
  const eventsOf = async (query = '') => (await read<Events>(`events?${query}`)).events;

  test('When an event waits, has failed, is delivered or is taken by no endpoint, then the list says which', async () => {
    const receiver = await newReceiver();
    const { id } = await register(client.api, receiver, { event_types: ['order.delivered'] });
    const test = () => client.api.post<{ id: string }>(`/api/v1/webhooks/endpoints/${id}/test`, undefined);
    const stateOf = async (event: string) => (await eventsOf()).find((each) => each.id === event);
    const reachedState = (event: string, state: string) =>
      until(state, async () => (await stateOf(event))?.state === state);
    const topup = await accepted(client.api, topupOrders, orderOf('topup_instant'));
    await until('the event of the top-up', async () =>
      (await eventsOf(`order=${topup.id}`)).some(({ state }) => state === 'NONE'),
    );
    const delivered = (await test()).body.id;
    await reachedState(delivered, 'DELIVERED');
    receiver.answer = () => 500;
    const waiting = (await test()).body.id;
    await until('a failed attempt', async () => ((await stateOf(waiting))?.next_attempt_at ? true : undefined));
    expect(await stateOf(waiting)).toMatchObject({ state: 'WAITING', waiting: 1, failed: 0 });
    const { endpoints } = await read<{ endpoints: Json[] }>('endpoints');
    expect(endpoints).toEqual([{ id, waiting: 1, is_more: false, next_attempt_at: expect.stringMatching(/Z$/) }]);
    expect((await eventsOf(`state=WAITING&endpoint=${id}`)).map((event) => event.id)).toEqual([waiting]);
    expect((await eventsOf('state=NONE')).map(({ type }) => type)).toContain('topup.delivered');
    expect((await eventsOf('type=webhook.test&state=DELIVERED')).map((event) => event.id)).toContain(delivered);
    expect((await read<Events>('events', stranger)).events.map((event) => event.id)).not.toContain(waiting);
    await client.api.patch(`/api/v1/webhooks/endpoints/${id}`, { enabled: false });
    await reachedState(waiting, 'FAILED');
    expect(await read<{ endpoints: Json[] }>('endpoints')).toEqual({ endpoints: [] });
  });
});
