/** Money that arrives: files of our banks, and the credits of their entries. docs/operators/money-in.md. */
import { rows, oneRow } from '../../../src/data/database/database';
import { sql } from '../../../dev/testbed/sql';
import { eraseOldBankTexts } from '../../../src/data/funding/bank-entries';
import { cancelFundingRequest, fundingRequestsWith, requestFunding } from '../../../src/data/funding/funding-requests';
import { Exact } from '../../../src/domain/prices/money';
import { Sealer } from '../../../src/security/sealing';
import { stackKeyRing } from '../../../dev/testbed/stack-keys';
import { newHolder, type Holder } from '../../../dev/testbed/ledger-rows';
import { lockWaits } from '../../support/lock-waits';
import { operatingPeople, ourAccount, type OperatingPerson, useOperatingPeople } from '../../support/operating-people';
import { balanceOf } from '../../support/records';
import { scratchDatabase } from '../../../dev/testbed/scratch-database';

const scratch = scratchDatabase();
const { database } = scratch;
const {
  alice,
  bob,
  ada: admin,
} = useOperatingPeople(scratch, { alice: 'finance', bob: 'finance', ada: 'admin', adam: 'admin' });
let holder: Holder;
beforeEach(async () => {
  await sql(database)`
    TRUNCATE bank_entries, bank_words, bank_statement_bookings, bank_bookings, bank_statements, bank_files, approval_rules, counted_operations`;
  await sql(database)`UPDATE attention SET cleared_at = now() WHERE cleared_at IS NULL`;
  holder = await newHolder(database);
});

/** The reference of a new request. */
async function requested(amount = '100', { walletId, clientId } = holder): Promise<string> {
  const given = { clientId, walletId, amount: new Exact(amount), purchaseOrder: null, days: 30 };
  const made = await requestFunding(database, new Sealer(await stackKeyRing()), given);
  if (made.outcome !== 'REQUESTED') throw new Error(made.outcome);
  const { reference } = await sql.one(database)<{ reference: string }>`SELECT reference FROM funding_requests
       WHERE id = ${made.id}`;
  return reference;
}
const requestOf = async (reference: string) => (await fundingRequestsWith(database, [reference]))[0];

interface Line {
  text: string;
  amount?: string;
  currency?: string;
  day?: string;
  status?: string;
  isDebit?: boolean;
  isReversal?: boolean;
}

function statement(...lines: readonly Line[]): { name: string; text: string } {
  const entries = lines.map(({ text, amount = '100.00', currency = 'USD', day = '2026-11-26', ...line }) =>
    [
      `<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${line.isDebit ? 'DBIT' : 'CRDT'}</CdtDbtInd>`,
      `<RvslInd>${line.isReversal ?? false}</RvslInd><Sts>${line.status ?? 'BOOK'}</Sts><BookgDt><Dt>${day}</Dt></BookgDt>`,
      `<NtryDtls><TxDtls><RltdPties><Dbtr><Nm>Jane Payer</Nm></Dbtr></RltdPties><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`,
    ].join(''),
  );
  return {
    name: 'statement.xml',
    text: `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>${ourAccount.iban}</IBAN></Id></Acct>${entries.join('')}</Stmt></BkToCstmrStmt></Document>`,
  };
}

interface Shown {
  id: number;
  result: string;
  why: string | null;
}
const importing = async (who: OperatingPerson, ...lines: readonly Line[]) =>
  (await who.run('bank import', { file: statement(...lines) })).data as Record<string, number> & { entries: Shown[] };
/** What became of the entries of a file, in its sequence. */
const resultsOf = async (...lines: readonly Line[]) =>
  (await importing(alice, ...lines)).entries.map(({ result, why }) => why ?? result);
const waiting = async () => (await alice.run('bank entries')).data as Record<string, unknown>[];
const balance = () => balanceOf(database, holder.walletId).then(Number);
const open = async () =>
  (await sql(database)<{ kind: string }>`SELECT kind FROM attention WHERE cleared_at IS NULL ORDER BY kind`).map(
    ({ kind }) => kind,
  );

test('When an entry pays a pending request exactly, then it is credited once: by the same file, an overlapping one, and two at once', async () => {
  const reference = await requested();
  const paid = { text: `Top-up ${reference.slice(0, 4).toLowerCase()} ${reference.slice(4, 9)}-${reference.slice(9)}` };
  const preview = await alice.preview('bank import', { file: statement(paid) });
  expect(preview).toBe(`Credits 100 USD to wallet ${holder.walletId}. Known: 0. Waiting: 0.`);
  expect((await alice.run('bank check', { file: statement(paid) })).data).toMatchObject([
    { id: null, result: 'CREDIT', payer: 'Jane Payer', references: reference, why: null },
  ]);
  expect(await balance()).toBe(0);
  const remarks = () => [...alice.remarks, ...bob.remarks].filter((text) => text.includes('is not credited'));
  const both = await Promise.all([importing(alice, paid), importing(bob, paid)]);
  expect(remarks()).toEqual([]);
  // Either call may credit what the other one has added.
  const sums = (['added', 'credited'] as const).map((what) => both.map((done) => done[what]).sort());
  expect(sums).toEqual([
    [0, 1],
    [0, 1],
  ]);
  expect(await resultsOf(paid)).toEqual(['KNOWN']);
  expect(await resultsOf({ text: 'none', day: '2026-11-25' }, paid, { text: 'none', day: '2026-11-27' })).toEqual([
    'NO_REFERENCE',
    'KNOWN',
    'NO_REFERENCE',
  ]);
  expect(await balance()).toBe(100);
  expect(
    await sql(database)`SELECT reference_number AS reference, remarks, kind FROM transactions
       WHERE wallet_id = ${holder.walletId}`,
  ).toEqual([{ reference, remarks: `Bank transfer ${reference}`, kind: 'FUNDING' }]);
  expect(await requestOf(reference)).toMatchObject({ state: 'CREDITED' });
});

test('When an import is killed in the middle, then the next one credits the rest, and nothing twice', async () => {
  const second = await newHolder(database);
  const lines = [{ text: await requested() }, { text: await requested('100', second) }];
  await database.transaction(async (transaction) => {
    await sql(database, transaction)`SELECT FROM wallets WHERE id = ${second.walletId} FOR UPDATE`;
    const killed = importing(alice, ...lines);
    const rejected = expect(killed).rejects.toThrow();
    await lockWaits(database);
    // What PostgreSQL sees of `kill -9`.
    await sql(database)`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await rejected;
  });
  expect([await balance(), Number(await balanceOf(database, second.walletId))]).toEqual([100, 0]);
  expect(await resultsOf(...lines)).toEqual(['KNOWN', 'CREDITED']);
  expect([await balance(), Number(await balanceOf(database, second.walletId))]).toEqual([100, 100]);
});

test('When an entry differs from its request, or the request has ended, then nothing is credited, and the reason is listed', async () => {
  const ended = async (query: string) => {
    const reference = await requested();
    await rows(database, `UPDATE funding_requests SET ${query} WHERE reference = $reference`, { reference });
    return { text: reference };
  };
  const reference = await requested();
  const [first = '', ...rest] = reference.slice(4);
  const lines: Line[] = [
    { text: reference, amount: '99.99' },
    { text: reference, amount: '100.01' },
    { text: reference, currency: 'EUR' },
    { text: `${reference} ${await requested()}` },
    { text: `${reference.slice(0, 4)}${first === 'A' ? 'B' : 'A'}${rest.join('')}` },
    { text: 'RF18539007547034' },
    await ended('expires_at = now()'),
    await ended(`state = 'CANCELLED', ended_at = now()`),
    { text: reference, isReversal: true },
    { text: reference, isDebit: true },
    { text: reference, status: 'PDNG' },
  ];
  const reasons = [
    'OTHER_AMOUNT',
    'OTHER_AMOUNT',
    'OTHER_CURRENCY',
    'SEVERAL_REFERENCES',
    'NO_REFERENCE',
    'UNKNOWN_REFERENCE',
    'REQUEST_EXPIRED',
    'REQUEST_CANCELLED',
    'REVERSAL',
    'DEBIT',
    'NOT_BOOKED',
  ];
  expect(await resultsOf(...lines)).toEqual(reasons);
  expect(await balance()).toBe(0);
  // The pending entry is shown and not stored.
  const listed = (await waiting()).reverse();
  expect(listed.map(({ why }) => why)).toEqual(reasons.slice(0, -1));
  expect(listed[0]).toMatchObject({ payer: 'Jane Payer', explanation: 'Its funding request has another amount.' });
  expect(await open()).toEqual(['BANK_ENTRIES_OPEN']);
});

test('When the wallet is closed, or the money arrives at another account of ours, then the entry waits', async () => {
  const reference = await requested();
  await sql(database)`UPDATE wallets SET closed_at = now() WHERE id = ${holder.walletId}`;
  expect(await resultsOf({ text: reference })).toEqual(['WALLET_CLOSED']);
  await sql(database)`UPDATE wallets SET closed_at = NULL WHERE id = ${holder.walletId}`;
  expect(await waiting()).toMatchObject([{ why: 'CREDITABLE' }]);
  expect(await resultsOf({ text: reference })).toEqual(['CREDITED']);
  const foreign = statement({ text: reference });
  const file = { ...foreign, text: foreign.text.replace(ourAccount.iban, 'DE89370400440532013000') };
  await expect(alice.run('bank import', { file })).rejects.toThrow(
    `the file is of the account DE89370400440532013000, and the accounts of this installation are ${ourAccount.iban}. If it is one`,
  );
});

test('When a payer writes O, I and L for 0, 1 and 1, then the entry pays the request that has the reference', async () => {
  let reference = await requested();
  while (!/[01]/.test(reference.slice(4))) reference = await requested();
  const misread =
    reference.slice(0, 4) + reference.slice(4).replaceAll('0', 'O').replace('1', 'l').replaceAll('1', 'I');
  const other = misread.slice(0, -1) + (misread.endsWith('X') ? 'Y' : 'X');
  expect(await resultsOf({ text: misread }, { text: other })).toEqual(['CREDITED', 'NO_REFERENCE']);
});

test('When a CSV file is checked, then its first lines are shown as BANK_CSV reads them, and nothing is stored', async () => {
  const columns = { bookedOn: 'Day', amount: 'Sum', direction: 'Sign', text: 'Text' };
  const mapping = { account: ourAccount.iban, currency: 'USD', dates: 'MDY', columns };
  const own = await operatingPeople(scratch, { BANK_CSV: JSON.stringify(mapping) });
  const file = { name: 'a.csv', text: `Day,Sum,Sign,Text\n11/26/2026,75.94,Dr,a fee\n11/26/2026,1.00,Cr,b` };
  const carol = own.as('alice', 'finance');
  expect((await carol.run('bank csv-check', { file })).data).toMatchObject([
    {
      booked_on: '2026-11-26',
      direction: 'DEBIT',
      amount: '75.94',
      booked: true,
      text: 'a fee',
      our_account: ourAccount.iban,
    },
    { direction: 'CREDIT', amount: '1', text: 'b' },
  ]);
  await expect(alice.run('bank csv-check', { file })).rejects.toThrow('set BANK_CSV');
  await expect(carol.run('bank csv-check', { file: statement({ text: 'a' }) })).rejects.toThrow(
    'statement.xml is camt053, not CSV. Check it as a file of the bank',
  );
  expect(await waiting()).toEqual([]);
  await own.close();
});

test('When two equal payments name one request, then both are stored, and the second waits', async () => {
  const paid = { text: await requested() };
  expect(await alice.preview('bank import', { file: statement(paid, paid) })).toContain(
    'Waiting: 1 (100 USD: request credited)',
  );
  expect(await resultsOf(paid)).toEqual(['CREDITED']);
  // Nothing tells the two apart, so the one that waits may be either.
  for (let times = 0; times < 2; times++)
    expect((await resultsOf(paid, paid)).sort()).toEqual(['KNOWN', 'LOOKS_CREDITED']);
  expect(await balance()).toBe(100);
});

test('When the bank takes a credited transfer back, then nothing moves, and the attention list says so until it is ignored', async () => {
  const text = await requested();
  await importing(alice, { text });
  expect(await open()).toEqual([]);
  expect(await resultsOf({ text, isDebit: true, isReversal: true, day: '2026-11-28' })).toEqual(['REVERSES_CREDIT']);
  expect(await balance()).toBe(100);
  expect(await open()).toEqual(['BANK_ENTRIES_OPEN', 'FUNDING_REVERSED']);
  const [{ id }] = (await waiting()) as [{ id: number }];
  await expect(alice.run('bank credit', { entry: id })).rejects.toThrow('It undoes an entry');
  await alice.run('bank ignore', { entries: [id], reason: 'Debited by hand' });
  expect(await open()).toEqual([]);
  await expect(alice.run('bank ignore', { entries: [id], reason: 'Again' })).rejects.toThrow(`No entry ${id} waits`);
});

/** A credited entry of the holder with the text, and the number of the entry that takes it back. */
async function takenBack(text: string, back: Partial<Line> = {}): Promise<readonly [credited: number, taking: number]> {
  const [entry] = (await importing(alice, { text })).entries as [Shown];
  if (entry.result === 'WAITS') await alice.run('bank credit', { entry: entry.id, wallet: holder.walletId });
  const taking: Line = { text, isDebit: true, isReversal: true, day: '2026-11-28', ...back };
  const [{ id }] = (await importing(alice, taking)).entries as [Shown];
  return [entry.id, id];
}
const takeBack = (entry: number, who = alice) => who.run('bank take-back', { entry });
/** Records past the operation that the entry took back the credited one, by the wallet's first transaction of the kind. */
const debited = (given: { entry: number; credited: number; kind: string }) =>
  rows(
    database,
    `UPDATE bank_entries SET state = 'DEBITED', ended_at = now(), takes_back_id = $credited, transaction_id =
            (SELECT id FROM transactions WHERE wallet_id = $walletId AND kind = $kind LIMIT 1) WHERE id = $entry`,
    { ...given, walletId: holder.walletId },
  );
const adjustments = () =>
  sql(database)<Record<'type' | 'amount' | 'reference' | 'remarks', string>>`
    SELECT transaction_type AS type, trim_scale(amount)::text AS amount, reference_number AS reference, remarks
       FROM transactions WHERE wallet_id = ${holder.walletId} AND kind = 'ADJUSTMENT'`;

test('When the bank takes a credited transfer back, then a person debits it once, two at once, too, and the credit stays', async () => {
  const text = await requested();
  const [credited, taking] = await takenBack(text);
  expect(await waiting()).toMatchObject([
    { id: taking, reverses: credited, explanation: expect.stringContaining(`may take back entry ${credited}`) },
  ]);
  expect(await alice.preview('bank take-back', { entry: taking })).toContain(
    `Takes back entry ${credited}, booked on 2026-11-26: debits 100 USD in wallet ${holder.walletId}`,
  );
  await expect(takeBack(credited)).rejects.toThrow('Name the entry that takes it back');
  const twice = await Promise.allSettled([takeBack(taking), takeBack(taking, bob)]);
  expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await expect(takeBack(taking)).rejects.toThrow(`Entry ${taking} has taken back entry ${credited} already`);
  expect(await balance()).toBe(0);
  expect(await adjustments()).toEqual([
    {
      type: 'DEBIT',
      amount: '100',
      reference: `bank-${taking}`,
      remarks: expect.stringMatching(/^Bank transfer taken back: transaction \d+$/) as string,
    },
  ]);
  expect((await alice.run('bank entries', { state: 'credited' })).data).toMatchObject([{ id: credited }]);
  expect((await alice.run('bank entries', { state: 'debited' })).data).toMatchObject([
    { id: taking, reverses: credited, wallet_id: holder.walletId, why: null },
  ]);
  expect(await requestOf(text)).toMatchObject({ state: 'CREDITED' });
  expect(await open()).toEqual([]);
  // The bank takes it back in other words.
  expect(await resultsOf({ text: `${text} again`, isDebit: true, isReversal: true, day: '2026-11-29' })).toEqual([
    'REVERSAL',
  ]);
  const [{ id: again }] = (await waiting()) as [{ id: number }];
  await expect(takeBack(again)).rejects.toThrow(`Entry ${again} takes back no credited entry`);
  await expect(debited({ entry: again, credited, kind: 'ADJUSTMENT' })).rejects.toThrow(/duplicate key/);
});

test('When less is available than the bank took back, then nothing moves, and the page says what is there', async () => {
  const [credited, taking] = await takenBack(await requested());
  const spent = { wallet: holder.walletId, amount: '-30', reference: `spent-${taking}`, reason: 'Spent' };
  await alice.run('wallets adjust', spent);
  for (const attempt of [alice.preview('bank take-back', { entry: taking }), takeBack(taking)])
    await expect(attempt).rejects.toThrow(`Wallet ${holder.walletId} holds only 70 USD`);
  expect(await balance()).toBe(70);
  // What the operation would not do, the database does not.
  const byOther = debited({ entry: taking, credited, kind: 'ADJUSTMENT' });
  await expect(byOther).rejects.toThrow(`bank entry ${taking} does not take back entry ${credited}`);
  expect(await open()).toEqual(['BANK_ENTRIES_OPEN', 'FUNDING_REVERSED']);
});

test('When the bank takes back another amount with the reference, then at most what was credited is debited', async () => {
  for (const [amount, left] of [
    ['105.00', 0],
    ['40.00', 60],
  ] as const) {
    const [credited, taking] = await takenBack(await requested(), { amount });
    expect(await waiting()).toMatchObject([{ why: 'REVERSES_CREDIT', reverses: credited }]);
    await takeBack(taking);
    expect(await balance()).toBe(left);
  }
  expect((await adjustments()).map(({ amount }) => amount)).toEqual(['100', '40']);
});

test('When an entry without reference takes back money, then it is a question if exactly one credited entry has its amount', async () => {
  const asCredit = { isDebit: false, text: 'Storno' };
  const [credited, taking] = await takenBack('a transfer', asCredit);
  // Some banks write CRDT with RvslInd, which may also undo a debit.
  expect(await waiting()).toMatchObject([{ id: taking, why: 'REVERSES_CREDIT', reverses: credited }]);
  expect(await open()).toEqual(['BANK_ENTRIES_OPEN', 'FUNDING_REVERSED']);
  // A debit that is no reversal may be anything: it raises no alarm.
  await alice.run('bank ignore', { entries: [taking], reason: 'Another one' });
  expect(await resultsOf({ text: 'Rent', isDebit: true, day: '2026-11-29' })).toEqual(['DEBIT']);
  expect(await waiting()).toMatchObject([{ reverses: credited, explanation: expect.stringContaining('Money left') }]);
  expect(await open()).toEqual(['BANK_ENTRIES_OPEN']);
  const [entry] = (await importing(alice, { text: 'another transfer', day: '2026-11-27' })).entries as [Shown];
  await alice.run('bank credit', { entry: entry.id, wallet: holder.walletId });
  expect(await waiting()).toMatchObject([{ reverses: null, explanation: 'Money left the account.' }]);
  await expect(takeBack(taking)).rejects.toThrow('several do');
  expect(await balance()).toBe(200);
});

test('When a rule about adjustments is exceeded, then another person approves the debit, of the entry that was seen', async () => {
  const rule = { operation: 'adjust', currency: 'USD', amount: '50', roles: 'finance', reason: 'Four eyes' };
  await admin.run('approval-rules set', rule);
  const [, taking] = await takenBack(await requested());
  const { proposal } = await takeBack(taking);
  expect(await balance()).toBe(100);
  await bob.run('approvals approve', { proposal, reason: 'Seen' });
  expect(await balance()).toBe(0);
  expect(await waiting()).toEqual([]);
});

test('When an account comes in another format, then the import asks for --force', async () => {
  await importing(alice, { text: 'none' });
  const text = [
    ':20:A',
    `:25:${ourAccount.iban}`,
    ':28C:1',
    ':60F:C261126USD0,',
    ':61:261126C100,NTRFNONREF',
    ':62F:C261126USD100,',
  ];
  const file = { name: 'a.sta', text: text.join('\n') };
  await expect(alice.preview('bank import', { file })).rejects.toThrow('was imported as camt053 until now');
  await alice.run('bank check', { file });
  expect(alice.remarks.at(-1)).toContain('the entries of this file would be added again');
  await expect(alice.run('bank import', { file })).rejects.toThrow('add --force to import it');
  expect((await alice.run('bank import', { file, force: true })).data).toMatchObject({ added: 1 });
});

test('When a person credits an entry by hand, then once, with its number as reference, and never beside a pending request', async () => {
  const reference = await requested('50');
  const { entries } = await importing(
    alice,
    { text: `${reference} one cent short`, amount: '49.99' },
    { text: 'none' },
  );
  const [withRequest, without] = entries.map(({ id }) => id) as [number, number];
  const byHand = { entry: withRequest, wallet: holder.walletId };
  await expect(alice.run('bank credit', { entry: withRequest })).rejects.toThrow('has another amount');
  await expect(alice.preview('bank credit', byHand)).rejects.toThrow(
    `holds the reference ${reference} of a pending funding request`,
  );
  expect(await balance()).toBe(0);
  expect(await alice.preview('bank credit', { ...byHand, cancel_request: true })).toContain(
    'which will hold 49.99 USD',
  );
  await alice.run('bank credit', { ...byHand, cancel_request: true });
  expect(await requestOf(reference)).toMatchObject({ state: 'CANCELLED' });
  await expect(alice.run('bank credit', byHand)).rejects.toThrow(`Entry ${withRequest} is credited already`);
  const at = { entry: without, wallet: holder.walletId };
  const twice = await Promise.allSettled([alice.run('bank credit', at), bob.run('bank credit', at)]);
  expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await balance()).toBe(149.99);
  const entry = `SELECT reference_number AS reference, remarks FROM transactions WHERE wallet_id = $walletId ORDER BY id`;
  expect(await rows(database, entry, { walletId: holder.walletId })).toEqual([
    { reference: `bank-${withRequest}`, remarks: `Bank transfer bank-${withRequest}` },
    { reference: `bank-${without}`, remarks: `Bank transfer bank-${without}` },
  ]);
  expect(await open()).toEqual([]);
});

test('When an entry of the ledger has the reference of a bank’s entry already, then that is credited under its second one', async () => {
  const { entries } = await importing(alice, { text: 'one' }, { text: 'two' }, { text: 'three' });
  const [first, second, third] = entries.map(({ id }) => id) as [number, number, number];
  const other = await newHolder(database);
  // As people gave them before they were reserved.
  for (const [{ walletId }, reference] of [
    [holder, `Bank-${first}`],
    [other, `bank-${second}`],
    [holder, `bank-${third}`],
    [holder, `bank-${third}-2`],
  ] as const)
    await sql(database)`SELECT
         FROM post_entry(${walletId}, 'FUNDING', 'CREDIT', 5, NULL, ${reference}, 'x', NULL, NULL, NULL, NULL)`;
  const { walletId: wallet } = holder;
  for (const entry of [first, second])
    expect((await alice.run('bank credit', { entry, wallet })).data).toMatchObject([{ outcome: 'credited' }]);
  expect(
    await sql(database)`SELECT reference_number AS reference FROM transactions
       WHERE wallet_id = ${wallet} ORDER BY id DESC LIMIT 2`,
  ).toEqual([{ reference: `bank-${second}-2` }, { reference: `bank-${first}-2` }]);
  await expect(alice.preview('bank credit', { entry: third, wallet })).rejects.toThrow(
    new RegExp(`^Reference "bank-${third}-2" belongs to another entry: FUNDING CREDIT of 5 \\(transaction \\d+\\)$`),
  );
  const { id } = await oneRow<{ id: number }>(
    database,
    `SELECT id FROM post_entry($wallet, 'FUNDING', 'CREDIT', 100, NULL, $reference, 'x', NULL, NULL, NULL, NULL)`,
    { wallet, reference: `bank-${third}-3` },
  );
  await expect(sql(database)`UPDATE bank_entries
       SET state = 'CREDITED', ended_at = now(), transaction_id = ${id} WHERE id = ${third}`).rejects.toThrow(
    'is not credited by transaction',
  );
});

test('When a credit exceeds a rule about funding, then it is proposed, and carried out only if nothing has changed', async () => {
  const rule = { operation: 'fund', currency: 'USD', amount: '150', roles: 'finance', reason: 'Four eyes' };
  await admin.run('approval-rules set', rule);
  const [first, second, third] = [await requested(), await requested(), await requested()];
  const lines = [{ text: first }, { text: second }, { text: third }];
  const imported = await importing(alice, ...lines);
  expect(imported).toMatchObject({ credited: 1, proposed: 2 });
  expect(await balance()).toBe(100);
  const listed = (await waiting()).reverse();
  expect(listed).toMatchObject([{ why: 'APPROVAL' }, { why: 'APPROVAL' }]);
  expect(await resultsOf(...lines)).toEqual(['KNOWN', 'APPROVAL', 'APPROVAL']);
  const approve = (entry: Record<string, unknown> | undefined) =>
    bob.run('approvals approve', { proposal: entry?.['proposal'], reason: 'Seen' });
  await approve(listed[0]);
  expect(await balance()).toBe(200);
  await cancelFundingRequest(database, (await requestOf(third))?.id ?? 0);
  await expect(approve(listed[1])).rejects.toThrow('Its funding request is cancelled');
  expect(await balance()).toBe(200);
  expect(await waiting()).toMatchObject([{ why: 'REQUEST_CANCELLED', proposal: null }]);
});

test('When the first of two equal payments waits for approval, then the second waits, too, also in another file', async () => {
  const rule = { operation: 'fund', currency: 'USD', amount: '50', roles: 'finance', reason: 'Four eyes' };
  await admin.run('approval-rules set', rule);
  const paid = { text: await requested() };
  expect(await alice.preview('bank import', { file: statement(paid) })).toContain(
    'Rules of approval: fundings of wallets of one person beyond 50 USD',
  );
  expect(await resultsOf(paid, paid)).toEqual(['APPROVAL', 'REQUEST_PROPOSED']);
  expect(await resultsOf({ ...paid, day: '2026-11-27' })).toEqual(['REQUEST_PROPOSED']);
  expect((await waiting()).map(({ why }) => why)).toEqual(['REQUEST_PROPOSED', 'REQUEST_PROPOSED', 'APPROVAL']);
  const proposal = (await waiting()).at(-1)?.['proposal'];
  await bob.run('approvals approve', { proposal, reason: 'Seen' });
  expect(await balance()).toBe(100);
  expect((await waiting()).map(({ why }) => why)).toEqual(['REQUEST_CREDITED', 'REQUEST_CREDITED']);
});

test('When a file is empty, then it is rejected', async () => {
  const file = { name: 'empty.xml', text: ' \n' };
  await expect(alice.run('bank check', { file })).rejects.toThrow('empty.xml is empty');
});

test('When an entry was credited or ignored more than 400 days ago, then its texts are deleted, and its file adds nothing; a waiting one stays', async () => {
  const lines: Line[] = [{ text: await requested() }, { text: 'a fee', isDebit: true }, { text: 'none' }];
  await importing(alice, ...lines);
  const [, { id }] = (await waiting()) as [unknown, { id: number }];
  await alice.run('bank ignore', { entries: [id], reason: 'A fee' });
  expect(await eraseOldBankTexts(database, 10)).toBe(0);
  await sql(database)`UPDATE bank_entries SET ended_at = ended_at - interval '401 days'`;
  expect(await eraseOldBankTexts(database, 10)).toBe(2);
  expect((await alice.run('bank entries', { state: 'ignored' })).data).toMatchObject([{ id, text: null, payer: null }]);
  expect(await resultsOf(...lines)).toEqual(['KNOWN', 'KNOWN', 'NO_REFERENCE']);
  expect(await waiting()).toMatchObject([{ text: 'none', payer: 'Jane Payer' }]);
});
