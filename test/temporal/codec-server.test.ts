/** The requests of the Temporal UI's browser to the stack's codec server. */
import { loadStack } from '../support/stack';

const { codec_url: url, temporal_ui_url } = loadStack();
const { origin: uiUrl } = new URL(temporal_ui_url);

interface Payload {
  metadata: Record<string, string>;
  data: string;
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
const typed: Payload = { metadata: { encoding: base64('json/plain') }, data: base64('"ASK_AGAIN"') };

async function converted(direction: string, payloads: Payload[], at = url): Promise<Response> {
  return fetch(`${at}/${direction}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ payloads }),
  });
}

test('When an operator types an argument, then it is encrypted as by the service, and decrypts to the typed text', async () => {
  const encoded = await converted('encode', [typed]);
  const { payloads } = (await encoded.json()) as { payloads: Payload[] };
  expect(payloads).toHaveLength(1);
  expect(payloads[0]?.metadata['encoding']).toBe(base64('binary/encrypted'));
  expect(Buffer.from(payloads[0]?.data ?? '', 'base64').toString()).not.toContain('ASK_AGAIN');
  const decoded = await converted('decode', payloads);
  expect(await decoded.json()).toEqual({ payloads: [typed] });
});

test('When the path has another secret, then nothing is converted', async () => {
  const elsewhere = url.replace(/\/[^/]+$/, '/another-secret');
  for (const direction of ['encode', 'decode']) {
    expect((await converted(direction, [typed], elsewhere)).status).toBe(404);
  }
});

test('When the request cannot be parsed, then the response is 400 without internal details', async () => {
  const response = await fetch(`${url}/decode`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect(response.status).toBe(400);
  expect(await response.text()).not.toContain('node_modules');
});

test('When the browser sends a preflight request, then only the UI is allowed', async () => {
  const response = await fetch(`${url}/encode`, { method: 'OPTIONS' });
  expect(response.status).toBe(204);
  expect(response.headers.get('access-control-allow-origin')).toBe(new URL(uiUrl).origin);
});

test('When a probe calls, then the codec server answers without a secret', async () => {
  const response = await fetch(new URL('/health', url));
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ status: 'ok' });
});
