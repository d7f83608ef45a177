/** Which calls of Temporal's whole API pass, and for whom. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { roles, type Role } from '../../../src/domain/operators/roles';
import { listedCall } from '../../../src/operators/server/temporal-ui/listed-calls';
import { segmentsOf } from '../../../src/operators/server/temporal-ui/plain-path';
import { inNameOf, sentCall } from '../../../src/operators/server/temporal-ui/sent-calls';

const wholeApi = readFileSync(join(__dirname, 'temporal-api.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(' ') as [method: string, path: string]);

/** The path with a value for each placeholder. */
const filled = (path: string) =>
  path.replace('{namespace}', 'default').replace(/\{[\w.]+\}/g, (name) => name.slice(1, -1).replace('.', '-'));

function allowed(method: string, path: string): readonly Role[] {
  const segments = segmentsOf(path);
  const call = segments && listedCall(method, segments, 'default');
  if (!call) return [];
  return call.kind === 'change' ? call.change.roles : roles;
}

const ns = '/api/v1/namespaces/default';
const messages = ['signal/note', 'update/close', 'cancel'].map((call) => `${ns}/workflows/one/${call}`);
const interventions = [
  ...['reset', 'terminate', 'activities/a/complete'].map((call) => `${ns}/workflows/one/${call}`),
  ...['pause', 'unpause', 'reset', 'update-options'].flatMap((call) => [
    `${ns}/activities-deprecated/${call}`,
    `${ns}/workflows/one/activities/a/${call}`,
  ]),
];

test('When Temporal’s whole API is called, then a call that is no GET passes only if it is a query, a message or an intervention', () => {
  const passing = wholeApi
    .filter(([method, path]) => method !== 'GET' && allowed(method, filled(path)).length > 0)
    .map(([method, path]) => `${method} ${path.replace('/api/v1/namespaces/{namespace}', '')}`);
  expect(passing).toEqual([
    'POST /activities-deprecated/pause',
    'POST /activities-deprecated/reset',
    'POST /activities-deprecated/unpause',
    'POST /activities-deprecated/update-options',
    'POST /workflows/{execution.workflowId}/query/{query.queryType}',
    'POST /workflows/{workflowExecution.workflowId}/cancel',
    'POST /workflows/{workflowExecution.workflowId}/reset',
    'POST /workflows/{workflowExecution.workflowId}/signal/{signalName}',
    'POST /workflows/{workflowExecution.workflowId}/terminate',
    'POST /workflows/{workflowExecution.workflowId}/update/{request.input.name}',
    'POST /workflows/{workflowId}/activities/{activityId}/complete',
    'POST /workflows/{workflowId}/activities/{activityId}/pause',
    'POST /workflows/{workflowId}/activities/{activityId}/reset',
    'POST /workflows/{workflowId}/activities/{activityId}/unpause',
    'POST /workflows/{workflowId}/activities/{activityId}/update-options',
  ]);
});

test('When a role calls, then every role reads and queries, support and admin send messages, and admin alone intervenes', () => {
  for (const path of messages) expect([path, allowed('POST', path)]).toEqual([path, ['support', 'admin']]);
  for (const path of interventions) expect([path, allowed('POST', path)]).toEqual([path, ['admin']]);
  expect(allowed('POST', `${ns}/workflows/one/query/state`)).toEqual(roles);
  expect(allowed('GET', `${ns}/workflows/one/history`)).toEqual(roles);
  expect(allowed('GET', '/api/v1/settings')).toEqual(roles);
});

test('When a listed path is called with another method, or in another namespace, then it does not pass', () => {
  for (const path of [...messages, ...interventions]) {
    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'post', 'CONNECT'])
      expect([method, path, allowed(method, path)]).toEqual([method, path, []]);
    expect(allowed('POST', path.replace('/default/', '/temporal-system/'))).toEqual([]);
  }
  expect(allowed('GET', '/api/v1/namespaces/payments/workflows')).toEqual([]);
  expect(allowed('DELETE', `${ns}/schedules/maintenance`)).toEqual([]);
});

/** Ways to write a path that one server may read as a listed call and another as something else. */
const otherForms = [
  `${ns}/workflows//signal/note`,
  `/${ns}/workflows/one/signal/note`,
  `${ns}/workflows/one/signal/note/`,
  `${ns}/workflows/./signal/note`,
  `${ns}/workflows/../workflows/one/signal/note`,
  `${ns}/workflows/%2e%2e/schedules`,
  `${ns}/workflows/one%2Fsignal%2Fnote`,
  `${ns}/workflows/one%2fterminate/query/state`,
  `${ns}/workflows/one%5Cterminate/query/state`,
  `${ns}/workflows/one%252Fterminate/query/state`,
  `${ns}/workflows/one\\terminate/query/state`,
  `${ns}/workflows/one%00/signal/note`,
  `${ns}/workflows/one%0d%0a/signal/note`,
  `${ns}/workflows/one%3Fa/signal/note`,
  `${ns}/workflows/one;a=b/signal/note`,
  `${ns}/workflows/one%zz/signal/note`,
  `${ns}/workflows/one%c0%af/signal/note`,
  `${ns}/Workflows/one/signal/note`,
  `${ns}/workflows/one/SIGNAL/note`,
  `/API/v1/namespaces/default/workflows/one/signal/note`,
  `http://127.0.0.1${ns}/workflows/one/signal/note`,
  `//127.0.0.1${ns}/workflows/one/signal/note`,
  '*',
  '',
];

test('When a path is written in another form than the plain one, then it does not pass', () => {
  for (const path of otherForms)
    for (const method of ['GET', 'POST']) expect([path, allowed(method, path)]).toEqual([path, []]);
});

test('When a name is encoded once, then it is the same call as in plain form', () => {
  expect(segmentsOf('/namespaces/default/schedules/a%3Ab%20c')).toEqual([
    'namespaces',
    'default',
    'schedules',
    'a:b c',
  ]);
  expect(allowed('POST', `${ns}/workflows/one/%73ignal/note`)).toEqual(['support', 'admin']);
});

const listed = (path: string) => {
  const call = listedCall('POST', segmentsOf(path) ?? [], 'default');
  if (call?.kind !== 'change') throw new Error('no change');
  return call;
};
const sentBy = (path: string, body: object) => {
  const { change, names } = listed(path);
  return sentCall(change, names, { ...body });
};

test('When a call names a workflow of Temporal itself, then it does not pass: a signal to it would change a schedule', () => {
  expect(sentBy(`${ns}/workflows/temporal-sys-scheduler:maintenance/signal/patch`, {})).toBeUndefined();
  expect(sentBy(`${ns}/workflows/temporal-sys-scheduler%3Amaintenance/terminate`, {})).toBeUndefined();
  const execution = { workflow_id: 'temporal-sys-worker-deployment:orders' };
  expect(sentBy(`${ns}/activities-deprecated/pause`, { execution, id: '1' })).toBeUndefined();
});

test('When a call names no workflow, or a reset brings other calls with it, then it does not pass', () => {
  expect(sentBy(`${ns}/activities-deprecated/pause`, { id: '1' })).toBeUndefined();
  expect(sentBy(`${ns}/activities-deprecated/pause`, { execution: 'one', id: '1' })).toBeUndefined();
  for (const name of ['postResetOperations', 'post_reset_operations'])
    expect(sentBy(`${ns}/workflows/one/reset`, { [name]: [] })).toBeUndefined();
});

test('When a call passes, then the audit gets what it names, and none of its arguments', () => {
  const workflowExecution = { workflowId: 'another', runId: 'run' };
  const input = { payloads: [{ data: 'c2VjcmV0' }] };
  expect(sentBy(`${ns}/workflows/one/signal/note`, { workflowExecution, input })).toEqual({
    workflowId: 'one',
    action: 'workflow.signal_sent',
    command: 'note',
    reason: undefined,
    sent: { workflow_id: 'one', run_id: 'run', message_id: expect.any(String) },
  });
  const request = { meta: { updateId: 'u1' }, input };
  expect(sentBy(`${ns}/workflows/one/update/close`, { request })?.sent).toEqual({
    workflow_id: 'one',
    update_id: 'u1',
    message_id: expect.any(String),
  });
  expect(sentBy(`${ns}/workflows/one/reset`, { reason: 'a\0b', workflowTaskFinishEventId: '4' })).toEqual({
    workflowId: 'one',
    action: 'workflow.reset_sent',
    command: 'reset',
    reason: 'a\ufffdb',
    sent: { workflow_id: 'one', reset_to_event: '4' },
  });
});

test('When a call names another caller, then it is sent as the operator’s', () => {
  const signal = listed(`${ns}/workflows/one/signal/note`).change;
  expect(inNameOf('jane', signal, { identity: 'mallory', input: {} })).toEqual({ identity: 'ops/jane', input: {} });
  const update = listed(`${ns}/workflows/one/update/close`).change;
  const request = { meta: { identity: 'mallory', updateId: 'u1' }, input: { args: 1 } };
  expect(inNameOf('jane', update, { request })).toEqual({
    request: { meta: { identity: 'ops/jane', updateId: 'u1' }, input: { args: 1 } },
  });
  const payload = { metadata: { encoding: 'anNvbi9wbGFpbg==' }, data: 'Im9uZSI=' };
  const headed = { header: { fields: { 'message-id': payload, other: 1 } } };
  const forged = { header: { fields: { 'message-id': 'forged', other: 1 } } };
  expect(inNameOf('jane', signal, forged, 'one')).toEqual({ identity: 'ops/jane', ...headed });
  expect(inNameOf('jane', update, { request: { input: forged } }, 'one')).toEqual({
    request: { meta: { identity: 'ops/jane' }, input: headed },
  });
  for (const body of [{}, { request: 'text' }, { request: { meta: [] } }])
    expect(inNameOf('jane', update, body)).toEqual({ request: { meta: { identity: 'ops/jane' } } });
});
