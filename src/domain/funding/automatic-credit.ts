/**
 * Why an entry of a bank is not credited by itself. docs/operators/money-in.md#why-an-entry-waits.
 * Rule: which entry of a bank is credited by itself, and why another one waits
 */
import { Exact } from '../prices/money';
import type { BankBooking } from './bank-statement';
import type { FundingState } from './funding-states';

const reasons = {
  NOT_BOOKED: 'The bank may still change it. It is not stored: import the file of the day on which it is booked.',
  REVERSES_CREDIT: 'It takes back money that was credited to a wallet. Nothing was moved.',
  REVERSAL: 'It undoes an entry, or returns a payment.',
  DEBIT: 'Money left the account.',
  LOOKS_CREDITED: 'It may be a payment that is credited already. Crediting it needs your word that it is another one.',
  NO_REFERENCE: 'It holds no valid reference.',
  SEVERAL_REFERENCES: 'It holds several valid references.',
  UNKNOWN_REFERENCE: 'No funding request has its reference.',
  REQUEST_CREDITED: 'Its funding request is credited already.',
  REQUEST_PROPOSED: 'Another entry with its reference waits for approval.',
  REQUEST_CANCELLED: 'Its funding request is cancelled.',
  REQUEST_EXPIRED: 'Its funding request has expired.',
  OTHER_CURRENCY: 'Its funding request has another currency.',
  OTHER_AMOUNT: 'Its funding request has another amount.',
  OTHER_ACCOUNT: 'Its funding request names another of our accounts.',
  WALLET_CLOSED: 'The wallet of its funding request is closed.',
  APPROVAL: 'A second person has to approve its credit.',
  CREDITABLE: 'Nothing prevents its credit any more.',
} as const;

export type WaitingReason = keyof typeof reasons;
/** The reason as a sentence. */
export const waitingReasonTexts: Readonly<Record<WaitingReason, string>> = reasons;

/** What decides about a credit. `id`: of a stored entry. `references`: the valid ones in its texts. */
export type CreditedFacts = Pick<BankBooking, 'amount' | 'currency' | 'direction' | 'isReversal' | 'isPending'> & {
  id?: number;
  account: string;
  references: readonly string[];
};

/**
 * What a funding request contributes to the decision. `account`: our account to which its client should pay. `proposedEntry`: of the
 * entries that hold its reference, the first one whose credit waits for approval; null if none waits.
 */
export interface RequestFacts {
  reference: string;
  state: FundingState;
  amount: string;
  currency: string;
  account: string | undefined;
  isWalletOpen: boolean;
  proposedEntry: number | null;
}

/**
 * Decides whether the entry is credited by itself: the request that it pays, or why it waits. Money that an operator credits by hand
 * passes `obstacleToAnyCredit` only.
 */
export function requestPaidBy<Request extends RequestFacts>(
  entry: CreditedFacts,
  requests: readonly Request[],
): Request | WaitingReason {
  const obstacle = obstacleToAnyCredit(entry);
  if (obstacle !== undefined) return obstacle;
  const [reference, ...others] = entry.references;
  if (reference === undefined) return 'NO_REFERENCE';
  if (others.length > 0) return 'SEVERAL_REFERENCES';
  const request = requests.find((one) => one.reference === reference);
  if (!request) return 'UNKNOWN_REFERENCE';
  if (request.state !== 'PENDING') return `REQUEST_${request.state}`;
  if (request.currency !== entry.currency) return 'OTHER_CURRENCY';
  if (!new Exact(request.amount).equals(entry.amount)) return 'OTHER_AMOUNT';
  if (request.account !== entry.account) return 'OTHER_ACCOUNT';
  if (!request.isWalletOpen) return 'WALLET_CLOSED';
  const isFirst = request.proposedEntry === null || (entry.id ?? Infinity) <= request.proposedEntry;
  return isFirst ? request : 'REQUEST_PROPOSED';
}

/** Why nobody can credit the entry; undefined if a person can. */
export function obstacleToAnyCredit({
  isPending,
  direction,
  isReversal,
}: Pick<CreditedFacts, 'isPending' | 'direction' | 'isReversal'>): WaitingReason | undefined {
  if (isPending) return 'NOT_BOOKED';
  if (isReversal) return 'REVERSAL';
  return direction === 'DEBIT' ? 'DEBIT' : undefined;
}
