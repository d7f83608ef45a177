/** A bank that sends its bookings in files of all kinds, and a store that follows the rules of src/domain/funding. */
import type { BankBooking, BankPart, BankStatement } from '../../src/domain/funding/bank-statement';
import { contentKey, moneyKey, bankReferenceKey, statementKey } from '../../src/domain/funding/booking-keys';
import {
  earlierVersions,
  matchedBookings,
  type BookingKeys,
  type StoredStatement,
} from '../../src/domain/funding/booking-matching';
import { comparedPart, creditedBefore, type ComparedBooking } from '../../src/domain/funding/credited-before';
import { Exact } from '../../src/domain/prices/money';

export const account = 'DE89370400440532013000';

/** A statement of a file of the format. */
export interface SentStatement {
  format: string;
  statement: BankStatement;
  /** The bookings of the bank that it words. */
  booked: readonly Booked[];
}

interface Kept extends BookingKeys, ComparedBooking {
  booking: BankBooking;
  statements: StoredStatement[];
  doubtfulIn: number[];
  /** The indexes of its credited parts. */
  credited: Set<number>;
  reference: string | undefined;
}

/** A booking of a file of the format as it is matched and compared. */
const wordedAs = (format: string, booking: BankBooking, keys: BookingKeys) => ({
  ...booking,
  ...keys,
  format,
  booking,
  parts: booking.parts.map(comparedPart),
  requestReferences: [],
});

export const keysOf = (booking: BankBooking): BookingKeys => ({
  money: moneyKey(account, booking),
  content: contentKey(account, booking),
  reference: bankReferenceKey(account, booking.bankReference),
});

/** Stores bookings as the database does. */
export class BookingStore {
  readonly kept: Kept[] = [];
  /** Stored bookings of which an import asked whether they are one payment or two. */
  readonly asked = new Set<Kept>();
  private statements = 0;

  import({ format, statement }: Pick<SentStatement, 'format' | 'statement'>): void {
    const { id, number, page, opening, closing, bookings } = statement;
    const key = statementKey(statement);
    const keys = bookings.map(keysOf);
    const matches = matchedBookings({ id, number, page, opening, closing, key }, keys, this.kept);
    const known = matches.flatMap((match) => (match && this.kept[match.id]) ?? []);
    const versions = earlierVersions(key, known);
    const rowId = (this.statements += 1);
    const series = Math.min(rowId, ...versions.map((one) => one.series));
    const stored: StoredStatement = {
      rowId,
      series,
      key,
      id,
      number,
      page,
      opening,
      closing,
      size: bookings.length,
    };
    for (const [index, booking] of bookings.entries()) {
      const match = matches[index];
      const own = keys[index] as BookingKeys;
      const one = match ? this.kept[match.id] : undefined;
      if (!one) {
        const added = {
          id: this.kept.length,
          statements: [stored],
          doubtfulIn: [],
          credited: new Set<number>(),
        };
        this.kept.push({ ...wordedAs(format, booking, own), ...added });
        continue;
      }
      one.statements.push(stored);
      if (match?.isDoubtful) {
        this.asked.add(one);
        one.doubtfulIn.push(rowId);
      }
      if (match?.by === 'REFERENCE' && one.credited.size === 0)
        Object.assign(one, wordedAs(format, booking, own));
    }
  }

  /** The credited bookings that the one may be. */
  creditedBefore(one: Kept): Kept[] {
    return creditedBefore(
      one,
      this.kept.filter(({ credited }) => credited.size > 0),
    );
  }

  /** Credits the part, unless that needs a word. */
  credit(one: Kept, part: number): void {
    if (this.creditedBefore(one).length === 0) one.credited.add(part);
  }

  /** What was credited of bookings with this money, and how many of them are stored. */
  sumOf(money: string): { credited: Exact; stored: number; isAsked: boolean } {
    const found = this.kept.filter((one) => one.money === money);
    const parts = found.flatMap(({ booking, credited }) =>
      [...credited].map((index) => booking.parts[index]?.amount ?? '0'),
    );
    return {
      credited: parts.reduce((sum, amount) => sum.plus(amount), new Exact(0)),
      stored: found.length,
      isAsked: found.some((one) => this.asked.has(one)),
    };
  }
}

/** A source of numbers that gives the same ones for the same seed (mulberry32). */
export function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

type Random = ReturnType<typeof randomOf>;

/** A booking as the bank has it. Its files may word it differently. */
export interface Booked {
  bookedOn: string;
  amount: string;
  bankReference: string;
  text: string;
}

const amounts = [
  { whole: '30', parts: ['10', '20'] },
  { whole: '100', parts: ['30', '70'] },
];

/** Ten bookings of three days: few amounts, half of them without a reference, some equal. */
export function bookedBy(random: Random): Booked[] {
  return Array.from({ length: 10 }, (_, index) => ({
    bookedOn: `2026-11-${10 + random(3)}`,
    amount: amounts[random(amounts.length)]?.whole ?? '30',
    bankReference: random(2) === 0 ? '' : `B${index}`,
    text: `text ${random(2)}`,
  })).sort((a, b) => (a.bookedOn < b.bookedOn ? -1 : a.bookedOn > b.bookedOn ? 1 : 0));
}

/** The booking as a file words it: whole or split, with or without fields that the bank adds, with other blanks. */
function worded({ bookedOn, amount, bankReference, text }: Booked, random: Random): BankBooking {
  const parts = random(4) === 0 ? (amounts.find(({ whole }) => whole === amount)?.parts ?? []) : [amount];
  return {
    bookedOn,
    valueOn: bookedOn,
    direction: 'CREDIT',
    isReversal: false,
    isPending: false,
    amount,
    currency: 'USD',
    bankReference,
    parts: parts.map((each): BankPart => ({
      amount: each,
      isReturn: false,
      endToEndId: random(4) === 0 ? 'E2E' : '',
      payer: random(4) === 0 ? 'Jane Payer' : '',
      payerAccount: '',
      text:
        parts.length > 1
          ? `part of ${each}`
          : random(4) === 0
            ? `${text}\nand more`
            : text.replace(' ', ' '.repeat(random(2))),
    })),
  };
}

/** The statements of the bank: consecutive bookings with balances, as index of the first booking and of the one behind the last. */
function statementsOf(booked: readonly Booked[], random: Random): [number, number][] {
  const ends = [2 + random(3), 5 + random(3), booked.length];
  return ends.map((end, index) => [ends[index - 1] ?? 0, end]);
}

/** Eight files in random sequence: statements, copies of them, and downloads that overlap. */
export function filesOf(booked: readonly Booked[], random: Random): SentStatement[] {
  const ranges = statementsOf(booked, random);
  const hasPages = random(2) === 0;
  const balanceBehind = (index: number) =>
    booked
      .slice(0, index)
      .reduce((sum, { amount }) => sum.plus(amount), new Exact(0))
      .toFixed();
  const statement = (): SentStatement => {
    const index = random(ranges.length);
    const [from, to] = ranges[index] ?? [0, 0];
    const day = booked[from]?.bookedOn ?? '';
    return {
      booked: booked.slice(from, to),
      format: 'camt053',
      statement: {
        account,
        id: 'S',
        number: hasPages ? 330 : 330 + index,
        page: hasPages ? index + 1 : undefined,
        opening: { amount: balanceBehind(from), currency: 'USD', day },
        closing: { amount: balanceBehind(to), currency: 'USD', day: booked[to - 1]?.bookedOn ?? '' },
        bookings: booked.slice(from, to).map((each) => worded(each, random)),
      },
    };
  };
  const download = (): SentStatement => {
    const from = random(booked.length);
    const to = from + 1 + random(booked.length - from);
    // Some have the same head each time.
    const head = random(2) === 0 ? { id: '', number: undefined } : { id: 'DOWNLOAD', number: 1 };
    const bookings = booked.slice(from, to).map((each) => worded(each, random));
    return {
      booked: booked.slice(from, to),
      format: random(3) === 0 ? 'csv' : 'camt053',
      statement: { account, ...head, page: undefined, opening: undefined, closing: undefined, bookings },
    };
  };
  const files: SentStatement[] = [];
  while (files.length < 8) {
    const copied = files[random(files.length)];
    files.push(copied && random(4) === 0 ? copied : random(2) === 0 ? statement() : download());
  }
  return files;
}
