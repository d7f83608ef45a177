/** `placed_after` and `placed_before` of the lists of orders. docs/specification.md#lists-and-pages. */
import { useClient, useDatabase } from '../support/clients';
import { orderOf, ordersPath } from '../support/orders';
import { invalidQuery, type Resource } from '../support/stack';
import { esimOrders, topupOrders } from '../support/variant-orders';

const database = useDatabase();
const client = useClient(database, { USD: 1_000 });

interface ListedOrder extends Resource {
  /** Of vouchers. */
  placed_at?: string;
  /** Of top-ups and eSIMs. */
  created_at?: string;
}

test.each([
  ['vouchers', ordersPath, 'voucher_instant'],
  ['top-ups', topupOrders, 'topup_instant'],
  ['eSIMs', esimOrders, 'esim_instant'],
])(
  'When %s are listed by time, then the first time is inclusive, the second exclusive, and the total is exact',
  async (_family, path, scenario) => {
    for (let count = 0; count < 3; count++) await client.api.order(path, orderOf(scenario));
    const list = async (query = '') => {
      const { body, headers } = await client.api.get<ListedOrder[]>(`${path}?${query}`);
      return { orders: body, ids: body.map(({ id }) => id), total: headers.get('x-total-count') };
    };
    const { orders } = await list();
    const [third, second, first] = orders.map(({ id }) => id);
    const [lastTime = '', middleTime = '', firstTime = ''] = orders.map((order) => order.placed_at ?? order.created_at);
    const during = `placed_after=${firstTime}&placed_before=${lastTime}`;
    expect(await list(during)).toMatchObject({ ids: [second, first], total: '2' });
    expect(await list(`${during}&limit=1&page=2`)).toMatchObject({ ids: [first], total: '2' });
    expect(await list(`${during}&status=DELIVERED`)).toMatchObject({ ids: [second, first], total: '2' });
    const withOffset = middleTime.replace('Z', '%2B00:00');
    expect(await list(`placed_after=${withOffset}`)).toMatchObject({ ids: [third, second], total: '2' });
    expect(await list(`placed_before=${middleTime}`)).toMatchObject({ ids: [first], total: '1' });
  },
);

test('When no voucher order was placed in the time, then the list is the same as any other without a match', async () => {
  expect(await client.api.get(`${ordersPath}?placed_before=2000-01-01T00:00:00Z`)).toMatchObject({
    status: 404,
    body: { error: { message: 'No Matching Result Found!' } },
  });
});

test.each(['2026-01-31', 'yesterday', '2026-02-30T00:00:00Z', '2026-01-01T00:00:00', '0000-01-01T00:00:00Z', ''])(
  'When the time is "%s", then the query is rejected',
  async (text) => {
    expect(await client.api.get(`${topupOrders}?placed_after=${text}`)).toMatchObject(invalidQuery);
  },
);
