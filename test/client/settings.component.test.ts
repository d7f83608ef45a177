/** Wrong settings of the client library, and an unreachable service: one sentence states the remedy. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { ConnectionError, DigitalGoods } from '@digital-goods/client';

const settings = { baseUrl: 'http://127.0.0.1:9', apiKey: 'key', apiSecret: 'secret' };
const made = (changes: object) => () => new DigitalGoods({ ...settings, ...changes });

test.each([
  [{ baseUrl: undefined }, 'baseUrl is missing.'],
  [{ baseUrl: '' }, 'baseUrl is missing.'],
  [{ baseUrl: 'api.example' }, 'baseUrl is not a URL: "api.example".'],
  [{ baseUrl: 'http://api.example' }, 'baseUrl must begin with https://.'],
  [{ baseUrl: 'https://api.example/api/v1/' }, 'baseUrl must not end with /api/v1'],
  [{ baseUrl: 'https://api.example?key=1' }, 'baseUrl must have no user, query or fragment.'],
  [{ baseUrl: 'https://user@api.example' }, 'baseUrl must have no user, query or fragment.'],
  [{ apiKey: '' }, 'apiKey is missing.'],
  [{ apiSecret: undefined }, 'apiSecret is missing.'],
  [{ apiSecret: 'secret\n' }, 'apiSecret contains a space, a line break'],
])('When the settings have %j, then the constructor rejects them', (changes, sentence) => {
  expect(made(changes)).toThrow(sentence);
  expect(made(changes)).not.toThrow(/secret\n/);
});

test('When nothing listens at the address, then the error says so', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  const client = new DigitalGoods({ ...settings, baseUrl: `http://127.0.0.1:${port}`, maxRetries: 0 });
  const failure: unknown = await client.wallets.list().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ConnectionError);
  expect(failure).toMatchObject({
    message: `POST http://127.0.0.1:${port}/auth/login: connection refused at 127.0.0.1:${port}`,
    mayHaveTakenEffect: false,
  });
});
