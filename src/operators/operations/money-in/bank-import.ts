/** `bank check` and `bank import`: files of our banks. docs/operators/money-in.md. */
import { listApprovalRules } from '../../../data/approvals/approval-rules';
import { reviewBankEntries } from '../../../data/funding/bank-attention';
import {
  assertSameFormat,
  noteBankProposal,
  OtherBankFormat,
  storeBankFile,
} from '../../../data/funding/bank-entries';
import { rulesOf } from '../../../domain/approvals';
import { firstNames } from '../../../domain/first-names';
import { bankFormats } from '../../../domain/funding/bank-entry';
import { Sealer } from '../../../security/sealing';
import { ruleText } from '../approvals/approval-rules';
import { runByRules } from '../approvals/ruled-calls';
import { file, fileSizes, option, type ArgumentValues } from '../arguments';
import type { Context } from '../context';
import { sentenceOfPart } from '../failure';
import { ForceRequired } from '../guarded-prices';
import { oneOf } from '../kinds';
import { force, operation } from '../operation';
import { table } from '../text';
import { bankCredit, BankEntryCredited, BankEntryWaits } from './bank-credit';
import {
  ourBankFile,
  plannedColumns,
  plannedEntries,
  shownPlan,
  type BankResult,
  type OurBankFile,
  type PlannedEntry,
} from './bank-plan';

const fileArguments = {
  file: {
    ...file('a statement of one of our accounts: camt.053, MT940 or CSV', fileSizes.bank),
    isLatin1Read: true as const,
  },
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
    const ours = ourBankFile(context.config, given, format);
    await assertSameFormats(context, ours, false).catch((error: unknown) => {
      if (!(error instanceof ForceRequired)) throw error;
      context.remark(error.message);
    });
    const planned = await plannedEntries(context, ours);
    return planned.map((entry) => shownPlan(entry, foreseen(entry)));
  },
});

const importArguments = {
  ...fileArguments,
  force: force('import an account in another format than before, which adds known entries again'),
};

export const bankImport = operation({
  name: 'bank import',
  about:
    'Import a file of a bank. Each entry that pays a pending funding request is credited, every other one waits for a person. A repeated import changes nothing',
  roles: ['finance'],
  effect: 'money',
  isLong: true,
  arguments: importArguments,
  trial: 'PREVIEW',
  async preview(context, { file: given, format, force: isForced }) {
    const ours = ourBankFile(context.config, given, format);
    await assertSameFormats(context, ours, isForced);
    const planned = await plannedEntries(context, ours);
    const textsOf = (wanted: BankResult, text: (one: PlannedEntry) => string) =>
      planned.filter((one) => foreseen(one) === wanted).map(text);
    const credits = textsOf('CREDIT', ({ entry, walletId }) => `${sumOf(entry)} to wallet ${walletId ?? ''}`);
    const waiting = textsOf('WAITS', ({ entry, reason }) => `${sumOf(entry)}: ${inWords(reason ?? '')}`);
    return [
      `Credits ${firstNames(credits, ', ') || 'nothing'}.`,
      `Known: ${countOf(planned, foreseen, 'KNOWN')}.`,
      `Waiting: ${waiting.length}${waiting.length === 0 ? '' : ` (${firstNames(waiting, '; ')})`}.`,
      ...(credits.length > 0 ? await rulesText(context) : []),
    ].join(' ');
  },
  run: imported,
  rows: ({ entries }) => entries,
  text: ({ entries, ...counts }, { tableColumns }) => {
    const { added, credited, proposed, waiting, known } = counts;
    const summary = `Imported: ${added} new, ${credited} credited, ${proposed} waiting for approval, ${waiting} waiting for a person, ${known} known before.`;
    return entries.length === 0 ? summary : `${table(entries, tableColumns)}\n${summary}`;
  },
});

/** The rules for which a credit may wait for a second person, as one sentence; none without rules. */
async function rulesText({ database }: Context): Promise<string[]> {
  const rules = (await listApprovalRules(database)).filter(({ operation: ruled }) =>
    rulesOf('FUND').includes(ruled),
  );
  return rules.length === 0 ? [] : [`Rules of approval: ${rules.map(ruleText).join(' ')}`];
}

const inWords = (code: string) => code.toLowerCase().replaceAll('_', ' ');

const sumOf = ({ amount, currency }: PlannedEntry['entry']) => `${amount} ${currency}`;

function foreseen({ stored, walletId, reason }: PlannedEntry): BankResult {
  if (stored && stored.state !== 'WAITING') return 'KNOWN';
  if (reason === 'NOT_BOOKED') return 'PENDING';
  return walletId === null ? 'WAITS' : 'CREDIT';
}

function countOf(
  planned: readonly PlannedEntry[],
  resultOf: (one: PlannedEntry) => BankResult,
  result: BankResult,
) {
  return planned.filter((one) => resultOf(one) === result).length;
}

/**
 * Stores the entries that are not known, then credits each in a transaction of its own. So an import can be killed and repeated at any
 * point, and two can run at once: what is credited already is not credited again.
 */
async function imported(
  context: Context,
  { file: given, format, force: isForced }: ArgumentValues<typeof importArguments>,
) {
  const credit = context.operationNamed(bankCredit.name);
  if (credit?.isAllowed === false) throw new Error(`An import also needs the operation ${bankCredit.name}`);
  const ours = ourBankFile(context.config, given, format);
  await assertSameFormats(context, ours, isForced);
  const added = await storedEntries(context, ours, { name: given.name, isForced });
  const planned = await plannedEntries(context, ours);
  const results = new Map<number, BankResult>();
  for (const [index, { stored, walletId }] of planned.entries()) {
    context.progress(`${index + 1} of ${planned.length} entries`);
    if (!stored || walletId === null) continue;
    const result = await creditedResult(context, stored.id);
    if (result) results.set(stored.id, result);
  }
  await context.database.transaction((transaction) => reviewBankEntries(context.database, transaction));
  const after = await plannedEntries(context, ours);
  const resultOf = (one: PlannedEntry): BankResult => {
    const own = one.stored && results.get(one.stored.id);
    if (own) return own;
    const result = foreseen(one);
    // Whatever prevented its credit, it waits.
    return result === 'CREDIT' ? 'WAITS' : result;
  };
  return {
    added,
    credited: countOf(after, resultOf, 'CREDITED'),
    proposed: countOf(after, resultOf, 'PROPOSED'),
    waiting: countOf(after, resultOf, 'WAITS'),
    pending: countOf(after, resultOf, 'PENDING'),
    known: countOf(after, resultOf, 'KNOWN'),
    entries: after.map((one) => shownPlan(one, resultOf(one))),
  };
}

/** Stores the booked entries by account. Returns the number of new ones. */
async function storedEntries(
  { database, keyRing, operator: importedBy }: Context,
  { format, booked }: OurBankFile,
  { name, isForced }: { name: string; isForced: boolean },
): Promise<number> {
  const sealer = new Sealer(await keyRing());
  let added = 0;
  for (const account of accountsOf({ booked })) {
    const entries = booked.filter(({ entry }) => entry.account === account);
    const bankFile = { name, account, format, importedBy, force: isForced };
    added += await asForce(storeBankFile(database, sealer, bankFile, entries));
  }
  return added;
}

function accountsOf({ booked }: Pick<OurBankFile, 'booked'>): ReadonlySet<string> {
  return new Set(booked.map(({ entry }) => entry.account));
}

/** Throws `ForceRequired` for an account in another format than before, unless that is forced. */
async function assertSameFormats(
  { database }: Pick<Context, 'database'>,
  ours: OurBankFile,
  isForced: boolean,
): Promise<void> {
  if (isForced) return;
  for (const account of accountsOf(ours)) await asForce(assertSameFormat(database, { ...ours, account }));
}

/** Asks for `--force` where an account has another format. */
function asForce<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    if (!(error instanceof OtherBankFormat)) throw error;
    throw new ForceRequired(`${error.message}: add --force to import it. Nothing was changed.`);
  });
}

/** Credits the entry as an operation of its own, which rules of approval count. Undefined if it waits, or another call credited it. */
async function creditedResult(context: Context, entryId: number): Promise<BankResult | undefined> {
  try {
    const { proposal } = await runByRules(context, bankCredit, { entry: String(entryId) });
    if (proposal === undefined) return 'CREDITED';
    await noteBankProposal(context.database, { id: entryId, proposalId: proposal });
    return 'PROPOSED';
  } catch (error) {
    // Another import may have credited it.
    if (error instanceof BankEntryWaits || error instanceof BankEntryCredited) return undefined;
    // A rule may forbid it. The other entries do not wait for it.
    context.remark(`Entry ${entryId} is not credited: ${sentenceOfPart(error)}`);
    context.mark(1);
    return undefined;
  }
}
