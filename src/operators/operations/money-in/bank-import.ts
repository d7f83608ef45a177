/** `bank check` and `bank import`: files of our banks. docs/operators/money-in.md. */
import { listApprovalRules } from '../../../data/approvals/stored-approval-rules';
import { reviewBankEntries, reviewStatementGaps } from '../../../data/funding/bank-attention';
import { assertSameFormat, noteBankProposal, OtherBankFormat } from '../../../data/funding/bank-entries';
import type { EqualAnswers } from '../../../data/funding/booking-writes';
import { storeBankFile, type ImportedBooking } from '../../../data/funding/bank-statements';
import { rulesOf } from '../../../domain/approvals';
import { firstNames } from '../../../domain/first-names';
import { bankFormats } from '../../../domain/funding/bank-statement';
import { waitingReasonTexts } from '../../../domain/funding/automatic-credit';
import { Sealer } from '../../../security/sealing';
import { ruleText } from '../approvals/approval-rules';
import { runByRules } from '../approvals/ruled-calls';
import { option, options, type ArgumentValues } from '../arguments';
import type { Context } from '../context';
import { sentenceOfPart } from '../failure';
import { file } from '../files/file-arguments';
import { ForceRequired } from '../guarded-prices';
import { id, oneOf } from '../kinds';
import { force, operation } from '../operation';
import { table } from '../text';
import { tried } from '../tried';
import { bankCredit, BankEntryCredited, BankEntryWaits } from './bank-credit';
import {
  foreseen,
  ourBankFile,
  plannedColumns,
  plannedEntries,
  shownPlan,
  type BankResult,
  type OurBankFile,
  type PlannedEntry,
} from './bank-plan';

const fileArguments = {
  file: file('bank', 'a statement of one of our accounts: camt.053, MT940 or CSV'),
  format: option(oneOf('format', bankFormats), 'camt053, mt940 or csv; default: what the file looks like'),
} as const;

export const bankCheck = operation({
  name: 'bank check',
  button: 'Check',
  about: 'The entries of a file of a bank: what its import would credit, what would wait, and why',
  roles: ['finance'],
  effect: 'reads',
  isLong: true,
  arguments: fileArguments,
  columns: plannedColumns,
  async run(context, { file: given, format }) {
    const ours = await ourBankFile(context, given, format);
    await assertSameFormats(context, ours).catch((error: unknown) => {
      if (!(error instanceof ForceRequired)) throw error;
      context.remark(error.message);
    });
    const planned = await foreseenEntries(context, ours, { isForced: true, another: [], same: [] });
    return planned.map((entry) => shownPlan(entry, foreseen(entry), idOf(entry)));
  },
});

const importArguments = {
  ...fileArguments,
  another: options(id, 'a stored entry that is equal to one of the file, and another payment'),
  same: options(id, 'a stored entry that is equal to one of the file, and the same payment'),
  force: force('import an account in another format than before, which adds known entries again'),
};

type GivenImport = ArgumentValues<typeof importArguments>;

export const bankImport = operation({
  name: 'bank import',
  about:
    'Import a file of a bank. Each entry that pays a pending funding request is credited, every other one waits for a person. A repeated import changes nothing',
  roles: ['finance'],
  effect: 'money',
  isLong: true,
  arguments: importArguments,
  trial: 'PREVIEW',
  async preview(context, given) {
    const ours = await ourBankFile(context, given.file, given.format);
    const planned = await foreseenEntries(context, ours, decisionsOf(context, given));
    const textsOf = (wanted: BankResult, text: (one: PlannedEntry) => string) =>
      planned.filter((one) => foreseen(one) === wanted).map(text);
    const credits = textsOf('CREDIT', (one) => `${sumOf(one)} to wallet ${one.paid?.walletId ?? ''}`);
    const waiting = textsOf('WAITS', (one) => `${sumOf(one)}: ${inWords(one.reason ?? '')}`);
    return [
      `Credits ${firstNames(credits, ', ') || 'nothing'}.`,
      `Known: ${planned.filter((one) => foreseen(one) === 'KNOWN').length}.`,
      `Waiting: ${waiting.length}${waiting.length === 0 ? '' : ` (${firstNames(waiting, '; ')})`}.`,
      ...(credits.length > 0 ? await rulesText(context) : []),
    ].join(' ');
  },
  run: imported,
  rows: ({ entries }) => entries,
  text: ({ entries, ...counts }, { tableColumns }) => {
    const { added, credited, proposed, waiting, known } = counts;
    const equal = entries.filter(({ equal_to: other }) => other !== null).length;
    const question =
      equal === 0
        ? ''
        : `\nEqual to stored entries, one payment or two: ${equal}. Import the file with --another <equal_to> if it is another one, and with --same <equal_to> if not.`;
    const summary = `Imported: ${added} new, ${credited} credited, ${proposed} waiting for approval, ${waiting} waiting for a person, ${known} known before.${question}`;
    return entries.length === 0 ? summary : `${table(entries, tableColumns)}\n${summary}`;
  },
});

/** The rules for which a credit may wait for a second person, as one sentence; none without rules. */
async function rulesText({ database }: Context): Promise<string[]> {
  const rules = (await listApprovalRules(database)).filter(({ operation: ruled }) => rulesOf('FUND').includes(ruled));
  return rules.length === 0 ? [] : [`Rules of approval: ${rules.map(ruleText).join(' ')}`];
}

const inWords = (code: string) => code.toLowerCase().replaceAll('_', ' ');

const sumOf = ({ amount, currency }: PlannedEntry) => `${amount} ${currency}`;

/** Of an entry that was stored before. The number of another one is its own only once it is stored. */
const idOf = ({ stored, isNew }: PlannedEntry): number | null => (isNew ? null : (stored?.id ?? null));

/** What a person says about the file. */
interface Decisions extends EqualAnswers {
  isForced: boolean;
}

/** Throws for a word that only a person can give. */
function decisionsOf({ account }: Context, { force: isForced, another, same }: GivenImport): Decisions {
  if (another.length + same.length > 0 && account.isService)
    throw new Error('A person says whether it is another payment, not a service account');
  return { isForced, another, same };
}

/** Does what the import would store, decides about it, and undoes it. */
function foreseenEntries(context: Context, ours: OurBankFile, decisions: Decisions): Promise<PlannedEntry[]> {
  return tried(context, async (trial) => plannedEntries(trial, ours, await stored(trial, ours, decisions)));
}

/**
 * An import, step by step:
 * 1. It reads the file, and finds our account of each statement.
 * 2. It stores what is new, in one transaction under the locks of the accounts. From here on, a killed import can be repeated.
 * 3. It decides about each stored entry of the file: the request that it pays, or why it waits.
 * 4. It credits each entry that pays a request by `bank credit`, in a transaction of its own, which rules of approval count. That decides
 *    again under the lock of the account, so another call between 3 and 4 costs nothing.
 * 5. It brings the attention list up to date, and says what became of each entry.
 */
async function imported(context: Context, given: GivenImport) {
  const credit = context.operationNamed(bankCredit.name);
  if (credit?.isAllowed === false) throw new Error(`An import also needs the operation ${bankCredit.name}`);
  const ours = await ourBankFile(context, given.file, given.format);
  const bookings = await stored(context, ours, decisionsOf(context, given));
  const planned = await plannedEntries(context, ours, bookings);
  const done = await creditedEntries(context, planned);
  await context.database.transaction((transaction) => reviewBankEntries(context.database, transaction));
  const countOf = (wanted: BankResult) => done.filter(({ result }) => result === wanted).length;
  return {
    added: planned.filter(({ isNew }) => isNew).length,
    credited: countOf('CREDITED'),
    proposed: countOf('PROPOSED'),
    waiting: countOf('WAITS'),
    pending: countOf('PENDING'),
    known: countOf('KNOWN'),
    entries: done.map(({ one, result }) => shownPlan(one, result, one.stored?.id ?? null)),
  };
}

/** Stores what is new in the file. Throws `ForceRequired` for an account in another format than before, unless that is forced. */
async function stored(
  { database, keyRing, operator: importedBy }: Pick<Context, 'database' | 'keyRing' | 'operator'>,
  ours: OurBankFile,
  { isForced: force, ...answers }: Decisions,
): Promise<ImportedBooking[][]> {
  const sealer = new Sealer(await keyRing());
  const bankFile = { ...ours, importedBy, answers, force };
  const bookings = await asForce(storeBankFile(database, sealer, bankFile));
  await database.transaction((transaction) => reviewStatementGaps(database, transaction));
  return bookings;
}

/** Throws `ForceRequired` for an account in another format than before. */
async function assertSameFormats(
  { database }: Pick<Context, 'database'>,
  { format, statements }: OurBankFile,
): Promise<void> {
  for (const account of new Set(statements.map((statement) => statement.account)))
    await asForce(assertSameFormat(database, { format, account }));
}

/** Asks for `--force` where an account has another format. */
function asForce<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    if (!(error instanceof OtherBankFormat)) throw error;
    throw new ForceRequired(`${error.message}: add --force to import it. Nothing was changed.`);
  });
}

interface DoneEntry {
  one: PlannedEntry;
  result: BankResult;
}

/** Credits each entry that pays a request. Another one of the file may have paid the request just before: then it waits. */
async function creditedEntries(context: Context, planned: readonly PlannedEntry[]): Promise<DoneEntry[]> {
  const done: DoneEntry[] = [];
  for (const [index, one] of planned.entries()) {
    context.progress(`${index + 1} of ${planned.length} entries`);
    done.push(
      one.paid && one.stored ? await creditedEntry(context, one, one.stored.id) : { one, result: foreseen(one) },
    );
  }
  return done;
}

/** Credits the entry as an operation of its own, which rules of approval count. */
async function creditedEntry(context: Context, one: PlannedEntry, entryId: number): Promise<DoneEntry> {
  const withReason = (reason: PlannedEntry['reason']) => ({
    ...one,
    reason,
    explanation: reason && waitingReasonTexts[reason],
  });
  try {
    const { proposal } = await runByRules(context, bankCredit, { entry: String(entryId) });
    if (proposal === undefined) return { one: withReason(null), result: 'CREDITED' };
    await noteBankProposal(context.database, { id: entryId, proposalId: proposal });
    return { one: withReason('APPROVAL'), result: 'PROPOSED' };
  } catch (error) {
    if (error instanceof BankEntryWaits) return { one: withReason(error.reason), result: 'WAITS' };
    // Another import has credited it.
    if (error instanceof BankEntryCredited) return { one: withReason(null), result: 'KNOWN' };
    // A rule may forbid it. The other entries do not wait for it.
    context.remark(`Entry ${entryId} is not credited: ${sentenceOfPart(error)}`);
    context.mark(1);
    return { one, result: 'WAITS' };
  }
}
