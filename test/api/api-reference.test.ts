/** The API document that the service serves to clients. docs/specification.md#api-reference. */
import { textOf } from '../documents/documents';
import { apiWithoutToken } from '../support/stack';

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
