/** Claims, and the cards that they are about, as the database decides them. docs/specification.md#claims. */
import { randomBytes } from 'node:crypto';
import { rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { verifyLedger } from '../../src/data/ledger-verification';
import { findCardsOfCode, listCards } from '../../src/data/orders/card-states';
import { decideSandboxClaim, findClaim } from '../../src/data/orders/client-claims';
import {
  findOperatedClaim,
  listUnusualClaims,
  listWaitingClaims,
  recordSupplierCredit,
  rejectClaim,
  sendClaim,
} from '../../src/data/orders/operated-claims';
import { refundOrder } from '../../src/data/orders/stored-refunds';
import { marginsBetween } from '../../src/data/orders/margin-report';
import { reopenWallet } from '../../src/data/wallets/operated-wallets';
import { Exact } from '../../src/domain/prices/money';
import { storeUnits } from '../support/fulfilment';
import { createOrder, deliveredOrder, endOrder, houseBrand, type OrderWish } from '../support/ledger-orders';
import { newHolder } from '../../dev/testbed/ledger-rows';
import { balanceOf, eventsOf } from '../support/records';
import { scratchDatabase } from '../../dev/testbed/scratch-database';
import { useNew } from '../support/made';
import { fileClaim, goodwill, newClaim, refundClaim } from '../support/claims';

const { database } = scratchDatabase();
const holder = useNew(() => newHolder(database, 1_000));

const delivered = (wish: OrderWish = {}) => deliveredOrder(database, holder, { productId: 999, ...wish });

const file = (orderId: number, unit = 1) => fileClaim(database, { clientId: holder.clientId, orderId, unit });
const filed = (orderId: number, unit = 1) => newClaim(database, { clientId: holder.clientId, orderId, unit });
const accept = (id: number, amount?: string) => refundClaim(database, id, amount);
const claim = (id: number) => findClaim(database, holder.clientId, id);
const balance = () => balanceOf(database, holder.walletId);
const sandbox = (id: number, decision: 'refund' | 'reject', { clientId } = holder) =>
  decideSandboxClaim(database, { clientId, id, reasonCode: 'INVALID_GOODS' }, decision);

test('When one unit is claimed 20 times in parallel, then it has one open claim, and after a rejection another one', async () => {
  const orderId = await delivered({ quantity: 3 });
  const sent = await Promise.all(Array.from({ length: 20 }, () => file(orderId, 3)));
  const [id, ...others] = sent.filter((one) => one !== undefined);
  expect(others).toEqual([]);
  expect(await file(orderId, 2)).toBeDefined();
  await rejectClaim(database, Number(id));
  expect(await file(orderId, 3)).toBeDefined();
});

test('When a claim is accepted, rejected and sent 20 times in parallel, then one decision counts and one refund is credited', async () => {
  const orderId = await delivered({ quantity: 2 });
  const id = await filed(orderId);
  const decisions = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? accept(id) : rejectClaim(database, id))),
  );
  expect(decisions.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const state = (await claim(id))?.state;
  expect(await balance()).toBe(state === 'ACCEPTED' ? '990' : '980');
  await expect(sendClaim(database, id)).rejects.toThrow(`Claim ${id} is ${state}`);
  const updates = (await eventsOf(database, orderId)).filter(({ type }) => type === 'claim.updated');
  expect(updates).toHaveLength(1);
});

test('When a claim is sent twice and then refunded, then each change has one event, without the text', async () => {
  const orderId = await delivered({ quantity: 2 });
  const id = await filed(orderId, 2);
  await sendClaim(database, id);
  await sendClaim(database, id);
  await accept(id);
  expect(await claim(id)).toMatchObject({ state: 'ACCEPTED', outcome: 'REFUNDED', closedAt: expect.any(Date) });
  const events = await sql(database)<{ data: object }>`SELECT data FROM events WHERE order_id = ${orderId}
       AND type = 'claim.updated' ORDER BY sequence`;
  expect(events.map(({ data }) => data)).toMatchObject([
    { id, state: 'AT_SUPPLIER', change: 1, unit: 2, outcome: null },
    { id, state: 'ACCEPTED', change: 2, outcome: 'REFUNDED' },
  ]);
  expect(events.every(({ data }) => !('text' in data))).toBe(true);
});

test('When the limit of the order rejects the refund, then the claim stays open and nothing moves', async () => {
  const orderId = await delivered({ quantity: 2 });
  const id = await filed(orderId);
  await refundOrder(database, goodwill(orderId, { amount: new Exact(15) }));
  await expect(accept(id)).rejects.toThrow('10 more are not left');
  expect(await claim(id)).toMatchObject({ state: 'OPEN', closedAt: null });
  expect(await balance()).toBe('995');
  await accept(id, '5');
  expect(await claim(id)).toMatchObject({ state: 'ACCEPTED', outcome: 'REFUNDED' });
});

test('When the code of the claimed gift card was redeemed, then the claim cannot be refunded; otherwise its code is void', async () => {
  const productId = await houseBrand(database);
  const orderId = await delivered({ productId, quantity: 2 });
  const redeemed = await filed(orderId, 1);
  await sql(database)`UPDATE vouchers SET redeemed_at = now(), redeemed_by_order_id = 1
       WHERE order_id = ${orderId} AND unit = 1`;
  await expect(accept(redeemed)).rejects.toThrow(`Unit 1 of order ${orderId} is no gift card that can be refunded`);
  await accept(await filed(orderId, 2));
  expect(
    await sql(database)`
    SELECT unit FROM vouchers WHERE order_id = ${orderId} AND voided_at IS NOT NULL`,
  ).toEqual([{ unit: 2 }]);
});

test('When the wallet is closed, then the accepted claim waits for its refund, and its reopening closes the claim', async () => {
  const orderId = await delivered({ quantity: 2 });
  const id = await filed(orderId);
  const { walletId } = holder;
  await sql(database)`UPDATE wallets SET closed_at = now() WHERE id = ${walletId}`;
  await accept(id);
  expect(await claim(id)).toMatchObject({ state: 'ACCEPTED', outcome: null, closedAt: null });
  expect(await file(orderId)).toBeUndefined();
  await reopenWallet(database, walletId);
  expect(await claim(id)).toMatchObject({ outcome: 'REFUNDED', closedAt: expect.any(Date) });
  const { findings } = await verifyLedger(database, 10);
  expect(findings.filter(({ check }) => /claim|refund/.test(check))).toEqual([]);
});

test('When the installation is no sandbox, or the claim belongs to another client, then the sandbox decides nothing', async () => {
  const id = await filed(await delivered());
  await expect(sandbox(id, 'reject')).rejects.toThrow('not a sandbox');
  await sql(database)`INSERT INTO sandbox_scenarios (scenarios) VALUES ('[]')`;
  await expect(sandbox(id, 'reject', await newHolder(database))).rejects.toThrow(`has no claim ${id}`);
  expect(await claim(id)).toMatchObject({ state: 'OPEN' });
  await sandbox(id, 'reject');
  expect(await claim(id)).toMatchObject({ state: 'REJECTED' });
  await sql(database)`DELETE FROM sandbox_scenarios`;
});

/** Opens a claim as the operators' process does in the name of a person. */
const opened = (orderId: number, unit: number | null, person = 'alice') =>
  database.transaction(async (transaction) => {
    await rows(
      database,
      `SELECT set_config('app.operator', $person, true), set_config('app.accountable', $person, true),
              set_config('app.command', 'claims open', true)`,
      { person },
      transaction,
    );
    const { id } = await sql.one(database, transaction)<{ id: number }>`
      SELECT open_claim(${orderId}, ${unit}, 'INVALID_CODE', 'sealed', 60, 5) AS id`;
    return id;
  });

test('When an operator opens a claim, then the client has it with an event and an entry of the audit, and it is not counted as unusual', async () => {
  const orderId = await delivered({ quantity: 2 });
  const id = await opened(orderId, 2);
  expect(await claim(id)).toMatchObject({ state: 'OPEN', unit: 2, closedAt: null });
  const events = await sql(database)<{ data: object }>`SELECT data FROM events WHERE order_id = ${orderId}
       AND type = 'claim.updated'`;
  expect(events).toMatchObject([{ data: { id, state: 'OPEN', change: 1 } }]);
  expect(
    await sql(database)`SELECT operator, command, action FROM audit_entries WHERE object = 'claim/' || ${id}`,
  ).toEqual([{ operator: 'alice', command: 'claims open', action: 'claim.created' }]);
  const name = await sql.one(database)<{ name: string }>`SELECT name FROM clients
       WHERE id = ${holder.clientId}`;
  const unusual = await listUnusualClaims(database, { count: 0, percent: 0 });
  expect(unusual.map(({ client }) => client)).not.toContain(name.name);
  const { findings } = await verifyLedger(database, 10);
  expect(findings.filter(({ check }) => check === 'claim-event')).toEqual([]);
});

test('When the client could not file the claim, or no person is named, then no operator opens it', async () => {
  const orderId = await delivered({ quantity: 2 });
  const id = await filed(orderId, 1);
  await expect(opened(orderId, 1)).rejects.toThrow(`open claim about this already: claim ${id}`);
  await expect(opened(orderId, 3)).rejects.toThrow(`Unit 3 of order ${orderId} was not delivered`);
  await expect(opened(orderId, null)).rejects.toThrow('Name the gift card');
  await accept(id);
  await expect(opened(orderId, 1)).rejects.toThrow(`Unit 1 of order ${orderId} is refunded or replaced already`);
  await sql(database)`UPDATE orders SET completed_at = now() - interval '61 days' WHERE id = ${orderId}`;
  await expect(opened(orderId, 2)).rejects.toThrow(`The time to claim goods of order ${orderId} is over`);
  await expect(opened(await delivered(), 1, '')).rejects.toThrow('in the name of a person');
});

test('When a code is looked up, then its card stands where refunds, redemption, voiding and quarantine left it', async () => {
  const hashes = Array.from({ length: 5 }, () => randomBytes(32));
  const { orderId } = await createOrder(database, holder, { productId: 999, quantity: 5 });
  await storeUnits(database, orderId, 5, { codeHashes: hashes });
  await endOrder(database, orderId);
  await refundOrder(database, goodwill(orderId, { unit: 1 }));
  await refundOrder(database, goodwill(orderId, { unit: 2, amount: new Exact(1) }));
  await sql(database)`UPDATE vouchers
       SET redeemed_at = CASE unit WHEN 3 THEN now() END, voided_at = CASE unit WHEN 4 THEN now() END
      WHERE order_id = ${orderId} AND unit IN (3, 4)`;
  await sql(database)`INSERT INTO quarantined_goods (order_id, reason, sealed, second_hash)
       VALUES (${orderId}, 'LATE', 'sealed', ${hashes[4]})`;
  expect(await findCardsOfCode(database, hashes, 10)).toEqual([
    { orderId, unit: 1, state: 'REFUNDED' },
    { orderId, unit: 2, state: 'PARTLY_REFUNDED' },
    { orderId, unit: 3, state: 'REDEEMED' },
    { orderId, unit: 4, state: 'VOIDED' },
    { orderId, unit: 5, state: 'REFUNDABLE' },
    { orderId, unit: null, state: 'QUARANTINED' },
  ]);
  expect(await findCardsOfCode(database, [randomBytes(32)], 10)).toEqual([]);
  const whole = await delivered({ quantity: 2 });
  await refundOrder(database, goodwill(whole, { units: 2 }));
  expect(await listCards(database, whole)).toEqual([
    { unit: 1, state: 'REFUNDED' },
    { unit: 2, state: 'REFUNDED' },
  ]);
});

test('When claims wait, are due or are many, then maintenance finds them', async () => {
  const orderId = await delivered({ quantity: 100 });
  const [first, second] = [await filed(orderId, 1), await filed(orderId, 2)];
  await sendClaim(database, second);
  await sql(database)`UPDATE claims SET due_at = now() - interval '1 hour' WHERE id = ${second}`;
  const waiting = (await listWaitingClaims(database)).find((one) => one.orderId === orderId);
  expect(waiting).toMatchObject({ fresh: [first], due: [second] });
  const names = async (count: number, percent: number) =>
    (await listUnusualClaims(database, { count, percent })).map(({ claims }) => claims);
  expect(await names(5, 1)).toEqual([]);
  for (const unit of [3, 4, 5, 6]) await filed(orderId, unit);
  expect(await names(5, 5)).toEqual([6]);
  expect(await names(5, 6)).toEqual([]);
  expect(await names(6, 5)).toEqual([]);
});

test('When the supplier credits a claim, then the margin report has the credit in its month, at the rate of the moment', async () => {
  const orderId = await delivered({ quantity: 2 });
  const id = await filed(orderId);
  await expect(recordSupplierCredit(database, { id, credit: ['EUR', '5'], force: false })).rejects.toThrow(
    'There is no rate from EUR to USD. Set it with: rates reference set',
  );
  await recordSupplierCredit(database, { id, credit: ['USD', '4'], force: false });
  const period = { from: new Date(Date.now() - 60_000), to: new Date(Date.now() + 60_000) };
  const client = (await findOperatedClaim(database, id)).shown.client;
  const byClient = await marginsBetween(database, period, 'client');
  expect(byClient.find((one) => one.client === client)).toMatchObject({
    supplier_credits: '4.00',
    refunded: '0.00',
    orders: 1,
  });
  const bySupplier = await marginsBetween(database, period, 'supplier');
  expect(bySupplier.map(({ supplier_credits: credits }) => credits)).toContain('4.00');
});

test('When a credit replaces another one, then each report has what was recorded in its time, and the later one the difference', async () => {
  const id = await filed(await delivered({ quantity: 2 }));
  const record = (amount: string) => recordSupplierCredit(database, { id, credit: ['USD', amount], force: false });
  await record('4');
  await inTheLastMonth();
  const client = (await findOperatedClaim(database, id)).shown.client;
  const creditsOf = async (daysAgo: number) => {
    const [from, to] = [1, -1].map((days) => new Date(Date.now() - (daysAgo + days) * 86_400_000)) as [Date, Date];
    const found = await marginsBetween(database, { from, to }, 'client');
    return found.find((one) => one.client === client)?.supplier_credits;
  };
  for (const [amount, difference] of [
    ['5', '1.00'],
    ['5', '1.00'],
    ['3', '-1.00'],
  ] as const) {
    await record(amount);
    expect([await creditsOf(30), await creditsOf(0)]).toEqual(['4.00', difference]);
  }
  const { findings } = await verifyLedger(database, 10);
  expect(findings.filter(({ check }) => check === 'claim-credit')).toEqual([]);

  async function inTheLastMonth(): Promise<void> {
    const earlier = `now() - interval '30 days'`;
    await rows(database, `UPDATE claims SET supplier_credited_at = ${earlier} WHERE id = $id`, { id });
    await rows(database, `UPDATE supplier_credits SET recorded_at = ${earlier} WHERE claim_id = $id`, { id });
  }
});

describe('A credit of the supplier', () => {
  const cost = (orderId: number, amount: number | null, currency = 'USD') =>
    sql(database)`UPDATE supplier_purchases
         SET cost = ${amount}, cost_currency = ${amount === null ? null : currency}
         WHERE order_id = ${orderId}`;
  const credit = (id: number, amount: string, { currency = 'USD', force = false } = {}) =>
    recordSupplierCredit(database, { id, credit: [currency, amount], force });
  const recorded = async (id: number) => (await findOperatedClaim(database, id)).shown.supplier_credit;

  test('When it exceeds the cost of the unit, then it needs force, in every state and for all claims of the unit together', async () => {
    const orderId = await delivered({ quantity: 2 });
    await cost(orderId, 15);
    const id = await filed(orderId);
    expect(await credit(id, '7.51')).toMatchObject({ isRecorded: false, most: '7.5', isCostKnown: true });
    expect(await recorded(id)).toBeNull();
    expect(await credit(id, '5')).toMatchObject({ isRecorded: true });
    await rejectClaim(database, id);
    const second = await filed(orderId);
    expect(await credit(second, '2.51')).toMatchObject({ isRecorded: false });
    expect(await credit(second, '2.50')).toMatchObject({ isRecorded: true });
    await accept(second);
    expect(await credit(id, '5.01')).toMatchObject({ isRecorded: false });
    expect(await credit(id, '5.01', { force: true })).toMatchObject({ isRecorded: true });
    expect([await recorded(id), await recorded(second)]).toEqual(['5.01 USD', '2.5 USD']);
    expect(await credit(await filed(orderId, 2), '7.5')).toMatchObject({ isRecorded: true });
  });

  test('When the cost is unknown, then the price that the client paid is the limit, through replacements, too', async () => {
    const orderId = await delivered({ quantity: 2, price: '19.74', faceValue: '10' });
    await cost(orderId, null);
    const id = await filed(orderId);
    expect(await credit(id, '9.88')).toMatchObject({ isRecorded: false, most: '9.87', isCostKnown: false });
    expect(await credit(id, '9.87')).toMatchObject({ isRecorded: true });
  });

  test('When the supplier has reversed the purchase, then nothing is left to credit', async () => {
    const orderId = await delivered();
    await cost(orderId, 9);
    await sql(database)`UPDATE supplier_purchases SET reversed_at = now() WHERE order_id = ${orderId}`;
    expect(await credit(await filed(orderId), '0.01')).toMatchObject({ isRecorded: false, most: '0' });
  });

  test('When it is no payable amount, then it is rejected', async () => {
    const id = await filed(await delivered());
    await expect(credit(id, '1.001')).rejects.toThrow('1.001 is not an amount of USD, which has 2 decimals');
    await expect(credit(id, '1.5', { currency: 'JPY' })).rejects.toThrow(
      '1.5 is not an amount of JPY, which has 0 decimals',
    );
    await expect(credit(id, '1', { currency: 'XXQ' })).rejects.toThrow('The currency XXQ is not in ISO 4217');
    await expect(credit(999_999, '1')).rejects.toThrow('There is no claim 999999');
  });
});

test('When the claims of a client are read, then the text is stored sealed and another client finds none', async () => {
  const id = await filed(await delivered());
  const other = await newHolder(database);
  expect(await findClaim(database, other.clientId, id)).toBeUndefined();
  expect((await claim(id))?.sealedText).toEqual(Buffer.from('sealed text'));
  const { columns } = await sql.one(database)<{ columns: number }>`SELECT count(*)::integer AS columns
       FROM information_schema.columns
      WHERE table_name = 'claims' AND column_name LIKE '%text%' AND data_type <> 'bytea'`;
  expect(columns).toBe(0);
});
