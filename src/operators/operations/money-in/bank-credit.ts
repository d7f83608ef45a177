/** `bank credit`: credits an entry of a bank once, to the funding request that it pays or to a wallet that a person names. */
import { reviewBankEntries } from '../../../data/funding/bank-attention';
import {
  bankEntry,
  openWalletsAmong,
  proposedEntries,
  recordBankCredit,
  type StoredBankEntry,
} from '../../../data/funding/bank-entries';
import {
  cancelFundingRequest,
  creditFundingRequest,
  fundingRequestsWith,
} from '../../../data/funding/funding-requests';
import type { Database, Transaction } from '../../../data/database/database';
import { postBankEntry } from '../../../data/wallets/ledger';
import { operatedWallet } from '../../../data/wallets/operated-wallets';
import {
  obstacleToAnyCredit,
  requestPaidBy,
  waitingReasonTexts,
  type CreditedFacts,
  type RequestFacts,
  type WaitingReason,
} from '../../../domain/funding/waiting-reasons';
import { Exact } from '../../../domain/prices/money';
import { flag, option, word, type ArgumentValues } from '../arguments';
import type { Context } from '../context';
import { id } from '../kinds';
import { operation } from '../operation';
import { tried } from '../tried';

/** The entry cannot be credited now, and waits. */
export class BankEntryWaits extends Error {
  constructor(
    entryId: number,
    readonly reason: WaitingReason,
  ) {
    super(`Entry ${entryId} cannot be credited. ${waitingReasonTexts[reason]}`);
  }
}

/** The entry is credited, by this call or another one. */
export class BankEntryCredited extends Error {
  constructor({ id: entryId, transactionId }: Pick<StoredBankEntry, 'id' | 'transactionId'>) {
    super(
      `Entry ${entryId} is credited already${transactionId === null ? '' : `: transaction ${transactionId}`}`,
    );
  }
}

/** A funding request as the entries of banks are compared with it. */
export interface PayableRequest extends RequestFacts {
  id: number;
  walletId: number;
}

type Work = Pick<Context, 'database' | 'config'>;

/** The funding requests with these references. */
export async function requestsOf(
  { database, config }: Work,
  references: readonly string[],
  transaction?: Transaction,
): Promise<PayableRequest[]> {
  const requests = await fundingRequestsWith(database, references, transaction);
  const walletIds = requests.map(({ walletId }) => walletId);
  const open = await openWalletsAmong(database, walletIds, transaction);
  const proposed = await proposedEntries(database, references, transaction);
  const { bankAccounts } = config.funding;
  return requests.map(({ id: requestId, walletId, reference, state, amount, currency }) => ({
    id: requestId,
    walletId,
    reference,
    state,
    amount,
    currency,
    account: bankAccounts.get(currency)?.iban,
    isWalletOpen: open.has(walletId),
    proposedEntry: proposed.get(reference) ?? null,
  }));
}

/** What decides about the credit of a stored entry. It is booked. */
export function factsOf(entry: StoredBankEntry): CreditedFacts {
  return { ...entry, isPending: false };
}

const creditArguments = {
  entry: word(id, 'the number of the entry'),
  wallet: option(id, 'the wallet to credit; default: that of the funding request which it pays'),
  cancelRequest: flag('cancel the pending funding requests whose references it holds'),
};

type GivenCredit = ArgumentValues<typeof creditArguments>;

export const bankCredit = operation({
  name: 'bank credit',
  about:
    'Credit an entry of a bank once: to the funding request that it pays, or to the wallet that you name, with the number of the entry as reference',
  roles: ['finance'],
  effect: 'money',
  approval: 'FUND',
  arguments: creditArguments,
  trial: 'PREVIEW',
  check: async ({ database }, { entry }) =>
    entry === undefined || creditable(await bankEntry(database, entry)),
  preview: async (context, given) =>
    textOf(context.database, await tried(context, (trial) => credited(trial, given))),
  basis: basisOf,
  async run(context, given) {
    const { entry, ...credit } = await credited(context, given);
    return [
      {
        entry: entry.id,
        wallet_id: credit.walletId,
        transaction_id: credit.transactionId,
        amount: entry.amount,
        currency: entry.currency,
        balance_after: credit.balanceAfter,
        outcome: 'credited',
      },
    ];
  },
});

/** The entry. Throws `BankEntryCredited` if it is credited. */
function creditable(entry: StoredBankEntry): StoredBankEntry {
  if (entry.state === 'CREDITED') throw new BankEntryCredited(entry);
  return entry;
}

interface Credit {
  walletId: number;
  transactionId: number;
  balanceAfter: string;
}

/** Credits the entry in one transaction, which locks the entry first. Throws `BankEntryWaits`, or why the wallet cannot get it. */
function credited(context: Work, given: GivenCredit): Promise<Credit & { entry: StoredBankEntry }> {
  const { database } = context;
  return database.transaction(async (transaction) => {
    const entry = creditable(await bankEntry(database, given.entry, transaction));
    const obstacle = obstacleToAnyCredit(factsOf(entry));
    if (obstacle !== undefined) throw new BankEntryWaits(entry.id, obstacle);
    const requests = await requestsOf(context, entry.references, transaction);
    const credit =
      given.wallet === undefined
        ? await creditRequest(database, entry, requests, transaction)
        : await creditWallet(database, { entry, requests, walletId: given.wallet, given }, transaction);
    const { transactionId } = credit;
    if (!(await recordBankCredit(database, { id: entry.id, transactionId }, transaction)))
      throw new BankEntryCredited(entry);
    await reviewBankEntries(database, transaction);
    return { ...credit, entry };
  });
}

async function creditRequest(
  database: Database,
  entry: StoredBankEntry,
  requests: readonly PayableRequest[],
  transaction: Transaction,
): Promise<Credit> {
  const paid = requestPaidBy(factsOf(entry), requests);
  if (typeof paid === 'string') throw new BankEntryWaits(entry.id, paid);
  const credit = await creditFundingRequest(database, paid.id, transaction);
  switch (credit.outcome) {
    case 'CREDITED':
      return credit;
    case 'NOT_PENDING':
      throw new BankEntryWaits(entry.id, `REQUEST_${credit.state}`);
    case 'WALLET_CLOSED':
      throw new BankEntryWaits(entry.id, 'WALLET_CLOSED');
    case 'NO_REQUEST':
      throw new BankEntryWaits(entry.id, 'UNKNOWN_REFERENCE');
  }
}

interface CreditByHand {
  entry: StoredBankEntry;
  requests: readonly PayableRequest[];
  walletId: number;
  given: GivenCredit;
}

async function creditWallet(
  database: Database,
  { entry, requests, walletId, given: { cancelRequest } }: CreditByHand,
  transaction: Transaction,
): Promise<Credit> {
  const { currency_code: currency } = await operatedWallet(database, walletId);
  if (currency !== entry.currency)
    throw new Error(
      `Wallet ${walletId} has the currency ${currency}, and entry ${entry.id} ${entry.currency}`,
    );
  const pending = requests.filter(({ state }) => state === 'PENDING');
  const [first] = pending;
  if (first && !cancelRequest)
    throw new Error(
      `Entry ${entry.id} holds the reference ${first.reference} of a pending funding request of wallet ${first.walletId}. ` +
        'Credit the entry without naming a wallet, or cancel the request with it (--cancel-request)',
    );
  for (const request of pending) await cancelFundingRequest(database, request.id, transaction);
  const posted = await postBankEntry(
    database,
    { bankEntryId: entry.id, walletId, kind: 'FUNDING', type: 'CREDIT', amount: new Exact(entry.amount) },
    transaction,
  );
  if (posted.repeated)
    throw new Error(`Wallet ${walletId} has an entry with the reference ${posted.reference} already`);
  return { walletId, ...posted };
}

async function textOf(
  database: Database,
  { entry, walletId, balanceAfter }: Credit & { entry: StoredBankEntry },
) {
  const { client } = await operatedWallet(database, walletId);
  const { id: entryId, amount, currency, bookedOn } = entry;
  return `Credits ${amount} ${currency} of entry ${entryId}, booked on ${bookedOn}, in wallet ${walletId} of ${client}, which will hold ${new Exact(balanceAfter).toFixed()} ${currency}.`;
}

/** The entry, its requests and the wallet, without balances and proposals: the proposal that it checks is one of them. */
async function basisOf(context: Work, { entry: entryId, wallet: walletId }: GivenCredit): Promise<string> {
  const { database } = context;
  const { state, references } = await bankEntry(database, entryId);
  const requests = (await requestsOf(context, references)).map((one) => ({
    ...one,
    proposedEntry: undefined,
  }));
  const wallet = walletId === undefined ? undefined : await operatedWallet(database, walletId);
  const [owner, isOpen] = [wallet?.client_id, wallet && wallet.closed_at === null];
  return JSON.stringify({ isCredited: state === 'CREDITED', state, requests, owner, isOpen });
}
