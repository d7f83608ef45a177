/** The examples of the document show only states that exist. docs/developers/api-reference.md#examples. */
import { clientDocument, clientOperations } from '../../../src/api/openapi/document';
import { recordedExamples } from '../../../src/api/openapi/recorded-examples';
import { apiOperations } from '../../../src/api/routes';
import { events as documentedEvents } from '../../../src/api/webhooks/event-schemas';
import type { JsonObject } from '../../support/closed-document';
import { ownMoment } from '../../../src/domain/time';

const { calls, events } = recordedExamples();
const document = clientDocument(apiOperations, { calls, events });

test('When an operation or an event is documented, then npm run openapi:record has recorded it', () => {
  const forClients = Object.values(clientOperations(apiOperations)).filter(({ tag }) => tag !== 'Reference');
  expect(forClients.map(({ id }) => id).filter((id) => !(id in calls))).toEqual([]);
  expect(documentedEvents.map(({ type }) => type).filter((type) => !(type in events))).toEqual([]);
});

/** Every object with a `status` in the examples of the document, with its path. */
function ordersIn(node: unknown, path: string): [path: string, order: JsonObject][] {
  if (typeof node !== 'object' || node === null) return [];
  const below = Object.entries(node).flatMap(([key, value]) => ordersIn(value, `${path}/${key}`));
  const { id, status } = node as JsonObject;
  return typeof id === 'number' && typeof status === 'string' ? [[path, node as JsonObject], ...below] : below;
}

const orders = [...ordersIn(calls, 'calls'), ...ordersIn(events, 'events'), ...ordersIn(document, 'document')];

const time = (order: JsonObject, field: string) => ownMoment(String(order[field])).getTime();
const isEnded = ({ status }: JsonObject) => ['DELIVERED', 'FAILED', 'CANCELLED'].includes(String(status));

/** What holds for every order that a client can see, if the order has the fields. */
const rules: Readonly<Record<string, (order: JsonObject) => boolean>> = {
  'a refund has a transaction, and no transaction is without a refund': (order) =>
    order['refunded_amount'] === undefined || Number(order['refunded_amount']) > 0 === 'refund_transaction_id' in order,
  'a failed or cancelled order is refunded': ({ status, charged_amount, refunded_amount }) =>
    refunded_amount === undefined ||
    (status === 'FAILED' || status === 'CANCELLED') === (refunded_amount === charged_amount),
  'a refund is at most the charge': ({ charged_amount, refunded_amount }) =>
    refunded_amount === undefined || Number(refunded_amount) <= Number(charged_amount),
  'only a failed order has a failure code': ({ status, failure_code }) =>
    failure_code === undefined || failure_code === null || status === 'FAILED',
  'a delivered order has all of its vouchers': ({ status, vouchers, quantity }) =>
    !Array.isArray(vouchers) || status !== 'DELIVERED' || vouchers.length === quantity,
  'only a delivered voucher order has vouchers': ({ status, vouchers }) =>
    !Array.isArray(vouchers) || vouchers.length === 0 || /DELIVERED/.test(String(status)),
  'a top-up has an end if and only if it has ended': (order) =>
    !('variant_name' in order) || 'completed_at' in order === isEnded(order),
  'an order ends after it was placed': (order) =>
    !('completed_at' in order) || time(order, 'completed_at') >= time(order, 'created_at'),
  'an eSIM has its times in their order': (order) =>
    (!('activated_at' in order) || time(order, 'activated_at') >= time(order, 'installed_at')) &&
    (!('installed_at' in order) || time(order, 'installed_at') >= time(order, 'created_at')),
  'an installed eSIM is installed in each of its fields': (order) =>
    !('is_installed' in order) || order['is_installed'] === 'installed_at' in order,
  'an eSIM that is not installed is neither active nor expired': ({ is_installed, activation_status }) =>
    is_installed === undefined ||
    activation_status === undefined ||
    is_installed === (activation_status !== 'NOT_INSTALLED'),
  'an installed eSIM shows no activation code': (order) =>
    order['is_installed'] !== true || !('activation_code' in order),
};

test.each(Object.entries(rules))('When an example shows an order, then %s', (_rule, holds) => {
  expect(orders.filter(([, order]) => !holds(order))).toEqual([]);
  expect(orders.length).toBeGreaterThan(30);
});

test.each([
  ['createVoucherOrder', { status: 'DELIVERED' }],
  ['createTopupOrder', { status: 'DELIVERED' }],
  ['createEsimOrder', { status: 'DELIVERED', activation_status: 'NOT_INSTALLED' }],
  ['installSandboxEsim', { activation_status: 'ACTIVE' }],
  ['useSandboxEsim', { activation_status: 'ACTIVE', activated_at: expect.any(String) as string }],
  ['depleteSandboxEsim', { activation_status: 'EXPIRED' }],
  ['cancelSandboxOrder', { status: 'CANCELLED' }],
])('When an example shows the response of %s, then the operation had its effect', (id, effect) => {
  expect(calls[id]?.response).toMatchObject(effect);
});

interface Response {
  headers?: Record<string, { example?: string }>;
  content?: Record<string, { examples?: Record<string, { value: { error: { code: string; message: string } } }> }>;
}

/** The error responses of the document, with their paths. */
function errorResponsesIn(node: unknown, path: string): [path: string, response: Response][] {
  if (typeof node !== 'object' || node === null) return [];
  const below = Object.entries(node).flatMap(([key, value]) => errorResponsesIn(value, `${path}/${key}`));
  return 'x-error-codes' in node ? [[path, node as Response], ...below] : below;
}

test.each(errorResponsesIn(document, ''))(
  'When %s has an example, then its headers are those of the first error',
  (_path, { headers, content }) => {
    const [first] = Object.values(content?.['application/json']?.examples ?? {});
    const { code = '', message = '' } = first?.value.error ?? {};
    expect(headers?.['Link']?.example).toBe(`</docs/errors#${code.toLowerCase()}>; rel="help"`);
    const seconds = /Retry after (\d+) seconds/.exec(message)?.[1];
    if (seconds !== undefined) expect(headers?.['Retry-After']?.example).toBe(seconds);
  },
);

test('When the examples are recorded, then they contain no token, key or secret', () => {
  const text = JSON.stringify({ calls, events });
  expect(text).not.toMatch(/eyJ[\w-]+\.eyJ|127\.0\.0\.1|localhost/);
  expect(new Set(text.match(/whsec_[^"]+/g))).toEqual(new Set(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']));
  expect(new Set(text.match(/dgs_[^"]+/g))).toEqual(new Set(['dgs_3b1f...']));
});
