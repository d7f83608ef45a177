/** `bank credit`: credits an entry of a bank once, to the funding request that it pays or to a wallet that a person names. */
import { createHash } from 'node:crypto';
import { reviewBankEntries } from '../../../data/funding/bank-attention';
import { lockBankAccount } from '../../../data/funding/bank-bookings';
import { bankEntry, openBankEntry, recordBankCredit, type StoredBankEntry } from '../../../data/funding/bank-entries';
import { giveWords } from '../../../data/funding/booking-writes';
import { creditedBookingsLike, type CreditedBooking } from '../../../data/funding/credited-bookings';
import { cancelFundingRequest, creditFundingRequest } from '../../../data/funding/funding-requests';
import type { Database, Transaction } from '../../../data/database/database';
import { postBankEntry } from '../../../data/wallets/operated-entries';
import { operatedWallet } from '../../../data/wallets/operated-wallets';
import {
  obstacleToAnyCredit,
  requestPaidBy,
  waitingReasonTexts,
  type WaitingReason,
} from '../../../domain/funding/automatic-credit';
import { firstNames } from '../../../domain/first-names';
import { Exact } from '../../../domain/prices/money';
import { Sealer } from '../../../security/sealing';
import { flag, option, options, word, type ArgumentValues } from '../arguments';
import type { Context } from '../context';
import { id } from '../kinds';
import { operation } from '../operation';
import { tried } from '../tried';
import { factsOf, requestsOf, type PayableRequest } from './payable-requests';

/** The entry cannot be credited now, and waits. */
export class BankEntryWaits extends Error {
  constructor(
    entryId: number,
    readonly reason: WaitingReason,
    explanation: string = waitingReasonTexts[reason],
  ) {
    super(`Entry ${entryId} cannot be credited. ${explanation}`);
  }
}

/** The entry is credited, by this call or another one. */
export class BankEntryCredited extends Error {
  constructor({ id: entryId, transactionId }: Pick<StoredBankEntry, 'id' | 'transactionId'>) {
    super(`Entry ${entryId} is credited already${transactionId === null ? '' : `: transaction ${transactionId}`}`);
  }
}

type CreditWork = Pick<Context, 'database' | 'config' | 'keyRing' | 'account' | 'operator'>;

const creditArguments = {
  entry: word(id, 'the number of the entry'),
  wallet: option(id, 'the wallet to credit; default: that of the funding request which it pays'),
  cancelRequest: flag('cancel the pending funding requests whose references it holds'),
  notTheSame: options(id, 'your word that it is another payment than this credited entry, which it looks like'),
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
  check: async ({ database }, { entry }) => entry === undefined || creditable(await bankEntry(database, entry)),
  preview: async (context, given) => textOf(context.database, await tried(context, (trial) => credited(trial, given))),
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
  if (entry.state === 'REPLACED')
    throw new Error(`The bank sent other parts of entry ${entry.id}: credit those. See them with: bank entries`);
  return entry;
}

interface Credit {
  walletId: number;
  transactionId: number;
  balanceAfter: string;
}

/**
 * Credits the entry in one transaction, which waits for imports and credits of its account. Throws `BankEntryWaits`, or why the wallet
 * cannot get it.
 */
async function credited(context: CreditWork, given: GivenCredit): Promise<Credit & { entry: StoredBankEntry }> {
  const { database } = context;
  const { account } = await bankEntry(database, given.entry);
  return database.transaction(async (transaction) => {
    await lockBankAccount(database, account, transaction);
    const entry = creditable(await bankEntry(database, given.entry, transaction));
    const obstacle = obstacleToAnyCredit(factsOf(entry));
    if (obstacle !== undefined) throw new BankEntryWaits(entry.id, obstacle);
    await assertAnother(context, entry, { notTheSame: given.notTheSame, transaction });
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

/**
 * Throws `BankEntryWaits` if the entry may be a credited one, unless a person says of each of these that it is not. Records this word. One
 * that was credited since then is not among them. Throws for a word about an entry that it does not look like.
 */
async function assertAnother(
  { database, keyRing, account, operator: by }: CreditWork,
  { id: entryId, bookingId }: StoredBankEntry,
  { notTheSame, transaction }: { notTheSame: readonly number[]; transaction: Transaction },
): Promise<void> {
  if (notTheSame.length > 0 && account.isService)
    throw new Error('A person says that it is another payment, not a service account');
  const sealer = new Sealer(await keyRing());
  const found = await creditedBookingsLike(database, sealer, [bookingId], transaction);
  const like = found.get(bookingId) ?? [];
  const unneeded = notTheSame.find((other) => !like.some(({ entry }) => entry === other));
  if (unneeded !== undefined)
    throw new Error(
      `Entry ${entryId} does not look like entry ${unneeded}: leave out --not-the-same ${unneeded}. See what it looks like with: bank entries`,
    );
  const unspoken = like.filter(({ entry }) => !notTheSame.includes(entry));
  if (unspoken.length > 0) {
    const words = like.map(({ entry }) => `--not-the-same ${entry}`).join(' ');
    const explanation = `${likenessOf(unspoken)}. If it is another payment, say so (${words})`;
    throw new BankEntryWaits(entryId, 'LOOKS_CREDITED', explanation);
  }
  await giveWords(database, { id: bookingId, otherIds: like.map((one) => one.bookingId), by }, transaction);
}

/** Names the credited entries. */
export function likenessOf(like: readonly CreditedBooking[]): string {
  const named = like.map(({ entry, walletId }) => `entry ${entry}, credited to wallet ${walletId}`);
  return `It looks like ${firstNames(named, '; ')}`;
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
    throw new Error(`Wallet ${walletId} has the currency ${currency}, and entry ${entry.id} ${entry.currency}`);
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

async function textOf(database: Database, { entry, walletId, balanceAfter }: Credit & { entry: StoredBankEntry }) {
  const { client } = await operatedWallet(database, walletId);
  const { id: entryId, amount, currency, bookedOn } = entry;
  return `Credits ${amount} ${currency} of entry ${entryId}, booked on ${bookedOn}, in wallet ${walletId} of ${client}, which will hold ${new Exact(balanceAfter).toFixed()} ${currency}.`;
}

/** The entry with its texts, its requests and the wallet, without balances and proposals: the proposal that it checks is one of them. */
async function basisOf(context: CreditWork, { entry: entryId, wallet: walletId }: GivenCredit): Promise<string> {
  const { database, keyRing } = context;
  const stored = await bankEntry(database, entryId);
  const { state, references, bookingId } = stored;
  const sealer = new Sealer(await keyRing());
  const like = await creditedBookingsLike(database, sealer, [bookingId]);
  const requests = (await requestsOf(context, references)).map((one) => ({ ...one, proposedEntry: undefined }));
  const wallet = walletId === undefined ? undefined : await operatedWallet(database, walletId);
  const [owner, isOpen] = [wallet?.client_id, wallet && wallet.closed_at === null];
  const looksLike = like.get(bookingId)?.map(({ bookingId: id }) => id);
  // Approvers have read the texts, which must be readable nowhere else.
  const texts = createHash('sha256')
    .update(JSON.stringify(openBankEntry(sealer, stored) ?? null))
    .digest('hex');
  return JSON.stringify({ isCredited: state === 'CREDITED', state, requests, owner, isOpen, looksLike, texts });
}
