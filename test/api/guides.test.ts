/** The guides for clients that the service serves. docs/specification.md#api-reference. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errorKinds } from '../../src/domain/error-kinds';
import { anchorsOf, root, textOf } from '../documents/documents';
import { apiAs, apiWithoutToken } from '../support/stack';
import { loadStack } from '../../dev/testbed/loaded-stack';

const url = (path: string) => loadStack().api_url + path;
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

async function pageAt(path: string): Promise<string> {
  const response = await fetch(url(path), { headers: browser });
  expect([path, response.status, response.headers.get('content-type')]).toEqual([
    path,
    200,
    'text/html; charset=utf-8',
  ]);
  return response.text();
}

const sources = readdirSync(join(root, 'docs/clients')).filter((file) => file.endsWith('.md'));
const clientPages = sources.map((file) => file.replace('.md', ''));

test.each(clientPages)(
  'When the page %s is read, then it has the headings of its source and working links',
  async (name) => {
    const page = await pageAt(`/docs/${name}`);
    for (const anchor of anchorsOf(`docs/clients/${name}.md`)) expect(page).toContain(`id="${anchor}"`);
    const links = [...page.matchAll(/href="(\/[^"#]*)(?:#([^"]*))?"/g)];
    for (const [, path = '', anchor] of links) {
      const response = await fetch(url(path), { headers: browser });
      expect([path, response.status]).toEqual([path, 200]);
      const target = await response.text();
      if (anchor !== undefined) expect([path, anchor, target.includes(`id="${anchor}"`)]).toEqual([path, anchor, true]);
    }
  },
);

test('When the operator states nothing about the service, then the page about it has none of these rows', async () => {
  for (const path of ['/docs/about', '/docs/about.md']) {
    const page = await (await fetch(url(path), { headers: browser })).text();
    expect(page).toContain('changes of the API');
    expect(page).not.toMatch(/\{\{|sub-processors/);
  }
});

/** A page as a caller reads it who knows the service by that name. */
async function pageOfHost(path: string, host: string): Promise<{ text: string; etag: string }> {
  const { hostname, port } = new URL(loadStack().api_url);
  const request = get({ hostname, port, path, headers: { host } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { text: await text(response), etag: response.headers.etag ?? '' };
}

test.each(['/docs/getting-started', '/docs/getting-started.md', '/downloads/digital-goods.postman_collection.json'])(
  'When %s is read, then it names the service by the address at which it is read',
  async (path) => {
    const own = await pageOfHost(path, new URL(loadStack().api_url).host);
    expect(own.text).toContain(loadStack().api_url);
    const other = await pageOfHost(path, 'goods.example:8443');
    expect(other.text).toContain('http://goods.example:8443');
    expect(other.text).not.toContain('127.0.0.1:3000');
    expect(other.etag).not.toBe(own.etag);
  },
);

test('When the Host header is not the name of a host, then it does not appear in the page', async () => {
  const { text: page } = await pageOfHost('/docs/getting-started', '<script>');
  expect(page).not.toContain('<script>');
  expect(page).toContain('http://127.0.0.1:3000');
});

test('When a page has several sections, then it lists them, and the first page leads to each guide by task', async () => {
  const page = await pageAt('/docs/webhooks');
  const [contents = ''] = /<nav class="contents"[\s\S]*?<\/nav>/.exec(page) ?? [];
  const listed = [...contents.matchAll(/href="#([^"]+)"/g)].map(([, anchor]) => anchor);
  expect(listed).toEqual([
    'register-an-endpoint',
    'verify',
    'test-your-endpoint',
    'events',
    'when-your-endpoint-fails',
    'endpoints',
    'the-log',
  ]);
  const tasks = [...(await pageAt('/docs/guides')).matchAll(/<main[\s\S]*/g)].flatMap(([main]) =>
    [...main.matchAll(/<h2>([^<]+)<\/h2>/g)].map(([, task]) => task),
  );
  expect(tasks).toEqual([
    'Start here',
    'Sell a product',
    'Run it safely',
    'Use a tool',
    'Look it up',
    'Every operation',
  ]);
});

test('When a page names a download, then the service offers it', async () => {
  const named = sources.flatMap((file) => [
    ...textOf(`docs/clients/${file}`).matchAll(/http:\/\/127\.0\.0\.1:3000(\/downloads\/[\w.-]+\w)/g),
  ]);
  const paths = [...new Set(named.map(([, path = '']) => path))];
  expect(paths.length).toBeGreaterThan(4);
  for (const path of paths) {
    const { status } = await fetch(url(path));
    expect([path, status]).toEqual([path, 200]);
  }
  expect((await fetch(url('/downloads/nothing.tgz'))).status).toBe(404);
});

test('When the service has no Python package, then its address leads to the section that says how to generate it', async () => {
  // A version that was never made stands for a service that was built without Python.
  const path = '/downloads/digital_goods_client-0.0.0-py3-none-any.whl';
  const { status, headers } = await fetch(url(path), { redirect: 'manual' });
  expect([status, headers.get('location')]).toEqual([302, '/docs/generated-clients#python']);
  const page = textOf('docs/clients/generated-clients.md');
  expect(page.slice(page.indexOf('## Python'), page.indexOf('## Go'))).toContain('openapi-python-client generate');
});

/** What only a reader with a checkout has. */
const ofCheckout = /npm (run|start|test|exec -w)|stack\.json|\.run\/|this repository|packages\/client|\bsrc\//;

test.each(sources)('When %s is read without a checkout, then it needs none', (file) => {
  const prose = textOf(`docs/clients/${file}`).replace(/\]\([^)]*\)/g, ']');
  expect(prose.split('\n').filter((line) => ofCheckout.test(line))).toEqual([]);
});

test('When the list of guides is read, then it links every page, and the reference links the list', async () => {
  const list = await pageAt('/docs/guides');
  for (const name of clientPages) expect(list).toContain(`href="/docs/${name}"`);
  expect(await pageAt('/docs')).toContain('href="/docs/guides"');
});

test('When the search index is read, then it has the section of every error code', async () => {
  const [address = ''] = /\/docs\/assets\/search-index-\w+\.json/.exec(await pageAt('/docs/guides')) ?? [];
  const sections = (await (await fetch(url(address))).json()) as { id: string }[];
  const ids = sections.map(({ id }) => id);
  const codes = Object.values(errorKinds).map(({ code }) => `/docs/errors#${code.toLowerCase()}`);
  expect(ids).toEqual(expect.arrayContaining(codes));
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('When a tool reads llms.txt, then every linked page is available as Markdown', async () => {
  const response = await fetch(url('/llms.txt'));
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const links = [...(await response.text()).matchAll(/\]\((\/docs\/[^)]+)\)/g)].map(([, path = '']) => path);
  expect(links).toEqual(expect.arrayContaining(clientPages.map((name) => `/docs/${name}.md`)));
  for (const path of links) {
    const page = await fetch(url(path));
    expect([path, page.status, page.headers.get('content-type')]).toEqual([path, 200, 'text/markdown; charset=utf-8']);
    expect((await page.text()).split('\n')[0]).toMatch(/^# /);
  }
  const markdown = await (await fetch(url('/docs/sandbox.md'))).text();
  expect(markdown).toContain('](/docs/getting-started.md#set-up-your-shell)');
  expect(markdown).not.toContain('local-stack.md');
});

test('When the caller already has a page, then the service does not send the page again', async () => {
  const { headers } = await fetch(url('/docs/errors'));
  const tag = headers.get('etag') ?? '';
  // The second as a proxy that compresses responses changes it.
  for (const sent of [tag, `W/${tag.replace(/"$/, '-br"')}`])
    expect((await fetch(url('/docs/errors'), { headers: { 'if-none-match': sent } })).status).toBe(304);
});

test.each(['/docs/nothing', '/docs/nothing.md', '/docs/llms.txt', '/docs/..%2Fguides'])(
  'When %s is read, then the response is 404',
  async (path) => {
    expect((await fetch(url(path))).status).toBe(404);
  },
);

test.each([
  ['GET', '/', '/docs/guides'],
  ['HEAD', '/', '/docs/guides'],
  ...clientPages.map((name) => ['GET', `/docs/guides/${name}`, `/docs/${name}`]),
])('When a browser sends %s %s, then it is redirected to %s', async (method = '', path = '', target) => {
  const { status, headers } = await fetch(url(path), { method, headers: browser, redirect: 'manual' });
  expect([status, headers.get('location'), headers.get('vary')]).toEqual([302, target, 'Accept']);
});

test.each([
  ['GET', '/', '*/*'],
  ['GET', '/', 'application/json'],
  ['POST', '/', 'text/html'],
  ['DELETE', '/', '*/*'],
  ['GET', '/docs/guides/webhooks', '*/*'],
  ['GET', '/docs/guides/nothing', 'text/html'],
  ['GET', '/docs/guides/webhooks.md', 'text/html'],
])('When a request %s %s accepts %s, then the response is 404', async (method, path, accept) => {
  const response = await fetch(url(path), { method, headers: { accept } });
  expect(response.status).toBe(404);
  expect(await response.json()).toEqual({
    error: { name: 'NotFoundError', code: 'NOT_FOUND', message: 'Path not found' },
  });
});

const anchors = anchorsOf('docs/clients/errors.md');

test.each(Object.values(errorKinds).map(({ code }) => code))(
  'When an error has the code %s, then the errors page has an entry for it',
  (code) => {
    expect(anchors).toContain(code.toLowerCase());
  },
);

test('When a request fails, then the Link header names the entry of its code, and the envelope does not change', async () => {
  const refused = await apiAs('demo').get('/api/v1/wallets/2147483646');
  expect(refused.headers.get('link')).toBe('</docs/errors#not_found>; rel="help"');
  expect(Object.keys(refused.body)).toEqual(['error']);
  const unauthorized = await apiWithoutToken().get('/api/v1/wallets');
  expect(unauthorized.headers.get('link')).toBe('</docs/errors#unauthorized>; rel="help"');
  expect((await apiAs('demo').get('/api/v1/wallets')).headers.get('link')).toBeNull();
});

test('When the bytes are not a request, then the rejection has the Link header, too', async () => {
  const { hostname, port } = new URL(loadStack().api_url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write('nonsense\r\n\r\n');
  expect(await text(socket)).toMatch(/\r\nLink: <\/docs\/errors#bad_request>; rel="help"\r\n/i);
});
