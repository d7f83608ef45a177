/** `bank entries` and `bank ignore`: what waits for a person. docs/operators/money-in.md. */
import { reviewBankEntries } from '../../../data/funding/bank-attention';
import {
  bankEntryStates,
  ignoreBankEntries,
  listBankEntries,
  openBankEntry,
  type StoredBankEntry,
} from '../../../data/funding/bank-entries';
import { waitingReasonTexts, type WaitingReason } from '../../../domain/funding/waiting-reasons';
import { Sealer } from '../../../security/sealing';
import { option, optionOr, words } from '../arguments';
import { count, id, nameText, oneOf } from '../kinds';
import { neededReason, operation } from '../operation';
import { bankCredit, requestsOf, type PayableRequest } from './bank-credit';
import { bankCheck, bankImport } from './bank-import';
import { paidByStored } from './bank-plan';

const list = operation({
  name: 'bank entries',
  button: 'Show the entries',
  about: 'The entries of our accounts, the newest first, with the reason for which each waits',
  roles: ['finance'],
  effect: 'reads',
  arguments: {
    state: optionOr(oneOf('state', bankEntryStates), 'WAITING', 'waiting, credited or ignored'),
    account: option(nameText, 'only entries of the account with this IBAN'),
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
  },
  async run(context, filter) {
    const entries = await listBankEntries(context.database, filter);
    const requests = await requestsOf(context, [...new Set(entries.flatMap(({ references }) => references))]);
    const sealer = new Sealer(await context.keyRing());
    return entries.map((entry) => shown(sealer, entry, requests));
  },
});

function shown(sealer: Sealer, entry: StoredBankEntry, requests: readonly PayableRequest[]) {
  const { payer, payerAccount, text } = openBankEntry(sealer, entry) ?? {
    payer: '',
    payerAccount: '',
    text: '',
  };
  const reason = entry.state === 'WAITING' ? reasonOf(entry, requests) : null;
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
    why: reason,
    explanation: reason && waitingReasonTexts[reason],
    account: entry.account,
    proposal: entry.proposalId,
    wallet_id: entry.walletId,
    client: entry.client,
    transaction_id: entry.transactionId,
    reverses: entry.reversesId,
  };
}

/** Why the entry waits now: a request may have changed since the import. */
function reasonOf(entry: StoredBankEntry, requests: readonly PayableRequest[]): WaitingReason {
  const paid = paidByStored(entry, requests);
  return typeof paid === 'string' ? paid : 'CREDITABLE';
}

const ignore = operation({
  name: 'bank ignore',
  about:
    'Take entries off the list that credit no wallet, such as fees. An ignored entry can still be credited',
  roles: ['finance'],
  effect: 'changes',
  givesAccess: false,
  arguments: { entries: words(id, 'the numbers of the entries'), reason: neededReason },
  run: ({ database }, { entries }) =>
    database.transaction(async (transaction) => {
      const ignored = await ignoreBankEntries(database, entries, transaction);
      const other = entries.find((entry) => !ignored.includes(entry));
      if (other !== undefined) throw new Error(`No entry ${other} waits. See them with: bank entries`);
      await reviewBankEntries(database, transaction);
      return `Ignored: ${ignored.length === 1 ? 'entry' : 'entries'} ${ignored.join(', ')}.`;
    }),
});

export const bankOperations = [bankImport, bankCheck, list, bankCredit, ignore];
