/** The simulator as a supplier, through the adapter the service uses. */
import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { Simulator } from '../../dev/simulator/server';
import { failureCodes } from '../../src/domain/orders/failure-codes';
import type { ReportedUnit } from '../../src/domain/orders/goods';
import type { PurchaseRequest, Supplier } from '../../src/domain/suppliers/port';
import { lifeAt, usageAt } from '../support/esim-status';
import {
  always,
  bought,
  cleanUp,
  control,
  esimOf,
  lookupOf,
  newStateFile,
  purchaseOf,
  receivePushes,
  secret,
  start,
  supplierAt,
  topupFor,
  type PushReceiver,
} from '../support/simulator';

afterEach(cleanUp);

interface Rig {
  simulator: Simulator;
  supplier: Supplier;
  pushes: PushReceiver;
}

async function rig(purchaseTimeoutMs = 5_000): Promise<Rig> {
  const pushes = await receivePushes();
  const simulator = await start({ callbackUrl: pushes.url });
  return { simulator, pushes, supplier: supplierAt(simulator, { purchaseTimeoutMs }) };
}

/** The states of a purchase: immediately after the call, and after the push of its final state. */
async function course({ supplier, pushes }: Rig, request: PurchaseRequest): Promise<[string, number][]> {
  const first = await supplier.purchase(request, always);
  if (first.state !== 'PENDING') return [[first.state, first.goods.length]];
  await pushes.next();
  const last = await supplier.find(lookupOf(request));
  if (!('goods' in last)) throw new Error('the purchase is gone');
  return [
    [first.state, first.goods.length],
    [last.state, last.goods.length],
  ];
}

/** A connection with one completed call, so that it accepts the next call without set-up. */
async function connected({ url }: Simulator): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write('GET /health HTTP/1.1\r\nhost: simulator\r\n\r\n');
  await once(socket, 'data');
  return socket;
}

function luhnHolds(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (1 + (index % 2));
    return total + Math.floor(value / 10) + (value % 10);
  }, 0);
  return sum % 10 === 0;
}

describe('Vouchers', () => {
  test.each<[string, number, [string, number][]]>([
    ['SIM-GC-COFFEE-US', 500, [['DELIVERED', 500]]],
    [
      'SIM-GC-DELAYED',
      1,
      [
        ['PENDING', 0],
        ['DELIVERED', 1],
      ],
    ],
    [
      'SIM-GC-SLOW',
      1,
      [
        ['PENDING', 0],
        ['DELIVERED', 1],
      ],
    ],
    [
      'SIM-GC-PARTIAL',
      10,
      [
        ['PENDING', 4],
        ['DELIVERED', 10],
      ],
    ],
    [
      'SIM-GC-PARTIAL-THEN-FAILED',
      10,
      [
        ['PENDING', 4],
        ['REJECTED', 4],
      ],
    ],
    ['SIM-GC-OUT-OF-STOCK', 1, [['REJECTED', 0]]],
  ])('When %s is bought in %i units, then its states are %j', async (sku, units, expected) => {
    const request = purchaseOf({ sku, units });
    expect(await course(await rig(), request)).toEqual(expected);
  });

  test('When a code is bought, then it has a PIN, an expiry and a unique number', async () => {
    const { supplier } = await rig();
    const { goods } = await supplier.purchase(purchaseOf({ units: 500 }), always);
    expect(goods[0]).toEqual({
      kind: 'voucher',
      cardNumber: expect.stringMatching(/^[0-9A-Z]{16}$/),
      pinCode: expect.stringMatching(/^\d{6}$/),
      expiresAt: expect.stringMatching(/Z$/),
      referenceNumber: expect.stringMatching(/^VR/),
    });
    const numbers = goods.map((unit) => unit.kind === 'voucher' && unit.cardNumber);
    expect(new Set(numbers).size).toBe(500);
  });

  test('When a small purchase is concurrent with large ones, then it does not wait for all of them', async () => {
    const { simulator } = await rig();
    const sizes = [...Array<number>(20).fill(500), 1];
    const sockets = await Promise.all(sizes.map(() => connected(simulator)));
    const answered: number[] = [];
    const answers = sockets.map(async (socket, index) => {
      await once(socket, 'data');
      answered.push(sizes[index] ?? NaN);
    });
    sockets.forEach((socket, index) => {
      const { unitValue: unit_value, family: _, ...rest } = purchaseOf({ units: sizes[index] ?? NaN });
      const body = JSON.stringify({ ...rest, reference: `order-${index}`, unit_value });
      const head = `authorization: Bearer ${secret}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
      socket.write(`POST /purchases HTTP/1.1\r\nhost: simulator\r\n${head}\r\n\r\n${body}`);
    });
    await Promise.all(answers);
    expect(answered).toHaveLength(21);
    expect(answered.at(-1)).toBe(500);
  });

  test('When the product is delivered by URL, then there is a URL instead of a code', async () => {
    const { supplier } = await rig();
    const { goods } = await supplier.purchase(purchaseOf({ sku: 'SIM-GC-STREAM-US', unitValue: '15' }), always);
    expect(goods[0]).toMatchObject({ claimUrl: expect.stringMatching(/^https:/) });
    expect(goods[0]).not.toHaveProperty('cardNumber');
  });

  test('When the rest of a purchase arrives, then the first units are still the same', async () => {
    const { supplier, pushes } = await rig();
    const request = purchaseOf({ sku: 'SIM-GC-PARTIAL', units: 10 });
    const first = await supplier.purchase(request, always);
    await pushes.next();
    const last = await supplier.find(lookupOf(request));
    expect(last).toMatchObject({ state: 'DELIVERED' });
    expect('goods' in last && last.goods.slice(0, 4)).toEqual(first.goods);
  });

  test.each([
    ['an unknown product', { sku: 'NOPE' }, 'PRODUCT_UNAVAILABLE'],
    ['a value out of range', { unitValue: '11' }, 'AMOUNT_OUT_OF_RANGE'],
    ['another currency', { currency: 'EUR' }, 'AMOUNT_OUT_OF_RANGE'],
    ['too many units', { units: 501 }, 'UNKNOWN'],
  ])('When %s is ordered, then it is rejected and nothing is bought', async (_what, change, failureCode) => {
    const { supplier, simulator } = await rig();
    const report = await supplier.purchase(purchaseOf(change), always);
    expect(report).toMatchObject({ state: 'REJECTED', failureCode, goods: [] });
    expect(await supplier.find(lookupOf(purchaseOf()))).toEqual({ state: 'NOT_FOUND' });
    expect(await bought(simulator)).toEqual([]);
  });
});

describe('Top-ups', () => {
  test.each<[string, [string, number][]]>([
    ['100', [['DELIVERED', 1]]],
    ['000', [['DELIVERED', 1]]],
    [
      '101',
      [
        ['PENDING', 0],
        ['DELIVERED', 1],
      ],
    ],
    [
      '102',
      [
        ['PENDING', 0],
        ['REJECTED', 0],
      ],
    ],
  ])('When the recipient ends in %s, then the states of the purchase are %j', async (digits, expected) => {
    expect(await course(await rig(), topupFor(digits))).toEqual(expected);
  });

  test('When the recipient ends in 201 and so on, then every failure code comes in its order', async () => {
    const { supplier } = await rig();
    for (const [index, failureCode] of failureCodes.entries()) {
      const report = await supplier.purchase(topupFor(String(201 + index)), always);
      expect(report).toMatchObject({ state: 'REJECTED', failureCode });
    }
  });

  test('When no recipient is given, then the purchase is rejected', async () => {
    const { supplier } = await rig();
    const report = await supplier.purchase({ ...topupFor('100'), input: { phone: '1' } }, always);
    expect(report).toMatchObject({ state: 'REJECTED', failureCode: 'INVALID_RECIPIENT' });
  });
});

describe('eSIM', () => {
  test.each<[string, [string, number][]]>([
    ['INSTANT', [['DELIVERED', 1]]],
    [
      'SLOW',
      [
        ['PENDING', 0],
        ['DELIVERED', 1],
      ],
    ],
    ['FAILED-NOW', [['REJECTED', 0]]],
    [
      'FAILED-LATER',
      [
        ['PENDING', 0],
        ['REJECTED', 0],
      ],
    ],
  ])('When the plan %s is bought, then the states of the purchase are %j', async (plan, expected) => {
    expect(await course(await rig(), esimOf(`SIM-ESIM-SANDBOX-${plan}`))).toEqual(expected);
  });

  test('When many are bought, then each ICCID is unique and has 19 or 20 digits with a check digit', async () => {
    const { supplier } = await rig();
    const requests = Array.from({ length: 60 }, (_, n) => esimOf('SIM-ESIM-USA-1GB', `order-${n}-x-0001`));
    const reports = await Promise.all(requests.map((request) => supplier.purchase(request, always)));
    const profiles = reports.flatMap(({ goods }) => goods.filter((unit) => unit.kind === 'esim'));
    expect(new Set(profiles.map(({ iccid }) => iccid)).size).toBe(60);
    expect(new Set(profiles.map(({ iccid }) => iccid.length))).toEqual(new Set([19, 20]));
    for (const { iccid, activationCode } of profiles) {
      expect(iccid).toMatch(/^89/);
      expect(luhnHolds(iccid)).toBe(true);
      expect(activationCode).toMatch(/^LPA:1\$[a-z.-]+\$[0-9A-Z]+$/);
    }
  });

  test('When a profile is installed, used and used up, then each change shows once and is pushed', async () => {
    const { supplier, simulator, pushes } = await rig();
    const iccid = iccidOf((await supplier.purchase(esimOf('SIM-ESIM-USA-1GB'), always)).goods);
    expect(await lifeAt(supplier, iccid)).toEqual({});
    for (const change of ['install', 'install', 'use', 'deplete']) {
      expect((await control(simulator, `esims/${iccid}/${change}`)).status).toBe(200);
      expect(JSON.parse((await pushes.next()).rawBody.toString())).toEqual({ type: 'esim', iccid });
    }
    const status = await lifeAt(supplier, iccid);
    expect(status).toEqual({
      installedAt: expect.any(Date),
      firstUsedAt: expect.any(Date),
      isDepleted: true,
      depletedAt: expect.any(Date),
    });
  });

  test('When data is used, then the rest is left, and using all of it depletes the eSIM', async () => {
    const { supplier, simulator } = await rig();
    const iccid = iccidOf((await supplier.purchase(esimOf('SIM-ESIM-USA-1GB'), always)).goods);
    const use = (megabytes: unknown) => control(simulator, `esims/${iccid}/use`, { megabytes });
    expect(await usageAt(supplier, iccid)).toEqual({ totalMb: 1_000, usedMb: 0, leftMb: 1_000, endsAt: null });
    for (const megabytes of [250, 250.5]) expect((await use(megabytes)).status).toBe(200);
    const endsAt = expect.any(Date) as Date;
    expect(await usageAt(supplier, iccid)).toEqual({ totalMb: 1_000, usedMb: 500.5, leftMb: 499.5, endsAt });
    expect((await use(2_000)).status).toBe(200);
    expect(await usageAt(supplier, iccid)).toEqual({ totalMb: 1_000, usedMb: 1_000, leftMb: 0, endsAt });
    expect(await lifeAt(supplier, iccid)).toMatchObject({ isDepleted: true });
    for (const invalid of [0, -1, '1', null]) expect((await use(invalid)).status).toBe(400);
  });

  test('When an eSIM is unknown or not delivered, then the control call rejects it', async () => {
    const { simulator } = await rig();
    expect((await control(simulator, 'esims/8988000000000000000/install')).status).toBe(404);
    expect((await control(simulator, 'esims/8988000000000000000/explode')).status).toBe(404);
  });

  test('When the plans of a product are requested, then they come with types', async () => {
    const { supplier } = await rig();
    const plans = (await supplier.esimPlans?.('SIM-ESIM-USA')) ?? [];
    expect(plans).toHaveLength(4);
    expect(plans.flatMap(({ isRechargeOnly, sku }) => (isRechargeOnly ? [sku] : []))).toEqual([
      'SIM-ESIM-USA-RECHARGE-2GB',
    ]);
    expect(plans[0]).toMatchObject({ sku: 'SIM-ESIM-USA-1GB', price: '4.50', dataAmountGb: 1, validityDays: 7 });
    await expect(supplier.esimPlans?.('SIM-ESIM-MOON')).rejects.toMatchObject({ name: 'SupplierUnavailable' });
  });
});

describe('Nothing is bought twice', () => {
  test('When a purchase is repeated, even concurrently, then the first response is returned', async () => {
    const { supplier, simulator } = await rig();
    const reports = await Promise.all(Array.from({ length: 20 }, () => supplier.purchase(purchaseOf(), always)));
    reports.forEach((report) => expect(report).toEqual(reports[0]));
    expect(await bought(simulator)).toHaveLength(1);
  });

  test('When the response is lost, then the purchase is found by its reference', async () => {
    const { supplier, simulator } = await rig(100);
    for (const request of [
      purchaseOf({ sku: 'SIM-GC-TIMEOUT' }),
      topupFor('104'),
      esimOf('SIM-ESIM-SANDBOX-TIMEOUT'),
    ]) {
      await expect(supplier.purchase(request, always)).rejects.toMatchObject({ name: 'SupplierOutcomeUnknown' });
      expect(await supplier.find(lookupOf(request))).toMatchObject({ state: 'DELIVERED' });
    }
    expect(await bought(simulator)).toHaveLength(3);
  });

  test('When a flaky product is bought, then the third call succeeds', async () => {
    const { supplier, simulator } = await rig();
    for (const request of [purchaseOf({ sku: 'SIM-GC-FLAKY' }), topupFor('103'), esimOf('SIM-ESIM-SANDBOX-FLAKY')]) {
      const busy = { name: 'SupplierUnavailable', retryAfterMs: 1_000 };
      await expect(supplier.purchase(request, always)).rejects.toMatchObject(busy);
      await expect(supplier.purchase(request, always)).rejects.toMatchObject(busy);
      expect(await supplier.find(lookupOf(request))).toEqual({ state: 'NOT_FOUND' });
      expect(await supplier.purchase(request, always)).toMatchObject({ state: 'DELIVERED' });
    }
    expect(await bought(simulator)).toHaveLength(3);
  });

  test('When the simulator restarts with its journal, then every code and every state is kept', async () => {
    const stateFile = newStateFile();
    const before = await start({ stateFile });
    const esim = await supplierAt(before).purchase(esimOf('SIM-ESIM-USA-1GB'), always);
    const vouchers = await supplierAt(before).purchase(purchaseOf({ units: 20 }), always);
    await control(before, `esims/${iccidOf(esim.goods)}/install`);
    await before.close();
    // The rest of a write that a kill interrupted.
    appendFileSync(stateFile, '{"type":"purchase","purch');

    const after = await start({ stateFile });
    expect(await supplierAt(after).purchase(purchaseOf({ units: 20 }), always)).toEqual(vouchers);
    expect(await supplierAt(after).esimStatus?.(iccidOf(esim.goods))).toHaveProperty('installedAt');
    expect(await bought(after)).toHaveLength(2);
    expect(readFileSync(stateFile, 'utf8')).not.toContain('"purch\n');
  });

  test('When the simulator restarts while a purchase is pending, then the final state is still pushed', async () => {
    const stateFile = newStateFile();
    const pushes = await receivePushes();
    const before = await start({ stateFile, timeScale: 0.05 });
    expect(await supplierAt(before).purchase(topupFor('101'), always)).toMatchObject({ state: 'PENDING' });
    await before.close();
    const after = await start({ stateFile, callbackUrl: pushes.url });
    await pushes.next();
    expect(await supplierAt(after).find(lookupOf(topupFor('101')))).toMatchObject({ state: 'DELIVERED' });
  });
});

describe('Withdrawal', () => {
  test('When a pending purchase is withdrawn, then it is never delivered', async () => {
    const simulator = await start({ timeScale: 1 });
    const supplier = supplierAt(simulator);
    await supplier.purchase(topupFor('101'), always);
    expect(await supplier.withdraw?.(lookupOf(topupFor('101')))).toBe(true);
    expect(await supplier.withdraw?.(lookupOf(topupFor('101')))).toBe(true);
    expect(await supplier.find(lookupOf(topupFor('101')))).toMatchObject({ state: 'REJECTED', goods: [] });
    expect(await bought(simulator)).toEqual([]);
  });

  test('When some units are delivered, then the purchase cannot be withdrawn', async () => {
    const simulator = await start({ timeScale: 1 });
    const supplier = supplierAt(simulator);
    const partial = purchaseOf({ sku: 'SIM-GC-PARTIAL', units: 10 });
    await supplier.purchase(partial, always);
    await supplier.purchase(topupFor('100'), always);
    expect(await supplier.withdraw?.(lookupOf(partial))).toBe(false);
    expect(await supplier.withdraw?.(lookupOf(topupFor('100')))).toBe(false);
  });

  test('When a lookup finds nothing, then the outcome stays uncertain', async () => {
    const { supplier } = await rig();
    expect(await supplier.withdraw?.(lookupOf(purchaseOf()))).toBe(false);
  });
});

describe('Controls', () => {
  test('When purchases are listed by order, then the list has only the purchases of that order', async () => {
    const { supplier, simulator } = await rig();
    const references = ['order-12-a-0001', 'order-12-a-0002', 'order-123-a-0001'];
    for (const reference of references) await supplier.purchase(purchaseOf({ reference, units: 2 }), always);
    expect(await bought(simulator, '?reference=order-12')).toEqual([
      { reference: references[0], order_id: 12, family: 'VOUCHER', units: 2, at: expect.any(String) },
      { reference: references[1], order_id: 12, family: 'VOUCHER', units: 2, at: expect.any(String) },
    ]);
    expect(await bought(simulator, `?reference=${references[2]}`)).toHaveLength(1);
    expect(await bought(simulator)).toHaveLength(3);
  });

  test('When an outage is active, then nothing is bought until its end', async () => {
    const { supplier, simulator } = await rig();
    expect((await control(simulator, 'outage', { seconds: 60 })).status).toBe(200);
    await expect(supplier.purchase(purchaseOf(), always)).rejects.toMatchObject({ name: 'SupplierUnavailable' });
    await expect(supplier.find(lookupOf(purchaseOf()))).rejects.toMatchObject({ name: 'SupplierUnavailable' });
    expect((await fetch(`${simulator.url}/health`)).status).toBe(200);
    await control(simulator, 'outage', { seconds: 0 });
    expect(await supplier.purchase(purchaseOf(), always)).toMatchObject({ state: 'DELIVERED' });
  });

  test.each([
    ['POST', '/control/outage', '{"seconds":"long"}', 400],
    ['POST', '/control/outage', '{', 400],
    ['GET', '/control/purchases?reference[]=a', undefined, 400],
    ['GET', '/control/nothing', undefined, 404],
    ['GET', '/purchases/unknown', undefined, 404],
    ['GET', '/purchases', undefined, 400],
    ['POST', '/purchases', '[]', 400],
    ['GET', '/stock?page=0', undefined, 400],
    ['GET', '/esims/%00', undefined, 404],
    ['GET', '/esims/%ff', undefined, 400],
  ])('When %s %s is called with %s, then the response is a clear %i', async (method, path, body, status) => {
    const simulator = await start();
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const response = await fetch(simulator.url + path, { method, headers, ...(body && { body }) });
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ error: { code: expect.any(String), message: expect.any(String) } });
  });

  test('When a purchase is rejected, then the clear 400 names its reference', async () => {
    const simulator = await start();
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const body = '{"reference":"a","units":1e309}';
    const response = await fetch(`${simulator.url}/purchases`, { method: 'POST', headers, body });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: { code: expect.any(String), message: expect.any(String), reference: 'a' },
    });
  });
});

test('When stock is requested, then every page arrives and counts only vouchers', async () => {
  const { supplier } = await rig();
  const pages = [];
  for await (const page of supplier.stock?.() ?? []) pages.push(page);
  const items = pages.flat();
  expect(pages.length).toBeGreaterThan(1);
  expect(new Set(items.map(({ sku }) => sku)).size).toBe(items.length);
  expect(items).toContainEqual({ sku: 'SIM-GC-CINEMA-US', active: true, available: 0 });
  expect(items).toContainEqual({ sku: 'SIM-TU-LIBERTY-AIRTIME', active: true, available: null });
});

function iccidOf(goods: ReportedUnit[]): string {
  const [profile] = goods;
  if (profile?.kind !== 'esim') throw new Error('no eSIM was delivered');
  return profile.iccid;
}
