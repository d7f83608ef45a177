/** Erasures that are interrupted, repeated, or concurrent with reports of suppliers. */
import { erasePending, eraseRecipient, hashedRecipient } from '../../src/data/privacy/erasures';
import { applyRequests, listRequests } from '../../src/data/privacy/carried-requests';
import type { CarriedRequest } from '../../src/data/privacy/carried-columns';
import { firstRow, openDatabase, rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { storeRawResponse } from '../../src/data/purchases/purchase-polls';
import { sealedColumns } from '../../src/data/keys/sealed-columns';
import { emailRecipient, phoneRecipient, requestText } from '../../src/domain/orders/recipients';
import { Sealer } from '../../src/security/sealing';
import { newKeyRing } from '../support/keys';
import { endOrder } from '../support/ledger-orders';
import { lockWaits } from '../support/lock-waits';
import { placedOrder } from '../support/placed-order';
import { copyOf, newDatabase, scratchDatabase } from '../../dev/testbed/scratch-database';
import { recipientMarkers, storedPlacesOf } from '../support/stored-places';

const { database } = scratchDatabase();
const sealer = new Sealer(newKeyRing());
const everyOrder = { clientId: null, limit: 1_000 };
let next = 0;
const newEmail = () => emailRecipient(`ann${++next}@example.com`);

/** An order with the address, ended and mailed by default. */
async function orderFor(
  recipient: ReturnType<typeof newEmail>,
  { hasEnded = true, isMailed = true } = {},
  on = database,
): Promise<number> {
  const { orderId } = await placedOrder(on, 'VOUCHER');
  await sql(on)`UPDATE orders
       SET sealed_email = 'sealed', email_hash = ${sealer.lookupHash(recipient.text)}, mailed_at = CASE WHEN ${isMailed && hasEnded} THEN now() END
       WHERE id = ${orderId}`;
  if (hasEnded) await endOrder(on, orderId);
  return orderId;
}

const leftOf = (orderId: number, on = database) =>
  sql.first(on)<{ email: Buffer | null; hash: Buffer | null; isErased: boolean }>`
    SELECT sealed_email AS email, email_hash AS hash,
            EXISTS (SELECT FROM order_erasures WHERE order_id = id AND erased_at IS NOT NULL) AS "isErased"
       FROM orders WHERE id = ${orderId}`;
const erased = { email: null, hash: null, isErased: true };

test('When the process dies after the request is stored, then maintenance erases the ended orders', async () => {
  const person = newEmail();
  const orderId = await orderFor(person);
  const recipient = hashedRecipient(sealer, person);
  expect(await eraseRecipient(database, { recipient, clientId: null, limit: 0 })).toEqual({ erased: 0, pending: 1 });
  await erasePending(database);
  expect(await leftOf(orderId)).toEqual(erased);
});

test.each([
  ['is open', { hasEnded: false }],
  ['has a due mail', { isMailed: false }],
])('When an order %s, then maintenance erases it only after that', async (_case, state) => {
  const person = newEmail();
  const orderId = await orderFor(person, state);
  const recipient = hashedRecipient(sealer, person);
  expect(await eraseRecipient(database, { recipient, ...everyOrder })).toEqual({ erased: 0, pending: 1 });
  await erasePending(database);
  expect(await leftOf(orderId)).toMatchObject({ isErased: false });
  if (!('isMailed' in state)) await endOrder(database, orderId);
  await sql(database)`UPDATE orders SET mailed_at = now() WHERE id = ${orderId}`;
  await erasePending(database);
  expect(await leftOf(orderId)).toEqual(erased);
});

test('When 20 erasures of one recipient run in parallel, then each order is erased once', async () => {
  const person = newEmail();
  const orderIds = [await orderFor(person), await orderFor(person), await orderFor(person)];
  const recipient = hashedRecipient(sealer, person);
  const results = await Promise.all(
    Array.from({ length: 20 }, () => eraseRecipient(database, { recipient, ...everyOrder })),
  );
  expect(results.reduce((sum, one) => sum + one.erased, 0)).toBe(3);
  for (const orderId of orderIds) expect(await leftOf(orderId)).toEqual(erased);
});

const phone = phoneRecipient('+12025550100');
if (!phone) throw new Error('The number is invalid');
const phoneOwner = hashedRecipient(sealer, phone);
const phoneHash = sealer.lookupHash(phone.text);

/** An ended top-up of the phone, and the reference of its purchase. */
async function endedTopup() {
  const { orderId } = await placedOrder(database, 'TOPUP');
  const { reference } = await sql.one(database)<{ reference: string }>`SELECT reference
       FROM supplier_purchases WHERE order_id = ${orderId}`;
  await endOrder(database, orderId);
  await sql(database)`UPDATE topup_orders SET phone_hash = ${phoneHash} WHERE order_id = ${orderId}`;
  return { orderId, reference };
}

type EndedTopup = Awaited<ReturnType<typeof endedTopup>>;

const reportLate = ({ orderId, reference }: EndedTopup) =>
  sql(database)`INSERT INTO quarantined_goods (order_id, reference, position, reason, sealed)
     VALUES (${orderId}, ${reference}, 1, 'LATE', 'sealed')`;

async function expectNothingLeft({ orderId, reference }: EndedTopup): Promise<void> {
  const left = await firstRow(
    database,
    `SELECT (SELECT sealed_words FROM supplier_purchases WHERE reference = $reference) AS words,
            (SELECT sealed FROM quarantined_goods WHERE reference = $reference) AS goods,
            (SELECT sealed_input FROM topup_orders WHERE order_id = $orderId) AS input`,
    { orderId, reference },
  );
  expect(left).toEqual({ words: null, goods: null, input: null });
}

test('When a supplier reports while the order is erased, 20 times, then nothing of a report stays', async () => {
  for (let round = 0; round < 20; round++) {
    const order = await endedTopup();
    await Promise.all([
      eraseRecipient(database, { recipient: phoneOwner, ...everyOrder }),
      storeRawResponse(database, order.reference, Buffer.from('sealed')),
      reportLate(order),
    ]);
    await expectNothingLeft(order);
  }
});

test('When an erasure and a report wait for the same purchase, then neither ends the other', async () => {
  const order = await endedTopup();
  const ended: Promise<unknown>[] = [];
  await database.transaction(async (transaction) => {
    await sql(database, transaction)`SELECT FROM supplier_purchases
         WHERE reference = ${order.reference} FOR UPDATE`;
    ended.push(eraseRecipient(database, { recipient: phoneOwner, ...everyOrder }));
    await lockWaits(database, 1, 'FROM supplier_purchases');
    ended.push(reportLate(order));
    await lockWaits(database, 1, 'INTO quarantined_goods');
  });
  await Promise.all(ended);
  await expectNothingLeft(order);
});

test('When a voucher order is erased, then its quarantined goods stay, and so do its ledger and its events', async () => {
  const person = newEmail();
  const orderId = await orderFor(person);
  await sql(database)`INSERT INTO quarantined_goods (order_id, reason, sealed)
       VALUES (${orderId}, 'LATE', 'goods')`;
  const rowsOf = () =>
    rows<{ kept: object }>(
      database,
      `SELECT jsonb_build_object('goods', (SELECT jsonb_agg(to_jsonb(g)) FROM quarantined_goods g WHERE order_id = $orderId),
                'ledger', (SELECT jsonb_agg(to_jsonb(t)) FROM transactions t WHERE order_id = $orderId),
                'events', (SELECT jsonb_agg(to_jsonb(e)) FROM events e WHERE order_id = $orderId)) AS kept`,
      { orderId },
    );
  const before = await rowsOf();
  await eraseRecipient(database, { recipient: hashedRecipient(sealer, person), ...everyOrder });
  expect(await leftOf(orderId)).toEqual(erased);
  expect(await rowsOf()).toEqual(before);
});

test('When a request is recorded, then its hash is not the one by which orders are found', () => {
  const person = newEmail();
  const { hashes, requestHash } = hashedRecipient(sealer, person);
  expect(hashes.some((hash) => hash.equals(requestHash))).toBe(false);
  expect(requestHash).toEqual(sealer.lookupHash(requestText(person)));
});

test('When columns are erased, then they are the recipient, what suppliers said, and what people wrote', () => {
  const names = sealedColumns
    .filter(({ erasedOf }) => erasedOf !== undefined)
    .map(({ table, column }) => `${table}.${column}`);
  expect(names.sort()).toEqual([
    'approval_proposals.sealed_files',
    'claims.sealed_text',
    'order_texts.sealed_text',
    'orders.sealed_email',
    'quarantined_goods.sealed',
    'supplier_purchases.sealed_words',
    'topup_orders.sealed_input',
  ]);
});

describe('A restored database', () => {
  test('When the requests are applied to an older backup, then it has nothing of the recipient, and a repetition changes nothing', async () => {
    const original = await newDatabase();
    const person = newEmail();
    const hashed = hashedRecipient(sealer, person);
    const [ended, open] = [
      await orderFor(person, {}, original.database),
      await orderFor(person, { hasEnded: false }, original.database),
    ];
    await original.database.close();
    const backup = await copyOf(original);
    const later = openDatabase(original.url, 2);
    await orderFor(person, {}, later);
    expect(await eraseRecipient(later, { recipient: hashed, ...everyOrder })).toEqual({ erased: 2, pending: 1 });
    const carried = JSON.parse(JSON.stringify(await listRequests(later))) as CarriedRequest[];
    await later.close();

    expect(await applyRequests(backup.database, carried)).toEqual({ requests: 1, orders: 2, erased: 1, pending: 1 });
    const markers = recipientMarkers(sealer, person.text);
    expect(await leftOf(ended, backup.database)).toEqual(erased);
    expect(await leftOf(open, backup.database)).toMatchObject({ isErased: false });
    await sql(backup.database)`UPDATE orders SET mailed_at = now()`;
    await endOrder(backup.database, open);
    expect(await applyRequests(backup.database, carried)).toEqual({ requests: 0, orders: 0, erased: 1, pending: 0 });
    expect(await storedPlacesOf(backup.database, markers, sealer)).toEqual([]);
    await backup.drop();
    await original.drop();
  });
});
