/** The pages of the back office over HTTP. docs/operators/office.md. */
import { anchorsOf } from '../../documents/documents';
import { serviceCaller } from '../../support/service-accounts';
import { loadStack } from '../../../dev/testbed/loaded-stack';

const get = (path: string, token?: string) =>
  fetch(`${loadStack().ops_url}${path}`, {
    redirect: 'manual',
    headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
  });

test('When nobody is signed in, then every page leads to the sign-in and back, and the address of the process to the pages', async () => {
  for (const path of ['/office/', '/office/orders/12', '/office/runbook', '/office/no/such/page']) {
    const response = await get(path);
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      `/identity/gate?next=${encodeURIComponent(path)}`,
    ]);
  }
  expect((await get('/')).headers.get('location')).toBe('/office/');
});

test('When a person opens a page, then it may run only its own scripts, and browsers keep its files', async () => {
  const { token } = await serviceCaller('viewer');
  const page = await get('/office/orders/12', token);
  expect(page.status).toBe(200);
  expect(page.headers.get('cache-control')).toBe('no-cache');
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy.split('; ')).toEqual(
    expect.arrayContaining(["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"]),
  );
  expect(policy).not.toContain('unsafe');
  const files = (await page.text()).match(/\/office\/assets\/[\w.-]+/g) ?? [];
  expect(files.map((file) => file.replace(/-\w+\./, '.'))).toEqual([
    '/office/assets/icon.svg',
    '/office/assets/style.css',
    '/office/assets/main.js',
  ]);
  for (const file of files) {
    const { status, headers } = await get(file);
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
  }
  expect((await get('/office/assets/main.js')).status).toBe(404);
});

test('When a person opens the runbook, then it has an anchor for each of its cases', async () => {
  const { token } = await serviceCaller('viewer');
  const page = await get('/office/runbook', token);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const text = await page.text();
  const anchors = [...text.matchAll(/<h[23] id="([^"]+)"/g)].map(([, anchor]) => anchor);
  expect(anchors).toEqual(anchorsOf('docs/operators/runbook.md').slice(1));
  expect(text).not.toMatch(/href="[^"]*\.md/);
});

test('When a page asks what it may offer, then it learns what prevents each action, by the role and by the subject', async () => {
  const { token } = await serviceCaller('support');
  const ask = async (calls: unknown) => {
    const response = await fetch(`${loadStack().ops_url}/ops/v1/offers`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ calls }),
    });
    return [response.status, await response.json()];
  };
  const missing = { operation: 'orders cancel', arguments: { order: 2_000_000_000 } };
  const forbidden = { operation: 'wallets fund', arguments: { wallet: 1 } };
  expect(await ask([missing, forbidden, { operation: 'orders retry', arguments: { supplier: 'simulator' } }])).toEqual([
    200,
    {
      obstacles: [
        'There is no order 2000000000. Find it with: orders find',
        'wallets fund needs the role finance or admin; yours is support.',
        null,
      ],
    },
  ]);
  expect(await ask([{ operation: 'no such' }])).toMatchObject([400, { error: { code: 'VALIDATION_FAILURE' } }]);
  expect(await ask(Array.from({ length: 201 }, () => missing))).toMatchObject([400, {}]);
});

test('When the page links to a workflow, then the link leads to its page in the Temporal UI', async () => {
  const response = await get('/office/workflows/order-12-abc');
  expect(response.headers.get('location')).toBe(
    `/temporal/namespaces/${loadStack().temporal_namespace}/workflows/order-12-abc`,
  );
});
