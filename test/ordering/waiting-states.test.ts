/** Every state in which an order waits for an operator, with every decision: at least one decision ends each state. */
import { randomBytes } from 'node:crypto';
import { sql } from '../../dev/testbed/sql';
import { verifyLedger } from '../../src/data/ledger-verification';
import { settleOrder } from '../../src/data/orders/settle-order';
import { addOperatorGoods } from '../../src/data/purchases/quarantined-goods';
import type { Family } from '../../src/domain/orders/families';
import type { Goods, ReportedUnit } from '../../src/domain/orders/goods';
import {
  isConcluded,
  resolutions,
  settlementOf,
  type FulfilmentReport,
  type OrderKey,
  type Resolution,
} from '../../src/domain/orders/order-messages';
import type { SoldItem } from '../../src/domain/orders/contradicting-sale';
import { safeText } from '../../src/domain/safe-text';
import { DecisionRejected } from '../../src/ordering/purchasing/operator-decisions';
import { orderField } from '../../src/security/sealing';
import type { LookupReport, PurchaseReport, Supplier, SupplierTraits } from '../../src/domain/suppliers/port';
import {
  SupplierAccountBlocked,
  SupplierOutcomeUnknown,
  SupplierUnavailable,
} from '../../src/domain/suppliers/supplier-errors';
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
  listed,
  placed,
  purchaseOf,
  readable,
  sealer,
  supplier,
} from '../support/buying';

buysFromSimulator();

const voucher = (): Goods => ({ kind: 'voucher', cardNumber: `CODE-${randomBytes(8).toString('hex')}` });
const broken: ReportedUnit = { kind: 'voucher', cardNumber: 'AB\u200bCD' };
const detail = safeText`No reason`;
const delivered = (goods: ReportedUnit[], sold?: SoldItem): PurchaseReport => ({
  state: 'DELIVERED',
  supplierOrderId: 'P1',
  goods,
  ...(sold && { sold }),
});
const rejected = (goods: ReportedUnit[]): PurchaseReport => ({
  state: 'REJECTED',
  failureCode: 'UNKNOWN',
  detail,
  goods,
});
const notBought = (goods: ReportedUnit[]): PurchaseReport => ({
  state: 'NOT_BOUGHT',
  because: 'temporary',
  failureCode: 'UNKNOWN',
  detail,
  goods,
});
const lost = (): never => {
  throw new SupplierOutcomeUnknown(detail);
};
const silent = (): never => {
  throw new SupplierUnavailable(detail);
};
const blocked = (): never => {
  throw new SupplierAccountBlocked(detail);
};

interface Waiting {
  /** The supplier's response to the purchase, and to every lookup. `first`: whether it is about the first purchase. */
  purchase: (first: boolean) => PurchaseReport;
  find: (first: boolean) => LookupReport;
  family?: Family;
  quantity?: number;
  maxUnits?: number;
  traits?: Partial<SupplierTraits>;
  isGone?: boolean;
}

/** The supplier delivers the same units in every response. */
function selling(units: (first: boolean) => PurchaseReport): Pick<Waiting, 'purchase' | 'find'> {
  return { purchase: units, find: units };
}

async function waits(state: Waiting): Promise<OrderKey> {
  const { family = 'VOUCHER', quantity = 1, maxUnits = 500, traits, isGone } = state;
  const isFirst = (reference: string) => reference.endsWith('001');
  const scripted: Supplier = {
    ...supplier,
    traits: { ...supplier.traits, ...traits },
    purchase: async ({ reference }) => state.purchase(isFirst(reference)),
    find: async ({ reference }) => state.find(isFirst(reference)),
  };
  buyFrom(scripted);
  const order = await placed(quantity, { family, maxUnits });
  await buy(order).catch(() => undefined);
  await age(order, 60_000);
  await ask(order).catch(() => undefined);
  if (isGone) await sql(database)`UPDATE supplier_purchases SET supplier = 'gone' WHERE order_id = ${order.orderId}`;
  return order;
}

/** The number of units that the order lacks. */
async function missing({ orderId }: OrderKey): Promise<number> {
  return (
    (
      await sql.first(database)<{ missing: number }>`
    SELECT coalesce(sum(units - stored), 0)::integer AS missing FROM supplier_purchases
                WHERE order_id = ${orderId} AND state IN ('READY', 'SENT', 'PENDING')`
    )?.missing ?? 0
  );
}

async function goodsFor(order: OrderKey): Promise<number> {
  const goods = Array.from({ length: await missing(order) }, voucher);
  const sealed = sealer.seal(orderField(order.nonce, 'goods'), JSON.stringify(goods));
  return addOperatorGoods(database, order.orderId, sealed, goods.length);
}

async function decide(order: OrderKey, resolution: Resolution, family: Family = 'VOUCHER'): Promise<FulfilmentReport> {
  const isHanded = resolution === 'DELIVERED' && family !== 'TOPUP';
  const goods = isHanded ? { goods: await goodsFor(order) } : {};
  return decisions.carryOut(order, { resolution, reason: 'Ticket 7', ...goods });
}

type Effect = 'ends' | 'waits' | 'rejected';

async function effectOf(state: Waiting, resolution: Resolution): Promise<Effect> {
  const order = await waits(state);
  try {
    return isConcluded(await decide(order, resolution, state.family)) ? 'ends' : 'waits';
  } catch (error) {
    if (error instanceof DecisionRejected) return 'rejected';
    return 'waits';
  }
}

/** The effects in the order of `resolutions`: ASK_AGAIN, NOT_BOUGHT, DELIVERED, ELSEWHERE, UNUSABLE. */
const table: [string, Waiting, Effect[]][] = [
  [
    'the answer is lost, and the supplier shows nothing',
    { purchase: lost, find: () => ({ state: 'NOT_FOUND' }) },
    ['waits', 'ends', 'ends', 'rejected', 'rejected'],
  ],
  [
    'the answer is lost, and the supplier is out of reach',
    { purchase: lost, find: silent },
    ['waits', 'rejected', 'ends', 'rejected', 'rejected'],
  ],
  [
    'the answer is lost, and the supplier has no lookup',
    { purchase: lost, find: silent, traits: { lookup: 'none', repeatedReference: 'buys-again' } },
    ['waits', 'ends', 'ends', 'rejected', 'rejected'],
  ],
  [
    'the supplier contradicts itself',
    { purchase: lost, find: () => ({ state: 'AMBIGUOUS', isShown: true, detail }) },
    ['waits', 'ends', 'ends', 'rejected', 'rejected'],
  ],
  [
    'the supplier has forgotten an accepted purchase',
    { purchase: () => ({ state: 'PENDING', goods: [] }), find: () => ({ state: 'NOT_FOUND' }) },
    ['waits', 'ends', 'ends', 'rejected', 'rejected'],
  ],
  [
    'the supplier reversed the purchase',
    { purchase: lost, find: () => ({ state: 'REVERSED' }) },
    ['waits', 'ends', 'ends', 'rejected', 'rejected'],
  ],
  [
    'the supplier is not configured any more',
    { purchase: lost, find: silent, isGone: true },
    ['waits', 'ends', 'ends', 'rejected', 'rejected'],
  ],
  [
    'the supplier blocks our account',
    { purchase: blocked, find: () => ({ state: 'NOT_FOUND' }) },
    ['waits', 'ends', 'ends', 'rejected', 'rejected'],
  ],
  [
    'the supplier has not concluded an accepted purchase',
    selling(() => ({ state: 'PENDING', goods: [] })),
    ['waits', 'rejected', 'ends', 'rejected', 'rejected'],
  ],
  ['the code is unusable', selling(() => delivered([broken])), ['waits', 'rejected', 'ends', 'rejected', 'ends']],
  [
    'the code is unusable, and the supplier calls the purchase unfinished now',
    { purchase: () => delivered([broken]), find: () => ({ state: 'PENDING', goods: [] }) },
    ['waits', 'rejected', 'ends', 'rejected', 'ends'],
  ],
  [
    'the code is unusable, and the supplier is out of reach',
    { purchase: () => delivered([broken]), find: silent },
    ['waits', 'rejected', 'ends', 'rejected', 'ends'],
  ],
  [
    'a top-up went to somebody else',
    { ...selling(() => delivered([{ kind: 'topup' }], { recipients: ['+12025550199'] })), family: 'TOPUP' },
    ['waits', 'rejected', 'ends', 'rejected', 'ends'],
  ],
  [
    'the description contradicts the order',
    selling(() => delivered([voucher()], { sku: 'SIM-ANOTHER' })),
    ['waits', 'rejected', 'ends', 'rejected', 'ends'],
  ],
  [
    'one unit of three is unusable',
    {
      ...selling(
        (() => {
          const [one, two] = [voucher(), voucher()];
          return () => delivered([one, broken, two]);
        })(),
      ),
      quantity: 3,
    },
    ['waits', 'rejected', 'ends', 'rejected', 'ends'],
  ],
  [
    'the supplier delivered without goods',
    selling(() => delivered([])),
    ['waits', 'rejected', 'ends', 'rejected', 'ends'],
  ],
  [
    'the supplier delivered a top-up without goods',
    { ...selling(() => delivered([])), family: 'TOPUP' },
    ['waits', 'rejected', 'ends', 'rejected', 'ends'],
  ],
  [
    'a top-up went to somebody else, and the supplier shows no goods any more',
    {
      purchase: () => delivered([{ kind: 'topup' }], { recipients: ['+12025550199'] }),
      find: () => delivered([], { recipients: ['+12025550199'] }),
      family: 'TOPUP',
    },
    ['waits', 'rejected', 'ends', 'rejected', 'ends'],
  ],
  [
    'the supplier refused the rest of a purchase whose first unit is unusable',
    { ...selling(() => rejected([broken])), quantity: 2 },
    ['waits', 'rejected', 'ends', 'rejected', 'ends'],
  ],
  [
    'the supplier says that it sold nothing, although an unusable unit arrived',
    { purchase: () => ({ state: 'PENDING', goods: [broken] }), find: () => notBought([]) },
    ['waits', 'ends', 'ends', 'rejected', 'ends'],
  ],
  [
    'one unit of two is unusable, and the supplier still works on the other',
    { ...selling(() => ({ state: 'PENDING', goods: [broken] })), quantity: 2 },
    ['waits', 'rejected', 'ends', 'rejected', 'rejected'],
  ],
  [
    'the id of the purchase repeats the customer’s input',
    { ...selling(() => ({ ...delivered([{ kind: 'topup' }]), supplierOrderId: '12025550100' })), family: 'TOPUP' },
    ['waits', 'rejected', 'ends', 'rejected', 'rejected'],
  ],
  [
    'one purchase is unusable and one is unknown',
    {
      quantity: 2,
      maxUnits: 1,
      purchase: (first) => (first ? delivered([broken]) : lost()),
      find: (first) => (first ? delivered([broken]) : silent()),
    },
    ['waits', 'rejected', 'ends', 'rejected', 'waits'],
  ],
];

test.each(table)(
  'When %s, then each decision has its effect, and at least one ends the waiting',
  async (_name, state, effects) => {
    const found: Effect[] = [];
    for (const resolution of resolutions) found.push(await effectOf(state, resolution));
    expect(found).toEqual(effects);
    expect(found).toContain('ends');
  },
);

/** Ends the order as its workflow does. */
async function settled(order: OrderKey, report: FulfilmentReport) {
  expect(isConcluded(report)).toBe(true);
  return settleOrder(database, order.orderId, settlementOf(report));
}

async function findingsOf({ orderId }: OrderKey) {
  const { findings } = await verifyLedger(database, 1_000);
  return findings.filter(({ subject }) => subject === `order ${orderId}`);
}

describe('Unusable goods', () => {
  test('When one unit of three is unusable, then UNUSABLE keeps the other two and refunds a third of the price, and the ledger is sound', async () => {
    const good = [voucher(), voucher()] as const;
    const cost = { amount: '24.6', currency: 'EUR' };
    const order = await waits({
      ...selling(() => ({ ...delivered([good[0], broken, good[1]]), cost }) as PurchaseReport),
      quantity: 3,
    });
    const end = await settled(order, await decide(order, 'UNUSABLE'));
    expect(end).toMatchObject({ status: 'FAILED', delivered: 2, refund: { amount: '10', credited: true } });
    expect([await readable(order), await quarantined(order)]).toEqual([2, 1]);
    const { reference } = await purchaseOf(order);
    expect(await entries(order)).toEqual([
      {
        kind: 'GOODS_APART',
        reason: `1 of its units are unusable or came without goods; they cost \uE0008.2 EUR\uE001 (${reference})`,
      },
    ]);
    expect(await findingsOf(order)).toEqual([]);
    // A later lookup shows the same goods, which are in quarantine already.
    await checkLate(await purchaseOf(order));
    expect([await quarantined(order), await listed(order)]).toEqual([1, ['GOODS_APART']]);
  });

  test('When one purchase is unusable and one is unknown, then UNUSABLE ends the first alone, and NOT_BOUGHT the other', async () => {
    let isShown = false;
    const order = await waits({
      quantity: 2,
      maxUnits: 1,
      purchase: (first) => (first ? delivered([broken]) : lost()),
      find: (first) => {
        if (first) return delivered([broken]);
        return isShown ? { state: 'NOT_FOUND' } : silent();
      },
    });
    expect(await decide(order, 'UNUSABLE')).toMatchObject({ open: 1, ready: 0 });
    expect((await purchaseOf(order, 2)).state).toBe('SENT');
    expect(await decide(order, 'UNUSABLE')).toMatchObject({ open: 1 });
    isShown = true;
    const end = await settled(order, await decide(order, 'NOT_BOUGHT'));
    expect(end).toMatchObject({ status: 'FAILED', delivered: 0, refund: { amount: '20', credited: true } });
    expect(await findingsOf(order)).toEqual([]);
  });

  test('When no goods are unusable, then UNUSABLE is rejected and changes nothing', async () => {
    const order = await waits({ purchase: lost, find: () => ({ state: 'NOT_FOUND' }) });
    await expect(decide(order, 'UNUSABLE')).rejects.toThrow('has only unusable goods left');
    expect((await purchaseOf(order)).failureCode).toBeNull();
  });
});

async function entries({ orderId }: OrderKey) {
  return sql(database)`SELECT kind, reason FROM attention WHERE order_id = ${orderId} AND cleared_at IS NULL`;
}
