/** Entries of bank statements, one type for all formats of files. docs/operators/money-in.md. */

export const bankFormats = ['camt053', 'mt940', 'csv'] as const;
export type BankFormat = (typeof bankFormats)[number];

/** What a statement says about one movement of money. A text is empty if the bank gave none. */
export interface BankEntry {
  /** The account of the statement as the bank writes it, without blanks. */
  account: string;
  /** Days, as `2026-11-26`. The value date may be missing. */
  bookedOn: string;
  valueOn: string;
  direction: 'CREDIT' | 'DEBIT';
  /** Whether it undoes another entry, or returns a payment. Its direction is that of the money. */
  isReversal: boolean;
  /** Whether the bank may still change it. Such an entry moves nothing. */
  isPending: boolean;
  /** Above 0 or 0: an exact decimal without closing zeros. */
  amount: string;
  currency: string;
  bankReference: string;
  endToEndId: string;
  payer: string;
  payerAccount: string;
  /** What the payer wrote, in lines, with what the bank adds. */
  text: string;
}

/**
 * What makes an entry the same one in every file: each field, and its 1-based number among equal entries of its account and day. Two
 * equal payments so have two identities, and the entries of an overlapping file have known ones.
 */
export function bankEntryIdentity(entry: BankEntry, ordinal: number): string {
  const { account, bookedOn, valueOn, direction, isReversal, isPending, amount, currency, ...texts } = entry;
  const { bankReference, endToEndId, payer, payerAccount, text } = texts;
  const fields = [account, bookedOn, valueOn, direction, isReversal, isPending, amount, currency];
  return JSON.stringify([...fields, bankReference, endToEndId, payer, payerAccount, text, ordinal]);
}

/** Gives each entry its number among the equal ones. */
export function withOrdinals(entries: readonly BankEntry[]): NumberedEntry[] {
  const counts = new Map<string, number>();
  return entries.map((entry) => {
    const key = bankEntryIdentity(entry, 0);
    const ordinal = (counts.get(key) ?? 0) + 1;
    counts.set(key, ordinal);
    return { entry, ordinal };
  });
}

/** An entry with its number, as it is sealed. */
export interface NumberedEntry {
  entry: BankEntry;
  ordinal: number;
}

/** The identity of a sealed `NumberedEntry`; null if the value is none. */
export function identityInSealed(json: string): string | null {
  const { entry, ordinal } = JSON.parse(json) as Partial<NumberedEntry>;
  return entry && ordinal !== undefined ? bankEntryIdentity(entry, ordinal) : null;
}
