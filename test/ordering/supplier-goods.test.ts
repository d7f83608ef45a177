/** The goods in supplier reports: stored, quarantined, or left to an operator. */
import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Modes } from '../../dev/simulator/modes';
import { sql } from '../../dev/testbed/sql';
import type { Family } from '../../src/domain/orders/families';
import { goodsRemark } from '../../src/domain/orders/usable-goods';
import { Purchasing } from '../../src/ordering/purchasing/purchasing';
import type { Key } from '../../src/security/key-ring';
import type { EsimGoods, Goods } from '../../src/domain/orders/goods';
import type { OrderKey } from '../../src/domain/orders/order-messages';
import { profileFault } from '../../src/domain/orders/usable-goods';
import { orderField, Sealer } from '../../src/security/sealing';
import { addOperatorGoods } from '../../src/data/purchases/quarantined-goods';
import type { PurchaseReport, Supplier } from '../../src/domain/suppliers/port';
import { type ShownPurchase, startShowing, supplierAt } from '../support/simulator';
import { newKey, ringOf } from '../support/keys';
import {
  quarantined,
  ask,
  behaveWell,
  buy,
  buyFrom,
  buysFromSimulator,
  checkLate,
  database,
  decisions,
  dependenciesWith,
  goOn,
  listed,
  misbehave,
  placed,
  purchaseOf,
  purchasingWith,
  readable,
  sealer,
  skus,
  supplier,
} from '../support/buying';
import { ownMoment } from '../../src/domain/time';

buysFromSimulator();

/** An activation code that no other unit has. */
const newLpa = () => `LPA:1$rsp.example.com$${randomBytes(8).toString('hex')}`;

describe('Goods in supplier reports', () => {
  test.each(['refused_first', 'refused_last', 'delivered'] as const)(
    'When a lookup has a second row (%s), then the order is neither failed nor delivered but waits for an operator',
    async (second_row) => {
      await misbehave({ answer_lost: { when: 'after_buying', by: 'silence' }, second_row });
      const order = await placed();
      expect(await buy(order)).toMatchObject({
        open: 1,
        delivered: 0,
        unresolved: expect.stringMatching(/is unknown\. The supplier shows 2 purchases/),
      });
      await behaveWell();
      expect(await ask(order)).toMatchObject({ open: 0, delivered: 1, unresolved: null });
    },
  );

  test.each<[string, Modes, RegExp]>([
    ['cannot be read', { unreadable_units: [2] }, /unit 2: /],
    ['has an expiry that is not a date', { bad_expiry_units: [2] }, /unit 2: .*date/],
    ['repeats the first one', { repeated_goods: 'within_answer' }, /unit 3: its code belongs to another unit/],
  ])(
    'When one unit of three %s, then the service stores the others and reports the fault',
    async (_what, modes, fault) => {
      await misbehave(modes);
      const order = await placed(3);
      expect(await buy(order)).toMatchObject({ delivered: 2, open: 1, unresolved: expect.stringMatching(fault) });
      expect((await purchaseOf(order)).supplierOrderId).toMatch(/^P/);
      await behaveWell();
      expect(await ask(order)).toMatchObject({ delivered: 3, open: 0, unresolved: null });
    },
  );

  test('When the supplier reports a delivery with a missing unit, then the purchase is polled again', async () => {
    await misbehave({ wrong_count: -1 });
    const order = await placed(3);
    expect(await buy(order)).toMatchObject({ delivered: 2, open: 1, unresolved: expect.stringMatching(/2 of 3/) });
    await behaveWell();
    expect(await ask(order)).toMatchObject({ delivered: 3, open: 0 });
  });

  test('When the supplier shows one unit too many, then the surplus unit is quarantined', async () => {
    await misbehave({ wrong_count: 1 });
    const order = await placed(2);
    expect(await buy(order)).toMatchObject({ delivered: 2, open: 0 });
    expect([await quarantined(order), await readable(order)]).toEqual([1, 2]);
    expect(await listed(order)).toEqual(['GOODS_APART']);
  });

  test.each<Family>(['VOUCHER', 'ESIM'])(
    'When the goods of a %s belong to another order, then they are not delivered a second time',
    async (family) => {
      const first = await placed(1, { family });
      expect(await buy(first)).toMatchObject({ delivered: 1 });
      await misbehave({ repeated_goods: 'from_another_purchase' });
      const second = await placed(1, { family });
      expect(await buy(second)).toMatchObject({
        delivered: 0,
        open: 1,
        unresolved: 'The supplier delivered unusable goods: unit 1: its code belongs to another unit already',
      });
      expect(await readable(second)).toBe(0);
      await behaveWell();
      expect(await ask(second)).toMatchObject({ delivered: 1, open: 0 });
    },
  );

  test('When two profiles have one activation code, then one order gets it, unless they come from a sandbox', async () => {
    const code = newLpa();
    const selling = (special: Partial<EsimGoods>) => {
      const iccid = `89${randomInt(1e8, 1e9)}${randomInt(1e8, 1e9)}`.slice(0, 19);
      const goods: Goods[] = [{ kind: 'esim', iccid, activationCode: code, ...special }];
      const bought = { state: 'DELIVERED' as const, supplierOrderId: 'P1', goods };
      return purchasingWith({ ...supplier, purchase: async () => bought, find: async () => bought });
    };
    const buyOne = async (special: Partial<EsimGoods> = {}) =>
      selling(special).buy(await placed(1, { family: 'ESIM' }), goOn);
    expect(await buyOne()).toMatchObject({ delivered: 1 });
    expect(await buyOne({ activationCode: `${code.slice(4)}$1.2.3` })).toMatchObject({
      delivered: 0,
      unresolved: expect.stringContaining('its code belongs to another unit already'),
    });
    expect(await buyOne({ isTest: true })).toMatchObject({ delivered: 1 });
    expect(await buyOne({ isTest: true })).toMatchObject({ delivered: 1 });
  });

  test('When the check digit of an ICCID is wrong, then the eSIM is delivered, and the purchase has a remark for operators', async () => {
    const profile = { iccid: `89${randomInt(1e8, 1e9)}${randomInt(1e6, 1e7)}0`, activation_code: newLpa() };
    const digit = ({ iccid }: typeof profile) => goodsRemark({ kind: 'esim', iccid, activationCode: '' });
    if (digit(profile) === undefined) profile.iccid = `${profile.iccid.slice(0, -1)}1`;
    await showing(() => showingGoods({ ...profile, iccid: `${profile.iccid}F` }));
    const order = await placed(1, { family: 'ESIM' });
    expect(await buy(order)).toMatchObject({ delivered: 1, open: 0, unresolved: null });
    const details = await sql(database)`SELECT detail FROM supplier_purchases
         WHERE order_id = ${order.orderId}`;
    expect(details).toEqual([{ detail: 'The check digit of the ICCID is wrong' }]);
  });

  test('When a code arrives for five orders concurrently, then one order gets it', async () => {
    const goods: Goods[] = [{ kind: 'voucher', cardNumber: `CODE-${randomBytes(4).toString('hex')}` }];
    const same = purchasingWith({
      ...supplier,
      purchase: async () => ({ state: 'DELIVERED', supplierOrderId: 'P1', goods }),
      find: async () => ({ state: 'DELIVERED', supplierOrderId: 'P1', goods }),
    });
    const orders = await Promise.all(Array.from({ length: 5 }, () => placed()));
    const reports = await Promise.all(orders.map((order) => same.buy(order, goOn)));
    expect(reports.reduce((sum, { delivered }) => sum + delivered, 0)).toBe(1);
    expect(reports.filter(({ unresolved }) => unresolved !== null)).toHaveLength(4);
  });

  /** Buys from a server that shows this purchase for every reference. */
  async function showing(shown: () => ShownPurchase): Promise<void> {
    const real = supplierAt({ url: await startShowing(shown) }, { lookupTimeoutMs: 2_000 });
    buyFrom({ ...real, traits: { ...real.traits, lookupConclusiveAfterMs: 0 } });
  }
  const showingGoods = (...goods: object[]) => ({ goods: goods.map((unit) => JSON.stringify(unit)).join() });
  const defects = async ({ orderId }: { orderId: number }) =>
    (
      await sql(database)<{ defect: string | null }>`SELECT defect FROM quarantined_goods
           WHERE order_id = ${orderId}`
    ).map(({ defect }) => defect);
  /** With a valid check digit. */
  function newIccid(): string {
    const digits = `8944${randomBytes(8).readBigUInt64BE().toString().padStart(14, '1').slice(-14)}`;
    const activationCode = 'LPA:1$rsp.example.com$CODE';
    const isUsable = (iccid: string) => profileFault({ iccid, activationCode }) === undefined;
    return [...'0123456789'].map((last) => digits + last).find(isUsable) ?? '';
  }
  const newCode = () => `Code-${randomBytes(4).toString('hex')}`;

  test.each<[string, string | Buffer]>([
    ['a code of three spaces', '{"card_number":"   "}'],
    ['a code with half a character', '{"card_number":"AB\\ud800CD"}'],
    ['a code with a byte that is not text', Buffer.from('{"card_number":"AB\xffCD"}', 'latin1')],
    ['a code with a zero-width space after it', '{"card_number":"ABCD\\u200b"}'],
    ['a code with a byte order mark before it', '{"card_number":"\\ufeffABCD"}'],
    ['a code with a direction override', '{"card_number":"AB\\u202eCD"}'],
    ['a code of two lines', '{"card_number":"AB\\nCD"}'],
    ['a code of 4,097 characters', JSON.stringify({ card_number: 'A'.repeat(4_097) })],
    ['a PIN with half a character', '{"card_number":"PIN-1","pin_code":"\\udc00"}'],
    ['a claim URL with a zero-width joiner', '{"claim_url":"https://claim.example/A\\u200dB"}'],
    ['a claim URL that is a script', '{"claim_url":"javascript:alert(1)"}'],
    ['a claim URL without a scheme', '{"card_number":"URL-1","claim_url":"www.shop.example/X"}'],
    ['a reference with a control character', '{"card_number":"REF-1","reference_number":"\\u0000"}'],
    ['a code that expired long ago', '{"card_number":"OLD-1","expires_at":"1999-12-31T00:00:00Z"}'],
  ])(
    'When a unit has %s, then it is quarantined and not delivered, and the order waits for an operator',
    async (_what, unit) => {
      await showing(() => ({ goods: unit }));
      const order = await placed();
      const report = { delivered: 0, open: 1, unresolved: expect.stringMatching(/unusable goods: unit 1: /) };
      expect(await buy(order)).toMatchObject(report);
      expect(await ask(order)).toMatchObject(report);
      expect(await readable(order)).toBe(0);
      expect(
        await sql(database)`SELECT reason, position FROM quarantined_goods WHERE order_id = ${order.orderId}`,
      ).toEqual([{ reason: 'UNREADABLE', position: 1 }]);
    },
  );

  test.each<[Family, string, string]>([
    ['VOUCHER', 'product', `{"card_number":"${newCode()}"}`],
    ['TOPUP', 'product', '{"operator_reference":"OP1"}'],
    ['ESIM', 'product', `{"iccid":"8944000000000000019","activation_code":"${newLpa()}"}`],
  ])(
    'When purchase and lookups of a %s describe another %s than was ordered, then nothing is delivered, and an operator sees why',
    async (family, difference, goods) => {
      let sold: ShownPurchase['sold'] = { sku: 'SIM-ANOTHER', units: 1 };
      await showing(() => ({ goods, sold: sold ?? {} }));
      const order = await placed(1, { family });
      const fault = `The supplier delivered unusable goods: unit 1: the supplier describes it with another ${difference} than was ordered`;
      const waiting = { delivered: 0, open: 1, unresolved: fault };
      expect(await buy(order)).toMatchObject(waiting);
      expect(await ask(order)).toMatchObject(waiting);
      expect([await readable(order), await quarantined(order)]).toEqual([0, 1]);
      expect(await defects(order)).toEqual([fault.split('unit 1: ')[1]]);
      sold = { sku: skus[family].toLowerCase() };
      expect(await ask(order)).toMatchObject({ delivered: 1, open: 0, unresolved: null });
    },
  );

  test('When a supplier computes another value than was ordered, then the goods are delivered, and the value is listed', async () => {
    const goods: Goods[] = [{ kind: 'voucher', cardNumber: newCode() }];
    const stating = (amount: string): Supplier => ({
      ...supplier,
      purchase: async () => ({
        state: 'DELIVERED',
        supplierOrderId: 'P1',
        goods,
        sold: { computedValues: [{ amount, currency: 'usd' }] },
      }),
    });
    buyFrom(stating('7.9'));
    const order = await placed();
    expect(await buy(order)).toMatchObject({ delivered: 1, open: 0, unresolved: null });
    expect(await listed(order)).toEqual(['VALUE_DEVIATES']);
    goods[0] = { kind: 'voucher', cardNumber: newCode() };
    buyFrom(stating('8.00'));
    const within = await placed();
    expect(await buy(within)).toMatchObject({ delivered: 1 });
    expect(await listed(within)).toEqual([]);
  });

  const anotherProduct = { sku: 'SIM-ANOTHER', units: 1 };

  test.each<[string, () => string, Family]>([
    ['code', () => JSON.stringify({ card_number: newCode() }), 'VOUCHER'],
    ['claim URL', () => JSON.stringify({ claim_url: `https://claim.example/${newCode()}` }), 'VOUCHER'],
    [
      'ICCID',
      () => JSON.stringify({ iccid: newIccid(), activation_code: `LPA:1$rsp.example.com$${newCode()}` }),
      'ESIM',
    ],
  ])(
    'When a quarantined %s arrives for another order, then it is not delivered there, but its own order may get it',
    async (_what, newGoods, family) => {
      const goods = newGoods();
      let sold: ShownPurchase['sold'] = anotherProduct;
      await showing(() => ({ goods, sold: sold ?? {} }));
      const owner = await placed(1, { family });
      expect(await buy(owner)).toMatchObject({ delivered: 0, open: 1 });
      sold = {};
      const other = await placed(1, { family });
      const known = {
        delivered: 0,
        open: 1,
        unresolved: expect.stringMatching(/its code belongs to another unit already/),
      };
      expect(await buy(other)).toMatchObject(known);
      expect(await ask(other)).toMatchObject(known);
      expect([await readable(other), await quarantined(other)]).toEqual([0, 1]);
      expect(await ask(owner)).toMatchObject({ delivered: 1, open: 0, unresolved: null });
      expect(await ask(other)).toMatchObject(known);
    },
  );

  test('When an operator brings a quarantined code, then only the unit for which it was quarantined gets it', async () => {
    const card_number = newCode();
    const second = { card_number: newCode() };
    await showing(() => ({ ...showingGoods({ card_number }, second), sold: { sku: 'SIM-ANOTHER' } }));
    const [owner, other] = [await placed(2), await placed()];
    await buy(owner);
    const deliver = async (order: OrderKey, ...codes: string[]) => {
      const goods: Goods[] = codes.map((cardNumber) => ({ kind: 'voucher', cardNumber }));
      const sealed = sealer.seal(orderField(order.nonce, 'goods'), JSON.stringify(goods));
      const id = await addOperatorGoods(database, order.orderId, sealed, goods.length);
      return decisions.carryOut(order, { resolution: 'DELIVERED', reason: 'By phone', goods: id });
    };
    const known = 'A code belongs to another unit already';
    await expect(deliver(other, card_number)).rejects.toThrow(known);
    await expect(deliver(owner, newCode(), card_number)).rejects.toThrow(known);
    expect(await readable(owner)).toBe(0);
    expect(await deliver(owner, card_number, newCode())).toMatchObject({ delivered: 2, open: 0 });
  });

  test('When an ICCID is written in groups, then it is the same ICCID, and when a claim URL is written as in HTML, then it is the same URL', async () => {
    const [iccid, path] = [newIccid(), newCode()];
    const grouped = iccid.replace(/.{4}(?=.)/g, '$&-');
    const url = `https://claim.example/?a=1&b=${path}`;
    const pairs: [Family, object, object][] = [
      ['ESIM', { iccid: grouped, activation_code: newLpa() }, { iccid, activation_code: newLpa() }],
      ['VOUCHER', { claim_url: url.replace('&', '&amp;') }, { claim_url: url }],
    ];
    for (const [family, first, second] of pairs) {
      let shown = first;
      await showing(() => showingGoods(shown));
      expect(await buy(await placed(1, { family }))).toMatchObject({ delivered: 1 });
      shown = second;
      expect(await buy(await placed(1, { family }))).toMatchObject({
        unresolved: expect.stringMatching(/its code belongs to another unit/),
      });
    }
  });

  test('When a code differs only in surrounding white space, then it is the same code, unlike one that differs in case', async () => {
    const code = newCode();
    let shown = code;
    await showing(() => showingGoods({ card_number: shown, claim_url: `https://claim.example/${newCode()}` }));
    expect(await buy(await placed())).toMatchObject({ delivered: 1 });
    for (shown of [` ${code}`, `${code}\r\n`, `\u00a0${code}\t`]) {
      expect(await buy(await placed())).toMatchObject({
        delivered: 0,
        open: 1,
        unresolved: expect.stringMatching(/unit 1: its code belongs to another unit/),
      });
    }
    shown = code.toLowerCase();
    expect(await buy(await placed())).toMatchObject({ delivered: 1 });
  });

  test('When an ICCID differs only in surrounding white space, then it is the same ICCID', async () => {
    const order = await placed(1, { family: 'ESIM' });
    expect(await buy(order)).toMatchObject({ delivered: 1 });
    const { reference } = await purchaseOf(order);
    const lookup = { reference, family: 'ESIM', sku: skus.ESIM, units: 1 } as const;
    const { goods } = (await supplier.find(lookup)) as PurchaseReport;
    const { iccid, activationCode } = goods[0] as EsimGoods;
    await showing(() => showingGoods({ iccid: ` ${iccid}\n`, activation_code: activationCode }));
    expect(await buy(await placed(1, { family: 'ESIM' }))).toMatchObject({
      delivered: 0,
      open: 1,
      unresolved: expect.stringMatching(/unit 1: its code belongs to another unit/),
    });
  });

  test('When a delivered code expires while the order waits for the rest, then it stays delivered', async () => {
    const expires_at = new Date(Date.now() + 500).toISOString();
    const units = [{ card_number: newCode(), expires_at }, { card_number: newCode() }];
    let shown: ShownPurchase = { status: 'PENDING', ...showingGoods(...units.slice(0, 1)) };
    await showing(() => shown);
    const order = await placed(2);
    expect(await buy(order)).toMatchObject({ delivered: 1, open: 1, unresolved: null });
    await sleep(ownMoment(expires_at).getTime() - Date.now() + 1);
    shown = showingGoods(...units);
    expect(await ask(order)).toMatchObject({ delivered: 2, open: 0, unresolved: null });
  });

  test('When a code expires in the year 10000 by UTC, then the last second of 9999 is stored, which JSON can show', async () => {
    const expires_at = '9999-12-31T23:59:59-05:00';
    await showing(() => showingGoods({ card_number: newCode(), expires_at }));
    const order = await placed();
    expect(await buy(order)).toMatchObject({ delivered: 1, unresolved: null });
    expect(
      await sql(database)`SELECT to_json(expires_at AT TIME ZONE 'UTC') AS at FROM vouchers
         WHERE order_id = ${order.orderId}`,
    ).toEqual([{ at: '9999-12-31T23:59:59' }]);
  });

  test('When the id of a purchase repeats customer input, then neither id nor goods are stored, and an operator decides', async () => {
    let id = 'P00012025550100abcd';
    await showing(() => ({ id, goods: '{"operator_reference":"OP1"}' }));
    const order = await placed(1, { family: 'TOPUP' });
    const unread = { delivered: 0, open: 1, unresolved: expect.stringMatching(/id .* repeats what/) };
    expect(await buy(order)).toMatchObject(unread);
    expect(await ask(order)).toMatchObject(unread);
    expect(await purchaseOf(order)).toMatchObject({ supplierOrderId: null, confirmed: true });
    id = 'P00099999999999abcd';
    expect(await ask(order)).toMatchObject({ delivered: 1, open: 0, unresolved: null });
  });

  test('When late goods have an id that repeats customer input, then they are quarantined and listed', async () => {
    const order = await placed(1, { family: 'TOPUP' });
    await sql(database)`UPDATE supplier_purchases SET state = 'WITHDRAWN', attempt = 1
         WHERE order_id = ${order.orderId}`;
    await showing(() => ({ id: 'P00012025550100abcd', goods: '{"operator_reference":"OP1"}' }));
    await checkLate(await purchaseOf(order));
    expect([await quarantined(order), await listed(order)]).toEqual([1, ['GOODS_APART']]);
  });

  test('When one unit is unusable and one is surplus, then both are quarantined', async () => {
    await showing(() => showingGoods({ card_number: ' ' }, { card_number: newCode() }, { card_number: newCode() }));
    const order = await placed(2);
    expect(await buy(order)).toMatchObject({ delivered: 1, open: 1 });
    expect(await quarantined(order)).toBe(2);
    expect(await listed(order)).toEqual(['GOODS_APART']);
  });

  test('When a stored code has a hash under an older key, then a repeated code is still recognised', async () => {
    const older = newKey('a');
    const newer = newKey('b');
    const cardNumber = `CODE-${randomBytes(4).toString('hex')}`;
    const selling: Supplier = {
      ...supplier,
      purchase: async () => ({ state: 'DELIVERED', supplierOrderId: 'P1', goods: [{ kind: 'voucher', cardNumber }] }),
    };
    const under = (...keys: Key[]) =>
      new Purchasing({ ...dependenciesWith(selling), sealer: new Sealer(ringOf(...keys)) });
    expect(await under(older).buy(await placed(), goOn)).toMatchObject({ delivered: 1 });
    expect(await under(newer, older).buy(await placed(), goOn)).toMatchObject({ delivered: 0, open: 1 });
  });
});
