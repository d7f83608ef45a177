import { randomBytes } from 'node:crypto';
import { rows, type Database } from '../../src/data/database';
import { claimPurchase } from '../../src/data/orders/purchases';
import { storeReport } from '../../src/ordering/store-goods';
import { KeyRing } from '../../src/security/key-ring';
import { Sealer } from '../../src/security/sealing';
import type { PurchaseReport } from '../../src/suppliers/port';
import { placedOrder, standingOf } from '../support/placed-order';
import { newDatabase, type ScratchDatabase } from '../support/scratch-database';

const sealer = new Sealer(new KeyRing(`test:${randomBytes(32).toString('base64')}`));
const good = { iccid: '89887449679605301773', activationCode: 'LPA:1$smdp.example.com$ABC' };

let scratch: ScratchDatabase;
let database: Database;

beforeAll(async () => {
  scratch = await newDatabase();
  database = scratch.database;
});
afterAll(() => scratch.drop());

function deliveredProfile(profile: typeof good): PurchaseReport {
  return { state: 'DELIVERED', supplierOrderId: 'S1', goods: [{ kind: 'esim', ...profile }] };
}

async function purchased() {
  const { orderId, nonce } = await placedOrder(database, 'ESIM');
  const batch = { batch: 1, firstUnit: 1, units: 1 };
  const purchase = await claimPurchase(
    database,
    `order-${orderId}-${nonce}-0001`,
    orderId,
    batch,
    new Date(),
  );
  return { orderId, purchase };
}

test.each([
  [{ ...good, iccid: '89887449679605301774' }, 'the check digit of the ICCID is wrong'],
  [{ ...good, iccid: '8988' }, 'the ICCID has not 19 or 20 digits'],
  [{ ...good, activationCode: 'smdp.example.com' }, 'the activation code is no LPA string of three parts'],
])(
  'When a supplier delivers %j, then nothing is stored, and operators are told why',
  async (profile, fault) => {
    const { orderId, purchase } = await purchased();
    const reason = `The supplier delivered what cannot be used: ${fault}`;
    expect(await storeReport(database, sealer, purchase, deliveredProfile(profile))).toEqual({
      state: 'UNRESOLVED',
      reason,
      delivered: 0,
    });
    const purchases = [{ state: 'PENDING', stored: 0 }];
    expect(await standingOf(database, orderId)).toEqual({ status: 'PENDING', delivered: 0, purchases });
    const sql = 'SELECT iccid, activation_code, activation_status FROM esim_orders WHERE order_id = $1';
    const nothing = { iccid: null, activation_code: null, activation_status: null };
    expect(await rows(database, sql, [orderId])).toEqual([nothing]);
  },
);

test('When the supplier has put it right, then asking again delivers the profile, once', async () => {
  const { orderId, purchase } = await purchased();
  await storeReport(database, sealer, purchase, deliveredProfile({ ...good, iccid: '8988' }));
  const right = deliveredProfile(good);
  const stored = { state: 'DELIVERED', delivered: 1 };
  expect(await storeReport(database, sealer, purchase, right)).toEqual(stored);
  expect(await storeReport(database, sealer, purchase, right)).toEqual(stored);
  const purchases = [{ state: 'DELIVERED', stored: 1 }];
  expect(await standingOf(database, orderId)).toEqual({ status: 'PENDING', delivered: 1, purchases });
});
