/** Operations that need a second person. docs/operators/approvals.md. */
import { randomUUID } from 'node:crypto';
import { actingAs } from '../../../src/data/database/acting-person';
import { firstRow, openDatabase, rows } from '../../../src/data/database/database';
import { empty, sql } from '../../../dev/testbed/sql';
import { eraseExpiredFiles } from '../../../src/data/approvals/proposals';
import { eraseRecipient, hashedRecipient } from '../../../src/data/privacy/erasures';
import { emailRecipient } from '../../../src/domain/orders/recipients';
import { Sealer } from '../../../src/security/sealing';
import type { VoucherProductInput } from '../../../src/data/catalogue/import/product-inputs';
import { countAsRefund, lockCounting } from '../../../src/data/approvals/stored-approval-rules';
import type { DataOperation } from '../../../src/operators/operations/operation';
import { operations } from '../../../src/operators/operations/operations';
import { importProducts, voucherProduct } from '../../support/catalogue';
import { newClient } from '../../support/clients';
import { stackDatabase } from '../../../dev/testbed/clients';
import { findClaim } from '../../../src/data/orders/client-claims';
import { deliver, deliveredOrder } from '../../support/ledger-orders';
import { newHolder, type Holder } from '../../../dev/testbed/ledger-rows';
import { newKeyRing } from '../../support/keys';
import { lockWaits, waitingStatements } from '../../support/lock-waits';
import {
  storePerson,
  storeServiceAccount,
  type OperatingPerson,
  useOperatingPeople,
} from '../../support/operating-people';
import { balanceOf } from '../../support/records';
import { printedBy, ops } from '../../support/operator';
import { callOperation, serviceCaller } from '../../support/service-accounts';
import { scratchDatabase } from '../../../dev/testbed/scratch-database';
import type { Json } from '../../support/stack';
import { newClaim } from '../../support/claims';

const scratch = scratchDatabase();
const { database } = scratch;

const {
  people,
  alice,
  bob,
  carol,
  sam,
  ada: admin,
} = useOperatingPeople(scratch, {
  alice: 'finance',
  bob: 'finance',
  carol: 'finance',
  lena: 'finance',
  sam: 'support',
  ada: 'admin',
  adam: 'admin',
});
let holder: Holder;
beforeAll(async () => {
  await sql(database)`UPDATE identity_operators."user" SET "suspendedAt" = now() WHERE name = 'lena'`;
});
beforeEach(async () => {
  holder = await newHolder(database, 1_000);
  await empty(database, 'approval_rules approval_proposals');
  await sql(database)`DELETE FROM counted_operations`;
});

type Person = OperatingPerson;
const reason = 'Ticket 4711';
const rule = (operation: string, amount: string, more: object = {}) =>
  admin.run('approval-rules set', { operation, currency: 'USD', amount, roles: 'finance', reason, ...more });
const fund = (who: Person, amount: string, more: object = {}) =>
  who.run('wallets fund', { wallet: holder.walletId, amount, reference: randomUUID(), reason, ...more });
const balance = async () => Number(await balanceOf(database, holder.walletId));
const approve = (who: Person, proposal: number | undefined) =>
  who.run('approvals approve', { proposal, reason: 'Seen the bank statement' });
const stateOf = async (proposal: number | undefined) =>
  (await sql.first(database)<{ state: string }>`SELECT state FROM approval_proposals WHERE id = ${proposal}`)?.state;
const delivered = (quantity = 1) => deliveredOrder(database, holder, { productId: 999, quantity });
const refund = (who: Person, order: number, amount: string, more: object = {}) =>
  who.run('orders refund', { order, amount, reason_code: 'GOODWILL', reference: randomUUID(), ...more });

/** Imports the product. Returns its id. */
async function sold(product: VoucherProductInput): Promise<number> {
  const categories = [{ name: product.category, subCategories: [] }];
  const ids = await importProducts(database, { categories, voucherProducts: [product] });
  return ids.get(product.sku) as number;
}
/** Changes people as an admin does. */
const changePeople = (change: string, ...names: string[]) =>
  rows(database, `UPDATE identity_operators."user" SET ${change} WHERE name = ANY ($names)`, { names });

test('When there is no rule, then operations are done at once, and nothing is said about approval', async () => {
  expect(await fund(alice, '5000')).toMatchObject({ mark: 0, data: [{ outcome: 'posted' }] });
  expect(await fund(alice, '5000')).not.toHaveProperty('proposal');
  expect(await alice.preview('wallets fund', { wallet: holder.walletId, amount: '1', reference: 'r' })).not.toContain(
    'approval',
  );
});

test('When a funding is beyond the rule, then nothing moves before another person with the role approves it', async () => {
  await rule('fund', '100');
  expect(await fund(alice, '100')).toMatchObject({ data: [{ outcome: 'posted' }] });
  const before = await balance();
  const proposed = await fund(alice, '0.01', { reference: 'transfer-1' });
  expect(proposed).toMatchObject({ mark: 0, proposal: expect.any(Number) });
  expect(proposed.data).toMatch(/^Proposed, nothing is done yet: proposal \d+ waits for approval by finance until /);
  expect(proposed.data).toContain('would be 100.01 USD, and need approval beyond 100 USD');
  expect(await balance()).toBe(before);
  expect(await approve(bob, proposed.proposal)).toMatchObject({
    data: [{ state: 'APPROVED', proposer: 'alice', result: [{ outcome: 'posted' }] }],
  });
  expect(await balance()).toBe(before + 0.01);
});

test('When the preview of an operation is asked for, then it says that approval will be needed, and nothing changes', async () => {
  await rule('fund', '100');
  const given = { wallet: holder.walletId, amount: '100.01', reference: 'r' };
  expect(await alice.preview('wallets fund', given)).toContain('It needs approval: by finance, because');
  expect(await alice.preview('wallets fund', { ...given, amount: '100' })).not.toContain('approval');
  expect(await balance()).toBe(1_000);
  expect((await alice.run('approvals list'))?.data).toEqual([]);
  expect(await fund(alice, '100')).toMatchObject({ data: [{ outcome: 'posted' }] });
});

test('When an operation stays below the rule, then it runs once, without a preview, and beyond it a proposal reads one', async () => {
  await rule('fund', '100');
  const operation = operations.find(({ name }) => name === 'wallets fund') as DataOperation;
  const [previews, runs] = [jest.spyOn(operation, 'preview'), jest.spyOn(operation, 'run')];
  await fund(alice, '100');
  expect([previews.mock.calls.length, runs.mock.calls.length]).toEqual([0, 1]);
  expect(await fund(alice, '1')).toHaveProperty('proposal');
  expect([previews.mock.calls.length, runs.mock.calls.length]).toEqual([1, 2]);
  jest.restoreAllMocks();
});

test('When a proposal is approved twice in parallel, then there is one entry', async () => {
  await rule('fund', '100');
  const proposed = await fund(alice, '500', { reference: 'twice' });
  const approvals = await Promise.allSettled([1, 2, 3, 4].map((n) => approve(n % 2 ? bob : carol, proposed.proposal)));
  expect(approvals.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const one of approvals)
    if (one.status === 'rejected') expect(String(one.reason)).toContain(`has approved proposal ${proposed.proposal}`);
  expect(
    await sql(database)`SELECT FROM transactions WHERE wallet_id = ${holder.walletId}
       AND reference_number = 'twice'`,
  ).toHaveLength(1);
  expect(await balance()).toBe(1_500);
});

test('When a person splits a refund into ten just below the limit, then the rule counts them together', async () => {
  await rule('refund', '10');
  const orders = await Promise.all(Array.from({ length: 10 }, () => delivered()));
  const outcomes = await Promise.all(orders.map((order) => refund(sam, order, '9.99')));
  expect(outcomes.filter((one) => one.proposal === undefined)).toHaveLength(1);
  expect(await sql(database)`SELECT FROM order_refunds WHERE order_id = ANY (${orders})`).toHaveLength(1);
  expect((await refund(bob, orders[9] as number, '0.01'))?.data).toMatchObject([{ outcome: 'credited' }]);
});

test('When a refund waits for approval, then every approver reads kind, order, unit and sum, and no text about the order', async () => {
  await rule('refund', '1');
  const order = await delivered(2);
  const secret = 'Jane Doe called';
  const given = { order, unit: 1, reason_code: 'GOODWILL', reference: 'jane', note: secret, reason: secret };
  const { proposal } = await sam.run('orders refund', given);
  const shown = async (reader: typeof sam) => (await reader.run('approvals show', { proposal })).data;
  const preview = expect.stringMatching(
    `^Refunds \\d+(\\.\\d+)? USD for unit 1 of order ${order} .* The sum is \\d+(\\.\\d+)? USD\\.$`,
  );
  const same = { operation: 'orders refund', preview };
  expect(await shown(sam)).toMatchObject({
    ...same,
    reason: secret,
    arguments: { order: String(order), note: secret },
  });
  expect(await shown(bob)).toMatchObject({
    ...same,
    reason: 'hidden',
    arguments: { order: String(order), note: 'hidden' },
  });
  await bob.run('approvals reject', { proposal, reason: secret });
  expect(await sql(database)`SELECT FROM audit_entries WHERE reason LIKE '%Jane%'`).toEqual([]);
});

test('When claims are accepted, then their refunds count like any refund, and a claim beyond the rule waits for approval', async () => {
  await rule('refund', '10');
  const order = await delivered(2);
  const { clientId } = holder;
  const claims = [1, 2].map((unit) => newClaim(database, { clientId, orderId: order, unit }));
  const [first, second] = await Promise.all(claims);
  const accept = (claim: number | undefined) => sam.run('claims accept', { claim, how: 'refund', reason });
  expect(await accept(first)).not.toHaveProperty('proposal');
  const { proposal } = await accept(second);
  const claimOf = () => findClaim(database, holder.clientId, Number(second));
  expect(await claimOf()).toMatchObject({ state: 'OPEN' });
  await approve(bob, proposal);
  expect(await claimOf()).toMatchObject({ state: 'ACCEPTED', outcome: 'REFUNDED' });
  expect(await balance()).toBe(1_000);
});

test('When the person who opened a claim would be one of the two who accept it, then it is rejected', async () => {
  await rule('refund', '5', { roles: 'finance,support' });
  const order = await delivered();
  await storePerson(scratch, 'olga', 'support');
  await storePerson(scratch, 'oleg', 'support');
  const [olga, oleg] = [people.as('olga', 'support'), people.as('oleg', 'support')];
  const text = 'The shop says that the code is unknown.';
  const opening = { order, kind: 'invalid-code', unit: 1, text, reason: 'Called at noon' };
  expect(await olga.preview('claims open', opening)).toMatch(/^Opens a claim of .* about card 1 /);
  await olga.run('claims open', opening);
  const [claim] = (await sam.run('claims list', { order })).data as Json[];
  expect(claim).toMatchObject({ state: 'OPEN', unit: 1, opened_by: 'olga' });
  expect((await sam.run('claims show', { claim: claim?.['id'] })).data).toMatchObject({ text });
  const acceptance = { claim: claim?.['id'], how: 'refund', reason };
  for (const attempt of [olga.preview('claims accept', acceptance), olga.run('claims accept', acceptance)])
    await expect(attempt).rejects.toThrow(/^olga opened claim \d+ for the client.*: two others accept it/);
  const { proposal } = await sam.run('claims accept', acceptance);
  await expect(approve(olga, proposal)).rejects.toThrow(/^olga opened claim/);
  expect((await olga.run('approvals show', { proposal })).data).toMatchObject({
    obstacle: expect.stringMatching(/^olga opened claim/),
  });
  await approve(oleg, proposal);
  expect(await findClaim(database, holder.clientId, Number(claim?.['id']))).toMatchObject({ state: 'ACCEPTED' });
});

test('When an operation gives a replacement, then its value counts as a refund of the person', async () => {
  await rule('refund', '10');
  const operated = openDatabase(scratch.url, 1, { isOperated: true });
  const person = { operator: 'sam', accountable: 'sam', command: 'claims accept', reason, statementMs: 5_000 };
  const replacement = { clientId: holder.clientId, currency: 'USD', amount: '8' };
  await actingAs(person, () => countAsRefund(operated, replacement));
  await actingAs({ ...person, approver: 'bob' }, () => countAsRefund(operated, replacement));
  await operated.close();
  const order = await delivered();
  expect(await refund(sam, order, '2.01')).toHaveProperty('proposal');
  expect(await refund(sam, order, '2')).not.toHaveProperty('proposal');
});

describe('Replacements', () => {
  let product: number;
  beforeAll(async () => {
    product = await sold(voucherProduct('Card'));
  });

  /** A claim about an order of one unit that cost 9.99. */
  async function claimed(): Promise<number> {
    const orderId = await deliveredOrder(database, holder, { productId: product, price: '9.99' });
    return newClaim(database, { clientId: holder.clientId, orderId });
  }
  const replace = (claim: number, who = sam) => who.run('claims accept', { claim, how: 'replace', reason });
  const claimOf = (id: number) => findClaim(database, holder.clientId, id);
  const replacements = () =>
    sql(database)`SELECT FROM orders WHERE client_id = ${holder.clientId} AND replaces_order_id IS NOT NULL`;

  test('When a person replaces ten units just below the limit, then the rule counts them at their price, and with refunds', async () => {
    await rule('refund', '10');
    const claims = await Promise.all(Array.from({ length: 10 }, claimed));
    const outcomes = await Promise.all(claims.map((claim) => replace(claim)));
    expect(outcomes.filter((one) => one.proposal === undefined)).toHaveLength(1);
    expect(await replacements()).toHaveLength(1);
    expect(outcomes.find((one) => one.proposal)?.data).toContain('within 24 hours would be 19.98 USD');
    const order = await delivered();
    expect(await refund(sam, order, '0.02')).toHaveProperty('proposal');
    expect(await refund(sam, order, '0.01')).not.toHaveProperty('proposal');
  });

  test("When a replacement beyond the rule is approved, also twice in parallel, then it is carried out once, as its proposer's", async () => {
    await rule('refund', '9');
    const claim = await claimed();
    const { proposal } = await replace(claim);
    expect([await claimOf(claim), await replacements()]).toEqual([
      expect.objectContaining({ state: 'OPEN', replacementOrderId: null }),
      [],
    ]);
    const approvals = await Promise.allSettled([approve(bob, proposal), approve(carol, proposal)]);
    expect(approvals.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await claimOf(claim)).toMatchObject({ state: 'ACCEPTED', replacementOrderId: expect.any(Number) });
    expect(await replacements()).toHaveLength(1);
    expect(await balance()).toBe(990.01);
    const [entry] = await rows(
      database,
      `SELECT operator, approver FROM audit_entries WHERE object = $object AND after ->> 'state' = 'ACCEPTED'`,
      { object: `claim/${claim}` },
    );
    expect(entry).toEqual({ operator: 'sam', approver: expect.stringMatching(/^(bob|carol)$/) });
  });

  test('When replacements are replaced in a chain, then each counts at the price of the paid unit', async () => {
    await rule('refund', '10');
    await replace(await claimed());
    const { id: first } = await sql.one(database)<{ id: number }>`SELECT id FROM orders
         WHERE client_id = ${holder.clientId} AND replaces_order_id IS NOT NULL`;
    await deliver(database, first);
    const again = await newClaim(database, { clientId: holder.clientId, orderId: first });
    expect((await replace(again)).data).toContain('within 24 hours would be 19.98 USD');
    expect(await replacements()).toHaveLength(1);
    const refunded = await sam.run('claims accept', { claim: again, how: 'refund', reason });
    expect(refunded.data).toContain('within 24 hours would be 19.98 USD');
    expect(await sam.preview('claims accept', { claim: again, how: 'refund', reason })).toMatch(
      /^Refunds [\d.]+ USD for unit 1 of order \d+ of .+, of which 0 USD are left\. .+ The goods of order \d+, which replaced the unit, are void then\./,
    );
    expect(await claimOf(again)).toMatchObject({ state: 'OPEN' });
  });

  test('When a credit of the supplier is recorded, then it counts as a refund, and beyond the cost it needs --force', async () => {
    await rule('refund', '10');
    const claim = await claimed();
    const credit = (amount: string, more: object = {}) =>
      sam.run('claims credit', { claim, credit: `USD=${amount}`, ...more });
    await expect(credit('10')).rejects.toThrow(
      `The credits for the unit of claim ${claim} would exceed what we lost: the cost of the unit is unknown, and the client paid 9.99 USD: add --force`,
    );
    expect(await sam.preview('claims credit', { claim, credit: 'USD=10' })).toContain('it needs --force');
    expect(await credit('10', { force: true })).not.toHaveProperty('proposal');
    expect(await credit('10', { force: true })).not.toHaveProperty('proposal');
    expect((await credit('9')).data).toContain('within 24 hours would be 19 USD');
    await expect(
      sam.run('claims accept', { claim, how: 'refund', supplier_credit: 'USD=500', reason }),
    ).rejects.toThrow('would exceed what we lost');
    expect(await claimOf(claim)).toMatchObject({ state: 'OPEN' });
  });

  test('When the claim was decided since, then the approval rejects the proposal, and no order is placed', async () => {
    await rule('refund', '9');
    const claim = await claimed();
    const { proposal } = await replace(claim);
    await sam.run('claims reject', { claim, reason });
    await expect(approve(bob, proposal)).rejects.toThrow('is rejected, because its preview has changed');
    expect(await replacements()).toEqual([]);
  });
});

test('When two operations of one person run in parallel, then they do not both stay below the limit', async () => {
  await rule('fund', '100');
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => fund(alice, '60')));
  expect(outcomes.filter((one) => one.proposal === undefined)).toHaveLength(1);
  expect(await balance()).toBe(1_060);
});

test('When a rule limits the day of a person, then operations for all clients count together', async () => {
  await rule('adjust', '100', { day_amount: '150' });
  const adjust = (amount: string) =>
    alice.run('wallets adjust', { wallet: holder.walletId, amount, reference: randomUUID(), reason });
  expect(await adjust('90')).not.toHaveProperty('proposal');
  holder = await newHolder(database, 1_000);
  expect((await adjust('-90'))?.data).toContain('of one person for all clients within 24 hours would be 180 USD');
  expect(await adjust('-50')).not.toHaveProperty('proposal');
});

test('When a credit limit is raised, then the rule counts the increase, and a second person decides beyond it', async () => {
  await rule('credit-limit', '100');
  const set = (amount: string) => alice.run('wallets credit-limit', { wallet: holder.walletId, amount, reason });
  const limit = async () =>
    (await alice.run('wallets list', { client: String(holder.clientId) }))?.data as { credit_limit: string }[];
  expect(await alice.preview('wallets credit-limit', { wallet: holder.walletId, amount: '60', reason })).toMatch(
    /It holds \d+ USD, so \d+ USD will be available\.$/,
  );
  for (const amount of ['60', '20', '20', '60']) expect(await set(amount)).not.toHaveProperty('proposal');
  const proposed = await set('61');
  expect(proposed.data).toContain('increases of credit limits of one person for one client');
  expect(proposed.data).toContain('would be 101 USD, and need approval beyond 100 USD');
  expect(await limit()).toMatchObject([{ credit_limit: '60.0000' }]);
  expect(await approve(bob, proposed.proposal)).toMatchObject({ data: [{ state: 'APPROVED' }] });
  expect(await limit()).toMatchObject([{ credit_limit: '61.0000' }]);

  const outdated = await set('70');
  await set('5');
  await expect(approve(bob, outdated.proposal)).rejects.toThrow('its preview has changed');
});

test('When operations are older than 24 hours, of another currency, or approved, then the rule does not count them', async () => {
  await rule('fund', '100');
  await sql(database)`INSERT INTO approval_rules (operation, currency, amount, roles)
       VALUES ('FUND', 'EUR', 0, '{admin}')`;
  await fund(alice, '90');
  const proposed = await fund(alice, '90');
  await approve(bob, proposed.proposal);
  expect(await fund(alice, '10')).not.toHaveProperty('proposal');
  await sql(database)`UPDATE counted_operations SET at = at - interval '24 hours'`;
  expect(await fund(alice, '100')).not.toHaveProperty('proposal');
});

test('When a reference was posted before, then its repetition needs no approval, and a repeated proposal stays one', async () => {
  await rule('fund', '100');
  await fund(alice, '100', { reference: 'same' });
  expect(await fund(alice, '100', { reference: 'same' })).toMatchObject({
    data: [{ outcome: 'posted before, nothing changed' }],
  });
  const first = await fund(alice, '200', { reference: 'large' });
  expect((await fund(alice, '200', { reference: 'large' }))?.proposal).toBe(first.proposal);
  expect((await fund(alice, '201', { reference: 'large' }))?.proposal).not.toBe(first.proposal);
});

describe('Who may approve', () => {
  beforeEach(() => rule('fund', '0'));

  test('When the proposer approves, then it is rejected, and rejecting withdraws it', async () => {
    const proposed = await fund(bob, '5');
    await expect(approve(bob, proposed.proposal)).rejects.toThrow('Another person approves what you proposed');
    await expect(
      people.as('bob', 'finance', { owner: 'ada' }).run('approvals approve', { proposal: proposed.proposal }),
    ).rejects.toThrow('A service account approves nothing');
    expect(await bob.run('approvals reject', { proposal: proposed.proposal })).toMatchObject({ mark: 0 });
    await expect(approve(carol, proposed.proposal)).rejects.toThrow('bob has rejected proposal');
    expect(await balance()).toBe(1_000);
  });

  test('When a person without the role decides, then it is rejected', async () => {
    const proposed = await fund(alice, '5');
    await expect(approve(sam, proposed.proposal)).rejects.toThrow(
      'waits for approval by finance; your role is support',
    );
    await expect(approve(admin, proposed.proposal)).rejects.toThrow('your role is admin');
    await expect(sam.run('approvals reject', { proposal: proposed.proposal })).rejects.toThrow('your role is support');
    expect(await stateOf(proposed.proposal)).toBe('PENDING');
  });

  test('When a service account proposes, then its owner may not approve, and its sums count as the owner’s', async () => {
    const account = { name: 'robot', role: 'finance', owner: 'carol', operation: 'wallets fund' } as const;
    const id = await storeServiceAccount(scratch, account);
    const robot = people.as('robot', 'finance', { owner: 'carol', id });
    const proposed = await fund(robot, '5');
    await expect(approve(carol, proposed.proposal)).rejects.toThrow('that service account is yours');
    expect((await carol.run('approvals list', { mine: true }))?.data).toEqual([]);
    expect((await bob.run('approvals list', { mine: true }))?.data).toMatchObject([{ id: proposed.proposal }]);
    await approve(bob, proposed.proposal);
    await sql(database)`UPDATE approval_rules SET amount = 100`;
    await fund(carol, '60');
    expect(await fund(robot, '60')).toHaveProperty('proposal');
  });

  test('When a service account would make another one, then it is rejected, because it would give access', async () => {
    const given = { name: `robot-${randomUUID()}`, role: 'finance', operations: 'wallets fund', days: '1' };
    await expect(people.as('robot', 'admin', { owner: 'carol' }).run('service-accounts create', given)).rejects.toThrow(
      'service-accounts create gives access: no service account may use it',
    );
  });
});

describe('A proposer who may no longer do it', () => {
  beforeEach(() => rule('fund', '0'));
  afterEach(() => changePeople(`"suspendedAt" = NULL, role = 'finance'`, 'alice'));

  test.each([
    ['is suspended', `"suspendedAt" = now()`, 'alice is suspended'],
    ['lost the role', `role = 'support'`, 'alice now has the role support, which may not use wallets fund'],
  ])('When the proposer %s, then the approval rejects the proposal', async (_change, change, why) => {
    const { proposal } = await fund(alice, '5');
    await changePeople(change, 'alice');
    await expect(approve(bob, proposal)).rejects.toThrow(
      `Proposal ${proposal} is rejected, because ${why}. Propose the operation again`,
    );
    expect([await stateOf(proposal), await balance()]).toEqual(['REJECTED', 1_000]);
    await changePeople(`"suspendedAt" = NULL, role = 'finance'`, 'alice');
    await expect(approve(bob, proposal)).rejects.toThrow(`bob has rejected proposal ${proposal} already`);
  });

  test('When the proposer has another role that may use the operation, then the approval carries it out', async () => {
    const { proposal } = await fund(alice, '5');
    await changePeople(`role = 'admin'`, 'alice');
    await approve(bob, proposal);
    expect(await balance()).toBe(1_005);
  });

  test.each([
    ['is revoked', 'revoked_at = now()', 'a service account that is revoked, has expired or sleeps with its owner'],
    ['has expired', 'expires_at = now()', 'a service account that is revoked, has expired or sleeps with its owner'],
    [
      'has another role than its owner',
      `role = 'support'`,
      'a service account that is revoked, has expired or sleeps with its owner',
    ],
    [
      'is of a suspended owner',
      `owner_id = (SELECT id FROM identity_operators."user" WHERE "suspendedAt" IS NOT NULL)`,
      'a service account that is revoked, has expired or sleeps with its owner',
    ],
    ['lost the operation', `operations = '{orders find}'`, 'wallets fund is no longer among the operations of'],
  ])(
    'When the service account that proposed %s, then the approval rejects the proposal',
    async (_change, change, why) => {
      const name = `robot-${randomUUID()}`;
      const account = { name, role: 'finance', owner: 'carol', operation: 'wallets fund' } as const;
      const id = await storeServiceAccount(scratch, account);
      const { proposal } = await fund(people.as(name, 'finance', { owner: 'carol', id }), '5');
      await rows(database, `UPDATE identity_operators.service_accounts SET ${change} WHERE id = $id`, { id });
      await expect(approve(bob, proposal)).rejects.toThrow(why);
      expect([await stateOf(proposal), await balance()]).toEqual(['REJECTED', 1_000]);
    },
  );

  test('When the proposer is suspended while another person approves, then the approval waits, and rejects the proposal', async () => {
    const { proposal } = await fund(alice, '5');
    const suspension = await database.transaction();
    await sql(database, suspension)`UPDATE identity_operators."user" SET "suspendedAt" = now()
         WHERE name = 'alice'`;
    const approval = expect(approve(bob, proposal)).rejects.toThrow('alice is suspended');
    await lockWaits(database, 1, 'lock_account');
    await suspension.commit();
    await approval;
    expect([await stateOf(proposal), await balance()]).toEqual(['REJECTED', 1_000]);
  });
});

test('When 20 operations of one person wait for each other, then other people are answered at once', async () => {
  await rule('fund', '1000');
  const running = await database.transaction();
  await lockCounting(database, 'alice', running);
  const funded = Promise.all(Array.from({ length: 20 }, () => fund(alice, '1')));
  await lockWaits(database, 1, 'pg_advisory_xact_lock');
  expect((await sam.run('approvals list')).data).toEqual([]);
  expect(await fund(bob, '1')).toMatchObject({ data: [{ outcome: 'posted' }] });
  expect(await waitingStatements(database, 'pg_advisory_xact_lock')).toBe(1);
  await running.commit();
  expect((await funded).map(({ proposal }) => proposal)).toEqual(Array(20).fill(undefined));
  expect(await balance()).toBe(1_021);
});

test('When a proposal has expired, then a decision is rejected and nothing moves', async () => {
  await rule('fund', '100');
  const { proposal } = await fund(alice, '500');
  const [{ days } = { days: 0 }] = await sql(database)<{ days: number }>`SELECT extract(day
       FROM expires_at - proposed_at)::integer AS days FROM approval_proposals WHERE id = ${proposal}`;
  expect(days).toBe(7);
  await sql(database)`UPDATE approval_proposals SET expires_at = now() WHERE id = ${proposal}`;
  await expect(approve(bob, proposal)).rejects.toThrow(`Proposal ${proposal} expired`);
  await expect(bob.run('approvals reject', { proposal })).rejects.toThrow('expired');
  expect((await bob.run('approvals list', { state: 'expired' }))?.data).toMatchObject([{ id: proposal }]);
  expect(await balance()).toBe(1_000);
});

test('When the preview has changed since, then the approval rejects the proposal; a changed balance does not matter', async () => {
  await rule('refund', '1');
  const order = await delivered(3);
  const [first, second] = [await refund(sam, order, '5'), await refund(sam, order, '6')];
  await fund(alice, '7');
  await approve(bob, first.proposal);
  await expect(approve(bob, second.proposal)).rejects.toThrow(
    `Proposal ${second.proposal} is rejected, because its preview has changed since: Refunds 6 USD`,
  );
  expect(await stateOf(second.proposal)).toBe('REJECTED');
  expect(await sql(database)`SELECT FROM order_refunds WHERE order_id = ${order}`).toHaveLength(1);
});

test('When the reference of a proposed funding has moved money since, then the approval rejects the proposal', async () => {
  await rule('fund', '100');
  const [one, other] = [
    await fund(alice, '500', { reference: 'transfer-9' }),
    await fund(carol, '500', { reference: 'transfer-9' }),
  ];
  await approve(bob, one.proposal);
  await expect(approve(bob, other.proposal)).rejects.toThrow('is rejected, because its preview has changed');
  expect(await balance()).toBe(1_500);
});

test('When the arguments of a proposal are exchanged, then it cannot be approved', async () => {
  await rule('fund', '100');
  const [small, large] = [await fund(alice, '101'), await fund(alice, '900')];
  await sql(database)`UPDATE approval_proposals SET sealed_call = (SELECT sealed_call FROM approval_proposals
       WHERE id = ${large.proposal}) WHERE id = ${small.proposal}`;
  await expect(approve(bob, small.proposal)).rejects.toThrow();
  await expect(bob.run('approvals approve', { proposal: large.proposal, amount: '1' })).rejects.toThrow(
    'amount: there is no such argument',
  );
  expect([await stateOf(small.proposal), await balance()]).toEqual(['PENDING', 1_000]);
});

test('When a proposal is approved, then the audit has proposer, approver, reason, and the values before and after', async () => {
  await rule('fund', '100');
  const { proposal } = await fund(alice, '500', { remarks: 'For Jane Doe' });
  await approve(bob, proposal);
  const entries = await sql(database)<Json>`SELECT * FROM audit_entries ORDER BY id DESC LIMIT 3`;
  const [decided, moved, proposed] = entries;
  expect(proposed).toMatchObject({
    operator: 'alice',
    command: 'wallets fund',
    reason,
    approver: null,
    action: 'proposal.created',
    after: { state: 'PENDING', operation: 'wallets fund', sealed_call: 'hidden' },
  });
  expect(moved).toMatchObject({
    operator: 'alice',
    command: 'wallets fund',
    reason,
    approver: 'bob',
    action: 'transaction.created',
    after: { amount: 500, balance_after: 1_500 },
  });
  expect(decided).toMatchObject({
    operator: 'bob',
    command: 'approvals approve',
    reason: 'Seen the bank statement',
    approver: null,
    action: 'proposal.changed',
    object: `proposal/${proposal}`,
    before: { state: 'PENDING' },
    after: { state: 'APPROVED', decided_by: 'bob' },
  });
  expect(JSON.stringify([proposed, decided])).not.toContain('Jane');
  expect(await sql(database)`SELECT FROM approval_proposals p WHERE p::text LIKE '%Jane%'`).toEqual([]);
  expect((await bob.run('approvals show', { proposal }))?.data).toMatchObject({
    state: 'APPROVED',
    proposer: 'alice',
    reason,
    arguments: { amount: '500', remarks: 'For Jane Doe' },
    preview: expect.stringContaining('Credits 500 USD'),
  });
});

test('When an approved operation fails, then nothing is decided, and the error says why', async () => {
  await rule('adjust', '100');
  const given = { wallet: holder.walletId, amount: '-900', reference: 'correction', reason };
  const { proposal } = await alice.run('wallets adjust', given);
  const { proposal: other } = await alice.run('wallets adjust', { ...given, reference: 'other' });
  await approve(bob, other);
  await expect(approve(bob, proposal)).rejects.toThrow('holds only 100');
  expect([await stateOf(proposal), await balance()]).toEqual(['PENDING', 100]);
  await fund(alice, '800');
  await approve(bob, proposal);
  expect([await stateOf(proposal), await balance()]).toEqual(['APPROVED', 0]);
});

describe('Files of refunds', () => {
  const fileOf = (lines: readonly string[]) => ({
    file: { name: 'recall.csv', text: ['order,amount,reason_code,reference', ...lines].join('\n') },
    reason: 'Recall',
  });
  const imports = () => sql(database)`SELECT FROM refund_imports`;

  test('When a file exceeds the rule, then its approval starts the import, whose lines are those of the proposal', async () => {
    await rule('refunds-import', '10');
    const orders = [await delivered(), await delivered()];
    const given = fileOf(orders.map((order) => `${order},6,INVALID_GOODS,recall`));
    expect(await alice.preview('refunds import', given)).toMatch(
      /^Credits 2 refunds of 12 USD in all\..* It needs approval: by finance/,
    );
    const { proposal } = await alice.run('refunds import', given);
    expect([await imports(), people.started]).toEqual([[], []]);
    expect(await approve(bob, proposal)).toMatchObject({ data: [{ result: [{ name: 'recall.csv', lines: 2 }] }] });
    expect(await imports()).toHaveLength(1);
    expect(people.started).toEqual([expect.stringMatching(/^refund-import-/)]);
    expect(await sql(database)`SELECT operator, amount FROM order_refunds WHERE order_id = ANY (${orders})`).toEqual([
      { operator: 'alice', amount: '6.0000' },
      { operator: 'alice', amount: '6.0000' },
    ]);
  });

  test('When a line of the file was refunded since, then the approval rejects the proposal, and no import starts', async () => {
    await rule('refunds-import', '1');
    const order = await delivered();
    const before = (await imports()).length;
    const { proposal } = await alice.run('refunds import', fileOf([`${order},6,INVALID_GOODS,recall`]));
    await refund(sam, order, '1', { reference: 'recall' });
    await expect(approve(bob, proposal)).rejects.toThrow('is rejected, because its preview has changed');
    expect(await imports()).toHaveLength(before);
  });

  describe('The file of a proposal', () => {
    const hasFile = async (proposal: number | undefined) =>
      (
        await sql(database)`SELECT FROM approval_proposals WHERE id = ${proposal}
             AND sealed_files IS NOT NULL`
      ).length === 1;
    const argumentsOf = async (proposal: number | undefined, reader = bob) =>
      ((await reader.run('approvals show', { proposal })).data as { arguments: object }).arguments;
    const propose = (order: number, note = 'For Jane Doe') => {
      const text = `order,amount,reason_code,reference,note\n${order},6,INVALID_GOODS,recall,${note}`;
      return sam.run('refunds import', { file: { name: 'recall.csv', text }, reason: 'Recall' });
    };
    beforeEach(() => rule('refunds-import', '1'));

    test.each([
      ['approved', (proposal: number | undefined) => approve(bob, proposal)],
      ['rejected', (proposal: number | undefined) => bob.run('approvals reject', { proposal })],
    ])('When a proposal is %s, then its file is erased, and the rest stays', async (_decision, decide) => {
      const { proposal } = await propose(await delivered());
      const file = (text: string) => ({ file: { text: expect.stringContaining(text) } });
      expect(await argumentsOf(proposal, sam)).toMatchObject(file('For Jane Doe'));
      expect(await argumentsOf(proposal)).toMatchObject(file(',6,INVALID_GOODS,recall,hidden'));
      await decide(proposal);
      expect(await hasFile(proposal)).toBe(false);
      expect(await argumentsOf(proposal)).toMatchObject({ file: { name: 'recall.csv', text: '(erased)' } });
    });

    test('When a proposal expires, then maintenance erases its file, and keeps those of others', async () => {
      const [expired, waiting] = [await propose(await delivered()), await propose(await delivered())];
      await sql(database)`UPDATE approval_proposals SET expires_at = now() WHERE id = ${expired.proposal}`;
      await eraseExpiredFiles(database);
      expect([await hasFile(expired.proposal), await hasFile(waiting.proposal)]).toEqual([false, true]);
    });

    test('When a recipient is erased, then so are files with a note about the order, and their proposals cannot be approved', async () => {
      const order = await delivered();
      const [noted, noNote, other] = [await propose(order), await propose(order, ''), await propose(await delivered())];
      const sealer = new Sealer(newKeyRing());
      const ann = emailRecipient('ann@example.com');
      await sql(database)`UPDATE orders SET email_hash = ${sealer.lookupHash(ann.text)} WHERE id = ${order}`;
      const request = { recipient: hashedRecipient(sealer, ann), clientId: null, limit: 10 };
      expect(await eraseRecipient(database, request)).toEqual({ erased: 1, pending: 0 });
      expect(await Promise.all([noted, noNote, other].map(({ proposal }) => hasFile(proposal)))).toEqual([
        false,
        true,
        true,
      ]);
      await expect(approve(bob, noted.proposal)).rejects.toThrow(
        `Proposal ${noted.proposal} is rejected, because its file was erased with the recipient of an order`,
      );
      expect(await stateOf(noted.proposal)).toBe('REJECTED');
      expect((await propose(order)).proposal).not.toBe(noted.proposal);
    });

    test('When a recipient is erased while the file is carried out, then the erasure waits, and both succeed', async () => {
      const order = await delivered();
      const { proposal } = await propose(order);
      const sealer = new Sealer(newKeyRing());
      const ben = emailRecipient('ben@example.com');
      await sql(database)`UPDATE orders SET email_hash = ${sealer.lookupHash(ben.text)} WHERE id = ${order}`;
      // The approval holds its proposal, and waits for the order.
      const blocking = await database.transaction();
      await sql(database, blocking)`SELECT FROM orders WHERE id = ${order} FOR NO KEY UPDATE`;
      const approval = approve(bob, proposal);
      await lockWaits(database, 1);
      const request = { recipient: hashedRecipient(sealer, ben), clientId: null, limit: 10 };
      const erasure = eraseRecipient(database, request);
      await lockWaits(database, 1, 'approval_proposals');
      await blocking.commit();
      expect(await approval).toMatchObject({ data: [{ state: 'APPROVED' }] });
      expect(await erasure).toEqual({ erased: 1, pending: 0 });
      expect(await hasFile(proposal)).toBe(false);
    });
  });

  test('When a rule limits refunds, then a file is no way around it', async () => {
    await rule('refund', '10');
    const order = await delivered(3);
    await refund(sam, order, '6');
    expect(await sam.run('refunds import', fileOf([`${order},5,INVALID_GOODS,file`]))).toHaveProperty('proposal');
    expect(await sam.run('refunds import', fileOf([`${order},4,INVALID_GOODS,file`]))).not.toHaveProperty('proposal');
    expect(await refund(sam, order, '0.01')).toHaveProperty('proposal');
  });
});

describe('Prices and rates', () => {
  const rate = (who: Person, value: string, more: object = {}) =>
    who.run('rates set', { product_currency: 'USD', wallet_currency: 'EUR', rate: value, reason, ...more });
  const priceRule = () => admin.run('approval-rules set', { operation: 'price', roles: 'finance', reason });
  const current = async () =>
    (await sql.first(database)<{ rate: string }>`SELECT trim_scale(rate)::text AS rate FROM forex_rates`)?.rate;

  beforeEach(async () => {
    await empty(database, 'forex_rates confirmed_values');
    await rate(alice, '0.9', { force: true });
  });

  test('When there is no rule, then a large change needs --force, as before', async () => {
    await expect(rate(alice, '2')).rejects.toThrow('add --force to apply it');
    await rate(alice, '2', { force: true });
    expect(await current()).toBe('2');
  });

  test('When a rate changes beyond the limit, then another person approves it, and --force does not', async () => {
    await priceRule();
    expect(await rate(alice, '0.91')).not.toHaveProperty('proposal');
    const proposed = await rate(alice, '2', { force: true });
    expect(proposed.data).toContain('Rate USD/EUR since the last confirmed value: old value 0.9, new value 2');
    expect(await current()).toBe('0.91');
    await approve(bob, proposed.proposal);
    expect(await current()).toBe('2');
    const [entry] = await sql(database)`SELECT * FROM audit_entries WHERE action = 'rate.changed'
         ORDER BY id DESC LIMIT 1`;
    expect(entry).toMatchObject({
      operator: 'alice',
      approver: 'bob',
      command: 'rates set',
      reason,
      before: { rate: 0.91 },
      after: { rate: 2 },
    });
  });

  describe('Every operation that takes --force for a price', () => {
    const card = voucherProduct('Priced card', { denominations: [{ min: '5', max: '500', discount: '10' }] });
    let product: number;
    beforeAll(async () => {
      product = await sold(card);
    });
    beforeEach(() => sql(database)`INSERT INTO reference_rates VALUES ('USD', 'EUR', 0.9)`);
    afterEach(() => sql(database)`DELETE FROM reference_rates`);

    interface Guarded {
      /** The arguments with a value. */
      given: (value: string) => object;
      /** SQL: the value. */
      value: string;
      small: string;
      large: string;
    }
    const pair = { product_currency: 'USD', wallet_currency: 'EUR' };
    const priced = (percent: string) => ({ ...card, denominations: [{ min: '5', max: '500', discount: percent }] });
    const jsonFile = (content: object) => ({ name: 'file.json', text: JSON.stringify(content) });
    const guarded: Readonly<Record<string, Guarded>> = {
      'rates set': {
        given: (value) => ({ ...pair, rate: value }),
        value: 'SELECT rate AS value FROM forex_rates',
        small: '0.9',
        large: '2',
      },
      'fees set': {
        given: (percent) => ({ ...pair, percent }),
        value: 'SELECT fee_percent AS value FROM conversion_fees',
        small: '2',
        large: '5',
      },
      'discounts set': {
        given: (percent) => ({ client: String(holder.clientId), family: 'vouchers', product, percent }),
        value: 'SELECT discount_percent AS value FROM client_discounts ORDER BY client_id DESC LIMIT 1',
        small: '10',
        large: '60',
      },
      'rates reference set': {
        given: (value) => ({ currency: 'USD', other: 'EUR', rate: value }),
        value: 'SELECT rate AS value FROM reference_rates',
        small: '0.9',
        large: '2',
      },
      'rates reference import': {
        given: (value) => ({ file: jsonFile([{ source: 'USD', destination: 'EUR', rate: value }]) }),
        value: 'SELECT rate AS value FROM reference_rates',
        small: '0.9',
        large: '2',
      },
      'catalogue import': {
        given: (percent) => ({ file: jsonFile({ supplier: 'simulator', voucherProducts: [priced(percent)] }) }),
        value: 'SELECT discount_percent AS value FROM voucher_denominations ORDER BY product_id DESC LIMIT 1',
        small: '11',
        large: '60',
      },
    };

    test('When an operation takes --force, then it has a rule', () => {
      const forced = operations.filter((one) => 'force' in one.arguments && one.approval === undefined);
      // Each of its credits is an operation of its own, which the rules count.
      expect(forced.map(({ name }) => name)).toEqual(['bank import']);
    });

    test.each(Object.keys(guarded))(
      'When %s changes a value beyond the limit, then another person approves it, and --force does not',
      async (name) => {
        const { given, value, small, large } = guarded[name] as Guarded;
        const change = (to: string, force: boolean) => admin.run(name, { ...given(to), reason, force });
        const now = async () => Number((await firstRow<{ value: string }>(database, value))?.value);
        await priceRule();
        expect(await change(small, false)).not.toHaveProperty('proposal');
        expect(await now()).toBe(Number(small));
        const { proposal } = await change(large, true);
        expect([proposal, await now()]).toEqual([expect.any(Number), Number(small)]);
        expect(await change(large, false)).toHaveProperty('proposal');
        await approve(bob, proposal);
        expect(await now()).toBe(Number(large));
        const [entry] = await sql(database)`SELECT operator, approver FROM audit_entries
             WHERE command = ${name} ORDER BY id DESC LIMIT 1`;
        expect(entry).toEqual({ operator: 'ada', approver: 'bob' });
      },
    );
  });

  test('When the old value has changed since, then the approval rejects the proposal', async () => {
    await priceRule();
    const { proposal } = await rate(alice, '2');
    await rate(alice, '0.92');
    await expect(approve(bob, proposal)).rejects.toThrow('its preview has changed since');
    expect(await current()).toBe('0.92');
  });
});

describe('Rules', () => {
  test('When fewer than two people could act on a rule, then it is rejected', async () => {
    await expect(rule('fund', '100', { roles: 'catalogue' })).rejects.toThrow(
      'Fewer than two people have the role catalogue',
    );
    await storePerson(scratch, 'cat', 'catalogue');
    await expect(rule('fund', '100', { roles: 'catalogue' })).rejects.toThrow('Fewer than two people');
    await changePeople(`"suspendedAt" = now()`, 'bob', 'carol');
    await expect(rule('fund', '100')).rejects.toThrow('Fewer than two people have the role finance');
    await changePeople(`"suspendedAt" = NULL`, 'bob', 'carol');
  });

  test('When a rule is changed, then the change is proposed itself, and applies to new proposals only', async () => {
    expect((await rule('fund', '100'))?.data).toContain('applies to what is proposed from now on');
    const waiting = await fund(alice, '500');
    const changed = await rule('fund', '100', { roles: 'admin' });
    expect(changed.data).toContain('waits for approval by finance');
    expect(await sql(database)`SELECT FROM approval_rules WHERE roles = '{admin}'`).toEqual([]);
    await approve(bob, changed.proposal);
    const [entry] = await sql(database)`SELECT * FROM audit_entries WHERE action = 'approval_rule.changed'
         ORDER BY id DESC LIMIT 1`;
    expect(entry).toMatchObject({
      operator: 'ada',
      approver: 'bob',
      command: 'approval-rules set',
      reason,
      before: { roles: ['finance'] },
      after: { roles: ['admin'] },
    });
    expect((await fund(alice, '500'))?.data).toContain('waits for approval by admin');
    await approve(bob, waiting.proposal);
    expect(await balance()).toBe(1_500);
  });

  test('When a rule of another operation is added, or one is removed, then another person approves it', async () => {
    await rule('fund', '100');
    expect((await rule('refund', '5'))?.data).toContain('waits for approval by finance');
    const { id } = (await sql.first(database)<{ id: number }>`SELECT id FROM approval_rules`) ?? { id: 0 };
    const removal = await admin.run('approval-rules remove', { rule: id, reason });
    expect(await fund(alice, '500')).toHaveProperty('proposal');
    await approve(carol, removal.proposal);
    expect(await fund(alice, '500')).not.toHaveProperty('proposal');
  });

  test('When two first rules are set at once, then one of them is proposed', async () => {
    const outcomes = await Promise.all([rule('fund', '100'), rule('refund', '100')]);
    expect(outcomes.filter((one) => one.proposal !== undefined)).toHaveLength(1);
  });

  test('When rules of one operation have several sums, then the one of the largest exceeded sum says who approves', async () => {
    await rule('fund', '100');
    await sql(database)`INSERT INTO approval_rules (operation, currency, amount, roles)
         VALUES ('FUND', 'USD', 1000, '{admin}')`;
    expect((await fund(alice, '500'))?.data).toContain('waits for approval by finance');
    expect((await fund(alice, '1000.01'))?.data).toContain('waits for approval by admin');
  });
});

test('When a command exceeds a rule, then it says that it is proposed, and the attention list tells those who may approve', async () => {
  await rule('fund', '100');
  const words = ['wallets', 'fund', holder.walletId, '500', '--reference', 'transfer-7', '--operator', 'alice'];
  const printed = await printedBy(scratch.url, ...words);
  const [, id] = /^Proposed, nothing is done yet: proposal (\d+) waits for approval by finance/.exec(printed) ?? [];
  await bob.run('attention');
  expect(bob.remarks).toContainEqual(expect.stringMatching(`^Waits for your approval: ${id}\\. `));
  await sam.run('attention');
  expect(sam.remarks.filter((remark) => remark.startsWith('Waits'))).toEqual([]);
  expect(await printedBy(scratch.url, 'approvals', 'show', String(id))).toContain('Credits 500 USD in wallet');
  expect(await printedBy(scratch.url, 'approvals', 'list')).toMatch(/wallets fund +.*alice/);
});

describe('Over HTTP', () => {
  const stack = stackDatabase();
  // No other test uses the currency, so that the rule is about this test alone.
  const currency = 'ISK';
  afterAll(async () => {
    await sql(stack)`DELETE FROM approval_rules WHERE currency = ${currency}`;
    await stack.close();
  });

  test('When a program exceeds a rule, then the response is 202 with the proposal, and a late decision is 409', async () => {
    const { wallets } = await newClient(stack, { [currency]: 0 });
    await ops`approval-rules set fund --currency ${currency} --amount 0 --roles admin --reason ${reason}
      --operator alice`;
    const { token } = await serviceCaller('finance');
    const given = { wallet: wallets[currency], amount: '10', reference: randomUUID() };
    expect((await callOperation(token, 'wallets fund', given, { preview: true })).body).toMatchObject({
      preview: expect.stringContaining('It needs approval: by admin'),
    });
    const { status, body } = await callOperation(token, 'wallets fund', given);
    expect({ status, body }).toMatchObject({ status: 202, body: { mark: 0, proposal: expect.any(Number) } });
    const proposal = Number(body['proposal']);
    const { token: admin } = await serviceCaller('admin');
    expect(await callOperation(admin, 'approvals approve', { proposal })).toMatchObject({
      status: 409,
      body: { error: { code: 'NOT_DONE', message: 'A service account approves nothing' } },
    });
    expect(await ops`approvals approve ${proposal} --operator bob`).toMatchObject([{ state: 'APPROVED' }]);
    const late = await callOperation(token, 'wallets fund', { ...given, reference: randomUUID() });
    await sql(stack)`UPDATE approval_proposals SET expires_at = now() WHERE id = ${late.body['proposal']}`;
    expect(await callOperation(admin, 'approvals approve', { proposal: late.body['proposal'] })).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('expired') } },
    });
    expect(Number(await balanceOf(stack, wallets[currency] as number))).toBe(10);
  });
});
