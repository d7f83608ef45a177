/**
 * An order moves to its next source only while it is certain that nothing was bought. Two simulators count their sales.
 * docs/decisions/0051-fail-over-between-sources.md.
 */
import { sql } from '../../dev/testbed/sql';
import { verifyLedger } from '../../src/data/ledger-verification';
import { settleOrder } from '../../src/data/orders/settle-order';
import { listPurchases } from '../../src/data/purchases/purchase-reads';
import { takeLateChecks } from '../../src/data/purchases/purchase-polls';
import type { FailureCode } from '../../src/domain/orders/failure-codes';
import type { Family } from '../../src/domain/orders/families';
import { settlementOf, type OrderKey } from '../../src/domain/orders/order-messages';
import type { Candidate } from '../../src/domain/orders/sources';
import { safeText } from '../../src/domain/safe-text';
import { newNonce } from '../../src/ordering/placement/check-and-reserve';
import type { NotBought, PurchaseReport, Supplier } from '../../src/domain/suppliers/port';
import {
  CallHeldBack,
  SupplierAccountBlocked,
  SupplierOutcomeUnknown,
  SupplierUnavailable,
} from '../../src/domain/suppliers/supplier-errors';
import type { Simulator } from '../../dev/simulator/server';
import {
  age,
  quarantined,
  ask,
  buy,
  buyFrom,
  buysFromSimulator,
  checkLate,
  database,
  decisions,
  goOn,
  listed,
  placed,
  purchaseOf,
  purchasingWith,
  readable,
  sell,
  simulator,
  soldFor,
  supplier,
  withdraw,
} from '../support/buying';
import { bought, start, supplierAt } from '../support/simulator';
import { until } from '../../dev/testbed/waiting';
import { newClaim, replaceClaim } from '../support/claims';

buysFromSimulator();

const from = [{ name: 'simulator' }, { name: 'second' }];
const families: Family[] = ['VOUCHER', 'TOPUP', 'ESIM'];
let secondSimulator: Simulator;
let second: Supplier;

beforeEach(async () => {
  secondSimulator = await start();
  second = { ...supplierAt(secondSimulator), name: 'second' };
  await sql(database)`TRUNCATE supplier_circuits, supplier_pauses`;
});

/** The units that each of the two suppliers sold for the order. */
async function sold({ orderId }: OrderKey): Promise<{ first: number; second: number }> {
  const at = async (shop: Simulator) =>
    ((await bought(shop, `?reference=order-${orderId}`)) as { units: number }[]).reduce(
      (sum, { units }) => sum + units,
      0,
    );
  return { first: await at(simulator), second: await at(secondSimulator) };
}

type Answer = PurchaseReport | Error;

/** The first supplier answers purchases with `answers`, and then normally. `special` overrides its methods. */
function firstAnswers(answers: Answer[], special: Partial<Supplier> = {}): void {
  const left = [...answers];
  buyFrom(
    {
      ...supplier,
      purchase: async (request, mayBeSent) => {
        const answer = left.shift();
        if (answer instanceof Error) throw answer;
        return answer ?? supplier.purchase(request, mayBeSent);
      },
      ...special,
    },
    second,
  );
}

const unavailable = () => new SupplierUnavailable(safeText`Down`);
const heldBack = () => new CallHeldBack(safeText`Too many calls wait`);
const blocked = () => new SupplierAccountBlocked(safeText`No credit`);
const notBought = (because: NotBought['because'], failureCode: FailureCode = 'UNKNOWN'): NotBought => ({
  state: 'NOT_BOUGHT',
  because,
  failureCode,
  goods: [],
  detail: safeText`Nothing bought`,
});
const refused = (failureCode: FailureCode): PurchaseReport => ({
  state: 'REJECTED',
  failureCode,
  goods: [],
  detail: safeText`Refused`,
});

const endPauses = ({ orderId }: OrderKey) =>
  sql(database)`UPDATE supplier_purchases SET due_at = now() WHERE order_id = ${orderId}`;
const openCircuit = (name: string) =>
  sql(database)`INSERT INTO supplier_circuits (supplier, family, reason, probe_at)
       VALUES (${name}, 'VOUCHER', 'It fails', now() + interval '1 minute')`;
const purchasesOf = (order: OrderKey) =>
  listPurchases(database, order, ['READY', 'SENT', 'PENDING', 'DELIVERED', 'REJECTED', 'REPLACED']);

describe('The order moves to its next source', () => {
  test('When the first supplier was unavailable twice before sending, then the second one sells', async () => {
    firstAnswers([unavailable(), unavailable()]);
    const order = await placed(1, { from });
    await expect(buy(order)).rejects.toThrow('Down');
    expect(await sold(order)).toEqual({ first: 0, second: 0 });
    expect(await buy(order)).toMatchObject({ delivered: 1, open: 0, ready: 0 });
    expect(await sold(order)).toEqual({ first: 0, second: 1 });
  });

  test('When the first supplier asks to wait for more than 5 s, then the second one sells in the same call', async () => {
    firstAnswers([new SupplierUnavailable(safeText`Too many requests`, 5_001)]);
    const order = await placed(1, { from });
    expect(await buy(order)).toMatchObject({ delivered: 1, open: 0, ready: 0 });
    expect(await sold(order)).toEqual({ first: 0, second: 1 });
  });

  test('When the circuit of the first supplier is open, then the second one sells after one attempt', async () => {
    await openCircuit('simulator');
    firstAnswers([unavailable()]);
    const order = await placed(1, { from });
    expect(await buy(order)).toMatchObject({ delivered: 1 });
    expect(await sold(order)).toEqual({ first: 0, second: 1 });
  });

  test('When the circuit of the first supplier is open and the service holds the call back, then the second one sells', async () => {
    await openCircuit('simulator');
    firstAnswers([heldBack()]);
    const order = await placed(1, { from });
    expect(await buy(order)).toMatchObject({ delivered: 1 });
    expect(await sold(order)).toEqual({ first: 0, second: 1 });
  });

  test('When the first supplier is no longer configured, then the second one sells', async () => {
    const order = await placed(1, { from: [{ name: 'gone' }, { name: 'second' }] });
    firstAnswers([]);
    expect(await buy(order)).toMatchObject({ delivered: 1, unresolved: null });
    expect(await sold(order)).toEqual({ first: 0, second: 1 });
  });

  test.each<[string, () => Answer]>([
    ['refuses our account immediately', blocked],
    ['bought nothing because of our account', () => notBought('our-account')],
    ['bought nothing for a while', () => notBought('temporary')],
    ['does not sell this', () => notBought('not-here', 'PRODUCT_UNAVAILABLE')],
  ])(
    'When the first supplier %s, then the second one sells within the same call, and no operator decides',
    async (_what, answer) => {
      firstAnswers([answer()]);
      const order = await placed(1, { from });
      expect(await buy(order)).toMatchObject({ delivered: 1, open: 0, ready: 0, failureCode: null });
      expect(await sold(order)).toEqual({ first: 0, second: 1 });
      expect(await listed(order)).toEqual([]);
    },
  );

  test.each(families)(
    'When the first supplier reports after acceptance that it bought nothing (%s), then the second one sells',
    async (family) => {
      firstAnswers([{ state: 'PENDING', goods: [] }], { find: () => Promise.resolve(notBought('our-account')) });
      const order = await placed(1, { family, from });
      expect(await buy(order)).toMatchObject({ open: 1 });
      expect(await ask(order)).toMatchObject({ ready: 1, open: 0 });
      expect(await buy(order)).toMatchObject({ delivered: 1 });
      expect(await sold(order)).toEqual({ first: 0, second: 1 });
    },
  );

  test.each(families)('When the first supplier is out of stock (%s), then the second one sells', async (family) => {
    firstAnswers([refused('PRODUCT_OUT_OF_STOCK')]);
    const order = await placed(1, { family, from });
    expect(await buy(order)).toMatchObject({ delivered: 1, failureCode: null });
    expect(await sold(order)).toEqual({ first: 0, second: 1 });
    const [replaced, successor] = await purchasesOf(order);
    expect(replaced).toMatchObject({ supplier: 'simulator', state: 'REPLACED' });
    expect(successor).toMatchObject({ supplier: 'second', why: 'after simulator (refused): Refused' });
    expect((await verifyLedger(database, 9)).findings).toEqual([]);
  });

  test('When the first supplier rejects with an unknown code, then only a top-up order fails', async () => {
    for (const family of families) {
      firstAnswers([refused('UNKNOWN')]);
      const order = await placed(1, { family, from });
      const ended = await buy(order);
      expect(ended).toMatchObject(family === 'TOPUP' ? { failureCode: 'UNKNOWN' } : { delivered: 1 });
      expect(await sold(order)).toEqual({ first: 0, second: family === 'TOPUP' ? 0 : 1 });
    }
  });

  test('When the second supplier accepts fewer units per purchase, then it sells in several purchases', async () => {
    firstAnswers([refused('PRODUCT_OUT_OF_STOCK')]);
    const order = await placed(5, { from: [{ name: 'simulator' }, { name: 'second', maxUnits: 2 }] });
    expect(await buy(order)).toMatchObject({ delivered: 5, open: 0, ready: 0 });
    const units = (await purchasesOf(order)).map(({ supplier: at, firstUnit, units: n }) => [at, firstUnit, n]);
    expect(units).toEqual([
      ['simulator', 1, 5],
      ['second', 1, 2],
      ['second', 3, 2],
      ['second', 5, 1],
    ]);
    expect(await sold(order)).toEqual({ first: 0, second: 5 });
  });

  test('When late goods of the replaced purchase arrive, then they are quarantined', async () => {
    firstAnswers([notBought('temporary')]);
    const order = await placed(1, { from });
    expect(await buy(order)).toMatchObject({ delivered: 1 });
    await sellLate(order);
    expect([await quarantined(order), await readable(order)]).toEqual([1, 1]);
    expect(await sold(order)).toEqual({ first: 1, second: 1 });
  });

  test('When late goods arrive after the unit was replaced by another order, then they are quarantined for the old order', async () => {
    firstAnswers([notBought('temporary')]);
    const order = await placed(1, { from });
    await settleOrder(database, order.orderId, settlementOf(await buy(order)));
    const other = await replacementOf(order);
    await sellLate(order);
    expect([await quarantined(order), await readable(order)]).toEqual([1, 1]);
    expect(await buy(other)).toMatchObject({ delivered: 1 });
    expect([await quarantined(other), await readable(other)]).toEqual([0, 1]);
  });

  /** The first supplier sells under the reference of the given-up purchase, and the late check finds it. */
  async function sellLate(order: OrderKey): Promise<void> {
    const [replaced] = await purchasesOf(order);
    await sql(database)`UPDATE supplier_purchases SET late_check_at = now() WHERE order_id = ${order.orderId}
         AND late_check_at IS NOT NULL`;
    const [due] = await takeLateChecks(database, 'simulator', 1);
    expect(due?.reference).toBe(replaced?.reference);
    await sell({ reference: due!.reference, sku: due!.sku });
    await checkLate(due!);
  }

  /** Claims the unit of the order, and accepts the claim by another order from the same sources. */
  async function replacementOf({ orderId }: OrderKey): Promise<OrderKey> {
    const { clientId, sources } = await sql.one(database)<{ clientId: number; sources: Candidate[] }>`
      SELECT client_id AS "clientId", sources FROM orders WHERE id = ${orderId}`;
    const nonce = newNonce();
    const claimId = await newClaim(database, { clientId, orderId });
    return { orderId: await replaceClaim(database, claimId, { nonce, sources }), nonce };
  }
});

describe('The order stays at its source', () => {
  test.each<FailureCode>(['INVALID_RECIPIENT', 'RECIPIENT_BARRED', 'RECIPIENT_INELIGIBLE', 'AMOUNT_OUT_OF_RANGE'])(
    'When the rejection is because of recipient or amount (%s), then the order fails',
    async (code) => {
      firstAnswers([refused(code)]);
      const order = await placed(1, { family: 'TOPUP', from });
      expect(await buy(order)).toMatchObject({ delivered: 0, failureCode: code, open: 0, ready: 0 });
      expect(await sold(order)).toEqual({ first: 0, second: 0 });
    },
  );

  test('When the service holds the calls back, then the first supplier sells once they are made', async () => {
    firstAnswers([heldBack(), heldBack(), heldBack()]);
    const order = await placed(1, { from });
    for (let round = 0; round < 3; round++) await expect(buy(order)).rejects.toThrow('Too many calls wait');
    expect(await buy(order)).toMatchObject({ delivered: 1 });
    expect(await sold(order)).toEqual({ first: 1, second: 0 });
  });

  test('When the supplier asks to wait for 5 s, then the first supplier sells after the wait', async () => {
    firstAnswers([new SupplierUnavailable(safeText`Too many requests`, 5_000)]);
    const order = await placed(1, { from });
    await expect(buy(order)).rejects.toMatchObject({ retryAfterMs: 5_000 });
    expect(await buy(order)).toMatchObject({ delivered: 1, open: 0, ready: 0 });
    expect(await sold(order)).toEqual({ first: 1, second: 0 });
  });

  test('When the service itself holds a call back for long, then the first supplier sells once the call is made', async () => {
    firstAnswers([unavailable(), new CallHeldBack(safeText`Too many calls wait`, 60_000)]);
    const order = await placed(1, { from });
    await expect(buy(order)).rejects.toThrow('Down');
    await expect(buy(order)).rejects.toThrow('Too many calls wait');
    expect(await buy(order)).toMatchObject({ delivered: 1, open: 0, ready: 0 });
    expect(await sold(order)).toEqual({ first: 1, second: 0 });
  });

  test('When the service has held calls back, then they do not count as failures of the first supplier', async () => {
    firstAnswers([heldBack(), unavailable(), unavailable()]);
    const order = await placed(1, { from });
    await expect(buy(order)).rejects.toThrow('Too many calls wait');
    await expect(buy(order)).rejects.toThrow('Down');
    expect(await sold(order)).toEqual({ first: 0, second: 0 });
    expect(await buy(order)).toMatchObject({ delivered: 1 });
    expect(await sold(order)).toEqual({ first: 0, second: 1 });
  });

  test('When the purchase has waited for another one of its product, then the wait does not count as a failure', async () => {
    firstAnswers([new SupplierOutcomeUnknown(safeText`Lost`), unavailable()], {
      traits: { ...supplier.traits, concurrency: 'one-per-product' },
    });
    const [holding, order] = [await placed(1, { from }), await placed(1, { from })];
    await expect(buy(holding)).rejects.toThrow('may still run');
    const waiting = buy(order);
    await until('the wait', async () => (await purchaseOf(order)).attempt > 0);
    await sql(database)`UPDATE supplier_purchases SET holds_product = NULL`;
    await expect(waiting).rejects.toThrow('Down');
    expect(await buy(order)).toMatchObject({ delivered: 1 });
    expect(await sold(order)).toEqual({ first: 1, second: 0 });
  });

  test('When the response is lost, then the purchase is looked up at the first supplier, and the second one sells nothing', async () => {
    firstAnswers([], {
      purchase: async (request, mayBeSent) => {
        await supplier.purchase(request, mayBeSent);
        throw new SupplierOutcomeUnknown(safeText`Lost`);
      },
    });
    const order = await placed(1, { from });
    expect(await buy(order)).toMatchObject({ delivered: 1 });
    expect(await sold(order)).toEqual({ first: 1, second: 0 });
  });

  test('When a response is lost and lookups keep failing, then no supplier sells', async () => {
    const lost = () => new SupplierOutcomeUnknown(safeText`Lost`);
    firstAnswers([lost()], { find: () => Promise.reject(unavailable()) });
    const order = await placed(1, { from });
    for (let round = 0; round < 4; round++) await expect(buy(order)).rejects.toThrow('Down');
    expect(await sold(order)).toEqual({ first: 0, second: 0 });
  });

  test('When the purchase is accepted and its lookup is ambiguous, then the purchase stays open', async () => {
    firstAnswers([{ state: 'PENDING', goods: [] }], {
      find: () => Promise.resolve({ state: 'AMBIGUOUS', isShown: true, detail: safeText`Two rows` }),
    });
    const order = await placed(1, { from });
    expect(await buy(order)).toMatchObject({ open: 1 });
    expect(await ask(order)).toMatchObject({ open: 1, ready: 0 });
    expect(await sold(order)).toEqual({ first: 0, second: 0 });
  });

  test('When a unit has arrived before the rejection, then the second source sells nothing', async () => {
    const [unit] = (await sell({ reference: 'other' })).goods;
    firstAnswers([{ ...refused('PRODUCT_OUT_OF_STOCK'), goods: unit ? [unit] : [] }]);
    const order = await placed(2, { from });
    expect(await buy(order)).toMatchObject({ delivered: 1, failureCode: 'PRODUCT_OUT_OF_STOCK', ready: 0, open: 0 });
    expect(await sold(order)).toEqual({ first: 0, second: 0 });
  });

  test('When a purchase is conclusively absent after a lost response, then the same supplier sells it', async () => {
    firstAnswers([new SupplierOutcomeUnknown(safeText`Lost`), unavailable(), unavailable()]);
    const order = await placed(1, { from });
    await expect(buy(order)).rejects.toThrow('may still run');
    await age(order, 10_000);
    for (let round = 0; round < 2; round++) {
      await ask(order);
      await expect(buy(order)).rejects.toThrow('Down');
    }
    expect(await buy(order)).toMatchObject({ delivered: 1 });
    expect(await sold(order)).toEqual({ first: 1, second: 0 });
  });
});

test('When the first source rejects a cancelled order, then the next source sells nothing', async () => {
  firstAnswers([{ state: 'PENDING', goods: [] }], { find: () => Promise.resolve(refused('PRODUCT_OUT_OF_STOCK')) });
  const order = await placed(1, { from });
  expect(await buy(order)).toMatchObject({ open: 1 });
  expect(await withdraw(order)).toMatchObject({ ready: 0, open: 0, withdrawn: true });
  expect(await buy(order)).toMatchObject({ delivered: 0 });
  expect(await sold(order)).toEqual({ first: 0, second: 0 });
});

describe('An operator decides ELSEWHERE', () => {
  const elsewhere = { resolution: 'ELSEWHERE', reason: 'Seen in the portal: never sold' } as const;

  test('When the lookup finds nothing, then the next source buys', async () => {
    firstAnswers([new SupplierOutcomeUnknown(safeText`Lost`)]);
    const order = await placed(1, { from });
    await expect(buy(order)).rejects.toThrow('may still run');
    await expect(decisions.carryOut(order, elsewhere)).rejects.toThrow('may still run');
    await age(order, 10_000);
    expect(await decisions.carryOut(order, elsewhere)).toMatchObject({ ready: 1, open: 0 });
    // The repeat of the activity after its worker died.
    expect(await decisions.carryOut(order, elsewhere)).toMatchObject({ ready: 1, open: 0 });
    expect(await buy(order)).toMatchObject({ delivered: 1 });
    expect(await sold(order)).toEqual({ first: 0, second: 1 });
  });

  test('When the supplier shows the purchase, then the decision is rejected and the goods are delivered', async () => {
    firstAnswers([], {
      purchase: async (request, mayBeSent) => {
        await supplier.purchase(request, mayBeSent);
        throw new SupplierOutcomeUnknown(safeText`Lost`);
      },
      find: () => Promise.reject(unavailable()),
    });
    const order = await placed(1, { from });
    await expect(buy(order)).rejects.toThrow('Down');
    firstAnswers([]);
    await expect(decisions.carryOut(order, elsewhere)).rejects.toThrow('says that the purchase is DELIVERED');
    expect(await sold(order)).toEqual({ first: 1, second: 0 });
  });

  test('When the supplier does not report that nothing was bought, or no other source exists, then the decision is rejected', async () => {
    const unclear = { state: 'AMBIGUOUS', isShown: false, detail: safeText`Nonsense` } as const;
    firstAnswers([new SupplierOutcomeUnknown(safeText`Lost`)], { find: () => Promise.resolve(unclear) });
    const order = await placed(1, { from });
    await buy(order);
    await age(order, 10_000);
    await expect(decisions.carryOut(order, elsewhere)).rejects.toThrow('does not say that nothing was bought');
    firstAnswers([new SupplierOutcomeUnknown(safeText`Lost`)]);
    const single = await placed();
    await expect(buy(single)).rejects.toThrow('may still run');
    await age(single, 10_000);
    await expect(decisions.carryOut(single, elsewhere)).rejects.toThrow('has no other source');
    expect(await soldFor(order)).toHaveLength(0);
  });
});

describe('A worker stops between the answer to its attempt and its storage', () => {
  const unit = { kind: 'voucher' as const, cardNumber: 'STALE-1', pinCode: '1234' };

  /** A worker whose purchase is sent, but whose response arrives when the test calls `answer`. */
  async function stoppedWorker(order: OrderKey) {
    let answer: (report: PurchaseReport) => void = () => undefined;
    const answered = new Promise<PurchaseReport>((resolve) => (answer = resolve));
    let report: Promise<unknown> = Promise.resolve();
    await new Promise<void>((sent) => {
      const purchase = () => {
        sent();
        return answered;
      };
      report = purchasingWith({ ...supplier, purchase }, second).buy(order, goOn);
    });
    return async (stale: PurchaseReport) => {
      answer(stale);
      await report;
    };
  }

  test.each<[string, PurchaseReport]>([
    ['was rejected because of the recipient', refused('INVALID_RECIPIENT')],
    ['was rejected because of the supplier', refused('PRODUCT_OUT_OF_STOCK')],
    ['bought nothing', notBought('not-here', 'PRODUCT_UNAVAILABLE')],
    ['was rejected after a unit', { ...refused('PRODUCT_OUT_OF_STOCK'), goods: [unit] }],
  ])(
    'When the older attempt %s, then the newer attempt stays open, and the order gets its goods once',
    async (_what, stale) => {
      const order = await placed(1, { from });
      const resume = await stoppedWorker(order);
      firstAnswers([], {
        purchase: async (request, mayBeSent) => {
          await supplier.purchase(request, mayBeSent);
          return { state: 'PENDING', goods: [] };
        },
      });
      // The lookup counts from the time at which this process first saw the attempt.
      await expect(ask(order)).rejects.toThrow('may still run');
      await age(order, 60_000);
      expect(await ask(order)).toMatchObject({ ready: 1, open: 0 });
      expect(await buy(order)).toMatchObject({ delivered: 0, open: 1 });
      await resume(stale);
      expect(await purchaseOf(order)).toMatchObject({ state: 'PENDING', attempt: 2, failureCode: null });
      expect(await purchasesOf(order)).toHaveLength(1);
      expect(await ask(order)).toMatchObject({ delivered: 1, open: 0, ready: 0 });
      expect(await sold(order)).toEqual({ first: 1, second: 0 });
      expect(await quarantined(order)).toBe(0);
    },
  );
});

describe('Every source was tried', () => {
  test('When all sources reject permanently, then the order fails with the code of the first source', async () => {
    second = { ...second, purchase: () => Promise.resolve(refused('OPERATOR_UNAVAILABLE')) };
    firstAnswers([refused('PRODUCT_OUT_OF_STOCK')]);
    const order = await placed(1, { from });
    const report = await buy(order);
    expect(report).toMatchObject({ failureCode: 'PRODUCT_OUT_OF_STOCK', open: 0, ready: 0 });
    const ended = await settleOrder(database, order.orderId, settlementOf(report));
    expect(ended).toMatchObject({ status: 'FAILED', failureCode: 'PRODUCT_OUT_OF_STOCK', refund: { credited: true } });
  });

  test('When our accounts are empty at all suppliers, then the order waits and starts again with the first source', async () => {
    second = { ...second, purchase: () => Promise.resolve(notBought('our-account')) };
    firstAnswers([notBought('our-account')]);
    const order = await placed(1, { from });
    await expect(buy(order)).rejects.toBeInstanceOf(SupplierAccountBlocked);
    expect(await listed(order)).toEqual(['SUPPLIER_BLOCKED']);
    await expect(buy(order)).rejects.toThrow('after a pause');
    await endPauses(order);
    expect(await buy(order)).toMatchObject({ delivered: 1 });
    expect(await sold(order)).toEqual({ first: 1, second: 0 });
    expect(await listed(order)).toEqual([]);
  });

  test('When one source has rejected permanently and the other cannot sell for a while, then only the other is tried again', async () => {
    const answers = [notBought('temporary')];
    const { purchase } = second;
    second = { ...second, purchase: async (request, mayBeSent) => answers.shift() ?? purchase(request, mayBeSent) };
    firstAnswers([refused('PRODUCT_OUT_OF_STOCK')]);
    const order = await placed(1, { from });
    await expect(buy(order)).rejects.toThrow('Nothing bought');
    await endPauses(order);
    expect(await buy(order)).toMatchObject({ delivered: 1 });
    expect(await sold(order)).toEqual({ first: 0, second: 1 });
  });

  test.each(['paused', 'behind an open circuit'])(
    'When the next source is %s, then the first source is tried again before it',
    async (how) => {
      if (how === 'paused')
        await sql(database)`INSERT INTO supplier_pauses (supplier, reason) VALUES ('second', 'Dispute')`;
      else await openCircuit('second');
      firstAnswers([notBought('temporary')]);
      const order = await placed(1, { from });
      await expect(buy(order)).rejects.toThrow('Nothing bought');
      await endPauses(order);
      expect(await buy(order)).toMatchObject({ delivered: 1 });
      expect(await sold(order)).toEqual({ first: 1, second: 0 });
    },
  );
});
