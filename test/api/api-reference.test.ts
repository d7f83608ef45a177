/** What the API says of itself, as a client meets it. docs/specification.md#api-reference. */
import { textOf } from '../documents/documents';
import { apiAsNobody } from '../support/stack';

test('When the document is asked for, then it is the one in the docs, without a token', async () => {
  const { status, headers, body } = await apiAsNobody().get('/openapi.json');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(body).toEqual(JSON.parse(textOf('docs/clients/openapi.json')));
});

test('When the caller holds the document already, then it is not sent again', async () => {
  const { headers } = await apiAsNobody().get('/openapi.json');
  const again = await apiAsNobody().get('/openapi.json', { 'if-none-match': headers.get('etag') ?? '' });
  expect([again.status, again.body]).toEqual([304, undefined]);
});
