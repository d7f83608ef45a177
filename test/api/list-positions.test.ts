/** `before_id` and `after_id` of lists. docs/specification.md#reading-on-from-a-row. */
import { fund } from '../../dev/testbed/clients';
import { useClient, useDatabase } from '../support/clients';
import { orderOf, ordersPath } from '../support/orders';
import { validation, type ApiClient } from '../support/stack';
import { accepted, esimOrders, topupOrders } from '../support/variant-orders';

const transactionsPath = '/api/v1/transactions';
const eventsPath = '/api/v1/webhooks/events';

type Id = number | string;

const database = useDatabase();
const client = useClient(database, { USD: 1_000, EUR: 100 });
const other = useClient(database, { USD: 100 });
let ids: Record<string, Id[]>;

/** The ids of the rows, and the headers of the part. */
async function listed(path: string, api: ApiClient = client.api) {
  const { status, body, headers } = await api.get<{ id: Id }[]>(path);
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  const header = (name: string) => headers.get(`x-${name}`);
  return {
    ids: body.map(({ id }) => id),
    total: header('total-count'),
    more: header('has-more'),
    counts: [header('per-page'), header('page-size')],
    pages: [header('page'), header('total-pages')],
  };
}

const wallet = (currency: string) => client.wallets[currency] as number;

beforeAll(async () => {
  for (const [path, scenario] of [
    [ordersPath, 'voucher_instant'],
    [topupOrders, 'topup_instant'],
    [esimOrders, 'esim_instant'],
  ] as const) {
    await accepted(other.api, path, orderOf(scenario));
    for (let count = 0; count < 5; count++) await accepted(client.api, path, orderOf(scenario));
  }
  await fund(database, wallet('EUR'), 1);
  const paths = [ordersPath, topupOrders, esimOrders, transactionsPath];
  ids = Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, (await listed(`${path}?limit=100`)).ids] as const)),
  );
});

describe.each([ordersPath, topupOrders, esimOrders, transactionsPath])('%s', (path) => {
  const all = () => ids[path] as [Id, Id, Id, Id, Id, ...Id[]];
  const part = (query: string) => listed(`${path}?${query}`);
  const rejected = (query: string) => client.api.get(`${path}?${query}`);

  test('When rows before or after a row are read, then they are those nearest to it, newest first, with their headers', async () => {
    const [first, second, third, fourth, fifth] = all();
    const total = String(all().length);
    expect(await part(`before_id=${second}&limit=2`)).toEqual({
      ids: [third, fourth],
      total,
      more: 'true',
      counts: ['2', '2'],
      pages: [null, null],
    });
    expect(await part(`after_id=${fifth}&limit=2&page=1`)).toEqual({
      ids: [third, fourth],
      total,
      more: 'true',
      counts: ['2', '2'],
      pages: [null, null],
    });
    expect(await part(`after_id=${third}&limit=2`)).toMatchObject({ ids: [first, second], more: 'false' });
    expect(await part(`before_id=${first}`)).toMatchObject({ ids: all().slice(1), more: 'false', total });
  });

  test('When nothing is beyond the row, then the response is 200 with an empty list', async () => {
    const total = String(all().length);
    expect(await part(`after_id=${all()[0]}`)).toMatchObject({ ids: [], more: 'false', total });
    expect(await part(`before_id=${all().at(-1)}`)).toMatchObject({ ids: [], more: 'false', total });
  });

  test('When the list is read from row to row, then each row appears once', async () => {
    const down: Id[] = [all()[0]];
    for (let more = 'true' as string | null; more === 'true';) {
      const next = await part(`before_id=${down.at(-1)}&limit=3`);
      down.push(...next.ids);
      more = next.more;
    }
    expect(down).toEqual(all());
    const up: Id[] = [all().at(-1) as Id];
    for (let more = 'true' as string | null; more === 'true';) {
      const next = await part(`after_id=${up[0]}&limit=3`);
      up.unshift(...next.ids);
      more = next.more;
    }
    expect(up).toEqual(all());
  });

  test.each(['page=2&before_id', 'page=2&after_id'])(
    'When the query is %s of a known row, then both exclude each other',
    async (query) => {
      const name = query.replace('page=2&', '');
      expect(await rejected(`${query}=${all()[0]}`)).toMatchObject(validation(`page and ${name} exclude each other`));
    },
  );

  test('When the query has both positions, then they exclude each other', async () => {
    expect(await rejected(`before_id=${all()[0]}&after_id=${all()[1]}`)).toMatchObject(
      validation('before_id and after_id exclude each other'),
    );
  });

  test.each(['before_id', 'after_id'])(
    'When %s is not a row of this list of the client, then it is not known',
    async (name) => {
      const notKnown = validation(`${name} is not known`);
      const foreign = (await listed(path, other.api)).ids[0];
      const families = [ordersPath, topupOrders, esimOrders];
      const ofOtherFamilies = families.filter((each) => each !== path).map((each) => ids[each]?.[0]);
      const unknown = [foreign, 2_147_483_647, 2_147_483_648, '99999999999999999999'];
      const malformed = ['', '0', '-1', '1.5', '1e2', '007', 'abc', '%00', '%ED%A0%80', `1&${name}=2`];
      const wrong = [...unknown, ...malformed, ...(path === transactionsPath ? [] : ofOtherFamilies)];
      for (const id of wrong) expect(await rejected(`${name}=${id}`)).toMatchObject(notKnown);
    },
  );
});

test.each([ordersPath, topupOrders, esimOrders])(
  'When the filter of %s leaves the row out, then it is a position like any other',
  async (path) => {
    const [first, second, third] = ids[path] as [Id, Id, Id];
    const { body } = await client.api.get<{ placed_at?: string; created_at?: string }>(`${path}/${second}`);
    const time = body.placed_at ?? body.created_at ?? '';
    const older = `${path}?placed_before=${time}`;
    expect(await listed(`${older}&before_id=${first}&limit=1`)).toMatchObject({
      ids: [third],
      total: '3',
      more: 'true',
    });
    expect(await listed(`${older}&after_id=${third}`)).toMatchObject({ ids: [], total: '3', more: 'false' });
    expect(await listed(`${path}?placed_after=${time}&after_id=${third}`)).toMatchObject({
      ids: [first, second],
      total: '2',
    });
    expect(await listed(`${path}?placed_before=2100-01-01T00:00:00Z&before_id=${second}&limit=1`)).toMatchObject({
      ids: [third],
    });
    expect(await listed(`${path}?placed_after=2000-01-01T00:00:00Z&after_id=${third}`)).toMatchObject({
      ids: [first, second],
    });
    const failed = await listed(`${path}?status=FAILED&before_id=${first}`);
    expect(failed).toMatchObject({ ids: [], total: '0', more: 'false', pages: [null, null] });
  },
);

describe('the transactions of a wallet', () => {
  const all = () => ids[transactionsPath] as Id[];
  const part = (query: string) => listed(`${transactionsPath}?${query}`);

  test('When the position is an entry of another wallet, then the entries of the wallet that are older or newer are listed', async () => {
    const dollars = (await part(`wallet_id=${wallet('USD')}&limit=100`)).ids;
    const euros = (await part(`wallet_id=${wallet('EUR')}`)).ids;
    expect(euros).toHaveLength(2);
    const [newest, oldest] = euros;
    const olderThan = (id: Id) => dollars.filter((each) => all().indexOf(each) > all().indexOf(id));
    for (const id of euros) {
      const older = olderThan(id);
      const newer = dollars.filter((each) => !older.includes(each));
      const query = `wallet_id=${wallet('USD')}&limit=100`;
      const total = String(dollars.length);
      expect(await part(`${query}&before_id=${id}`)).toMatchObject({ ids: older, total, more: 'false' });
      expect(await part(`${query}&after_id=${id}`)).toMatchObject({ ids: newer, total, more: 'false' });
    }
    expect(await part(`wallet_id=${wallet('EUR')}&before_id=${newest}`)).toMatchObject({ ids: [oldest] });
    expect(await part(`wallet_id=${wallet('EUR')}&after_id=${oldest}`)).toMatchObject({ ids: [newest] });
    expect(await part(`wallet_id=${wallet('USD')}&after_id=${dollars[3]}&limit=2`)).toMatchObject({
      ids: dollars.slice(1, 3),
      more: 'true',
    });
  });

  test('When the wallet or the position is not the client’s, then the query is rejected', async () => {
    const foreign = (await listed(transactionsPath, other.api)).ids[0];
    const query = (walletId: number | undefined, id: Id | undefined) =>
      client.api.get(`${transactionsPath}?wallet_id=${walletId}&before_id=${id}`);
    expect(await query(wallet('USD'), foreign)).toMatchObject(validation('before_id is not known'));
    expect(await query(other.wallets['USD'], all()[0])).toMatchObject({
      status: 404,
      body: { error: { message: 'Wallet not found', param: 'wallet_id' } },
    });
  });
});

describe('the log of events', () => {
  const part = (query: string) => listed(`${eventsPath}?${query}`);

  test('When events before an event are read, then they are older, whatever its type, and end with the log', async () => {
    const all = (await part('per_page=500')).ids;
    expect(await part(`before_id=${all[1]}&limit=2`)).toEqual({
      ids: all.slice(2, 4),
      total: String(all.length),
      more: 'true',
      counts: ['2', '2'],
      pages: [null, null],
    });
    const credits = (await part('type=wallet.credited')).ids;
    const debit = (await part('type=wallet.debited&per_page=1')).ids[0] as string;
    const older = credits.filter((id) => all.indexOf(id) > all.indexOf(debit));
    expect(older).not.toEqual([]);
    expect(await part(`type=wallet.credited&before_id=${debit}`)).toMatchObject({
      ids: older,
      total: String(credits.length),
      more: 'false',
    });
    expect(await part(`before_id=${all.at(-1)}`)).toMatchObject({ ids: [], more: 'false' });
  });

  test('When the log does not have the event, then it is the end of the log', async () => {
    const [foreign] = (await listed(eventsPath, other.api)).ids;
    const total = (await part('')).total;
    for (const id of [`evt_${'0'.repeat(32)}`, foreign]) {
      expect(await part(`before_id=${id}`)).toMatchObject({ ids: [], total, more: 'false', pages: [null, null] });
    }
  });

  test('When the position is no id of an event, or the query has a page, too, then it is rejected', async () => {
    const rejected = (query: string) => client.api.get(`${eventsPath}?${query}`);
    const [newest] = (await part('per_page=1')).ids;
    for (const id of ['', '1', 'evt_x', String(newest).toUpperCase(), `${newest}0`, '%00']) {
      expect(await rejected(`before_id=${id}`)).toMatchObject(validation('before_id is not known'));
    }
    expect(await rejected(`before_id=${newest}&page=2`)).toMatchObject(
      validation('page and before_id exclude each other'),
    );
  });
});
