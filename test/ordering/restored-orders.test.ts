/**
 * Orders that were open at the restore point of the database. In the gap a successor purchase bought the unit, and the
 * database still has the replaced purchase. docs/decisions/0040-look-up-before-acting-after-a-restore.md.
 */
import { markBoughtInGap, pollBeforeBuying } from '../../src/data/maintenance/restored';
import type { OrderKey } from '../../src/domain/orders/order-messages';
import { purchaseReference, SUCCESSOR_STEP } from '../../src/domain/orders/order-ids';
import { safeText } from '../../src/domain/safe-text';
import type { LookupReport, Supplier } from '../../src/domain/suppliers/port';
import {
  age,
  ask,
  buy,
  buyFrom,
  buysFromSimulator,
  database,
  decisions,
  misbehave,
  placed,
  sell,
  soldFor,
  supplier,
  withdraw,
} from '../support/buying';

buysFromSimulator();

const from = [{ name: 'simulator' }, { name: 'second' }];
const answers: [string, Extract<LookupReport, { state: 'REJECTED' | 'NOT_BOUGHT' }>][] = [
  [
    'rejected the purchase',
    { state: 'REJECTED', failureCode: 'PRODUCT_OUT_OF_STOCK', goods: [], detail: safeText`Sold out` },
  ],
  [
    'bought nothing',
    { state: 'NOT_BOUGHT', because: 'our-account', failureCode: 'UNKNOWN', goods: [], detail: safeText`No credit` },
  ],
];

/** The supplier sells the unit of the order under the reference of this batch. */
const sellBatch = ({ orderId, nonce }: OrderKey, batch: number) =>
  sell({ reference: purchaseReference(orderId, nonce, batch) });

const sellInGap = (order: OrderKey) => sellBatch(order, SUCCESSOR_STEP + 1);

/** The first supplier answers lookups with the report. The second one buys again under a known reference. */
async function firstShows(report: LookupReport): Promise<void> {
  await misbehave({ buys_again: true });
  const second: Supplier = {
    ...supplier,
    name: 'second',
    traits: { ...supplier.traits, repeatedReference: 'buys-again' },
  };
  buyFrom({ ...supplier, find: () => Promise.resolve(report) }, second);
}

async function restored(order: OrderKey, boughtInGap: boolean): Promise<void> {
  if (boughtInGap) await markBoughtInGap(database, [order.orderId]);
  await pollBeforeBuying(database);
  await age(order, 60_000);
}

const unresolved = expect.stringContaining('before the restore') as string;

test.each<[string, LookupReport]>([['does not know the purchase', { state: 'NOT_FOUND' }], ...answers])(
  'When the first supplier %s, and the second one sold in the gap, then nothing is bought and an operator decides',
  async (_what, report) => {
    const order = await placed(1, { from });
    await sellInGap(order);
    await firstShows(report);
    await restored(order, true);
    await buy(order);
    expect(await ask(order)).toMatchObject({ ready: 0, open: 1, unresolved });
    expect(await withdraw(order)).toMatchObject({ ready: 0, open: 1, unresolved });
    expect(await soldFor(order)).toHaveLength(1);
    expect(await decisions.carryOut(order, { resolution: 'NOT_BOUGHT', reason: 'Claimed' })).toMatchObject({
      open: 0,
      delivered: 0,
    });
  },
);

test('When the purchase in the database was delivered, then the order gets its goods', async () => {
  const order = await placed(1, { from });
  await sellBatch(order, 1);
  await restored(order, true);
  expect(await ask(order)).toMatchObject({ delivered: 1, open: 0 });
});

test.each(answers)(
  'When the first supplier %s, and no statement shows the sale, then the successor is looked up before it is sent',
  async (_what, report) => {
    const order = await placed(1, { from });
    await sellInGap(order);
    await firstShows(report);
    await restored(order, false);
    await ask(order);
    expect(await buy(order)).toMatchObject({ delivered: 1, open: 0, ready: 0 });
    expect(await soldFor(order)).toHaveLength(1);
  },
);
