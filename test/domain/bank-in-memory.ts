/** A bank that sends its bookings in files of all kinds, and a store that follows the rules of src/domain/funding. */
import type { BankBooking, BankPart, BankStatement } from '../../src/domain/funding/bank-statement';
import { bankReferenceKey, contentKey, isNamed, moneyKey, statementKey } from '../../src/domain/funding/booking-keys';
import {
  earlierVersions,
  matchedBookings,
  type BookingKeys,
  type SentBooking,
  type StoredStatement,
} from '../../src/domain/funding/booking-matching';
import { comparedPart, creditedBefore, type ComparedBooking } from '../../src/domain/funding/credited-before';
import { Exact } from '../../src/domain/prices/money';

export const account = 'DE89370400440532013000';

/** A statement of a file of the format. */
export interface SentStatement {
  fileName: string;
  format: string;
  statement: BankStatement;
  /** The bookings of the bank that it words. */
  booked: readonly Booked[];
}

type Imported = Pick<SentStatement, 'format' | 'statement'> & Partial<Pick<SentStatement, 'booked' | 'fileName'>>;

interface Kept extends BookingKeys, ComparedBooking {
  booking: BankBooking;
  statements: StoredStatement[];
  doubtfulIn: number[];
  /** The indexes of its credited parts. */
  credited: Set<number>;
  reference: string | undefined;
  /** The booking of the bank of which it was stored. */
  truth: Booked | undefined;
  /** The stored bookings that a person called other payments. */
  words: Set<number>;
}

/** A booking of a file of the format as it is matched and compared. */
const wordedAs = (format: string, booking: BankBooking, keys: SentBooking) => ({
  ...booking,
  ...keys,
  format,
  booking,
  parts: booking.parts.map(comparedPart),
});

export const keysOf = (booking: BankBooking, references: readonly string[] = []): SentBooking => ({
  requestReferences: references,
  parts: booking.parts,
  money: moneyKey(account, booking),
  content: contentKey(account, booking),
  reference: bankReferenceKey(account, booking.bankReference),
});

/** Stores bookings as the database does. */
export class BookingStore {
  readonly kept: Kept[] = [];
  /** Stored bookings of which an import asked whether they are one payment or two. */
  readonly asked = new Set<Kept>();
  private readonly statements: StoredStatement[] = [];
  private files = 0;

  /**
   * Imports the file. `others`: stored bookings that are none of its payments, however equal. Returns the stored ones of which the import
   * asks, with the bookings of the bank that they may be.
   */
  import(
    { fileName = 'a', format, statement, booked }: Imported,
    others: readonly Kept[] = [],
  ): [Kept, Booked | undefined][] {
    const asked: [Kept, Booked | undefined][] = [];
    const { id, number, page, opening, closing, bookings } = statement;
    const key = statementKey(statement);
    const keys = bookings.map((booking) => keysOf(booking));
    const fileId = (this.files += 1);
    const matches = matchedBookings({ ...statement, key, fileId, fileName }, keys, this.kept);
    const known = matches.flatMap((match) => (match && this.kept[match.id]) ?? []);
    const named = isNamed(statement) ? this.statements.filter((one) => one.key === key) : [];
    const versions = earlierVersions(key, known, named);
    const rowId = this.statements.length + 1;
    const joined = versions.map((one) => one.series);
    const series = Math.min(rowId, ...joined);
    for (const one of this.statements) if (joined.includes(one.series)) one.series = series;
    const stored: StoredStatement = {
      rowId,
      fileId,
      fileName,
      series,
      key,
      id,
      number,
      page,
      opening,
      closing,
      size: bookings.length,
    };
    this.statements.push(stored);
    for (const [index, booking] of bookings.entries()) {
      const match = matches[index];
      const own = keys[index] as SentBooking;
      const found = match && this.kept[match.id];
      const another = found && match?.isDoubtful && others.includes(found) ? found : undefined;
      const one = another ? undefined : found;
      if (!one) {
        const added = {
          id: this.kept.length,
          statements: [stored],
          doubtfulIn: [],
          credited: new Set<number>(),
          truth: booked?.[index],
          words: new Set(another && [another.id]),
        };
        another?.words.add(added.id);
        this.kept.push({ ...wordedAs(format, booking, own), ...added });
        continue;
      }
      one.statements.push(stored);
      if (match?.isDoubtful) {
        this.asked.add(one);
        asked.push([one, booked?.[index]]);
        one.doubtfulIn.push(rowId);
      }
      if (match?.by === 'REFERENCE' && !match.isDoubtful && one.credited.size === 0)
        Object.assign(one, wordedAs(format, booking, own));
    }
    return asked;
  }

  /** Imports the file, and answers truthfully whether each payment that it asks about is another one. */
  importAnswered(file: SentStatement): void {
    const others = this.import(file).filter(([{ truth }, booked]) => truth !== booked);
    if (others.length > 0)
      this.import(
        file,
        others.map(([one]) => one),
      );
  }

  /** The credited bookings that the one may be. */
  creditedBefore(one: Kept): Kept[] {
    return creditedBefore(
      one,
      this.kept.filter(({ credited, words }) => credited.size > 0 && !words.has(one.id)),
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

const noReferences = ['NOTPROVIDED', '000'];

/** Ten bookings of three days: few amounts, half of them without a reference, some equal. */
export function bookedBy(random: Random): Booked[] {
  return Array.from({ length: 10 }, (_, index) => ({
    bookedOn: `2026-11-${10 + random(3)}`,
    amount: amounts[random(amounts.length)]?.whole ?? '30',
    bankReference: random(2) === 0 ? (noReferences[random(4)] ?? '') : `B${index}`,
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
  const statement = (fileName: string): SentStatement => {
    const index = random(ranges.length);
    const [from, to] = ranges[index] ?? [0, 0];
    const day = booked[from]?.bookedOn ?? '';
    return {
      fileName,
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
  const download = (fileName: string): SentStatement => {
    const from = random(booked.length);
    const to = from + 1 + random(booked.length - from);
    // Some have the same head each time.
    const head = random(2) === 0 ? { id: '', number: undefined } : { id: 'DOWNLOAD', number: 1 };
    const bookings = booked.slice(from, to).map((each) => worded(each, random));
    return {
      fileName,
      booked: booked.slice(from, to),
      format: random(3) === 0 ? 'csv' : 'camt053',
      statement: { account, ...head, page: undefined, opening: undefined, closing: undefined, bookings },
    };
  };
  const files: SentStatement[] = [];
  while (files.length < 8) {
    const copied = files[random(files.length)];
    const name = `file ${files.length}`;
    files.push(copied && random(4) === 0 ? copied : random(2) === 0 ? statement(name) : download(name));
  }
  return files;
}
