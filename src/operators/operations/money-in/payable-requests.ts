/** Funding requests that entries of banks may pay. */
import type { Transaction } from '../../../data/database/database';
import { openWalletsAmong, proposedEntries, type StoredBankEntry } from '../../../data/funding/bank-entries';
import { fundingRequestsWith } from '../../../data/funding/funding-requests';
import { accountName } from '../../../domain/funding/our-accounts';
import type { CreditedFacts, RequestFacts } from '../../../domain/funding/automatic-credit';
import type { Context } from '../context';

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
  const accountOf = (currency: string) => {
    const account = bankAccounts.get(currency);
    return account && accountName(account);
  };
  return requests.map(({ id: requestId, walletId, reference, state, amount, currency }) => ({
    id: requestId,
    walletId,
    reference,
    state,
    amount,
    currency,
    account: accountOf(currency),
    isWalletOpen: open.has(walletId),
    proposedEntry: proposed.get(reference) ?? null,
  }));
}

/** What decides about the credit of a stored entry. It is booked. */
export function factsOf(entry: StoredBankEntry): CreditedFacts {
  return { ...entry, isPending: false };
}
