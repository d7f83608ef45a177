/** Statements of banks, one type for all formats of files. docs/operators/money-in.md. */

export const bankFormats = ['camt053', 'mt940', 'csv'] as const;
export type BankFormat = (typeof bankFormats)[number];

/** What a statement says. A text is empty, and a number or a balance undefined, if the bank gives none. */
export interface BankStatement {
  /** Our account as the bank writes it, in capital letters, without blanks. */
  account: string;
  /** The bank's identification of the statement. */
  id: string;
  /** The number of the statement among those of the account. It may begin again at 1 each year. */
  number: number | undefined;
  /** The 1-based page of a statement that comes in several. */
  page: number | undefined;
  opening: StatementBalance | undefined;
  closing: StatementBalance | undefined;
  /** In the sequence of the file. Empty on a quiet day. */
  bookings: BankBooking[];
}

export interface StatementBalance {
  /** An exact decimal without closing zeros; below 0 for a debt. */
  amount: string;
  currency: string;
  /** As `2026-11-26`. */
  day: string;
}

/** One movement of money on the account. The unit that is matched, stored once and never credited twice. */
export interface BankBooking {
  /** Days, as `2026-11-26`. The value date may be missing. */
  bookedOn: string;
  valueOn: string;
  direction: 'CREDIT' | 'DEBIT';
  /** Whether it undoes another booking (`RvslInd`, `RC`, `RD`). It holds for all parts. The direction is that of the money. */
  isReversal: boolean;
  /** Whether the bank may still change it. Such a booking moves nothing. */
  isPending: boolean;
  /** Above 0 or 0: an exact decimal without closing zeros. */
  amount: string;
  currency: string;
  /** The bank's reference of the booking, not of a part. Empty for a word for none, such as `NONREF`. */
  bankReference: string;
  /** At least one. A booking that the bank does not split has one part with the whole amount. The amounts add up to the booking's. */
  parts: BankPart[];
}

/** What one payer sent, of a booking. */
export interface BankPart {
  /** Like the booking's amount, in its currency. */
  amount: string;
  /** Whether it returns a payment (`RtrInf`). */
  isReturn: boolean;
  endToEndId: string;
  payer: string;
  payerAccount: string;
  /** What the payer wrote, structured references included, in lines, with what the bank adds. */
  text: string;
}
