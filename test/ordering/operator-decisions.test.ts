/** Decisions of operators about purchases, and suppliers that contradict them. */
import { randomBytes } from 'node:crypto';
import { rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { familyStorage } from '../../src/data/purchases/families';
import { addOperatorGoods, listKnownHashes } from '../../src/data/purchases/quarantined-goods';
import { settleOrder } from '../../src/data/orders/settle-order';
import type { SettlementDifference } from '../../src/data/purchases/settlement-differences';
import type { Sale } from '../../src/data/purchases/statement-comparison';
import type { OrderKey } from '../../src/domain/orders/order-messages';
import type { Family } from '../../src/domain/orders/families';
import { orderField } from '../../src/security/sealing';
import type { Goods } from '../../src/domain/orders/goods';
import { lockWaits } from '../support/lock-waits';
import { purchaseOf as purchaseRequest } from '../support/simulator';
import { compareStated } from '../../src/ordering/maintenance/statement-differences';
import {
  age,
  ask,
  behaveWell,
  buy,
  buyFrom,
  buysFromSimulator,
  database,
  decisions,
  listed,
  misbehave,
  pass,
  placed,
  purchaseOf,
  readable,
  sealer,
  soldFor,
  supplier,
} from '../support/buying';

buysFromSimulator();

describe('An operator decides', () => {
  /** The statement of a supplier that sold nothing. */
  async function* noSales(): AsyncGenerator<Sale[]> {}

  /** An order whose purchase has an unknown outcome. */
  async function waitingForOperator(quantity = 1, family: Family = 'VOUCHER'): Promise<OrderKey> {
    await misbehave({ answer_lost: { when: 'before_buying', by: 'silence' } });
    const order = await placed(quantity, { family });
    await expect(buy(order)).rejects.toThrow();
    return order;
  }

  test('When the purchase was sent a moment ago, then NOT_BOUGHT is rejected', async () => {
    const order = await waitingForOperator();
    await expect(decisions.carryOut(order, { resolution: 'NOT_BOUGHT', reason: 'r' })).rejects.toThrow(
      'try again in a minute',
    );
  });

  test('When the supplier has the purchase, then NOT_BOUGHT is rejected and the goods are delivered', async () => {
    await misbehave({ answer_lost: { when: 'after_buying', by: 'silence' }, silent: ['lookup'] });
    const order = await placed();
    await expect(buy(order)).rejects.toThrow();
    await age(order, 60_000);
    await behaveWell();
    await expect(decisions.carryOut(order, { resolution: 'NOT_BOUGHT', reason: 'r' })).rejects.toThrow('is DELIVERED');
    expect(await ask(order)).toMatchObject({ delivered: 1, open: 0 });
  });

  test.each([
    ['a purchase was sent a moment ago', 0, 'try again in a minute'],
    ['the supplier has the second purchase', 60_000, 'is DELIVERED'],
  ])('When %s, then NOT_BOUGHT is rejected and changes no other purchase', async (_, ageMs, refusal) => {
    const order = await placed(3, { maxUnits: 1 });
    const sent = `UPDATE supplier_purchases SET state = 'SENT', attempt = 1, sent_at = now()
                   WHERE order_id = $orderId AND batch <= 2`;
    await rows(database, sent, { orderId: order.orderId });
    if (ageMs > 0) {
      const { reference } = await purchaseOf(order, 2);
      await supplier.purchase(purchaseRequest({ reference }), () => true);
      // This process must have seen the sent purchase, so that its own clock also counts the time.
      expect(await ask(order)).toMatchObject({ delivered: 1, open: 1 });
      await rows(database, `${sent} AND batch = 2`, { orderId: order.orderId });
      await age(order, ageMs);
    }
    const states = async () => Promise.all([1, 2, 3].map(async (batch) => (await purchaseOf(order, batch)).state));
    const decision = { resolution: 'NOT_BOUGHT', reason: 'r' } as const;
    await expect(decisions.carryOut(order, decision)).rejects.toThrow(refusal);
    expect(await states()).toEqual(['SENT', ageMs > 0 ? 'DELIVERED' : 'SENT', 'READY']);
    await age(order, 60_000);
    await ask(order).catch(() => undefined);
    await age(order, 60_000);
    expect(await decisions.carryOut(order, decision)).toMatchObject({ open: 0, ready: 0 });
  });

  test('When the supplier has blocked our account, then NOT_BOUGHT fails the order with the reason', async () => {
    await misbehave({ account_blocked: { on: ['purchase'], status: 402 } });
    const order = await placed(2, { maxUnits: 1 });
    await expect(buy(order)).rejects.toThrow();
    expect(await listed(order)).toEqual(['SUPPLIER_BLOCKED']);
    const decided = await decisions.carryOut(order, { resolution: 'NOT_BOUGHT', reason: 'Their mail' });
    expect(decided).toMatchObject({ open: 0, ready: 0, withdrawn: false, failureCode: 'UNKNOWN' });
    const written = { result: 'REJECTED: Operator: Their mail' };
    expect(decided.purchases).toMatchObject([written, written]);
  });

  test('When the supplier cannot be polled, then NOT_BOUGHT is rejected', async () => {
    const order = await waitingForOperator();
    await age(order, 60_000);
    await misbehave({ silent: ['lookup'] });
    await expect(decisions.carryOut(order, { resolution: 'NOT_BOUGHT', reason: 'r' })).rejects.toThrow(
      'cannot be polled',
    );
  });

  /** An order whose responses were lost long ago. Each lookup takes `lookUpMs` on this process's clock, and shows nothing. */
  async function lostLongAgo(purchases: number, lookUpMs: number) {
    const order = await placed(purchases, { maxUnits: 1, from: [{ name: 'simulator' }, { name: 'second' }] });
    await sql(database)`UPDATE supplier_purchases SET state = 'SENT', attempt = 1, sent_at = now()
         WHERE order_id = ${order.orderId}`;
    await ask(order).catch(() => undefined);
    await age(order, 60_000);
    let lookUps = 0;
    buyFrom({
      ...supplier,
      find: async () => {
        lookUps += 1;
        pass(lookUpMs);
        return { state: 'NOT_FOUND' };
      },
    });
    return { order, lookUps: () => lookUps };
  }

  const statesOf = async ({ orderId }: OrderKey) => {
    return (
      await sql(database)<{ state: string }>`SELECT state FROM supplier_purchases
         WHERE order_id = ${orderId} ORDER BY batch`
    ).map(({ state }) => state);
  };

  test('When there is no time to look up every purchase, then NOT_BOUGHT changes nothing, and its repetitions look up the rest', async () => {
    const { order, lookUps } = await lostLongAgo(10, 15_000);
    const decide = () => decisions.carryOut(order, { resolution: 'NOT_BOUGHT', reason: 'r' });
    await expect(decide()).rejects.toThrow('6 purchases were not looked up in time, so nothing was changed');
    expect(new Set(await statesOf(order))).toEqual(new Set(['SENT']));
    await expect(decide()).rejects.toThrow('2 purchases were not looked up in time');
    expect(await decide()).toMatchObject({ open: 0, ready: 0 });
    expect(lookUps()).toBe(10);
  });

  test.each(['NOT_BOUGHT', 'ELSEWHERE'] as const)(
    'When the lookup ends only when the attempt is about to count as failed, then %s changes nothing',
    async (resolution) => {
      const { order } = await lostLongAgo(1, 90_000);
      const tooLate = decisions.carryOut(order, { resolution, reason: 'r' });
      await expect(tooLate).rejects.toThrow('took too long, so nothing was changed');
      expect(await statesOf(order)).toEqual(['SENT']);
    },
  );

  const voucher = (): Goods => ({ kind: 'voucher', cardNumber: randomBytes(8).toString('hex'), pinCode: '1234' });
  const profile = (): Goods => ({
    kind: 'esim',
    iccid: `89${randomBytes(8).readBigUInt64BE().toString().padStart(17, '1').slice(0, 17)}`,
    activationCode: `LPA:1$rsp.example.com$${randomBytes(8).toString('hex')}`,
  });

  async function store(order: OrderKey, goods: Goods[]): Promise<number> {
    const sealed = sealer.seal(orderField(order.nonce, 'goods'), JSON.stringify(goods));
    return addOperatorGoods(database, order.orderId, sealed, goods.length);
  }

  async function deliver(order: OrderKey, goods: Goods[]) {
    const stored = await store(order, goods);
    return decisions.carryOut(order, { resolution: 'DELIVERED', reason: 'By phone', goods: stored });
  }

  /** Delivers the unit to another order, so that its code is known. */
  async function deliverElsewhere(unit: Goods): Promise<void> {
    await deliver(await placed(1, { family: unit.kind === 'esim' ? 'ESIM' : 'VOUCHER' }), [unit]);
  }

  /** Makes the decision wait for a purchase's row while another order gets the unit. Returns the decision's error. */
  async function overtake(order: OrderKey, batch: number, goods: Goods[], taken: Goods): Promise<unknown> {
    let decided: Promise<unknown> = Promise.resolve();
    await database.transaction(async (transaction) => {
      await sql(database, transaction)`SELECT FROM supplier_purchases WHERE order_id = ${order.orderId}
           AND batch = ${batch} FOR UPDATE`;
      decided = deliver(order, goods).catch((error: unknown) => error);
      await lockWaits(database, 1, 'supplier_purchases');
      await deliverElsewhere(taken);
    });
    return decided;
  }

  const codeIsKnown = 'A code belongs to another unit already';
  const isUndecided = { state: 'READY', confirmed: false, attempt: 0, stored: 0 };

  test.each<[Family, () => Goods]>([
    ['VOUCHER', voucher],
    ['ESIM', profile],
  ])(
    'When a code of the goods for a purchase of family %s belongs to another unit, then the goods are rejected and the purchase is made as before',
    async (family, unit) => {
      const order = await placed(1, { family });
      const known = unit();
      await deliverElsewhere(known);
      await expect(deliver(order, [known])).rejects.toThrow(codeIsKnown);
      expect(await purchaseOf(order)).toMatchObject(isUndecided);
      expect(await buy(order)).toMatchObject({ delivered: 1, open: 0, ready: 0 });
      expect(await soldFor(order)).toHaveLength(1);
    },
  );

  test('When goods with a known code are rejected, then an empty lookup still allows a purchase with a lost response to be made', async () => {
    const order = await waitingForOperator();
    const known = voucher();
    await deliverElsewhere(known);
    await expect(deliver(order, [known])).rejects.toThrow(codeIsKnown);
    expect(await purchaseOf(order)).toMatchObject({ state: 'SENT', confirmed: false });
    await behaveWell();
    await age(order, 60_000);
    expect(await ask(order)).toMatchObject({ ready: 1, open: 0 });
    expect(await buy(order)).toMatchObject({ delivered: 1, open: 0, ready: 0 });
  });

  test.each<[Family, () => Goods[]]>([
    ['VOUCHER', () => [voucher(), voucher()]],
    ['ESIM', () => [profile()]],
  ])(
    'When another order gets a unit of family %s while the decision is carried out, then no unit is stored and the purchase is made as before',
    async (family, units) => {
      const goods = units();
      const order = await placed(goods.length, { family });
      const taken = goods[goods.length - 1] as Goods;
      expect(await overtake(order, 1, goods, taken)).toMatchObject({ message: expect.stringContaining(codeIsKnown) });
      expect(await readable(order)).toBe(0);
      expect(await purchaseOf(order)).toMatchObject(isUndecided);
      expect(await buy(order)).toMatchObject({ delivered: goods.length, open: 0, ready: 0 });
    },
  );

  test('When the operator supplies the goods, then the order gets them and nothing is bought', async () => {
    const order = await waitingForOperator(2);
    const goods = await store(order, [voucher(), voucher()]);
    const decision = { resolution: 'DELIVERED', reason: 'By phone', goods } as const;
    expect(await decisions.carryOut(order, decision)).toMatchObject({ delivered: 2, open: 0, ready: 0 });
    expect(await settleOrder(database, order.orderId, {})).toMatchObject({ status: 'DELIVERED' });
    expect(await soldFor(order)).toEqual([]);
  });

  test('When the goods do not match the order, then they are rejected and nothing is delivered', async () => {
    const order = await waitingForOperator(2);
    const decide = async (goods: number | undefined) =>
      decisions.carryOut(order, { resolution: 'DELIVERED', reason: 'r', ...(goods !== undefined && { goods }) });
    await expect(decide(undefined)).rejects.toThrow('needs its goods');
    await expect(decide(await store(await placed(), [voucher(), voucher()]))).rejects.toThrow('needs its goods');
    await expect(decide(await store(order, [voucher()]))).rejects.toThrow('miss 2 units, the goods are 1');
    expect(await readable(order)).toBe(0);
  });

  const used = async (goodsId: number) =>
    sql.first(database)`SELECT used_at IS NOT NULL AS used FROM quarantined_goods WHERE id = ${goodsId}`;

  test('When the supplier rejected a part of the order, then goods that include this part are rejected before any unit is stored', async () => {
    const order = await placed(3, { maxUnits: 1 });
    await sql(database)`UPDATE supplier_purchases
         SET state = CASE batch WHEN 2 THEN 'REJECTED' ELSE 'SENT' END, attempt = 1, sent_at = now()
        WHERE order_id = ${order.orderId}`;
    const decide = (goods: number) => decisions.carryOut(order, { resolution: 'DELIVERED', reason: 'By phone', goods });
    const tooMany = await store(order, [voucher(), voucher(), voucher()]);
    await expect(decide(tooMany)).rejects.toThrow(
      'The open purchases of the order miss 2 units, the goods are 3: nothing was delivered. Give exactly 2 units; ' +
        'units that the supplier rejected are refunded and need none',
    );
    expect([await readable(order), await used(tooMany)]).toEqual([0, { used: false }]);
    const fitting = await store(order, [voucher(), voucher()]);
    for (let times = 0; times < 2; times++)
      expect(await decide(fitting)).toMatchObject({ delivered: 2, open: 0, ready: 0 });
    expect([await readable(order), await used(fitting)]).toEqual([2, { used: true }]);
  });

  test('When a decision failed between two purchases, then its repeat delivers the rest', async () => {
    const order = await placed(2, { maxUnits: 1 });
    await sql(database)`UPDATE supplier_purchases SET state = 'SENT', attempt = 1, sent_at = now()
         WHERE order_id = ${order.orderId}`;
    const [one, another] = [voucher(), voucher()];
    const decide = (goods: number) => decisions.carryOut(order, { resolution: 'DELIVERED', reason: 'By phone', goods });
    expect(await overtake(order, 2, [one, another], another)).toMatchObject({
      message: expect.stringContaining(codeIsKnown),
    });
    expect(await readable(order)).toBe(1);
    await expect(decide(await store(order, [one, another, voucher()]))).rejects.toThrow('miss 1 units');
    const fitting = await store(order, [one, voucher()]);
    expect(await decide(fitting)).toMatchObject({ delivered: 2, open: 0, ready: 0 });
    expect([await readable(order), await used(fitting)]).toEqual([2, { used: true }]);
  });

  test('When it takes too long to store the goods, then the attempt ends, and the next one stores the rest', async () => {
    const order = await placed(3, { maxUnits: 1 });
    const goods = await store(order, [voucher(), voucher(), voucher()]);
    const decide = () => decisions.carryOut(order, { resolution: 'DELIVERED', reason: 'r', goods });
    const storage = familyStorage.VOUCHER;
    const storeUnits = storage.storeUnits.bind(storage);
    jest.spyOn(storage, 'storeUnits').mockImplementationOnce((...args) => {
      pass(90_000);
      return storeUnits(...args);
    });
    await expect(decide()).rejects.toThrow('carried out in part: the same decision continues it');
    expect(await readable(order)).toBe(1);
    expect(await decide()).toMatchObject({ delivered: 3, open: 0, ready: 0 });
  });

  test('When a code of the second purchase belongs to another unit, then the first purchase gets nothing either', async () => {
    const order = await placed(2, { maxUnits: 1 });
    const known = voucher();
    await deliverElsewhere(known);
    await expect(deliver(order, [voucher(), known])).rejects.toThrow(codeIsKnown);
    expect(await readable(order)).toBe(0);
    for (const batch of [1, 2]) expect(await purchaseOf(order, batch)).toMatchObject(isUndecided);
  });

  test('When the id of an order exceeds 32 bits, then its codes can be looked up', async () => {
    expect(await listKnownHashes(database, [Buffer.alloc(32)], 2 ** 32)).toEqual([]);
  });

  test('When every purchase has ended meanwhile, then the goods are rejected and not marked as used', async () => {
    const order = await placed();
    const goods = await store(order, [voucher()]);
    await buy(order);
    await expect(decisions.carryOut(order, { resolution: 'DELIVERED', reason: 'By phone', goods })).rejects.toThrow(
      'none of the goods was delivered',
    );
    expect([await readable(order), await used(goods)]).toEqual([1, { used: false }]);
  });

  test('When the order is a top-up, then DELIVERED needs no goods', async () => {
    const order = await waitingForOperator(1, 'TOPUP');
    const decision = { resolution: 'DELIVERED', reason: 'The customer has it' } as const;
    expect(await decisions.carryOut(order, decision)).toMatchObject({ delivered: 1, open: 0 });
    // The supplier sold nothing, and reconciliation does not expect a sale.
    for (const repeated of [false, true]) {
      if (repeated) await decisions.carryOut(order, decision);
      const found: SettlementDifference[] = [];
      await compareStated(
        database,
        { supplier: 'simulator', pages: noSales(), begins: new Date(Date.now() - 60_000) },
        { found: (some) => void found.push(...some) },
      );
      expect(found.filter(({ orderId }) => orderId === order.orderId)).toEqual([]);
    }
  });
});
