/** The simulator in each of its misbehaviour modes, and the adapter's results. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Modes, Selector } from '../../dev/simulator/modes';
import type { Simulator } from '../../dev/simulator/server';
import type { LookupReport, PurchaseReport, PurchaseRequest, Supplier } from '../../src/domain/suppliers/port';
import type { SimulatorSupplierOptions } from '../../src/suppliers/simulator';
import { lifeAt } from '../support/esim-status';
import {
  always,
  behave,
  bought,
  cleanUp,
  control,
  esimOf,
  lookupOf,
  newStateFile,
  purchaseOf,
  secret,
  start,
  supplierAt,
  topupFor,
} from '../support/simulator';

afterEach(cleanUp);

interface Hostile {
  simulator: Simulator;
  supplier: Supplier;
  buy: (request?: PurchaseRequest) => Promise<PurchaseReport>;
  find: (request?: PurchaseRequest) => Promise<LookupReport>;
}

async function hostile(modes: Modes, options: Partial<SimulatorSupplierOptions> = {}): Promise<Hostile> {
  const simulator = await start();
  await behave(simulator, modes);
  const supplier = supplierAt(simulator, options);
  return {
    simulator,
    supplier,
    buy: (request = purchaseOf()) => supplier.purchase(request, always),
    find: (request = purchaseOf()) => supplier.find(lookupOf(request)),
  };
}

const hasty = { purchaseTimeoutMs: 500, lookupTimeoutMs: 1_000 };
const unavailable = { name: 'SupplierUnavailable' };
const unknown = { name: 'SupplierOutcomeUnknown' };
const accountBlocked = { name: 'SupplierAccountBlocked' };
const ambiguous = { state: 'AMBIGUOUS', isShown: true };
const delivered = { state: 'DELIVERED' };
const notFound = { state: 'NOT_FOUND' };

describe('References', () => {
  test('When the supplier does not deduplicate, then two purchases are listed and a lookup is ambiguous', async () => {
    const { simulator, supplier, buy, find } = await hostile({ buys_again: true });
    const first = await buy();
    const second = await buy();
    expect(second).not.toEqual(first);
    const row = { reference: purchaseOf().reference, order_id: 12, units: 1 };
    expect(await bought(simulator, '?reference=order-12')).toMatchObject([row, row]);
    const detail =
      'The supplier shows 2 purchases with our reference (delivered, 1 unit; delivered, 1 unit). Ask it which of them it sold';
    expect(await find()).toEqual({ state: 'AMBIGUOUS', isShown: true, detail });
    expect(await supplier.withdraw?.(lookupOf(purchaseOf()))).toBe(false);
  });

  test('When lookups show a purchase late, then it is found from then on, and cannot be withdrawn before', async () => {
    const { simulator, supplier, buy, find } = await hostile({ known_after_ms: 1_500 });
    await buy();
    expect(await find()).toEqual(notFound);
    expect(await supplier.withdraw?.(lookupOf(purchaseOf()))).toBe(false);
    expect(await bought(simulator)).toHaveLength(1);
    await sleep(1_500);
    expect(await find()).toMatchObject(delivered);
  });

  test('When lookups forget a purchase, then it is not found although it exists', async () => {
    const { simulator, buy, find } = await hostile({ forgotten_after_ms: 0 });
    await buy();
    expect(await find()).toEqual(notFound);
    expect(await bought(simulator)).toHaveLength(1);
    expect(await buy()).toMatchObject(delivered);
    expect(await bought(simulator)).toHaveLength(1);
  });

  test('When lookups do not show a pending purchase, then it cannot be cancelled by its id either', async () => {
    const simulator = await start({ timeScale: 1 });
    const report = await supplierAt(simulator).purchase(topupFor('101'), always);
    await behave(simulator, { forgotten_after_ms: 0 });
    const response = await fetch(`${simulator.url}/purchases/${report.supplierOrderId}/cancel`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
    });
    expect(response.status).toBe(404);
  });

  test.each([
    ['refused_first', 'rejected, 0 units; delivered, 1 unit'],
    ['refused_last', 'delivered, 1 unit; rejected, 0 units'],
    ['delivered', 'delivered, 1 unit; delivered, 1 unit'],
  ] as const)(
    'When a second row is %s, then a lookup in every family is ambiguous and names both rows',
    async (row, shown) => {
      const { simulator, supplier, buy, find } = await hostile({ second_row: row });
      for (const request of [purchaseOf(), topupFor('100'), esimOf('SIM-ESIM-USA-1GB')]) {
        expect(await buy(request)).toMatchObject(delivered);
        const detail = `The supplier shows 2 purchases with our reference (${shown}). Ask it which of them it sold`;
        expect(await find(request)).toEqual({ state: 'AMBIGUOUS', isShown: true, detail });
        expect(await supplier.withdraw?.(lookupOf(request))).toBe(false);
      }
      expect(await bought(simulator)).toHaveLength(3);
    },
  );
});

describe('Answers', () => {
  test('When the supplier is busy for two calls and asks for a pause of hours, then the third call buys', async () => {
    const busy = { calls: 2, status: 429, retry_after_seconds: 25_200 } as const;
    const { simulator, buy, find } = await hostile({ busy });
    for (const request of [purchaseOf(), topupFor('100')]) {
      await expect(buy(request)).rejects.toMatchObject({ ...unavailable, retryAfterMs: 25_200_000 });
      await expect(buy(request)).rejects.toMatchObject({ ...unavailable, retryAfterMs: 25_200_000 });
      expect(await find(request)).toEqual(notFound);
      expect(await buy(request)).toMatchObject(delivered);
    }
    expect(await bought(simulator)).toHaveLength(2);
  });

  test.each(['silence', 'reset'] as const)(
    'When the response is lost by %s before or after the purchase, then nothing or everything is bought',
    async (by) => {
      const { simulator, buy, find } = await hostile({ answer_lost: { when: 'before_buying', calls: 1, by } }, hasty);
      await expect(buy()).rejects.toMatchObject(unknown);
      expect(await find()).toEqual(notFound);
      expect(await bought(simulator)).toEqual([]);
      expect(await buy()).toMatchObject(delivered);

      await behave(simulator, { answer_lost: { when: 'after_buying', by } });
      const request = purchaseOf({ reference: 'order-13-abcdef-0001' });
      await expect(buy(request)).rejects.toMatchObject(unknown);
      await expect(buy(request)).rejects.toMatchObject(unknown);
      expect(await find(request)).toMatchObject(delivered);
      expect(await bought(simulator, '?reference=order-13')).toHaveLength(1);
    },
  );

  test('When a response is truncated JSON, then a purchase is open and a lookup must be retried', async () => {
    const { simulator, buy, find } = await hostile({ half_json: ['purchase', 'lookup'] });
    await expect(buy()).rejects.toMatchObject(unknown);
    await expect(find()).rejects.toMatchObject(unavailable);
    expect(await bought(simulator)).toHaveLength(1);
  });

  test('When calls are slow, then they take effect immediately and are answered late', async () => {
    const { simulator, buy, find } = await hostile({ delay_ms: { purchase: 400 } });
    const before = performance.now();
    const buying = buy();
    await until(async () => (await bought(simulator)).length === 1);
    expect(await buying).toMatchObject(delivered);
    expect(performance.now() - before).toBeGreaterThanOrEqual(399);
    expect(await find()).toMatchObject(delivered);
  });

  test('When calls are never answered, then the mode can select each call alone', async () => {
    const { simulator, supplier, buy, find } = await hostile({ silent: ['lookup'] }, hasty);
    const profile = (await buy(esimOf('SIM-ESIM-USA-1GB'))).goods[0];
    const iccid = profile?.kind === 'esim' ? profile.iccid : '';
    await expect(find()).rejects.toMatchObject(unavailable);
    expect(await lifeAt(supplier, iccid)).toEqual({});
    await behave(simulator, { silent: ['esim_status', 'purchase'] });
    expect(await find()).toEqual(notFound);
    await expect(supplier.esimStatus?.(iccid)).rejects.toMatchObject(unavailable);
    await expect(buy()).rejects.toMatchObject(unknown);
    expect(await find()).toMatchObject(delivered);
  });

  test.each([402, 403] as const)(
    'When the account is blocked with %i for purchases or lookups, then other calls work',
    async (status) => {
      const { simulator, buy, find } = await hostile({ account_blocked: { on: ['purchase'], status } });
      await expect(buy()).rejects.toMatchObject(accountBlocked);
      expect(await find()).toEqual(notFound);
      await behave(simulator, { account_blocked: { on: ['lookup'], status } });
      expect(await buy()).toMatchObject(delivered);
      await expect(find()).rejects.toMatchObject(accountBlocked);
      expect(await bought(simulator)).toHaveLength(1);
    },
  );
});

describe('Goods', () => {
  test.each([
    [-2, 1],
    [2, 5],
    [-9, 0],
  ])('When %i units too many are shown, then the report has all %i of them', async (change, count) => {
    const { simulator, buy, find } = await hostile({ wrong_count: change });
    const report = await buy(purchaseOf({ units: 3 }));
    expect(report).toMatchObject({ ...delivered, supplierOrderId: expect.stringMatching(/^P/) });
    expect(report.goods).toHaveLength(count);
    expect(await find()).toEqual(report);
    expect(await bought(simulator)).toMatchObject([{ units: 3 }]);
  });

  test('When an eSIM purchase shows two profiles, then both are reported and differ', async () => {
    const { buy } = await hostile({ wrong_count: 1 });
    const { goods } = await buy(esimOf('SIM-ESIM-USA-1GB'));
    expect(goods).toHaveLength(2);
    expect(goods[0]).not.toEqual(goods[1]);
  });

  test('When a code is repeated within a response, then the last unit is the first', async () => {
    const { buy } = await hostile({ repeated_goods: 'within_answer' });
    const { goods } = await buy(purchaseOf({ units: 3 }));
    expect(goods).toHaveLength(3);
    expect(goods[2]).toEqual(goods[0]);
    expect(goods[1]).not.toEqual(goods[0]);
  });

  test('When goods are repeated from another purchase, then codes and ICCIDs are those of the earlier one', async () => {
    const { buy } = await hostile({ repeated_goods: 'from_another_purchase' });
    for (const request of [purchaseOf({ units: 2 }), esimOf('SIM-ESIM-USA-1GB')]) {
      const first = await buy(request);
      await sleep(2);
      const second = await buy({ ...request, reference: `${request.reference}-b` });
      expect(second.goods[0]).toEqual(first.goods[0]);
      expect(second.goods[1]).not.toEqual(first.goods[0]);
    }
  });

  test('When units are unreadable, then they are marked in their position and the others are kept', async () => {
    const { buy, find } = await hostile({ unreadable_units: [2], bad_expiry_units: [3] });
    const report = await buy(purchaseOf({ units: 4 }));
    expect(report).toMatchObject({
      ...delivered,
      supplierOrderId: expect.any(String),
      goods: [
        { kind: 'voucher' },
        { kind: 'unreadable', fault: 'there is neither card number nor claim URL' },
        { kind: 'unreadable', fault: 'the expiry is not a date' },
        { kind: 'voucher' },
      ],
    });
    expect(await find()).toEqual(report);
  });

  test('When the only unit of a top-up or an eSIM is unreadable, then the report shows it and keeps the id', async () => {
    const { buy } = await hostile({ unreadable_units: [1] });
    for (const [request, fault] of [
      [topupFor('100'), 'its fields are not of the types they should be'],
      [esimOf('SIM-ESIM-USA-1GB'), 'there is no ICCID'],
    ] as const) {
      expect(await buy(request)).toEqual({
        state: 'DELIVERED',
        supplierOrderId: expect.stringMatching(/^P/),
        sold: { sku: request.sku, units: '1' },
        goods: [{ kind: 'unreadable', fault, contents: expect.any(String) }],
      });
    }
  });
});

describe('Selectors', () => {
  const blocked: Modes = { account_blocked: { on: ['purchase', 'lookup'], status: 402 } };

  test('When modes are set for a product, then they apply to it alone, also to lookups of missing purchases', async () => {
    const simulator = await start();
    const supplier = supplierAt(simulator);
    await behave(simulator, blocked, { sku: 'SIM-GC-COFFEE-US' });
    const other = purchaseOf({ sku: 'SIM-GC-MARKET-US', reference: 'order-13-abcdef-0001' });
    expect(await supplier.purchase(other, always)).toMatchObject(delivered);
    expect(await supplier.find(lookupOf(other))).toMatchObject(delivered);
    await expect(supplier.purchase(purchaseOf(), always)).rejects.toMatchObject(accountBlocked);
    await expect(supplier.find(lookupOf(purchaseOf()))).rejects.toMatchObject(accountBlocked);
  });

  test('When modes are set for an order, then they override those of its product, and other orders keep theirs', async () => {
    const simulator = await start();
    const supplier = supplierAt(simulator);
    await behave(simulator, { wrong_count: 1, repeated_goods: 'within_answer' }, { sku: 'SIM-GC-COFFEE-US' });
    await behave(simulator, { wrong_count: 3 }, { reference: 'order-12' });
    const near = await supplier.purchase(purchaseOf(), always);
    const far = await supplier.purchase(purchaseOf({ reference: 'order-123-abcdef-0001' }), always);
    expect([near.goods.length, far.goods.length]).toEqual([4, 2]);
    expect(near.goods[3]).toEqual(near.goods[0]);
  });

  test('When modes are ended for a selector or for all, then they no longer apply', async () => {
    const simulator = await start();
    const selectors: Selector[] = [{}, { sku: 'SIM-GC-COFFEE-US' }, { reference: 'order-12' }];
    for (const selector of selectors) await behave(simulator, blocked, selector);
    const end = async (query: string): Promise<unknown> =>
      (await control(simulator, `behaviour${query}`, undefined, 'DELETE')).json();
    expect(await end('?sku=SIM-GC-COFFEE-US')).toEqual([{ modes: blocked }, { reference: 'order-12', modes: blocked }]);
    expect(await end('')).toEqual([]);
    expect(await supplierAt(simulator).purchase(purchaseOf(), always)).toMatchObject(delivered);
  });

  test('When modes are set again, then they replace the earlier ones and their count restarts', async () => {
    const { simulator, buy } = await hostile({ buys_again: true, busy: { calls: 1, status: 503 } });
    await expect(buy()).rejects.toMatchObject(unavailable);
    await buy();
    await behave(simulator, { busy: { calls: 1, status: 503 } });
    await expect(buy()).rejects.toMatchObject(unavailable);
    await buy();
    expect(await bought(simulator)).toHaveLength(1);
  });

  test.each([
    [{ modes: {} }],
    [{ modes: { slow: true } }],
    [{ sku: 'A', reference: 'B', modes: { buys_again: true } }],
    [{ modes: { delay_ms: { everything: 1 } } }],
    [{ modes: { busy: { status: 500 } } }],
    [{ modes: { silent: [] } }],
    [{ modes: { unreadable_units: [0] } }],
    [{ modes: { buys_again: 'yes' } }],
    [{}],
  ])('When the requested behaviour is %j, then it is rejected and nothing changes', async (body) => {
    const simulator = await start();
    const response = await control(simulator, 'behaviour', body, 'PUT');
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: { code: 'BAD_REQUEST', message: expect.any(String) } },
    ]);
    expect(await (await control(simulator, 'behaviour', undefined, 'GET')).json()).toEqual([]);
  });

  test('When the simulator restarts, then modes, counts and accounts are unchanged', async () => {
    const stateFile = newStateFile();
    const before = await start({ stateFile });
    const buyAt = (simulator: Simulator, request: PurchaseRequest) => supplierAt(simulator).purchase(request, always);
    await behave(before, { busy: { calls: 2, status: 503 } }, { reference: 'order-12' });
    await expect(buyAt(before, purchaseOf())).rejects.toMatchObject(unavailable);
    await expect(buyAt(before, topupFor('105'))).rejects.toMatchObject(accountBlocked);
    await control(before, 'account', { blocked: false });
    await control(before, 'account', { blocked: true });
    await before.close();

    const after = await start({ stateFile });
    await expect(buyAt(after, esimOf('SIM-ESIM-USA-1GB'))).rejects.toMatchObject(accountBlocked);
    await control(after, 'account', { blocked: false });
    expect(await buyAt(after, topupFor('105'))).toMatchObject(delivered);
    await expect(buyAt(after, purchaseOf())).rejects.toMatchObject(unavailable);
    expect(await buyAt(after, purchaseOf())).toMatchObject(delivered);
  });
});

describe('The account', () => {
  test('When the whole account is blocked, then no call succeeds until it is unblocked', async () => {
    const simulator = await start();
    const supplier = supplierAt(simulator);
    expect((await control(simulator, 'account', { blocked: true })).status).toBe(200);
    await expect(supplier.purchase(purchaseOf(), always)).rejects.toMatchObject(accountBlocked);
    await expect(supplier.find(lookupOf(purchaseOf()))).rejects.toMatchObject(accountBlocked);
    await control(simulator, 'account', { blocked: false });
    expect(await supplier.purchase(purchaseOf(), always)).toMatchObject(delivered);
  });

  test('When recipients of 105 are blocked, then no other recipient is, and unblocking completes the waiting purchases', async () => {
    const simulator = await start();
    const supplier = supplierAt(simulator);
    const [waiting, later] = [topupFor('105', 'order-1-a-0001'), topupFor('105', 'order-2-a-0001')];
    await control(simulator, 'account', { blocked: false });
    await expect(supplier.purchase(waiting, always)).rejects.toMatchObject(accountBlocked);
    expect(await supplier.find(lookupOf(waiting))).toEqual(notFound);
    expect(await supplier.purchase(topupFor('100'), always)).toMatchObject(delivered);
    await control(simulator, 'account', { blocked: false });
    expect(await supplier.purchase(waiting, always)).toMatchObject(delivered);
    await expect(supplier.purchase(later, always)).rejects.toMatchObject(accountBlocked);
  });
});

describe('Orders that need an operator', () => {
  test('When the response is lost and the supplier reports an unknown status, then nothing is bought and a lookup is ambiguous', async () => {
    const simulator = await start();
    const supplier = supplierAt(simulator, hasty);
    const request = purchaseOf({ sku: 'SIM-GC-NEEDS-OPERATOR' });
    await expect(supplier.purchase(request, always)).rejects.toMatchObject(unknown);
    const detail =
      'The supplier has the purchase, but cannot say whether it sold anything. Ask it what it delivered under our reference';
    expect(await supplier.find(lookupOf(request))).toEqual({ ...ambiguous, detail });
    expect(await supplier.withdraw?.(lookupOf(request))).toBe(false);
    await expect(supplier.purchase(request, always)).rejects.toMatchObject(unknown);
    expect(await bought(simulator)).toEqual([]);
  });
});

describe('The highest number of units', () => {
  test('When a purchase may have one unit at most, then two units are rejected', async () => {
    const simulator = await start({ maxUnits: 1 });
    const supplier = supplierAt(simulator, { maxUnits: 1 });
    expect(supplier.traits.maxUnits).toBe(1);
    expect(await supplier.purchase(purchaseOf({ units: 2 }), always)).toMatchObject({ state: 'REJECTED' });
    expect(await supplier.purchase(purchaseOf(), always)).toMatchObject(delivered);
  });
});

describe('The statement', () => {
  async function statementOf(supplier: Supplier, since: Date) {
    const lines = [];
    for await (const page of supplier.statement?.(since) ?? []) lines.push(...page);
    return lines;
  }

  test('When the statement is read, then it lists all sales since then, over several pages', async () => {
    const simulator = await start();
    const supplier = supplierAt(simulator);
    const began = new Date();
    await behave(simulator, { buys_again: true }, { reference: 'order-1' });
    const references = Array.from({ length: 201 }, (_, n) => `order-${n}-a-0001`);
    for (const reference of [...references, 'order-1-a-0001']) {
      await supplier.purchase(purchaseOf({ reference, units: 2 }), always);
    }
    await supplier.purchase(topupFor('201'), always);
    const lines = await statementOf(supplier, began);
    expect(lines.map(({ reference }) => reference)).toEqual([...references, 'order-1-a-0001']);
    expect(lines.every(({ units, soldAt }) => units === 2 && soldAt >= began)).toBe(true);
    expect(await statementOf(supplier, new Date(Date.now() + 1_000))).toEqual([]);
  });

  test('When some units of a purchase are delivered, then the statement has those units, and the rest after their sale', async () => {
    const simulator = await start({ timeScale: 0.5 });
    const supplier = supplierAt(simulator);
    const request = purchaseOf({ sku: 'SIM-GC-PARTIAL', units: 10 });
    await supplier.purchase(request, always);
    const between = new Date(Date.now() + 1_000);
    expect(await statementOf(supplier, new Date(0))).toMatchObject([{ units: 4 }]);
    await until(async () => (await supplier.find(lookupOf(request))).state === 'DELIVERED');
    expect(await statementOf(supplier, between)).toMatchObject([{ units: 10 }]);
  });

  test('When the token is missing, then the statement is rejected', async () => {
    const simulator = await start();
    expect((await fetch(`${simulator.url}/statement?since=2026-01-01`)).status).toBe(401);
  });
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(10);
}
