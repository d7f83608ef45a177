/** The API document that the service serves to clients. docs/specification.md#api-reference. */
import { textOf } from '../documents/documents';
import { apiAs, apiWithoutToken, type Resource } from '../support/stack';
import { loadStack } from '../../dev/testbed/loaded-stack';

interface Document {
  paths: Record<string, { get: { responses: { 200: { description: string } } } }>;
}

test('When a caller without a token requests the document, then it gets the document of the docs', async () => {
  const { status, headers, body } = await apiWithoutToken().get('/openapi.json');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(body).toEqual(JSON.parse(textOf('docs/clients/openapi.json')));
});

test('When the caller already has the document, then the service does not send the document again', async () => {
  const { headers } = await apiWithoutToken().get('/openapi.json');
  const again = await apiWithoutToken().get('/openapi.json', { 'if-none-match': headers.get('etag') ?? '' });
  expect([again.status, again.body]).toEqual([304, undefined]);
});

/** The order of each list that holds fixed data, and the description that the document must give of it. */
const sortedLists: [string, string, (rows: Resource[]) => Resource[]][] = [
  ['countries', 'All of them, by name.', (rows) => rows.sort(rising('name'))],
  ['currencies', 'All of them, by code.', (rows) => rows.sort(rising('code'))],
  ['categories', 'All of them, by name.', (rows) => rows.sort(rising('name'))],
  ['subcategories', 'All of them, by name.', (rows) => rows.sort(rising('name'))],
  ['topups/products', 'The products, newest first.', (rows) => rows.sort((a, b) => b.id - a.id)],
  ['esim/products', 'The products, newest first.', (rows) => rows.sort((a, b) => b.id - a.id)],
];

const rising = (field: string) => (a: Resource, b: Resource) =>
  String(a[field]) < String(b[field]) ? -1 : Number(String(a[field]) > String(b[field]));

test.each(sortedLists)(
  'When %s are listed, then their order is the documented one: %s',
  async (list, order, sorted) => {
    const document = (await apiWithoutToken().get<Document>('/openapi.json')).body;
    expect(document.paths[`/api/v1/${list}`]?.get.responses[200].description).toBe(order);
    const { body } = await apiAs('demo').get<Resource[]>(`/api/v1/${list}`);
    expect(body.length).toBeGreaterThan(1);
    expect(body).toEqual(sorted([...body]));
  },
);

test.each([
  ['/openapi.json', 'gzip'],
  ['/docs', 'br'],
  ['/docs/guides', 'gzip'],
  ['/console', 'br'],
])(
  'When a caller accepts gzip and brotli, then %s has the encoding %s, and each encoding has an ETag of its own',
  async (path, smallest) => {
    const url = loadStack().api_url + path;
    const accepted = ['gzip, br', 'identity'];
    const [compressed, plain] = await Promise.all(
      accepted.map((encoding) => fetch(url, { headers: { 'accept-encoding': encoding } })),
    );
    const shown = [compressed, plain].map((response) => response?.headers.get('content-encoding'));
    expect(shown).toEqual([smallest, null]);
    expect(await compressed?.text()).toBe(await plain?.text());
    const etags = [compressed, plain].map((response) => response?.headers.get('etag') ?? '');
    expect(new Set(etags).size).toBe(2);
    for (const [index, encoding] of accepted.entries()) {
      const headers = { 'accept-encoding': encoding, 'if-none-match': etags[index] ?? '' };
      expect((await fetch(url, { headers })).status).toBe(304);
    }
    const gzipped = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
    expect(gzipped.headers.get('content-encoding')).toBe('gzip');
  },
);
