/** The proxy in front of the supplier: what the service sees under each fault. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { NetworkFault, SupplierCall } from '../../dev/faults/plan/disturbance';
import { SupplierProxy } from '../../dev/faults/stack/supplier-proxy';
import { callControl } from '../../dev/stack/controls';
import { freePorts } from '../../dev/stack/ports';
import type { Simulator } from '../../dev/simulator/server';
import { cleanUp, secret, start } from '../support/simulator';

let simulator: Simulator;
let proxy: SupplierProxy;
beforeEach(async () => {
  simulator = await start();
  const { SIMULATOR_PORT: port } = await freePorts();
  proxy = await SupplierProxy.before('simulator', simulator.url, port, 1);
});
afterEach(async () => {
  proxy.close();
  await cleanUp();
});

const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };

function buy(reference: string): Promise<Response> {
  const body = { reference, sku: 'SIM-GC-COFFEE-US', units: 1, unit_value: '10', currency: 'USD' };
  return fetch(`${proxy.url}/purchases`, { method: 'POST', headers, body: JSON.stringify(body) });
}

function lookUp(reference: string): Promise<Response> {
  return fetch(`${proxy.url}/purchases?reference=${reference}`, { headers });
}

async function soldFor(reference: string): Promise<number> {
  const sold = await callControl<object[]>(simulator.url, 'GET', `purchases?reference=${reference}`);
  return sold.length;
}

function always(fault: NetworkFault, on: SupplierCall): void {
  proxy.begin({ fault, on, share: 1 });
}

test('When nothing is disturbed, then purchases and lookups pass unchanged', async () => {
  expect((await buy('r-1')).status).toBe(201);
  expect(await (await lookUp('r-1')).json()).toMatchObject({ purchases: [{ reference: 'r-1' }] });
});

test('When a request is lost, then nothing is bought and the connection breaks', async () => {
  always({ name: 'lose-request', by: 'reset' }, 'purchase');
  await expect(buy('r-1')).rejects.toThrow();
  expect(await soldFor('r-1')).toBe(0);
});

test.each<NetworkFault>([{ name: 'lose-answer', by: 'reset' }, { name: 'cut-answer' }])(
  'When the fault is %j, then the purchase is made and the response is never complete',
  async (fault) => {
    always(fault, 'purchase');
    await expect(buy('r-1').then((response) => response.text())).rejects.toThrow();
    expect(await soldFor('r-1')).toBe(1);
  },
);

test('When JSON is truncated, then the purchase is made and the response cannot be parsed', async () => {
  always({ name: 'truncate-json' }, 'purchase');
  const response = await buy('r-1');
  await expect(response.json()).rejects.toThrow();
  expect(await soldFor('r-1')).toBe(1);
});

test('When a request is late, then the connection breaks first and the purchase is made afterwards', async () => {
  always({ name: 'late-request', ms: 200 }, 'purchase');
  await expect(buy('r-1')).rejects.toThrow();
  expect(await soldFor('r-1')).toBe(0);
  while ((await soldFor('r-1')) < 1) await sleep(10);
});

test('When a request is repeated, then the supplier receives it twice', async () => {
  const modes = { buys_again: true };
  await callControl(simulator.url, 'PUT', 'behaviour', { modes });
  always({ name: 'repeat-request', afterMs: 0 }, 'purchase');
  await buy('r-1');
  while ((await soldFor('r-1')) < 2) await sleep(10);
});

test.each([
  ['supplier', 'PRODUCT_OUT_OF_STOCK'],
  ['html', '<h1>'],
  ['json', 'Forbidden'],
  ['empty', ''],
] as const)('When a response is replaced by a page of kind %s, then the purchase is made', async (page, text) => {
  always({ name: 'forge-answer', status: 422, page }, 'purchase');
  const response = await buy('r-1');
  expect(response.status).toBe(422);
  expect(await response.text()).toContain(text);
  expect(await soldFor('r-1')).toBe(1);
});

test('When a call is refused, then nothing is bought', async () => {
  always({ name: 'refuse', status: 503, page: 'supplier' }, 'purchase');
  expect((await buy('r-1')).status).toBe(503);
  expect(await soldFor('r-1')).toBe(0);
});

test('When lookups lie, then they hide only recent purchases', async () => {
  await buy('r-1');
  always({ name: 'empty-lookup', age: 300 }, 'lookup');
  expect(await (await lookUp('r-1')).json()).toEqual({ purchases: [] });
  await sleep(350);
  expect(await (await lookUp('r-1')).json()).toMatchObject({ purchases: [{ reference: 'r-1' }] });
});

test('When a supplier describes a sale as another, then only that field differs, and the proxy knows it until an unchanged response follows', async () => {
  const reference = 'order-1-abcdefghijkl-0001';
  const end = proxy.change('product');
  expect(await (await buy(reference)).json()).toMatchObject({ reference, sku: '9SIM-GC-COFFEE-US', units: 1 });
  const changed = { changes: new Set(['product']), isHonest: false };
  expect([...proxy.described]).toEqual([['1-abcdefghijkl-0001', changed]]);
  end();
  expect(await (await lookUp(reference)).json()).toMatchObject({ purchases: [{ sku: 'SIM-GC-COFFEE-US' }] });
  expect([...proxy.described.values()]).toEqual([{ ...changed, isHonest: true }]);
});

test('When a stale response comes, then it belongs to another reference', async () => {
  await buy('r-1');
  always({ name: 'old-answer', age: Infinity }, 'purchase');
  expect(await (await buy('r-2')).json()).toMatchObject({ reference: 'r-1' });
  expect(await soldFor('r-2')).toBe(1);
});

test('When a fault ends, then calls pass again', async () => {
  const end = proxy.begin({ fault: { name: 'lose-request', by: 'reset' }, on: 'purchase', share: 1 });
  end();
  expect((await buy('r-1')).status).toBe(201);
});

test('When the supplier is unreachable, then no connection is made until the outage ends', async () => {
  expect((await buy('r-1')).status).toBe(201);
  const end = proxy.takeDown({ name: 'unreachable' });
  await expect(buy('r-2')).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  await end();
  expect((await buy('r-2')).status).toBe(201);
  expect(await soldFor('r-2')).toBe(1);
});

test('When the supplier is down, then every call has the fault of the outage, whatever other faults there are', async () => {
  always({ name: 'delay-request', ms: 1 }, 'purchase');
  const end = proxy.takeDown({ name: 'refuse', status: 503, page: 'html' });
  expect((await buy('r-1')).status).toBe(503);
  expect((await fetch(`${proxy.url}/balance`, { headers })).status).toBe(503);
  await end();
  expect((await buy('r-1')).status).toBe(201);
});

test('When a response never ends, then the purchase is made and the response is white space', async () => {
  always({ name: 'endless-answer' }, 'purchase');
  const response = await buy('r-1');
  const reader = response.body?.getReader();
  const first = await reader?.read();
  await reader?.cancel();
  expect(
    Buffer.from(first?.value as Uint8Array)
      .toString()
      .trim(),
  ).toBe('');
  expect(await soldFor('r-1')).toBe(1);
});

test('When a lookup shows many rows, then all rows have the reference and differ from each other', async () => {
  await buy('r-1');
  always({ name: 'many-rows' }, 'lookup');
  const { purchases } = (await (await lookUp('r-1')).json()) as { purchases: { reference: string }[] };
  expect(purchases).toHaveLength(4_000);
  expect(new Set(purchases.map((row) => JSON.stringify(row))).size).toBe(4_000);
  expect(new Set(purchases.map(({ reference }) => reference))).toEqual(new Set(['r-1']));
});

test.each([
  ['blank', /^ {3}$/],
  ['surrogate', /\ud800$/],
  ['zero-width', /\u200b/],
] as const)('When a code is %s, then the first unit has it', async (code, expected) => {
  always({ name: 'bad-code', code }, 'purchase');
  const { goods } = (await (await buy('r-1')).json()) as { goods: { card_number: string }[] };
  expect(expected.test(goods[0]?.card_number ?? '')).toBe(true);
});

test('When a code is huge, then the first unit has a code of ten megabytes', async () => {
  always({ name: 'bad-code', code: 'huge' }, 'purchase');
  const { goods } = (await (await buy('r-1')).json()) as { goods: { card_number: string }[] };
  expect(goods[0]?.card_number).toHaveLength(10_000_000);
});

test('When a code is copied, then the first unit has the code of another purchase and a space', async () => {
  type Answer = { goods: { card_number: string }[] };
  const earlier = (await (await buy('r-1')).json()) as Answer;
  always({ name: 'bad-code', code: 'copied' }, 'purchase');
  const copied = (await (await buy('r-2')).json()) as Answer;
  expect(copied.goods[0]?.card_number).toBe(`${earlier.goods[0]?.card_number} `);
});
