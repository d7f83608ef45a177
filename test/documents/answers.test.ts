/** The documented answers and events match those of the service. */
import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Envelope } from '../../src/notifications/webhooks/envelope';
import { useClient, useDatabase } from '../support/clients';
import { orderOf, ordersPath, place } from '../support/orders';
import { Receiver } from '../support/receiver';
import type { Json, Resource } from '../support/stack';
import { until } from '../../dev/testbed/waiting';
import { codeBlocks } from './documents';
import { useMade } from '../support/made';

const run = promisify(execFile);
const database = useDatabase();

/** The JSON blocks of a document. */
function shownIn(file: string): Json[] {
  return codeBlocks(file)
    .filter(({ language }) => language === 'json')
    .map(({ code }) => JSON.parse(code) as Json);
}

/** The shape of a value: its keys and the type of each value. A list has the shape of its first item. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shapeOf(one)]));
}

describe('README', () => {
  const [order = {}, duplicate = {}] = shownIn('README.md');
  const block = codeBlocks('README.md').find(({ code }) => code.startsWith('demo()'));
  const onThisMachine = spawnSync('curl', ['--version']).status === 0 ? test : test.skip;

  onThisMachine('When its commands are run twice, then the responses match the page', async () => {
    const reference = `my-first-order-${randomUUID()}`;
    const script = (block?.code ?? '')
      .replaceAll('./.run/stack.json', resolve(process.env['STACK_FILE'] as string))
      .replace('my-first-order', reference);
    const answers = await run('sh', ['-c', `${script}\n${script}`]).then(({ stdout }) => stdout.split(/(?<=\})(?=\{)/));

    expect(answers.length).toBe(2);
    const [first, second] = answers.map((answer) => JSON.parse(answer) as Json);
    expect(shapeOf(first)).toEqual(shapeOf(order));
    // Only the generated values of each order may differ.
    const same = { ...order, id: expect.any(Number), client_reference: reference, vouchers: expect.any(Array) };
    expect(first).toEqual(same);
    expect(second).toEqual(duplicate);
  });
});

describe('The page about webhooks', () => {
  const [event, endpoint, logged] = shownIn('docs/clients/webhooks.md').slice(2);
  const client = useClient(database, { USD: 100 });
  const receiver = useMade(() => Receiver.listen(), 'close');
  beforeAll(async () => {
    receiver.answer = () => 503;
  });

  test('When an endpoint is registered, an order delivered and the endpoint fails, then all responses match the page', async () => {
    const registered = await client.api.post<Resource>('/api/v1/webhooks/endpoints', {
      url: receiver.url,
      event_types: ['order.delivered'],
    });
    const path = `/api/v1/webhooks/endpoints/${registered.body.id}`;
    const { body: shown } = await client.api.get(path);
    expect(shapeOf({ ...shown, event_types: [] })).toEqual(shapeOf(endpoint));

    await place(client.api, orderOf('voucher_instant', { client_reference: 'as-documented' }));
    const { body: events } = await client.api.get<Envelope[]>('/api/v1/webhooks/events?type=order.delivered');
    expect(shapeOf(events[0])).toEqual(shapeOf(event));

    const tried = async () => {
      const { body } = await client.api.get<Json & { attempts: Json[] }>(`/api/v1/webhooks/events/${events[0]?.id}`);
      return body.attempts.length > 0 ? body : undefined;
    };
    const detail = await until('a failed attempt', tried);
    expect(shapeOf({ ...detail, data: {} })).toEqual(shapeOf(logged));
  });

  test('When the duplicate of a reference is looked up, then its order is at the path of the response', async () => {
    const again = await client.api.post(ordersPath, orderOf('voucher_instant', { client_reference: 'as-documented' }));
    const { body } = await client.api.get(again.headers.get('location') ?? '');
    expect(body).toMatchObject({ client_reference: 'as-documented' });
  });
});
