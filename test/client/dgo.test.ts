/** The command-line tool `dgo`, started from a checkout, on the real stack. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useClient, useDatabase } from '../support/clients';
import { orderOf, place } from '../support/orders';
import { Receiver, register } from '../support/receiver';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { until } from '../../dev/testbed/waiting';
import { root } from '../documents/documents';

const database = useDatabase();
const client = useClient(database, { USD: 1_000 });

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

function start(args: string[], changes: NodeJS.ProcessEnv = {}): { program: ChildProcess; said: () => string } {
  const { api_key: key, api_secret: apiSecret } = client.credentials;
  const env = { ...process.env, API_URL: loadStack().api_url, API_KEY: key, API_SECRET: apiSecret, ...changes };
  const program = spawn(process.execPath, [join(root, 'packages/client/bin/dgo.mjs'), ...args], { env });
  let said = '';
  for (const stream of [program.stdout, program.stderr]) stream.on('data', (part: Buffer) => (said += String(part)));
  return { program, said: () => said };
}

async function dgo(...args: string[]): Promise<{ code: unknown; said: string }> {
  const { program, said } = start(args);
  const [code] = (await once(program, 'close')) as [unknown];
  return { code, said: said().trimEnd() };
}

test('When dgo listens, then the receiver gets each new event once, with a valid signature', async () => {
  await place(client.api, orderOf('voucher_instant'));
  const receiver = await Receiver.listen();
  receiver.secret = secret;
  const { program, said } = start(['listen', '--forward-to', receiver.url, '--secret', secret]);
  await until('the start', async () => said().includes('Ctrl-C ends it.'));
  const { id } = await place(client.api, orderOf('voucher_instant'));
  await until('the event', async () => receiver.types.includes('order.delivered'));
  await until('the report', async () => /order\.delivered evt_[0-9a-f]{32}: 204/.test(said()));
  expect([...receiver.types].sort()).toEqual(['order.delivered', 'wallet.debited']);
  expect(receiver.taken.find(({ type }) => type === 'order.delivered')?.data).toMatchObject({ id });
  expect(receiver.faults).toEqual([]);
  program.kill('SIGINT');
  expect(await once(program, 'exit')).toEqual([0, null]);
  receiver.close();
});

test('When an event is sent again or replayed, then dgo forwards it again with the headers of a delivery', async () => {
  const receiver = await Receiver.listen();
  const registered = await register(client.api, receiver, { event_types: ['order.delivered'] });
  await place(client.api, orderOf('voucher_instant'));
  await until('the delivery', async () => receiver.types.includes('order.delivered'));
  const delivered = receiver.taken.find(({ type }) => type === 'order.delivered');
  const id = delivered?.id ?? '';
  const listener = await Receiver.listen();
  listener.secret = secret;
  const { program, said } = start(['listen', '--forward-to', listener.url, '--secret', secret]);
  await until('the start', async () => said().includes('Ctrl-C ends it.'));
  expect(await dgo('events', 'resend', id)).toEqual({
    code: 0,
    said: `Event ${id} is being sent again to endpoint ${registered.id}.`,
  });
  const again = await until('the event again', async () => listener.taken.find((event) => event.id === id));
  for (const name of ['content-type', 'user-agent', 'webhook-id'])
    expect(again.headers[name]).toBe(delivered?.headers[name]);
  await client.api.post(`/api/v1/webhooks/endpoints/${registered.id}/replay`, { since: '2020-01-01T00:00:00Z' });
  await until('the replayed event', async () => listener.taken.filter((event) => event.id === id)[1]);
  expect(listener.faults).toEqual([]);
  program.kill('SIGINT');
  await once(program, 'exit');
  for (const each of [receiver, listener]) each.close();
});

test('When no receiver accepts connections, then each line of dgo says so, and dgo keeps listening', async () => {
  const gone = await Receiver.listen();
  const { url } = gone;
  gone.close();
  const args = ['listen', '--forward-to', url, '--events', 'order.delivered'];
  const { program, said } = start(args);
  await until('the start', async () => said().includes('Signing secret: whsec_'));
  await place(client.api, orderOf('voucher_instant'));
  const line = /order\.delivered evt_[0-9a-f]{32}: connection refused at 127\.0\.0\.1:\d+/;
  await until('the line', async () => line.test(said()));
  expect(said()).not.toContain('wallet.debited');
  program.kill('SIGINT');
  expect(await once(program, 'exit')).toEqual([0, null]);
});

test('When a client triggers scenarios, then dgo lists and reads their orders', async () => {
  const voucher = await dgo('trigger', 'voucher_slow');
  expect(voucher).toEqual({ code: 0, said: expect.stringMatching(/^Order \d+ is /) as string });
  const esim = await dgo('trigger', 'esim_instant');
  const [, id = ''] = /^Order (\d+) is DELIVERED\.$/.exec(esim.said) ?? [];
  const list = await dgo('orders', 'list', '--family', 'esim', '--limit', '1');
  expect(list.said.split('\n')).toEqual([
    expect.stringMatching(/^id +status +placed +product +reference$/) as string,
    expect.stringMatching(new RegExp(`^${id} +DELIVERED +\\S+Z +Sandbox eSIM`)) as string,
  ]);
  expect((await dgo('orders', 'list')).said).toMatch(/\n\d+ +[A-Z_]+ +\d{4}-\S+Z /);
  expect(JSON.parse((await dgo('orders', 'get', id)).said)).toMatchObject({ id: Number(id), status: 'DELIVERED' });
});

test.each([
  [['trigger', 'nothing'], 'There is no scenario nothing. There are '],
  [['orders', 'get', '999999999'], 'You have no order 999999999.'],
  [['events', 'resend', 'evt_x'], 'Event not found'],
  [['orders', 'get', 'x'], 'The id of the order must be a whole number above 0, not x.'],
  [['orders', 'list', '--family', 'wine'], 'There is no family wine. There are voucher, topup, esim.'],
  [['orders', 'list', '--secret', 'x'], 'dgo orders list has no option --secret.'],
  [['listen'], '--forward-to is missing'],
  [['listen', '--forward-to', 'localhost'], '--forward-to must be a URL'],
  [['fly'], 'There is no command fly.'],
  [['listen', '--fast'], "Unknown option '--fast'. dgo --help lists the options."],
])('When dgo is called with %j, then one sentence states the fault', async (args, sentence) => {
  const { code, said } = await dgo(...args);
  expect(said).toContain(sentence);
  expect(said.split('\n')).toHaveLength(1);
  expect(code).toBe(1);
});

test('When texts of the service control a terminal, then dgo prints them without control characters, in JSON escaped', async () => {
  const { id } = await place(client.api, orderOf('voucher_instant'));
  const hostile = 'Card\u001b[2J\u001b]0;title\u0007\u009b31m\u202e\nid';
  // Passes requests on, and replaces names of products.
  const proxy = createServer((request, response) => {
    void (async () => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const { authorization = '', 'content-type': type = '' } = request.headers;
      const passed = await fetch(loadStack().api_url + (request.url ?? ''), {
        method: request.method ?? 'GET',
        headers: { authorization, 'content-type': type },
        ...(parts.length > 0 && { body: Buffer.concat(parts) }),
      });
      const text = (await passed.text()).replace(
        /"product_name":"[^"]*"/g,
        `"product_name":${JSON.stringify(hostile)}`,
      );
      response.writeHead(passed.status, { 'content-type': 'application/json' }).end(text);
    })();
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  const said = async (...args: string[]) => {
    const { program, said: text } = start(args, { API_URL: `http://127.0.0.1:${port}` });
    await once(program, 'close');
    return text();
  };
  const listed = await said('orders', 'list', '--limit', '1');
  expect(listed).toContain('Card[2J]0;title31m id');
  expect(listed.trimEnd().split('\n')).toHaveLength(2);
  const order = await said('orders', 'get', String(id));
  expect(JSON.parse(order)).toMatchObject({ product_name: hostile });
  expect(order).not.toMatch(/[\u007f-\u009f\u202e]/);
  proxy.close();
});

test('When no account is set and no stack runs, then one sentence states the remedy', async () => {
  const nobody = { API_URL: '', API_KEY: '', API_SECRET: '', INIT_CWD: tmpdir() };
  const { program, said } = start(['orders', 'list'], nobody);
  expect(await once(program, 'close')).toEqual([1, null]);
  expect(said()).toBe('Set API_URL, API_KEY and API_SECRET, or start a stack with npm start.\n');
});

test.each([(secret: string) => `${secret}\r`, (secret: string) => `"${secret}"`])(
  'When the secret has a carriage return or quotes around it, then one sentence names the setting',
  async (wrap) => {
    const { program, said } = start(['orders', 'list'], { API_SECRET: wrap(client.credentials.api_secret) });
    expect(await once(program, 'close')).toEqual([1, null]);
    expect(said()).toBe('API_SECRET must not begin or end with a blank or a line break, nor be in quotes.\n');
  },
);
