/** Lists under concurrency: a reader that stops at the first known row, or reads on after it, has seen every new row. */
import { sql } from '../../dev/testbed/sql';
import { newClient, useDatabase } from '../support/clients';
import { orderOf } from '../support/orders';
import type { ApiClient, Json, Resource } from '../support/stack';
import { topupOrders } from '../support/variant-orders';

const database = useDatabase();

const PAGE = 5;

/** Follows a list like a client that keeps its own copy. */
class Follower {
  readonly known = new Set<number>();

  constructor(
    private readonly api: ApiClient,
    private readonly path: string,
  ) {}

  /** Reads from the newest row down to the first known row. */
  async read(): Promise<void> {
    const fresh: number[] = [];
    for (let page = 1; ; page++) {
      const { body } = await this.api.get<Resource[]>(`${this.path}?page=${page}&limit=${PAGE}`);
      const news = body.map(({ id }) => id);
      const end = news.findIndex((id) => this.known.has(id));
      fresh.push(...(end === -1 ? news : news.slice(0, end)));
      if (end !== -1 || news.length < PAGE) break;
    }
    fresh.forEach((id) => this.known.add(id));
  }
}

/** Follows a list by the rows that are newer than its newest known one. */
class Successor {
  readonly known = new Set<number>();
  private newest: number | undefined;

  constructor(
    private readonly api: ApiClient,
    private readonly path: string,
  ) {}

  async read(): Promise<void> {
    for (let hasMore = true; hasMore;) {
      const start = this.newest === undefined ? 'page=1' : `after_id=${this.newest}`;
      const { body, headers } = await this.api.get<Resource[]>(`${this.path}?${start}&limit=${PAGE}`);
      body.forEach(({ id }) => this.known.add(id));
      hasMore = this.newest !== undefined && headers.get('x-has-more') === 'true';
      this.newest = body[0]?.id ?? this.newest;
    }
  }
}

async function created(api: ApiClient, body: Json): Promise<Resource> {
  const answer = await api.order<Resource>(topupOrders, body);
  expect(answer.status).toBe(200);
  return answer.body;
}

test('When 64 orders of two wallets are created concurrently, then readers that stop at the first known row, or read on after it, miss no order', async () => {
  const client = await newClient(database, { USD: 1_000, EUR: 1_000 });
  const body = orderOf('topup_instant');
  // Ten of the later orders exceed the cap: they have no debit.
  await sql(database)`UPDATE clients SET daily_caps = ${JSON.stringify({ TOPUP: { count: 55 } })}
       WHERE id = ${client.id}`;
  const first = await created(client.api, body);
  const ofOrders = [new Follower(client.api, topupOrders), new Successor(client.api, topupOrders)];
  const ofEntries = [Follower, Successor].map((Reader) => new Reader(client.api, '/api/v1/transactions'));
  const readAll = () => Promise.all([...ofOrders, ...ofEntries].map((reader) => reader.read()));
  await readAll();
  let isOver = false;
  const reading = (async () => {
    while (!isOver) await readAll();
  })();

  const wallets = Object.values(client.wallets);
  const placed = await Promise.all(
    Array.from({ length: 64 }, (_, index) => created(client.api, { ...body, wallet_id: wallets[index % 2] })),
  );
  isOver = true;
  await reading;
  await readAll();

  const missed = (reader: Follower | Successor, all: { id: number }[]) => all.filter(({ id }) => !reader.known.has(id));
  const entries = await sql(database)<{ id: number }>`SELECT id FROM transactions
       WHERE client_id = ${client.id}`;
  for (const reader of ofOrders) expect(missed(reader, [first, ...placed])).toEqual([]);
  for (const reader of ofEntries) expect(missed(reader, entries)).toEqual([]);

  const { body: listed } = await client.api.get<{ created_at: string }[]>(`${topupOrders}?per_page=100`);
  const times = listed.map((order) => order.created_at);
  expect(times).toEqual([...times].sort().reverse());
});
