/** One payment, one credit, however often and in whatever words the bank sends it. docs/operators/money-in.md#the-same-payment-again. */
import { rows, oneRow } from '../../../src/data/database/database';
import { sql } from '../../../dev/testbed/sql';
import { storeBankFile } from '../../../src/data/funding/bank-statements';
import { creditedBookingsLike } from '../../../src/data/funding/credited-bookings';
import { verifyLedger } from '../../../src/data/ledger-verification';
import { bankStatementEntry, Sealer } from '../../../src/security/sealing';
import { newHolder, type Holder } from '../../../dev/testbed/ledger-rows';
import { scratchDatabase } from '../../../dev/testbed/scratch-database';
import { loadKeyRing } from '../../../src/data/keys/loaded-keys';
import { LocalKeyEncryption, readSecretKeys } from '../../../src/security/key-encryption';
import { ownSecretKeys } from '../../support/operator';
import { bookedBy, BookingStore, filesOf, randomOf } from '../../domain/bank-in-memory';
import {
  ourAccount,
  storeServiceAccount,
  type OperatingPerson,
  useOperatingPeople,
} from '../../support/operating-people';
import { balanceOf } from '../../support/records';

const scratch = scratchDatabase();
const { database } = scratch;
/** The keys of the operators’ process. */
const keyRing = () => loadKeyRing(database, new LocalKeyEncryption(readSecretKeys(ownSecretKeys)));
const {
  people,
  alice,
  bob,
  ada: admin,
} = useOperatingPeople(scratch, { alice: 'finance', bob: 'finance', ada: 'admin' });
let service: OperatingPerson;
let holder: Holder;
beforeAll(async () => {
  const account = { name: 'robot', role: 'finance', owner: 'alice', operation: 'bank credit' } as const;
  service = people.as('robot', 'finance', { owner: 'alice', id: await storeServiceAccount(scratch, account) });
});
beforeEach(async () => {
  await sql(database)`
    TRUNCATE bank_entries, bank_words, bank_statement_bookings, bank_bookings, bank_statements, bank_files, approval_rules, counted_operations`;
  await sql(database)`UPDATE attention SET cleared_at = now() WHERE cleared_at IS NULL`;
  await sql(database)`TRUNCATE funding_requests CASCADE`;
  holder = await newHolder(database);
});

interface Line {
  amount: string;
  day?: string;
  reference?: string;
  payer?: string;
  text?: string;
  /** Amount and text of each part. */
  parts?: readonly (readonly [amount: string, text: string])[];
}

interface Head {
  name?: string;
  id?: string;
  number?: number;
  balances?: readonly [opening: string, closing: string];
}

/** A statement of our account as camt.053. */
function camt({ name = 'a.xml', id = '', number, balances }: Head, ...lines: readonly Line[]) {
  const detail = (amount: string, text: string, payer = '') =>
    `<TxDtls><Amt Ccy="USD">${amount}</Amt>${payer && `<RltdPties><Dbtr><Nm>${payer}</Nm></Dbtr></RltdPties>`}<RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls>`;
  const entries = lines.map(({ amount, day = '2026-11-26', reference, payer, text = 'Thank you', parts }) =>
    [
      `<Ntry><Amt Ccy="USD">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${day}</Dt></BookgDt>`,
      reference ? `<AcctSvcrRef>${reference}</AcctSvcrRef>` : '',
      `<NtryDtls>${parts ? parts.map(([own, words]) => detail(own, words)).join('') : detail(amount, text, payer)}</NtryDtls></Ntry>`,
    ].join(''),
  );
  const balance = (code: string, amount: string | undefined) =>
    amount === undefined
      ? ''
      : `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="USD">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-26</Dt></Dt></Bal>`;
  const numbered = number === undefined ? '' : `<ElctrncSeqNb>${number}</ElctrncSeqNb>`;
  const text = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>${id && `<Id>${id}</Id>`}${numbered}<Acct><Id><IBAN>${ourAccount.iban}</IBAN></Id></Acct>${balance('OPBD', balances?.[0])}${balance('CLBD', balances?.[1])}${entries.join('')}</Stmt></BkToCstmrStmt></Document>`;
  return { name, text };
}

interface Shown {
  id: number;
  amount: string;
  result: string;
  why: string | null;
  explanation: string | null;
  equal_to: number | null;
  question: string | null;
}
const importing = async (file: object, more: object = {}, who = alice) =>
  (await who.run('bank import', { file, ...more })).data as { added: number; entries: Shown[] };
const idsOf = async (file: object) => (await importing(file)).entries.map(({ id }) => id);
const waiting = async () => (await alice.run('bank entries')).data as Record<string, unknown>[];
const balance = () => balanceOf(database, holder.walletId).then(Number);
const credit = (entry: unknown, more: object = {}, who = alice) =>
  who.run('bank credit', { entry, wallet: holder.walletId, ...more });
const listed = (kind: string) =>
  sql(database)<{ id: number; reason: string }>`SELECT id, reason FROM attention WHERE kind = ${kind}
       AND cleared_at IS NULL`;
const unsound = async () =>
  (await verifyLedger(database, 10)).findings.filter(({ check }) => check === 'bank-booking-credited-twice');

/** A valid reference of a request. */
const rf = 'RF18539007547034';
const request = (amount: string) =>
  sql(database)`INSERT INTO funding_requests (client_id, wallet_id, amount, reference, expires_at)
     SELECT client_id, id, ${amount}::numeric, ${rf}, now() + interval '30 days' FROM wallets WHERE id = ${holder.walletId}`;

const whole: Line = { amount: '100.00', reference: 'B1' };
const split: Line = {
  amount: '100.00',
  reference: 'B1',
  parts: [
    ['30.00', 'first'],
    ['70.00', 'second'],
  ],
};

test('When a credited payment comes again in two parts with the same bank reference, then nothing is new', async () => {
  const [id] = await idsOf(camt({}, whole));
  await credit(id);
  expect(await importing(camt({ id: 'other' }, split))).toMatchObject({ added: 0, entries: [{ id, result: 'KNOWN' }] });
  expect(await waiting()).toEqual([]);
  expect(await balance()).toBe(100);
});

test('When a payment that waits comes again in two parts, then these replace it, and each is credited', async () => {
  const [id] = await idsOf(camt({}, whole));
  const parts = await importing(camt({ id: 'other' }, split));
  expect(parts.entries.map(({ amount }) => amount)).toEqual(['30', '70']);
  await expect(credit(id)).rejects.toThrow(`The bank sent other parts of entry ${id}`);
  for (const part of parts.entries) await credit(part.id);
  expect(await balance()).toBe(100);
  expect(await idsOf(camt({}, whole))).toEqual(parts.entries.map((part) => part.id));
  // The database decides, too.
  const again = `UPDATE bank_entries SET state = 'WAITING', ended_at = NULL WHERE id = $id`;
  await expect(rows(database, again, { id })).rejects.toThrow(`bank entry ${id} is replaced`);
});

test('When a credited payment without a bank reference comes again with a field more, then it waits until a person says that it is another one', async () => {
  const [first] = await idsOf(camt({}, { amount: '100.00' }));
  await credit(first);
  const more = camt({ id: 'other', name: 'b.xml' }, { amount: '100.00', payer: 'Jane Payer' });
  const preview = await alice.preview('bank import', { file: more });
  expect(preview).toBe('Credits nothing. Known: 0. Waiting: 1 (100 USD: looks credited).');
  const [again] = (await importing(more)).entries as [Shown];
  const explanation = `It looks like entry ${first}, credited to wallet ${holder.walletId}. It may be a payment that is credited already. Crediting it needs your word that it is another one.`;
  expect(again).toMatchObject({ result: 'WAITS', why: 'LOOKS_CREDITED', explanation });
  expect(await waiting()).toMatchObject([{ id: again.id, why: 'LOOKS_CREDITED', looks_like: first, explanation }]);
  await expect(credit(again.id)).rejects.toThrow(
    `Entry ${again.id} cannot be credited. It looks like entry ${first}, credited to wallet ${holder.walletId}. If it is another payment, say so (--not-the-same ${first})`,
  );
  await alice.run('bank ignore', { entries: [again.id], reason: 'The same' });
  await expect(credit(again.id)).rejects.toThrow('It looks like entry');
  await expect(credit(again.id, { not_the_same: [first] }, service)).rejects.toThrow('A person says that');
  expect(await balance()).toBe(100);
  await credit(again.id, { not_the_same: [first] });
  expect(await balance()).toBe(200);
  expect(await sql(database)`SELECT given_by FROM bank_words`).toEqual([{ given_by: 'alice' }]);
});

test('When two people give their word about one credited entry, then it covers none that was credited since', async () => {
  const [first] = await idsOf(camt({ id: 'F1' }, { amount: '100.00' }));
  await credit(first);
  const [b] = await idsOf(camt({ id: 'F2' }, { amount: '100.00', payer: 'Jane' }));
  const [c] = await idsOf(camt({ id: 'F3' }, { amount: '100.00', payer: 'Jane', text: '' }));
  const word = { not_the_same: [first] };
  const both = await Promise.allSettled([credit(b, word), credit(c, word, bob)]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await balance()).toBe(200);
});

test('When the credit of such a payment is proposed, then the proposal has the word of its proposer', async () => {
  const rule = { operation: 'fund', currency: 'USD', amount: '150', roles: 'finance', reason: 'Four eyes' };
  await admin.run('approval-rules set', rule);
  const [first] = await idsOf(camt({}, { amount: '100.00' }));
  await credit(first);
  const [again] = await idsOf(camt({ id: 'other' }, { amount: '100.00', payer: 'Jane Payer' }));
  await expect(credit(again)).rejects.toThrow('It looks like entry');
  const { proposal } = await credit(again, { not_the_same: [first] });
  expect(await balance()).toBe(100);
  await bob.run('approvals approve', { proposal, reason: 'Seen' });
  expect(await balance()).toBe(200);
});

test('When two people credit the whole and a part in the same moment, then one of them waits', async () => {
  const [one] = await idsOf(camt({}, { amount: '100.00' }));
  const parts = { amount: '100.00', parts: split.parts ?? [] };
  const [part] = await idsOf(camt({ id: 'other' }, parts));
  const both = await Promise.allSettled([credit(one), credit(part, {}, bob)]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect([100, 30]).toContain(await balance());
});

test('When statements with consecutive numbers continue each other’s balance, then equal payments are two; otherwise a person is asked', async () => {
  const equal = { amount: '100.00' };
  const [first] = await idsOf(camt({ number: 330, balances: ['0.00', '100.00'] }, equal));
  await credit(first);
  const second = await importing(camt({ number: 331, balances: ['100.00', '200.00'] }, equal));
  expect(second).toMatchObject({ added: 1, entries: [{ why: 'NO_REFERENCE', question: null }] });
  await credit(second.entries[0]?.id);
  expect(await balance()).toBe(200);
  const export1 = camt({ name: 'export.xml', id: 'E' }, equal);
  const known = await importing(export1);
  expect(known).toMatchObject({
    added: 0,
    entries: [
      { equal_to: first, question: `Equal to entry ${first} of file a.xml: one payment or two?`, result: 'KNOWN' },
    ],
  });
  expect((await importing(export1)).entries).toMatchObject([{ equal_to: first }]);
  await expect(importing(export1, { another: [first] }, service)).rejects.toThrow('A person says whether');
  const another = await importing(export1, { another: [first] });
  expect(another).toMatchObject({ added: 1, entries: [{ result: 'WAITS', question: null }] });
  expect(await importing(export1)).toMatchObject({
    added: 0,
    entries: [{ id: another.entries[0]?.id, question: null }],
  });
});

test('When a bank gives one reference to several payments, then a request is paid, and a person is asked about other payers', async () => {
  await request('100');
  const from = (payer: string, text = `Invoice of ${payer}`, reference = 'B7') =>
    camt({ id: payer, name: `${payer}.xml` }, { amount: '100.00', reference, payer, text });
  const [anna] = await idsOf(from('Anna', 'RF67M56T4G0QRTZ8'));
  expect((await importing(from('Carl'))).entries).toMatchObject([{ id: anna, equal_to: anna, result: 'WAITS' }]);
  expect((await waiting()).map(({ payer }) => payer)).toEqual(['Anna']);
  expect((await importing(from('Bob', rf))).entries).toMatchObject([{ result: 'CREDITED' }]);
  const [eve] = await idsOf(from('Eve', 'Gift', 'B9'));
  expect((await importing(from('Carl', 'Gift', 'B9'), { another: [eve] })).added).toBe(1);
});

test('When parts change their sequence, then an entry keeps its payer', async () => {
  const parts = (...all: [string, string][]) => ({ amount: '100.00', reference: 'B8', parts: all });
  await importing(camt({ id: 'F1' }, parts(['50.00', 'Anna'], ['50.00', 'Bob'])));
  const named = async () => new Map((await waiting()).map(({ id, text }) => [id, String(text).slice(0, 3)]));
  const before = await named();
  await importing(camt({ id: 'F2' }, parts(['50.00', 'Bob, hotel'], ['50.00', 'Anna, gift'])));
  expect(await named()).toEqual(before);
});

test('When an ignored entry gets the reference of a pending request, then it pays the request', async () => {
  await request('50');
  const line = { amount: '50.00', reference: 'B7' };
  const [id] = await idsOf(camt({ id: 'F1' }, line));
  await alice.run('bank ignore', { entries: [id], reason: 'Unknown' });
  await importing(camt({ id: 'F2' }, line));
  expect(await waiting()).toEqual([]);
  expect((await importing(camt({ id: 'F3' }, { ...line, text: rf }))).entries).toMatchObject([
    { id, result: 'CREDITED' },
  ]);
});

test('When two statements have an equal fee, then nobody is asked', async () => {
  const fee = (id: string) => {
    const { name, text } = camt({ id }, { amount: '5.00', text: 'Fee' });
    return { name, text: text.replace('CRDT</CdtDbtInd><Sts>', 'DBIT</CdtDbtInd><Sts>') };
  };
  await importing(fee('F1'));
  expect(await importing(fee('F2'))).toMatchObject({ added: 0, entries: [{ question: null }] });
});

/** One file with the statements of both. */
const both = (one: { text: string }, two: { text: string }) => ({
  name: 'both.xml',
  text: one.text.replace('</Stmt>', `</Stmt>${/<Stmt>.*<\/Stmt>/.exec(two.text)?.[0] ?? ''}`),
});

test('When two statements of one file have equal payments, then the import asks whether they are one or two', async () => {
  const anna = { amount: '100.00', payer: 'Anna' };
  const file = both(camt({ id: 'S1', number: 1 }, anna), camt({ id: 'S2', number: 2 }, anna));
  const question = 'Equal to another entry of this file: one payment or two?';
  expect((await alice.run('bank check', { file })).data).toMatchObject([{ id: null, equal_to: null, question }]);
  const { entries } = await importing(file);
  const [{ id } = { id: 0 }] = entries;
  expect(entries).toMatchObject([
    { equal_to: id, question: `Equal to entry ${id} of file both.xml: one payment or two?` },
  ]);
  expect(await importing(file, { another: [id] })).toMatchObject({ added: 1, entries: [{ id }, {}] });
  expect(await importing(file)).toMatchObject({ added: 0, entries: [{ question: null }, { question: null }] });
});

test('When a person calls a payment another one, then no other payment of the file is proven apart from the credited one', async () => {
  await request('100');
  const [first] = await idsOf(camt({ id: 'F1' }, { amount: '100.00' }));
  await credit(first);
  const file = camt(
    { id: 'F2', name: 'b.xml' },
    { amount: '100.00' },
    { amount: '100.00', payer: 'Jane', text: `Thank you ${rf}` },
  );
  expect((await importing(file)).entries).toMatchObject([{ equal_to: first }, { why: 'LOOKS_CREDITED' }]);
  const [another] = (await importing(file, { another: [first] })).entries;
  await credit(another?.id);
  await importing(file);
  expect(await balance()).toBe(200);
});

test('When a statement comes again with another amount, then the list names the entry and the wallet, and the new amount waits', async () => {
  const kept = { amount: '5.00', text: 'kept' };
  const head = { id: 'S', number: 7 };
  const [, id] = await idsOf(camt({ ...head, balances: ['0.00', '105.00'] }, kept, { amount: '100.00' }));
  await credit(id);
  const corrected = camt({ ...head, balances: ['0.00', '106.00'], name: 'b.xml' }, kept, {
    amount: '101.00',
    text: 'New',
  });
  expect((await importing(corrected)).entries.map(({ why }) => why)).toEqual(['NO_REFERENCE', 'LOOKS_CREDITED']);
  const [changed] = await listed('STATEMENT_CHANGED');
  expect(changed?.reason).toBe(
    `Statement 7 from 2026-11-26 of ${ourAccount.iban} came again in b.xml without entry ${id} of 2026-11-26 (100 USD), credited to wallet ${holder.walletId}`,
  );
  await importing(corrected);
  await admin.run('attention settle', { number: changed?.id, reason: 'Corrected by hand' });
  await importing(corrected);
  expect(await listed('STATEMENT_CHANGED')).toEqual([]);
});

test('When numbers of statements are missing, then they are listed until they are imported or accepted', async () => {
  const numbered = (number: number) => camt({ number, balances: ['0.00', '0.00'] });
  for (const number of [330, 332, 335]) await importing(numbered(number));
  const reasons = async () => (await listed('STATEMENTS_MISSING')).map(({ reason }) => reason);
  const gaps = (await alice.run('bank gaps')).data as { gap: number }[];
  expect(gaps).toMatchObject([
    { first_number: 331, last_number: 331 },
    { first_number: 333, last_number: 334 },
  ]);
  expect(await reasons()).toEqual([
    `Statement 331 of ${ourAccount.iban} between 2026-11-26 and 2026-11-26 is missing (gap ${gaps[0]?.gap}); Statements 333 to 334 of ${ourAccount.iban} between 2026-11-26 and 2026-11-26 are missing (gap ${gaps[1]?.gap})`,
  ]);
  await importing(numbered(331));
  await alice.run('bank gap accept', { gap: gaps[1]?.gap, reason: 'The bank has none' });
  expect(await reasons()).toEqual([]);
  await expect(alice.run('bank gap accept', { gap: gaps[0]?.gap, reason: 'Again' })).rejects.toThrow('There is no gap');
  expect(await unsound()).toEqual([]);
});

/** Stores an entry as release 1.0.0 did. */
async function storeOld(amount: string, texts: object, { name = 'old.xml', isReversal = false } = {}) {
  const sealer = new Sealer(await keyRing());
  const nonce = `old-${Math.random()}`;
  const noTexts = { bankReference: '', endToEndId: '', payer: '', payerAccount: '', text: '' };
  const entry = { ...noTexts, ...texts };
  const sealed = sealer.seal(bankStatementEntry(nonce), JSON.stringify({ entry, ordinal: 1 }));
  const { id } = await oneRow<{ id: number }>(
    database,
    `WITH file AS (INSERT INTO bank_files (name, account, format, imported_by) VALUES ($name, $iban, 'camt053', 'alice') RETURNING id),
          booking AS (INSERT INTO bank_bookings (file_id, nonce, account, booked_on, direction, is_reversal, amount, currency, is_of_old_reader)
                      SELECT id, $nonce, $iban, '2026-11-26', 'CREDIT', $isReversal, $amount::numeric, 'USD', true FROM file RETURNING id)
     INSERT INTO bank_entries (file_id, booking_id, nonce, account, booked_on, direction, is_reversal, amount, currency, refs, sealed_entry)
     SELECT file.id, booking.id, $nonce, $iban, '2026-11-26', 'CREDIT', $isReversal, $amount::numeric, 'USD', '{}', $sealed FROM file, booking
     RETURNING id`,
    { iban: ourAccount.iban, nonce, amount, sealed, name, isReversal },
  );
  return id;
}

test('When entries of release 1.0.0 are stored, then their files add nothing, and a batch is one booking', async () => {
  await storeOld('30', { bankReference: 'B1\nT1', text: 'Worded otherwise' });
  await storeOld('70', { bankReference: 'B1\nT2' });
  await storeOld('8', {});
  await storeOld('9', { bankReference: 'B9' });
  const file = camt(
    { name: 'old.xml' },
    split,
    { amount: '8.00' },
    { amount: '9.00', reference: 'B9' },
    { amount: '8.00' },
  );
  expect(await importing(file)).toMatchObject({
    added: 1,
    entries: [{ amount: '30' }, { amount: '70' }, { amount: '8' }, { amount: '9' }, { amount: '8', result: 'WAITS' }],
  });
  expect((await importing(file)).added).toBe(0);
  const { count } = await sql.one(database)<{ count: number }>`SELECT count(*) AS count FROM bank_bookings
       WHERE NOT is_of_old_reader AND sealed_keys IS NOT NULL`;
  expect(count).toBe(4);
});

test('When an old entry may be the payment of somebody else, then a person is asked, and it stays as it is until then', async () => {
  await request('100');
  const anna = await storeOld('100', { payer: 'Anna', text: 'Invoice 1' });
  await credit(anna);
  const bobs = camt({ name: 'b.xml' }, { amount: '100.00', payer: 'Bob', reference: 'BOB-1', text: rf });
  const question = `Equal to entry ${anna} of file old.xml: one payment or two?`;
  expect((await importing(bobs)).entries).toMatchObject([{ id: anna, equal_to: anna, question }]);
  expect((await importing(bobs, { another: [anna] })).entries).toMatchObject([{ result: 'CREDITED' }]);
  expect(await balance()).toBe(200);
  const old = camt({ name: 'old.xml' }, { amount: '100.00', payer: 'Anna', text: 'Invoice 1' });
  expect(await importing(old)).toMatchObject({ added: 0, entries: [{ id: anna, question: null }] });
});

test('When parts of an old batch are credited, then the whole is credited by nobody who did not answer', async () => {
  await request('100');
  const [first, second] = [await storeOld('30', { text: 'a' }), await storeOld('70', { text: 'b' })];
  for (const id of [first, second]) await credit(id);
  const file = camt({ name: 'new.xml' }, { amount: '100.00', text: `Thank you ${rf}` });
  const question = `Equal to entry ${first} of file old.xml: one payment or two?`;
  expect(await importing(file)).toMatchObject({ added: 0, credited: 0, entries: [{ question }] });
  expect(await importing(file, { same: [first] })).toMatchObject({
    added: 0,
    entries: [{ result: 'KNOWN', question: null }, {}],
  });
  expect(await balance()).toBe(100);
});

test('When a person says that an old entry is the same payment, then no import asks about it again', async () => {
  const anna = await storeOld('100', { payer: 'Anna', text: 'Invoice 1' });
  await credit(anna);
  const line = { amount: '100.00', payer: 'Anna Smith', reference: 'A1', text: 'Paid for the hotel' };
  const file = camt({ id: 'S1', name: 'b.xml' }, line);
  for (const _ of [1, 2]) expect((await importing(file)).entries).toMatchObject([{ equal_to: anna }]);
  const { count } = await sql.one(database)<{ count: number }>`SELECT count(*) AS count FROM bank_statements`;
  expect(count).toBe(1);
  await expect(importing(file, { same: [anna] }, service)).rejects.toThrow('A person says whether');
  for (const answer of [{ same: [anna] }, { same: [anna] }, {}])
    expect(await importing(file, answer)).toMatchObject({ added: 0, entries: [{ id: anna, question: null }] });
  expect((await importing(camt({ id: 'S2', name: 'c.xml' }, line))).entries).toMatchObject([{ question: null }]);
});

test('When a person answers about an entry of which nobody asks, then nothing is imported, and the error says what to do', async () => {
  const [id] = await idsOf(camt({ id: 'S1' }, { amount: '5.00' }));
  await credit(id);
  const file = camt({ id: 'S2' }, { amount: '6.00' });
  for (const [answer, entry] of [
    ['another', id],
    ['same', id],
    ['another', 999_999],
  ] as const)
    await expect(importing(file, { [answer]: [entry] })).rejects.toThrow(
      `No payment of the file may be entry ${entry}: leave out --${answer} ${entry}.`,
    );
  const [six] = await idsOf(file);
  await expect(credit(six, { not_the_same: [id] })).rejects.toThrow(
    `Entry ${six} does not look like entry ${id}: leave out --not-the-same ${id}.`,
  );
});

test('When a statement of one booking comes again with another amount, then the list names the old one, and the new one waits', async () => {
  const version = (amount: string) =>
    camt({ id: 'S', number: 7, balances: ['0.00', amount] }, { amount, text: amount });
  const [id] = await idsOf(version('100.00'));
  await credit(id);
  expect((await importing(version('101.00'))).entries).toMatchObject([{ why: 'LOOKS_CREDITED' }]);
  expect((await listed('STATEMENT_CHANGED')).map(({ reason }) => reason)).toEqual([
    expect.stringContaining(`without entry ${id} of 2026-11-26 (100 USD)`),
  ]);
});

test('When one part of an old batch came back, then the other part can be credited after its file came again', async () => {
  for (const amount of ['30', '70']) await storeOld(amount, { bankReference: 'B1' }, { isReversal: true });
  const file = camt({ id: 'N', name: 'new.xml' }, split);
  file.text = file.text.replace('</TxDtls><TxDtls>', '</TxDtls><TxDtls><RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>');
  const { entries } = await importing(file);
  await credit(entries.find(({ amount }) => amount === '30')?.id);
  expect(await balance()).toBe(30);
});

test('When a bank sends its bookings in files of all kinds, then the database decides like the rules', async () => {
  const sealer = new Sealer(await keyRing());
  for (const seed of [1, 2, 3]) {
    await sql(database)`
      TRUNCATE bank_entries, bank_words, bank_statement_bookings, bank_bookings, bank_statements, bank_files`;
    const random = randomOf(seed);
    const files = filesOf(bookedBy(random), random);
    const store = new BookingStore();
    for (const file of files) {
      store.import(file);
      const { fileName: name, format, statement } = file;
      const ours = { ...statement, account: ourAccount.iban };
      const given = {
        name,
        format,
        importedBy: 'alice',
        force: true,
        statements: [ours],
        answers: { another: [], same: [] },
        references: new Map(),
      };
      await storeBankFile(database, sealer, given);
      const stored = await sql(database)<{ id: number }>`SELECT id FROM bank_bookings ORDER BY id`;
      expect(stored).toHaveLength(store.kept.length);
      const ids = stored.map(({ id }) => id);
      const like = await creditedBookingsLike(database, sealer, ids);
      const looks = (id: number) => (like.get(id) ?? []).map(({ bookingId }) => ids.indexOf(bookingId));
      const open = store.kept.filter(({ credited }) => credited.size === 0);
      expect(open.map(({ id }) => [id, looks(ids[id] ?? 0)])).toEqual(
        open.map((one) => [one.id, store.creditedBefore(one).map(({ id }) => id)]),
      );
      // Credits one that waits, as a person would.
      const next = open.find((one) => store.creditedBefore(one).length === 0);
      if (!next || random(2) === 0) continue;
      store.credit(next, 0);
      await creditFirstEntry(ids[next.id] ?? 0);
    }
  }
});

/** Credits the first entry of the booking. */
async function creditFirstEntry(bookingId: number): Promise<void> {
  const { id } = await sql.one(database)<{ id: number }>`SELECT min(id) AS id FROM bank_entries
       WHERE booking_id = ${bookingId} AND state = 'WAITING'`;
  await credit(id);
}
