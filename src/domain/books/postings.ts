/**
 * The lines of a month's books, and the accounts of their postings. docs/operators/books.md.
 * Rule: the account of each posting of the books
 */

export const bookAccounts = [
  'wallets',
  'receivables',
  'in_progress',
  'refunds_due',
  'bank',
  'adjustments',
  'redemptions',
  'conversions',
  'sales',
  'refunds',
  'costs',
  'suppliers',
  'supplier_credits',
] as const;
export type BookAccount = (typeof bookAccounts)[number];

/** The numbers of accounts. An account without one has its name. */
export type AccountNumbers = Readonly<Partial<Record<BookAccount, string>>>;

/** The accounts that a positive amount debits and credits, by the kind of the line; none for a line that is no posting. */
const postings = new Map<string, readonly [debit: BookAccount, credit: BookAccount] | null>([
  ['CREDIT_BALANCE', null],
  ['DEBT', ['receivables', 'wallets']],
  ['IN_PROGRESS', ['wallets', 'in_progress']],
  ['REFUND_DUE', ['wallets', 'refunds_due']],
  ['FUNDING', ['bank', 'wallets']],
  ['ADJUSTMENT', ['adjustments', 'wallets']],
  ['REDEMPTION', ['redemptions', 'wallets']],
  ['CONVERSION', ['conversions', 'wallets']],
  ['SOLD', ['wallets', 'sales']],
  ['REFUNDED', ['refunds', 'wallets']],
  ['COST', ['costs', 'suppliers']],
  ['REVERSED', ['suppliers', 'costs']],
  ['SUPPLIER_CREDIT', ['suppliers', 'supplier_credits']],
  ['MARGIN', null],
]);

/** The numbers of the accounts that a positive amount of the kind debits and credits; null if it is no posting. Throws for another kind. */
export function accountsOf(kind: string, numbers: AccountNumbers): { debit: string | null; credit: string | null } {
  const posting = postings.get(kind);
  if (posting === undefined) throw new Error(`The books have no account for the kind ${kind}.`);
  const [debit, credit] = posting ?? [];
  const numberOf = (account: BookAccount | undefined) => (account ? (numbers[account] ?? account) : null);
  return { debit: numberOf(debit), credit: numberOf(credit) };
}

const sequence = [...postings.keys()];

/** Where the kind stands in the journal. */
export const placeOfKind = (kind: string): number => sequence.indexOf(kind);
