import { fund } from '../../dev/testbed/clients';
import { useClient, useDatabase } from '../support/clients';
import { apiAs, demoClient, invalidQuery, refusal, validation, type Answer, type Resource } from '../support/stack';

const path = '/api/v1/transactions';

describe('transactions', () => {
  const database = useDatabase();
  const client = useClient(database, { USD: 10, JPY: 500 });
  beforeAll(async () => {
    for (const amount of [0.25, -0.5, 7, -1, 2, 0.25]) await fund(database, usd(), amount);
  });

  const usd = () => client.wallets['USD'] as number;
  const list = (query = '') => client.api.get<Resource[]>(`${path}${query}`);
  const ids = ({ body }: Answer<Resource[]>) => body.map((transaction) => transaction.id);
  const filtered = (filter: string) => filter.replace('USD', String(usd()));

  test('When the list is read, then it is newest first and has every field and the pagination headers', async () => {
    const answer = await list();
    expect(answer.status).toBe(200);
    expect(ids(answer)).toEqual([...ids(answer)].sort((a, b) => b - a));
    expect(answer.body[0]).toEqual({
      id: expect.any(Number),
      wallet_id: usd(),
      currency_id: expect.any(Number),
      amount: 0.25,
      transaction_type: 'CREDIT',
      status: 'COMPLETED',
      source_currency: null,
      destination_currency: null,
      forex_rate: null,
      conversion_charges: null,
      remarks: 'Test funding',
      reference_number: expect.stringMatching(/^test-/),
      created_at: expect.stringMatching(/Z$/),
    });
    expect(answer.headers.get('x-page')).toBe('1');
    expect(answer.headers.get('x-per-page')).toBe('50');
    expect(answer.headers.get('x-page-size')).toBe(String(answer.body.length));
  });

  test.each(['', '&wallet_id=USD'])(
    'When all pages are read with "%s", then each transaction appears once and the counts are exact',
    async (filter) => {
      const all = await list(`?limit=10000${filtered(filter)}`);
      const total = all.body.length;
      expect(all.headers.get('x-total-count')).toBe(String(total));
      const pages = Math.ceil(total / 3);
      const seen: number[] = [];
      for (let page = 1; page <= pages; page += 1) {
        const answer = await list(`?page=${page}&limit=3${filtered(filter)}`);
        expect(answer.headers.get('x-total-pages')).toBe(String(pages));
        expect(answer.headers.get('x-has-more')).toBe(String(page < pages));
        expect(answer.headers.get('x-page-size')).toBe(String(answer.body.length));
        seen.push(...ids(answer));
      }
      expect(seen).toEqual(ids(all));
    },
  );

  test.each(['', '&wallet_id=USD'])(
    'When a page is beyond the last page with "%s", then it is empty and has its headers',
    async (filter) => {
      for (const page of [1000, 2_147_483_647]) {
        const answer = await list(`?page=${page}&limit=10000${filtered(filter)}`);
        expect(answer).toMatchObject({ status: 200, body: [] });
        expect(answer.headers.get('x-page-size')).toBe('0');
        expect(answer.headers.get('x-has-more')).toBe('false');
        expect(Number(answer.headers.get('x-total-count'))).toBeGreaterThan(6);
      }
    },
  );

  test.each([
    'page=0',
    'page=-1',
    'page=1.0',
    'page=',
    'page=abc',
    'page=2147483648',
    'page=99999999999999999999',
    'page=1&page=2',
    'page[]=1',
    'limit=0',
    'limit=10001',
    'limit=1e2',
    'limit=%00',
  ])('When the query is %s, then it is invalid', async (query) => {
    expect(await list(`?${query}`)).toMatchObject(invalidQuery);
  });

  test.each(['0', '-1', '1.5', 'abc', '', '%00', '1&wallet_id=2'])(
    'When wallet_id is %s, then the query is rejected',
    async (walletId) => {
      expect(await list(`?wallet_id=${walletId}`)).toMatchObject(validation('wallet_id must be a positive integer'));
    },
  );

  test("When the wallet is another client's, then the response is 404", async () => {
    const other = demoClient('other').wallets[0]?.id;
    expect(await list(`?wallet_id=${other}`)).toMatchObject(refusal('NOT_FOUND', 'Wallet not found'));
  });

  test('When the query has unknown parameters, then they are ignored', async () => {
    expect((await list('?status=COMPLETED&utm_source=x')).status).toBe(200);
  });

  test('When a transaction is read by id, then it equals its list item, and other clients get 404', async () => {
    const [newest] = (await list('?limit=1')).body as [Resource];
    expect((await client.api.get(`${path}/${newest.id}`)).body).toEqual(newest);
    const notFound = refusal('NOT_FOUND', 'Transaction not found');
    expect(await apiAs('other').get(`${path}/${newest.id}`)).toMatchObject(notFound);
    expect(await client.api.get(`${path}/2147483647`)).toMatchObject(notFound);
  });
});
