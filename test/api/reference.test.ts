import { listCurrencies } from '../../src/data/catalogue/reference';
import { newClient, useDatabase } from '../support/clients';
import { apiAs, refusal, type Resource } from '../support/stack';

const database = useDatabase();

const demo = apiAs('demo');
const restricted = apiAs('restricted');
const lists = ['countries', 'currencies', 'categories', 'subcategories'];

async function list(name: string): Promise<Resource[]> {
  return (await demo.get<Resource[]>(`/api/v1/${name}`)).body;
}

describe('reference data', () => {
  test('When countries are listed, then the response has the 249 countries of ISO 3166-1, and Kosovo, with every field', async () => {
    const countries = await list('countries');
    expect(countries).toHaveLength(250);
    expect(countries.find((country) => country['alpha_3'] === 'CHE')).toEqual({
      id: expect.any(Number),
      name: 'Switzerland',
      official_name: 'Swiss Confederation',
      alpha_2: 'CH',
      alpha_3: 'CHE',
      numeric_code: '756',
      dialing_prefix: '+41',
    });
    for (const country of countries) {
      expect(country).toMatchObject({
        alpha_2: expect.stringMatching(/^[A-Z]{2}$/),
        alpha_3: expect.stringMatching(/^[A-Z]{3}$/),
        numeric_code: expect.stringMatching(/^\d{3}$/),
        dialing_prefix: expect.stringMatching(/^\+\d{1,7}$/),
      });
    }
  });

  test('When Kosovo is listed, then it has the codes that others use, and no other country has a new id', async () => {
    const countries = await list('countries');
    expect(countries.find((country) => country['alpha_3'] === 'XKX')).toMatchObject({
      name: 'Kosovo',
      alpha_2: 'XK',
      numeric_code: '983',
      dialing_prefix: '+383',
      id: Math.max(...countries.map(({ id }) => id)),
    });
  });

  test('When currencies are listed, then ISO 4217 has them today, or a wallet or product uses them', async () => {
    const codes = (await list('currencies')).map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining(['XCG', 'ZWG', 'XAD', 'EUR']));
    for (const withdrawn of ['ANG', 'CUC']) expect(codes).not.toContain(withdrawn);
    const { wallets } = await newClient(database, { BGN: 1 });
    expect(wallets).toHaveProperty('BGN');
    // The API's list is cached until the catalogue changes.
    expect((await listCurrencies(database)).map(({ code }) => code)).toContain('BGN');
  });

  test.each([
    ['USA', '+1'],
    ['DOM', '+1'],
    ['JAM', '+1876'],
    ['VAT', '+39'],
    ['KAZ', '+7'],
    ['ESH', '+212'],
    ['ALA', '+358'],
    ['ATA', '+672'],
  ])('When the dialing prefix of %s is read, then it is %s', async (code, prefix) => {
    const country = (await list('countries')).find((candidate) => candidate['alpha_3'] === code);
    expect(country).toMatchObject({ dialing_prefix: prefix });
  });

  test("When currencies are listed, then they have ISO 4217's minor units and a symbol", async () => {
    const currencies = await list('currencies');
    expect(currencies.length).toBeGreaterThan(170);
    const byCode = new Map(currencies.map((currency) => [currency['code'], currency]));
    expect(byCode.get('USD')).toEqual({
      id: expect.any(Number),
      name: 'US Dollar',
      code: 'USD',
      numeric_code: '840',
      symbol: '$',
      minor_unit: 2,
    });
    expect(byCode.get('JPY')).toMatchObject({ symbol: '¥', minor_unit: 0 });
    expect(byCode.get('KWD')).toMatchObject({ numeric_code: '414', minor_unit: 3 });
  });

  test.each(['categories', 'subcategories'])('When %s are listed, then each has an id and a name', async (name) => {
    const items = await list(name);
    expect(items.length).toBeGreaterThan(0);
    for (const item of items) expect(item).toEqual({ id: expect.any(Number), name: expect.any(String) });
  });

  test.each(lists)(
    'When %s are read, then callers may cache the list for a day, and the service does not send an unchanged list again',
    async (name) => {
      const first = await demo.get(`/api/v1/${name}`);
      expect(first.headers.get('cache-control')).toBe('max-age=86400, stale-while-revalidate=600');
      const etag = first.headers.get('etag') as string;
      expect(etag).toMatch(/^(W\/)?"[^"]+"$/);
      const again = await demo.get(`/api/v1/${name}`, { 'if-none-match': etag });
      expect(again).toMatchObject({ status: 304, body: undefined });
      expect(again.headers.get('etag')).toBe(etag);
      expect((await demo.get(`/api/v1/${name}`, { 'if-none-match': '"old"' })).status).toBe(200);
    },
  );

  test.each([
    ['countries', 'Invalid country ID', 'Country not found'],
    ['categories', 'Invalid category ID', 'Category not found'],
    ['subcategories', 'Invalid subcategory ID', 'Subcategory not found'],
  ])(
    'When one of the %s is read by its id, and by no other id, then it equals the item of the list',
    async (name, invalid, missing) => {
      const [first] = (await list(name)) as [Resource];
      expect((await demo.get(`/api/v1/${name}/${first.id}`)).body).toEqual(first);
      for (const id of ['0', '-1', 'abc', '1.5', '%00']) {
        const answer = await demo.get(`/api/v1/${name}/${id}`);
        expect(answer).toMatchObject(refusal('BAD_REQUEST', invalid));
        expect(answer.headers.get('cache-control')).toBe('no-store');
      }
      const answer = await demo.get(`/api/v1/${name}/2147483647`);
      expect(answer).toMatchObject(refusal('NOT_FOUND', missing));
    },
  );

  test.each(['countries', 'countries/1', 'currencies'])(
    'When a client without vouchers reads %s, then the response is 200',
    async (path) => {
      expect((await restricted.get(`/api/v1/${path}`)).status).toBe(200);
    },
  );
});
