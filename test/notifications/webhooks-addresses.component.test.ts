import { createServer, type Server } from 'node:http';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { AddressInfo, Socket } from 'node:net';
import { urlProblem, isAllowedTarget } from '../../src/notifications/webhooks/addresses';
import { createWebhookSender, type WebhookSender } from '../../src/notifications/webhooks/sender';

const strict = { allowLoopback: false };
const toStore = { ...strict, httpsOnly: false };

/** Non-public addresses as hosts of URLs, in every notation. */
const hosts = `
  127.0.0.1 127.0.0.1:3000 127.255.255.254 127.1 127.0.1 127.0.0.1. %31%32%37.0.0.1
  2130706433 0x7f000001 0x7f.0.0.1 0x7F.1 0177.0.0.1 00000177.1 017700000001
  0 0.0.0.0 0.1.2.3
  10.0.0.1 10.255.255.255 012.0.0.1 167772161
  172.16.0.1 172.31.255.255 192.168.0.1 192.168.1 0xC0A80001 100.64.0.1
  169.254.169.254 2852039166 0xa9fea9fe 0251.0376.0251.0376
  168.63.129.16 0xa83f8110 [::ffff:168.63.129.16]
  192.0.0.1 192.0.0.170 192.0.2.1 192.88.99.1 198.18.0.1 198.51.100.1 203.0.113.1
  224.0.0.1 239.255.255.250:1900 240.0.0.1 255.255.255.255
  [::] [::1] [0:0:0:0:0:0:0:1] [::127.0.0.1]
  [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:a00:1] [::ffff:169.254.169.254] [::ffff:0:127.0.0.1]
  [64:ff9b::7f00:1] [64:ff9b::169.254.169.254] [64:ff9b:1::10.0.0.1]
  [2002:7f00:1::] [2002:a00:1::1] [2001::1] [2001:0:a00:1::]
  [2001:2::1] [2001:10::1] [2001:20::1] [2001:db8::1] [3fff::1] [5f00::1] [100::1]
  [fc00::1] [fd00:ec2::254] [fe80::1] [fec0::1] [ff02::1] [4000::1]`;
const hostileAddresses = [
  'https://127.0.0.1/',
  ...hosts
    .trim()
    .split(/\s+/)
    .map((host) => `http://${host}/latest/meta-data/`),
];

/** Names that resolve to non-public addresses. */
const hostileNames: Readonly<Record<string, string[]>> = {
  'loopback.attacker.example': ['127.0.0.1'],
  'loopback6.attacker.example': ['::1'],
  'mapped.attacker.example': ['::ffff:127.0.0.1'],
  'private.attacker.example': ['10.1.2.3'],
  'several.attacker.example': ['10.1.2.3', '192.168.1.1', '::1'],
  'metadata.attacker.example': ['169.254.169.254'],
  'metadata6.attacker.example': ['fd00:ec2::254'],
  'nat64.attacker.example': ['64:ff9b::a00:1'],
  'sixtofour.attacker.example': ['2002:7f00:1::'],
  'zero.attacker.example': ['0.0.0.0'],
  'broadcast.attacker.example': ['255.255.255.255'],
  'nonsense.attacker.example': ['not an address', '127.0.0.1.example', ''],
  '127.0.0.1.nip.attacker.example': ['127.0.0.1'],
  'empty.attacker.example': [],
};

/** Texts that are not web addresses, or that have extra parts. */
const malformed = [
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://example.com/',
  'javascript:alert(1)',
  'http://',
  '//example.com/',
  'example.com/hook',
  'http://256.1.1.1/',
  'http://4294967296/',
  'http://user:password@example.com/',
  'http://127.0.0.1@example.com/',
  'http://[fe80::1%25eth0]/',
  'http://exa mple.com/',
  'http://example.com/\r\nX-Injected: 1',
  'http://127。0。0。1/',
  'http://①②⑦.0.0.1/',
  'http://localhost/',
  'http://LOCALHOST:3000/',
  'http://localhost./',
  'http://anything.localhost/',
];

describe('addresses of webhooks', () => {
  let server: Server;
  let port: number;
  let requests = 0;
  let sender: WebhookSender;
  let answers: Readonly<Record<string, string[]>> = hostileNames;

  beforeAll(async () => {
    server = createServer((_request, response) => {
      requests += 1;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
    sender = createWebhookSender(strict, async (name) => answers[name] ?? []);
  });
  beforeEach(() => {
    requests = 0;
    answers = hostileNames;
  });
  afterAll(async () => {
    await sender.close();
    await new Promise((resolve) => server.close(resolve));
  });

  test('The table is long enough', () => {
    expect(hostileAddresses.length + Object.keys(hostileNames).length).toBeGreaterThanOrEqual(80);
  });

  test.each(hostileAddresses)('When the URL is %s, then it is neither stored nor connected to', async (url) => {
    expect(urlProblem(url, toStore)).toBe('url must lead to a public address');
    expect(await sender.send(url, {}, '{}')).toMatchObject({ status: null, error: 'address not allowed' });
  });

  test.each(Object.keys(hostileNames))(
    'When a name resolves to an internal address (%s), then no connection is made',
    async (name) => {
      const result = await sender.send(`http://${name}:${port}/`, {}, '{}');
      expect(result).toMatchObject({ status: null, error: 'address not allowed' });
      expect(requests).toBe(0);
    },
  );

  test.each(malformed)('When the URL is %j, then it is not stored', (url) => {
    expect(urlProblem(url, toStore)).toMatch(/^url /);
  });

  test.each(['http://localhost:1/', 'http://below.localhost:1/'])(
    'When the name itself means loopback (%s), then it is rejected without a DNS query',
    async (url) => {
      const strictSender = createWebhookSender(strict);
      expect(await strictSender.send(url, {}, '{}')).toMatchObject({ error: 'address not allowed' });
      await strictSender.close();
    },
  );

  test('When a name changes its address after the check, then each new connection is checked again', async () => {
    const rebinding = createWebhookSender({ allowLoopback: true }, async (name) => answers[name] ?? []);
    answers = { 'rebinding.example': ['127.0.0.1'] };
    const url = `http://rebinding.example:${port}/`;
    expect(await rebinding.send(url, {}, '{}')).toMatchObject({ status: 200 });
    answers = { 'rebinding.example': ['169.254.169.254'] };
    // The earlier connection stays valid, because it still leads to the checked address.
    expect(await rebinding.send(url, {}, '{}')).toMatchObject({ status: 200 });
    server.closeAllConnections();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await rebinding.send(url, {}, '{}')).toMatchObject({ error: 'address not allowed' });
    await rebinding.close();
  });

  test('When some addresses of a name are public, then only those are used', async () => {
    const mixed = createWebhookSender({ allowLoopback: true }, async () => ['10.255.255.1', '127.0.0.1']);
    const attempted: string[] = [];
    const watch = (message: unknown) =>
      void (message as { socket: Socket }).socket.on('connectionAttempt', (address) => attempted.push(address));
    subscribe('net.client.socket', watch);
    expect(await mixed.send(`http://mixed.example:${port}/`, {}, '{}')).toMatchObject({ status: 200 });
    unsubscribe('net.client.socket', watch);
    expect(attempted).toEqual(['127.0.0.1']);
    await mixed.close();
  });

  test('When the endpoint redirects, then the redirect is its response', async () => {
    const redirecting = createServer((_request, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${port}/` }).end();
    });
    await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve));
    const lenient = createWebhookSender({ allowLoopback: true });
    const url = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}/`;
    expect(await lenient.send(url, {}, '{}')).toMatchObject({ status: 307 });
    expect(requests).toBe(0);
    await lenient.close();
    await new Promise((resolve) => redirecting.close(resolve));
  });

  test.each(['8.8.8.8', '1.1.1.1', '100.63.255.255', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])(
    'When the address is public (%s), then it is allowed',
    (address) => {
      expect(isAllowedTarget(address, strict)).toBe(true);
    },
  );

  test('When the address is unknown or unreadable, then it is rejected', () => {
    const unreadable = [undefined, '', 'localhost', '127.0.0.1:80', '8.8.8', '8.8.8.8 ', '0x8080808'];
    expect(unreadable.some((address) => isAllowedTarget(address, { allowLoopback: true }))).toBe(false);
  });

  test('When loopback is allowed, then other internal addresses are not', () => {
    const lenient = { allowLoopback: true };
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
      expect(isAllowedTarget(address, lenient)).toBe(true);
    }
    for (const address of ['10.0.0.1', '0.0.0.0', '169.254.169.254', '168.63.129.16', 'fe80::1', 'fc00::1']) {
      expect(isAllowedTarget(address, lenient)).toBe(false);
    }
    expect(urlProblem('http://localhost:4000/hook', { ...lenient, httpsOnly: false })).toBeUndefined();
  });

  test('When URLs are stored, then length, scheme and credentials are also checked', () => {
    expect(urlProblem('https://hooks.example.com/a?b=c', { ...strict, httpsOnly: true })).toBeUndefined();
    expect(urlProblem('http://hooks.example.com/', { ...strict, httpsOnly: true })).toBe(
      'url must begin with https://',
    );
    expect(urlProblem(`https://example.com/${'a'.repeat(2_048)}`, toStore)).toBe(
      'url is too long (max 2048 characters)',
    );
    expect(urlProblem('https://user@example.com/', toStore)).toBe('url must not contain credentials');
  });
});
