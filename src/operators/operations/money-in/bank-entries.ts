/** `bank entries`, `bank ignore` and `bank gaps`: what waits for a person. docs/operators/money-in.md. */
import { reviewBankEntries, reviewStatementGaps } from '../../../data/funding/bank-attention';
import {
  bankEntryStates,
  ignoreBankEntries,
  listBankEntries,
  listBankEntryStates,
  openBankEntry,
  type StoredBankEntry,
} from '../../../data/funding/bank-entries';
import { acceptStatementGap, statementGaps } from '../../../data/funding/statement-gaps';
import { waitingReasonTexts } from '../../../domain/funding/automatic-credit';
import { Sealer } from '../../../security/sealing';
import { option, optionOr, word, words } from '../arguments';
import { count, id, nameText, oneOf } from '../kinds';
import { neededReason, operation } from '../operation';
import { bankCredit } from './bank-credit';
import { bankCsvCheck } from './bank-csv-check';
import { bankCheck, bankImport } from './bank-import';
import { bankTakeBack } from './bank-take-back';
import { waitingEntries } from './bank-plan';

const list = operation({
  name: 'bank entries',
  button: 'Show the entries',
  about: 'The entries of our accounts, the newest first, with the reason for which each waits',
  roles: ['finance'],
  effect: 'reads',
  arguments: {
    state: optionOr(oneOf('state', bankEntryStates), 'WAITING', 'waiting, credited, debited, ignored or replaced'),
    account: option(nameText, 'only entries of this account of ours'),
    after: option(id, 'only entries behind this one, for the next page'),
    limit: optionOr(count, '100', 'maximum number of entries'),
  },
  columns: {
    id: 'number',
    booked_on: 'text',
    direction: 'text',
    amount: 'text',
    currency: 'text',
    payer: 'text',
    payer_account: 'text',
    text: 'text',
    references: 'text',
    state: 'text',
    why: 'text',
    explanation: 'text',
    account: 'text',
    proposal: 'number',
    wallet_id: 'number',
    client: 'text',
    transaction_id: 'number',
    reverses: 'number',
    looks_like: 'number',
  },
  async run(context, filter) {
    const entries = await listBankEntries(context.database, filter);
    const sealer = new Sealer(await context.keyRing());
    const { decide, like } = await waitingEntries(context, sealer, entries);
    return entries.map((entry) => {
      const { reason, explanation } = entry.state === 'WAITING' ? decide(entry) : noReason;
      const isWaiting = entry.state === 'WAITING';
      return {
        ...shown(sealer, entry),
        why: isWaiting ? (reason ?? 'CREDITABLE') : null,
        explanation: isWaiting ? (explanation ?? waitingReasonTexts.CREDITABLE) : null,
        looks_like: like.get(entry.bookingId)?.[0]?.entry ?? null,
      };
    });
  },
});

const noReason = { reason: null, explanation: null };

function shown(sealer: Sealer, entry: StoredBankEntry) {
  const { payer, payerAccount, text } = openBankEntry(sealer, entry) ?? { payer: '', payerAccount: '', text: '' };
  return {
    id: entry.id,
    booked_on: entry.bookedOn,
    direction: entry.direction,
    amount: entry.amount,
    currency: entry.currency,
    payer: payer || null,
    payer_account: payerAccount || null,
    text: text || null,
    references: entry.references.join(', ') || null,
    state: entry.state,
    account: entry.account,
    proposal: entry.proposalId,
    wallet_id: entry.walletId,
    client: entry.client,
    transaction_id: entry.transactionId,
    reverses: entry.reversesId,
  };
}

const ignore = operation({
  name: 'bank ignore',
  about: 'Take entries off the list that credit no wallet, such as fees. An ignored entry can still be credited',
  roles: ['finance'],
  effect: 'changes',
  givesAccess: false,
  arguments: { entries: words(id, 'the numbers of the entries'), reason: neededReason },
  async compared({ database }, { entries }) {
    const states = await listBankEntryStates(database, entries);
    const named = states.map(
      ({ id: entry, amount, currency, state }) =>
        [`Entry ${entry}, ${amount} ${currency}`, state.toLowerCase()] as const,
    );
    return { of: 'Entries of our accounts', values: Object.fromEntries(named) };
  },
  run: ({ database }, { entries }) =>
    database.transaction(async (transaction) => {
      const ignored = await ignoreBankEntries(database, entries, transaction);
      const other = entries.find((entry) => !ignored.includes(entry));
      if (other !== undefined) throw new Error(`No entry ${other} waits. See them with: bank entries`);
      await reviewBankEntries(database, transaction);
      return `Ignored: ${ignored.length === 1 ? 'entry' : 'entries'} ${ignored.join(', ')}.`;
    }),
});

const gaps = operation({
  name: 'bank gaps',
  button: 'Show the gaps',
  about: 'Statements of our accounts whose numbers are missing between two that were imported',
  roles: ['finance'],
  effect: 'reads',
  arguments: {},
  columns: {
    gap: 'number',
    account: 'text',
    first_number: 'number',
    last_number: 'number',
    after_day: 'text',
    before_day: 'text',
  },
  run: async ({ database }) =>
    (await statementGaps(database)).map((gap) => ({
      gap: gap.before,
      account: gap.account,
      first_number: gap.firstNumber,
      last_number: gap.lastNumber,
      after_day: gap.afterDay,
      before_day: gap.beforeDay,
    })),
});

const acceptGap = operation({
  name: 'bank gap accept',
  about: 'Accept that statements are missing, because the bank has none with these numbers',
  roles: ['finance'],
  effect: 'changes',
  givesAccess: false,
  arguments: { gap: word(id, 'the number of the gap'), reason: neededReason },
  run: ({ database }, { gap }) =>
    database.transaction(async (transaction) => {
      if (!(await acceptStatementGap(database, gap, transaction)))
        throw new Error(`There is no gap ${gap}. See them with: bank gaps`);
      await reviewStatementGaps(database, transaction);
      return `Accepted: gap ${gap}.`;
    }),
});

export const bankOperations = [
  bankImport,
  bankCheck,
  bankCsvCheck,
  list,
  bankCredit,
  bankTakeBack,
  ignore,
  gaps,
  acceptGap,
];
