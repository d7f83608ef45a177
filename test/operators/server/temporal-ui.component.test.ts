/** Calls to Temporal through the operators' process, before a real server with its UI: who may, in whose name, and what is recorded. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import type { temporal } from '@temporalio/proto';
import { roles } from '../../../src/domain/operators/roles';
import { RawConnection } from '../../support/raw-http';
import { until } from '../../../dev/testbed/waiting';
import { Door, TemporalUiRig, type Call } from './temporal-ui-rig';

jest.setTimeout(120_000);

let rig: TemporalUiRig;
let door: Door;
beforeAll(async () => {
  rig = await TemporalUiRig.start();
  door = rig.door;
}, 180_000);
afterAll(() => rig?.stop());
beforeEach(() => {
  door.recorded.length = 0;
  door.extending.length = 0;
});

const ns = '/temporal/api/v1/namespaces/default';
const workflow = (id: string, call = '') => `${ns}/workflows/${id}${call}`;
const post = (path: string, as: string | null, body: object | string = {}): Call => ({
  method: 'POST',
  path,
  as,
  body,
});

type Event = temporal.api.history.v1.IHistoryEvent;
async function eventOf<Name extends keyof Event>(id: string, name: Name): Promise<NonNullable<Event[Name]>> {
  return until(`${name} of ${id}`, async () => {
    const { events } = await rig.client.workflow.getHandle(id).fetchHistory();
    return events?.findLast((event) => event[name])?.[name] ?? undefined;
  });
}

test('When an operator of any role reads or queries, then Temporal answers, and nothing is recorded', async () => {
  await rig.openTicket('read');
  for (const as of roles) {
    for (const path of [
      '/temporal/api/v1/cluster-info',
      '/temporal/api/v1/namespaces',
      `${ns}/workflows?query=${encodeURIComponent("WorkflowType = 'ticket'")}`,
      workflow('read'),
      workflow('read', '/history'),
    ])
      expect([as, path, (await door.call({ path, as })).status]).toEqual([as, path, 200]);
    const query = await door.call(post(workflow('read', '/query/notes'), as, { query: {} }));
    expect([query.status, query.body]).toEqual([200, { queryResult: expect.anything() }]);
  }
  expect(door.recorded).toEqual([]);
});

test('When support sends a signal, an update and a cancellation, then Temporal has the operator’s name, whatever was sent, and the audit has each', async () => {
  const forged = { identity: 'mallory@example.com' };
  await rig.openTicket('sent');
  const encoded = await door.call(post('/temporal/codec/encode', 'support', { payloads: [typed('late')] }));
  const args = { payloads: encoded.body['payloads'] };
  const signal = await door.call(post(workflow('sent', '/signal/note'), 'support', { ...forged, input: args }));
  expect(signal.status).toBe(200);
  const signalled = await eventOf('sent', 'workflowExecutionSignaledEventAttributes');
  expect(signalled.identity).toBe('ops/support');

  await rig.openTicket('closed');
  const request = { meta: { ...forged, updateId: 'u1' }, input: { args } };
  const update = await door.call(post(workflow('closed', '/update/close'), 'support', { request }));
  expect([update.status, update.body]).toMatchObject([200, { outcome: { success: expect.anything() } }]);
  const idIn = (header: temporal.api.common.v1.IHeader | null | undefined) =>
    defaultPayloadConverter.fromPayload(header?.fields?.['message-id'] as Payload);
  const { acceptedRequest } = await eventOf('closed', 'workflowExecutionUpdateAcceptedEventAttributes');
  expect(acceptedRequest?.meta).toMatchObject({ identity: 'ops/support', updateId: 'u1' });
  expect([idIn(signalled.header), idIn(acceptedRequest?.input?.header)]).toEqual(
    door.recorded.map(({ sent }) => sent['message_id']),
  );
  expect(await rig.client.workflow.getHandle('closed').result()).toEqual([]);

  const cancel = await door.call(post(workflow('sent', '/cancel'), 'support', { ...forged, reason: 'Ordered twice' }));
  expect(cancel.status).toBe(200);
  expect(await eventOf('sent', 'workflowExecutionCancelRequestedEventAttributes')).toMatchObject({
    identity: 'ops/support',
    cause: 'Ordered twice',
  });
  expect(door.recorded.map(({ operator, action, command, reason }) => [operator, action, command, reason])).toEqual([
    ['support', 'workflow.signal_sent', 'note', undefined],
    ['support', 'workflow.update_sent', 'close', undefined],
    ['support', 'workflow.cancel_sent', 'cancel', 'Ordered twice'],
  ]);
});

test('When an admin resets and terminates a workflow, then the audit names the person, whom Temporal does not name for a reset', async () => {
  const ticket = await rig.openTicket('reset');
  const { events } = await ticket.fetchHistory();
  const task = events?.find((event) => event.workflowTaskCompletedEventAttributes)?.eventId;
  const body = { workflowTaskFinishEventId: String(task), reason: 'From the start', requestId: 'r1', identity: 'x' };
  expect((await door.call(post(workflow('reset', '/reset'), 'admin', body))).status).toBe(200);
  const end = await door.call(post(workflow('reset', '/terminate'), 'admin', { reason: 'Enough', identity: 'x' }));
  expect(end.status).toBe(200);
  expect(await eventOf('reset', 'workflowExecutionTerminatedEventAttributes')).toMatchObject({
    identity: 'ops/admin',
    reason: 'Enough',
  });
  expect(door.recorded).toMatchObject([
    {
      operator: 'admin',
      action: 'workflow.reset_sent',
      reason: 'From the start',
      sent: { reset_to_event: String(task) },
    },
    { operator: 'admin', action: 'workflow.terminate_sent', reason: 'Enough' },
  ]);
});

test('When an admin pauses, changes, resets, unpauses and completes an activity, then each is carried out and recorded', async () => {
  const ticket = await rig.openTicket('activity');
  const pending = async () => (await ticket.describe()).raw.pendingActivities?.[0];
  const activityId = (await until('the activity', pending)).activityId as string;
  const execution = { workflowId: 'activity' };
  const options = { activityOptions: { startToCloseTimeout: '40s' }, updateMask: 'startToCloseTimeout' };
  const sent = async (path: string, body: object) => {
    const answer = await door.call(post(path, 'admin', { ...body, identity: 'mallory' }));
    expect([path, answer.status, answer.text]).toEqual([path, 200, expect.anything()]);
  };
  for (const [path, named] of [
    [`${ns}/activities-deprecated`, { execution, id: activityId }],
    [workflow('activity', `/activities/${activityId}`), {}],
  ] as const) {
    await sent(`${path}/pause`, { ...named, reason: 'Wait' });
    await until('the pause', async () => (await pending())?.paused || undefined);
    expect((await pending())?.pauseInfo?.manual?.identity).toBe('ops/admin');
    await sent(`${path}/update-options`, { ...named, ...options });
    await sent(`${path}/reset`, { ...named, keepPaused: true });
    await sent(`${path}/unpause`, named);
  }
  await sent(workflow('activity', `/activities/${activityId}/complete`), { result: { payloads: [typed('Done')] } });
  expect(await ticket.result()).toEqual(['Done']);
  const { identity } = await eventOf('activity', 'activityTaskCompletedEventAttributes');
  expect(identity).toBe('ops/admin');
  expect(door.recorded).toHaveLength(9);
  for (const one of door.recorded)
    expect(one).toMatchObject({ workflowId: 'activity', sent: { activity_id: activityId } });
});

test('When a role sends what it may not, then it is 403, names the roles that may, and neither reaches Temporal nor the audit', async () => {
  const ticket = await rig.openTicket('guarded');
  const lengthBefore = (await ticket.describe()).historyLength;
  for (const as of ['viewer', 'catalogue', 'finance'] as const)
    for (const call of ['/signal/note', '/update/close', '/cancel', '/reset', '/terminate'])
      expect([as, call, (await door.call(post(workflow('guarded', call), as))).status]).toEqual([as, call, 403]);
  for (const call of ['/reset', '/terminate', '/activities/1/pause', '/activities/1/complete']) {
    const answer = await door.call(post(workflow('guarded', call), 'support'));
    expect([call, answer.status, answer.body]).toMatchObject([
      call,
      403,
      { code: 7, message: 'This needs the role admin; yours is support.' },
    ]);
  }
  for (const [method, path] of [
    ['POST', workflow('guarded')],
    ['POST', workflow('guarded', '/signal-with-start/note')],
    ['POST', workflow('guarded', '/pause')],
    ['POST', workflow('guarded', '/update-options')],
    ['POST', `${ns}/batch-operations/b1`],
    ['POST', `${ns}/schedules/s1`],
    ['DELETE', `${ns}/schedules/s1`],
    ['POST', `${ns}/update`],
    ['POST', '/temporal/api/v1/namespaces'],
    ['POST', '/temporal/api/v1/nexus/endpoints'],
    ['POST', `${ns}/worker-deployments/orders/set-current-version`],
    ['POST', `${ns}/task-queues/orders/update-config`],
    ['POST', `${ns}/activities/pause`],
    ['POST', workflow('temporal-sys-scheduler:maintenance', '/signal/patch')],
    ['POST', workflow('guarded', '/reset')],
  ] as const) {
    const body = path.endsWith('/reset') ? { postResetOperations: [{}] } : {};
    const { status } = await door.call({ method, path, as: 'admin', ...(method === 'POST' && { body }) });
    expect([path, status]).toEqual([path, 403]);
  }
  expect((await ticket.describe()).historyLength).toBe(lengthBefore);
  expect(door.recorded).toEqual([]);
});

test('When an open page of the UI reads, queries and decrypts by itself, then the session rests; a page that is opened and a change extend it', async () => {
  await rig.openTicket('watched');
  for (const call of [
    ...['/temporal/api/v1/settings', `${ns}/workflow-count`, '/temporal/_app/version.json'].map((path) => ({
      path,
      as: 'admin',
    })),
    { path: workflow('watched', '/history'), as: 'admin' },
    post(workflow('watched', '/query/notes'), 'admin', { query: {} }),
    post('/temporal/codec/decode', 'admin', { payloads: [] }),
    post(`${ns}/schedules/s1`, 'admin'),
  ])
    await door.call(call);
  expect(door.extending).toEqual([]);
  const page = '/temporal/namespaces/default/workflows';
  await door.call({ path: page, as: 'admin' });
  await door.call(post(workflow('watched', '/terminate'), 'admin', { reason: 'Seen' }));
  expect(door.extending).toEqual([`GET ${page}`, `POST ${workflow('watched', '/terminate')}`]);
});

test('When nobody is signed in, then a page leads to the sign-in and back, and a call is 401; service accounts get neither', async () => {
  const page = await door.call({ path: '/temporal/namespaces/default/workflows?query=a', as: null });
  expect([page.status, page.headers.location]).toEqual([
    303,
    `/identity/gate?next=${encodeURIComponent('/temporal/namespaces/default/workflows?query=a')}`,
  ]);
  for (const path of ['/temporal/api/v1/settings', '/temporal/_app/env.js', workflow('read')])
    expect((await door.call({ path, as: null })).status).toBe(401);
  const version = await door.call({ path: '/temporal/_app/version.json', as: null });
  expect([version.status, version.body]).toEqual([200, { version: 'signed out' }]);
  for (const path of [workflow('read', '/signal/note'), '/temporal/codec/decode', '/temporal/codec/encode'])
    expect((await door.call(post(path, null))).status).toBe(401);
  for (const as of ['viewer', null]) {
    const login = await door.call({ path: '/temporal/login', as });
    expect([login.status, login.headers.location]).toEqual([303, '/identity/gate?next=%2Ftemporal%2F']);
  }
  expect((await door.call({ path: workflow('read'), as: 'robot' })).status).toBe(403);
  expect((await door.call(post('/temporal/codec/decode', 'robot'))).status).toBe(403);
});

test('When the second factor is too old, then a change is 403 with the address to confirm it, and reads pass', async () => {
  await rig.openTicket('confirmed');
  const confirmation_url = `${door.origin}/identity/second-factor?session=unconfirmed`;
  const answer = await door.call(post(workflow('confirmed', '/terminate'), 'unconfirmed'));
  expect([answer.status, answer.body]).toMatchObject([
    403,
    { confirmation_url, message: expect.stringContaining(confirmation_url) },
  ]);
  expect((await door.call({ path: workflow('confirmed'), as: 'unconfirmed' })).status).toBe(200);
  expect(door.recorded).toEqual([]);
});

test('When the page of another site sends a call, then it is 403', async () => {
  for (const path of [workflow('read', '/signal/note'), workflow('read', '/query/notes'), '/temporal/codec/decode'])
    for (const origin of ['https://evil.example', 'null'])
      expect((await door.call({ ...post(path, 'admin'), headers: { origin } })).status).toBe(403);
  expect(door.recorded).toEqual([]);
});

test('When the audit cannot be written, then the call is not sent', async () => {
  const ticket = await rig.openTicket('unrecorded');
  const lengthBefore = (await ticket.describe()).historyLength;
  door.isAuditDown = true;
  const answer = await door.call(post(workflow('unrecorded', '/signal/note'), 'admin'));
  door.isAuditDown = false;
  expect([answer.status, answer.text]).toEqual([503, expect.not.stringContaining('database')]);
  expect((await ticket.describe()).historyLength).toBe(lengthBefore);
});

test('When Temporal rejects a call, then its status and message arrive', async () => {
  const missing = await door.call(post(workflow('missing', '/signal/note'), 'admin'));
  expect([missing.status, missing.body['message']]).toEqual([404, expect.stringContaining('missing')]);
  const unknown = await door.call(post(workflow('read', '/signal/note'), 'admin', { unknown: 1 }));
  expect(unknown.status).toBe(400);
});

const base64 = (text: string) => Buffer.from(text).toString('base64');
const typed = (text: string) => ({ metadata: { encoding: base64('json/plain') }, data: base64(JSON.stringify(text)) });

test('When an operator of any role reads payloads, then they are decrypted, and typed arguments are encrypted', async () => {
  for (const as of roles) {
    const { body } = await door.call(
      post('/temporal/codec/encode?preserveStorageRefs=true', as, { payloads: [typed('late')] }),
    );
    expect(JSON.stringify(body)).toContain(base64('binary/encrypted'));
    expect(JSON.stringify(body)).not.toContain(base64('"late"'));
    const decoded = await door.call(post('/temporal/codec/decode?preserveStorageRefs=true', as, body));
    expect([decoded.status, decoded.body]).toEqual([200, { payloads: [typed('late')] }]);
    expect(decoded.headers['cache-control']).toBe('no-store');
  }
  for (const body of [
    {},
    { payloads: 1 },
    [],
    'text',
    { payloads: [{ metadata: { encoding: base64('binary/encrypted') } }] },
  ]) {
    const answer = await door.call(post('/temporal/codec/decode', 'viewer', body));
    expect([answer.status, answer.text]).toEqual([400, expect.not.stringContaining('node_modules')]);
  }
});

test('When payloads to convert are larger than Temporal takes, then it is 413, and those that it takes are converted', async () => {
  const sized = (bytes: number) => ({ payloads: [typed('x'.repeat((bytes / 4) * 3))] });
  for (const direction of ['encode', 'decode']) {
    const path = `/temporal/codec/${direction}`;
    const [taken, larger] = [
      await door.call(post(path, 'viewer', sized(4_000_000))),
      await door.call(post(path, 'viewer', sized(4_200_000))),
    ];
    expect([taken.status, larger.status, larger.body]).toEqual([
      200,
      413,
      { code: 3, message: 'The body cannot be read.', details: [] },
    ]);
  }
});

test('When the page of another site asks whether it may have payloads converted, then no response allows it', async () => {
  const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
  const asked = await door.call({ method: 'OPTIONS', path: '/temporal/codec/decode', as: 'admin', headers });
  expect([asked.status, asked.headers['access-control-allow-origin']]).toEqual([403, undefined]);
});

test('When the UI starts, then its settings have the codec of our origin, and only the actions of the role', async () => {
  const settingsOf = async (as: string) => (await door.call({ path: '/temporal/api/v1/settings', as })).body;
  expect(await settingsOf('viewer')).toMatchObject({
    Version: expect.any(String),
    DisableWriteActions: true,
    WorkflowTerminateDisabled: true,
    Codec: { Endpoint: '/temporal/codec', PassAccessToken: false },
  });
  expect(await settingsOf('support')).toMatchObject({
    DisableWriteActions: false,
    WorkflowTerminateDisabled: true,
    WorkflowResetDisabled: true,
    ActivityCommandsDisabled: true,
    StartWorkflowDisabled: true,
    BatchActionsDisabled: true,
  });
  expect(await settingsOf('admin')).toMatchObject({
    WorkflowTerminateDisabled: false,
    WorkflowResetDisabled: false,
    ActivityCommandsDisabled: false,
    StartWorkflowDisabled: true,
    BatchActionsDisabled: true,
    WorkflowPauseDisabled: true,
  });
});

test('When a browser loads the UI, then nothing of another host may run or be called, no response is stored, and no cookie is set', async () => {
  const page = await door.call({ path: '/temporal/namespaces/default/workflows', as: 'viewer' });
  expect(page.text).toContain('/temporal/_app/immutable/');
  const policy = page.headers['content-security-policy'] as string;
  expect(policy).toMatch(/script-src 'self' 'sha256-[^']+';/);
  expect(policy).toContain("connect-src 'self'");
  expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  const api = await door.call({ path: workflow('read'), as: 'viewer', headers: { 'accept-encoding': 'gzip' } });
  const asset = /\/temporal\/_app\/immutable\/[\w./-]+\.js/.exec(page.text)?.[0] ?? '';
  const file = await door.call({ path: asset, as: 'viewer' });
  expect([file.status, file.headers['cache-control']]).toEqual([200, 'private, max-age=31536000, immutable']);
  for (const { headers } of [page, api]) expect(headers['cache-control']).toBe('no-store');
  for (const { headers } of [page, api, file]) {
    expect(headers['set-cookie']).toBeUndefined();
    expect(headers['x-content-type-options']).toBe('nosniff');
  }
});

test('When the UI shows details, then their markdown is a document without scripts, and only in its frame', async () => {
  const path = `/temporal/render?content=${encodeURIComponent('**Now** <script>alert(1)</script>')}`;
  const details = await door.call({ path, as: 'viewer', headers: { 'sec-fetch-site': 'same-origin' } });
  expect([details.status, details.text]).toEqual([200, expect.stringContaining('<strong>Now</strong>')]);
  expect(details.headers['content-security-policy']).toContain('sandbox allow-same-origin');
  for (const site of ['cross-site', 'same-site', 'none'])
    expect((await door.call({ path, as: 'viewer', headers: { 'sec-fetch-site': site } })).status).toBe(403);
});

/** A server in the place of the UI's, which keeps what arrives. */
class Witness {
  readonly seen: IncomingMessage[] = [];
  private readonly server: Server = createServer((request, response) => {
    this.seen.push(request);
    response.setHeader('set-cookie', '_csrf=theirs').setHeader('content-type', 'application/json').end('{}');
  });

  async listen(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

describe('Before a server that keeps what arrives', () => {
  let witness: Witness;
  let watched: Door;
  beforeAll(async () => {
    witness = new Witness();
    watched = await Door.open(await witness.listen(), rig.codec);
  });
  afterAll(async () => {
    await watched?.close();
    await witness?.close();
  });
  beforeEach(() => {
    witness.seen.length = 0;
    watched.recorded.length = 0;
  });

  const forged = {
    authorization: 'Bearer secret',
    'authorization-extras': 'secret',
    'caller-type': 'operator',
    'x-forwarded-for': '10.0.0.1',
    'x-forwarded-host': 'evil.example',
    forwarded: 'for=10.0.0.1',
    'grpc-metadata-identity': 'mallory',
    'grpc-timeout': '1H',
    'x-http-method-override': 'DELETE',
    'x-http-method': 'DELETE',
    'x-method-override': 'DELETE',
    'x-original-url': '/api/v1/namespaces',
    'x-rewrite-url': '/api/v1/namespaces',
    'x-csrf-token': 'stolen',
    te: 'trailers',
    upgrade: 'websocket',
    connection: 'upgrade',
  };

  test('When a call passes, then no header of the caller does, and the path is the plain one', async () => {
    const body = { input: {}, identity: 'mallory' };
    const answer = await watched.call({
      ...post(`${ns}/workflows/%6fne/signal/note?identity=mallory`, 'admin', body),
      headers: { ...forged, 'content-type': 'text/plain' },
    });
    expect([answer.status, answer.headers['set-cookie']]).toEqual([200, undefined]);
    await watched.call({ path: workflow('one', '?a=b&_method=DELETE'), as: 'viewer', headers: forged });
    const [signal, read] = witness.seen;
    expect([signal?.method, signal?.url]).toEqual(['POST', workflow('one', '/signal/note')]);
    expect([read?.method, read?.url]).toEqual(['GET', workflow('one', '?a=b&_method=DELETE')]);
    expect(signal?.headers).toEqual({
      accept: '*/*',
      connection: 'keep-alive',
      host: expect.any(String),
      'content-type': 'application/json',
      'content-length': expect.any(String),
      cookie: '_csrf=proxy',
      'x-csrf-token': 'proxy',
    });
    expect(read?.headers).toEqual({ accept: '*/*', connection: 'keep-alive', host: expect.any(String) });
  });

  test('When Temporal demands an API key, then calls have it with the namespace, whatever the caller sent; pages, files and the log do not', async () => {
    const server = new Witness();
    const keyed = await Door.open(await server.listen(), rig.codec, 'the-key');
    await keyed.call({ path: workflow('one'), as: 'viewer', headers: forged });
    await keyed.call(post(workflow('one', '/signal/note'), 'admin'));
    await keyed.call({ path: '/temporal/namespaces/default/workflows', as: 'viewer' });
    await keyed.call({ path: '/temporal/_app/immutable/entry.js', as: 'viewer' });
    const shown = server.seen.map(({ headers }) => [headers.authorization, headers['temporal-namespace']]);
    const key = ['Bearer the-key', 'default'];
    expect(shown).toEqual([key, key, [undefined, undefined], [undefined, undefined]]);
    await server.close();
    expect((await keyed.call({ path: workflow('one'), as: 'viewer' })).status).toBe(502);
    await keyed.close();
    expect(keyed.logged.join('')).toContain('The Temporal UI does not respond');
    expect(keyed.logged.join('')).not.toContain('the-key');
  });

  test('When a call is disguised, then it does not pass', async () => {
    const disguised: Call[] = [
      ...[
        `${ns}/workflows//signal/note`,
        `//temporal/api/v1/namespaces/default/workflows/one/terminate`,
        `/temporal//api/v1/namespaces/default/workflows/one/terminate`,
        `/temporal/../temporal/api/v1/namespaces/default/schedules/s1`,
        `/temporal/_app/../api/v1/namespaces/default/schedules/s1`,
        `/temporal/_app/%2e%2e/api/v1/namespaces/default/schedules/s1`,
        `/temporal/_app/..%2fapi/v1/namespaces`,
        `${ns}/workflows/one%2Fterminate`,
        `${ns}/workflows/one%2fsignal%2fnote/query/state`,
        `${ns}/workflows/one/query/..%2fterminate`,
        `${ns}/workflows/one/terminate/`,
        `${ns}/workflows/one/terminate%20/`,
        `${ns}/workflows/one/TERMINATE`,
        `/TEMPORAL/api/v1/namespaces/default/workflows/one/terminate`,
        `/Temporal/api/v1/namespaces/default/workflows/one/terminate`,
        `/temporal/API/v1/namespaces/default/workflows/one/terminate`,
        `/temporal/healthz`,
        `/temporal/auth/sso`,
        `/temporal/auth/refresh`,
        `/temporal/codec/%64ecode/`,
      ].map((path) => post(path, 'admin')),
      ...['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND'].map((method) => ({
        method,
        path: workflow('one', '/signal/note'),
        as: 'admin',
      })),
      // The gateway of Temporal reads a form in a POST as the query of a GET, and the override as the method.
      {
        ...post(workflow('one'), 'viewer', 'a=b'),
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-http-method-override': 'GET' },
      },
      { ...post(workflow('one', '/query/state'), 'viewer', 'a=b'), headers: { 'content-type': 'text/plain' } },
      ...['[]', '"text"', '1', '{"a":', '{}{}'].map((body) => post(workflow('one', '/signal/note'), 'admin', body)),
      { ...post(workflow('one', '/signal/note'), 'admin'), headers: { 'content-encoding': 'compress' } },
    ];
    for (const call of disguised) {
      const { status } = await watched.call(call);
      expect([call.method, call.path, status >= 400 && status < 500]).toEqual([call.method, call.path, true]);
    }
    expect(witness.seen.map(({ method, url }) => [method, url])).toEqual([]);
    expect(watched.recorded).toEqual([]);
  });

  test('When a request asks for another protocol, or hides another request behind it, then nothing but its own call passes', async () => {
    const head = (path: string) =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nCookie: person=viewer\r\nOrigin: ${watched.origin}\r\n`;
    const hidden = `POST ${workflow('one', '/terminate')} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`;
    for (const raw of [
      `GET ${ns} HTTP/1.1\r\nHost: x\r\nCookie: person=viewer\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n`,
      `GET ${ns} HTTP/1.1\r\nHost: x\r\nCookie: person=viewer\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n${hidden}`,
      `${head(workflow('one', '/query/state'))}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
      `${head(workflow('one', '/query/state'))}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n${hidden}`,
      `POST http://127.0.0.1${workflow('one', '/terminate')} HTTP/1.1\r\nHost: x\r\nCookie: person=viewer\r\nContent-Length: 2\r\n\r\n{}`,
      `CONNECT 127.0.0.1:7233 HTTP/1.1\r\nHost: x\r\nCookie: person=admin\r\n\r\n`,
    ]) {
      const connection = await RawConnection.open(watched.origin);
      connection.send(raw);
      await Promise.race([connection.closed, new Promise((resolve) => setTimeout(resolve, 300))]);
      connection.cut();
    }
    const passed = witness.seen.map(({ method, url }) => `${method} ${url}`);
    expect(passed.filter((one) => one !== `GET ${ns}` && !one.endsWith('/query/state'))).toEqual([]);
    expect(witness.seen.flatMap(({ headers }) => [headers.upgrade, headers['transfer-encoding']])).not.toContain(
      'websocket',
    );
    expect(watched.recorded).toEqual([]);
  });

  test('When the UI’s server does not respond, then it is 502, in the form of Temporal’s errors', async () => {
    const alone = await Door.open('http://127.0.0.1:9', rig.codec);
    const answer = await alone.call({ path: workflow('one'), as: 'viewer' });
    await alone.close();
    expect([answer.status, answer.body]).toEqual([
      502,
      { code: 14, message: 'The Temporal UI does not respond.', details: [] },
    ]);
  });
});
