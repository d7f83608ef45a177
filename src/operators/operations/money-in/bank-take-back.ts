/** `bank take-back`: debits what a credited entry brought, because the bank took it back. docs/operators/money-in.md#taken-back. */
import { reviewBankEntries } from '../../../data/funding/bank-attention';
import { lockBankAccount } from '../../../data/funding/bank-bookings';
import { bankEntry, recordTakenBack, type StoredBankEntry } from '../../../data/funding/bank-entries';
import type { Database } from '../../../data/database/database';
import { postBankEntry } from '../../../data/wallets/operated-entries';
import { operatedWallet } from '../../../data/wallets/operated-wallets';
import { Exact } from '../../../domain/prices/money';
import { word } from '../arguments';
import type { Context } from '../context';
import { id } from '../kinds';
import { operation } from '../operation';
import { tried } from '../tried';

type Work = Pick<Context, 'database'>;

export const bankTakeBack = operation({
  name: 'bank take-back',
  button: 'Take back',
  about:
    'Debit the wallet that a credited entry credited, because the bank took it back: at most what was credited, once, with the number of the entry that takes back as reference',
  roles: ['finance'],
  effect: 'money',
  approval: 'ADJUST',
  arguments: { entry: word(id, 'the number of the entry that takes back, not of the credited one') },
  trial: 'PREVIEW',
  check: async ({ database }, { entry }) => entry === undefined || entryTakenBack(await bankEntry(database, entry)),
  async preview(context, { entry }) {
    const { credited, walletId, amount, balanceAfter } = await tried(context, (trial) => takenBack(trial, entry));
    const { client } = await operatedWallet(context.database, walletId);
    const { currency, bookedOn } = credited;
    return `Takes back entry ${credited.id}, booked on ${bookedOn}: debits ${amount} ${currency} in wallet ${walletId} of ${client}, which will hold ${new Exact(balanceAfter).toFixed()} ${currency}.`;
  },
  basis: basisOf,
  async run(context, { entry }) {
    const { credited, walletId, transactionId, amount, balanceAfter } = await takenBack(context, entry);
    return [
      {
        entry,
        credited_entry: credited.id,
        wallet_id: walletId,
        transaction_id: transactionId,
        amount,
        currency: credited.currency,
        balance_after: balanceAfter,
        outcome: 'debited',
      },
    ];
  },
});

/** The credited entry that the entry takes back. Throws if there is none, or the entry moved money in a wallet already. */
function entryTakenBack({ id: entryId, state, transactionId, reversesId }: StoredBankEntry): number {
  if (state === 'CREDITED') throw new Error(`Entry ${entryId} is credited. Name the entry that takes it back`);
  if (state === 'DEBITED')
    throw new Error(`Entry ${entryId} has taken back entry ${reversesId} already: transaction ${transactionId}`);
  if (reversesId === null)
    throw new Error(
      `Entry ${entryId} takes back no credited entry: none fits, several do, or it is taken back already. ` +
        'Debit a wallet by hand with: wallets adjust',
    );
  return reversesId;
}

interface TakenBack {
  credited: StoredBankEntry;
  walletId: number;
  amount: string;
  transactionId: number;
  balanceAfter: string;
}

/**
 * Debits the wallet in one transaction, which waits for imports and credits of the account. The debit is the smaller of both amounts.
 * Throws if the wallet is closed or has less: then nothing moves.
 */
async function takenBack({ database }: Work, entryId: number): Promise<TakenBack> {
  const { account } = await bankEntry(database, entryId);
  return database.transaction(async (transaction) => {
    await lockBankAccount(database, account, transaction);
    const entry = await bankEntry(database, entryId, transaction);
    const credited = await bankEntry(database, entryTakenBack(entry), transaction);
    const walletId = walletOf(credited);
    const amount = Exact.min(entry.amount, credited.amount);
    const remarks = `Bank transfer taken back: transaction ${credited.transactionId}`;
    const debit = { kind: 'ADJUSTMENT', type: 'DEBIT', walletId, amount, remarks } as const;
    const posted = await postBankEntry(database, { bankEntryId: entryId, ...debit }, transaction);
    const { transactionId, balanceAfter, reference } = posted;
    if (posted.repeated) throw new Error(`Wallet ${walletId} has an entry with the reference ${reference} already`);
    if (!(await recordTakenBack(database, { id: entryId, takesBackId: credited.id, transactionId }, transaction)))
      throw new Error(`Entry ${entryId} has moved money already`);
    await reviewBankEntries(database, transaction);
    return { credited, walletId, amount: amount.toFixed(), transactionId, balanceAfter };
  });
}

function walletOf({ id: entryId, walletId }: StoredBankEntry): number {
  if (walletId === null) throw new Error(`Entry ${entryId} is not credited`);
  return walletId;
}

/** The entry, the credited one that it takes back, and the wallet, without its balance. */
async function basisOf({ database }: { database: Database }, { entry: entryId }: { entry: number }): Promise<string> {
  const { state, amount, reversesId } = await bankEntry(database, entryId);
  const credited = reversesId === null ? null : await bankEntry(database, reversesId);
  const wallet = credited?.walletId == null ? null : await operatedWallet(database, credited.walletId);
  const [owner, isOpen] = [wallet?.client_id, wallet && wallet.closed_at === null];
  return JSON.stringify({ state, amount, reversesId, credited: credited?.amount, owner, isOpen });
}
