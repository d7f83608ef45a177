/**
 * Decides which bookings of a statement are stored already: one to one, never by position alone. What is not matched is new.
 * docs/decisions/0089-credit-one-booking-once.md.
 * Rule: which bookings of a statement are stored already
 */
import type { BankPart, BankStatement, StatementBalance } from './bank-statement';
import { compact, isNamed } from './booking-keys';

/** A statement that is stored. Statements with one `series` are versions of one statement, which came again. */
export interface StoredStatement extends Pick<BankStatement, 'id' | 'number' | 'page' | 'opening' | 'closing'> {
  rowId: number;
  /** The import that stored it. */
  fileId: number;
  fileName: string;
  series: number;
  /** `statementKey`. */
  key: string;
  /** The number of its bookings. */
  size: number;
}

/** The keys of a booking of `booking-keys.ts`. */
export interface BookingKeys {
  money: string;
  content: string;
  /** Undefined without a bank reference. */
  reference: string | undefined;
}

/** What contradicts an equal bank reference. */
export interface Senders {
  /** The valid references of funding requests in the texts of its parts. */
  requestReferences: readonly string[];
  /** Of each part; undefined if its texts are deleted. */
  parts: readonly (Pick<BankPart, 'payer' | 'payerAccount'> | undefined)[];
}

/** A booking of a statement that is matched. */
export type SentBooking = BookingKeys & Senders;

/** A stored booking of the account. `content`: undefined if it is none of those that were looked up. */
export interface StoredBooking extends Omit<BookingKeys, 'content'>, Senders {
  id: number;
  content: string | undefined;
  statements: readonly StoredStatement[];
  /** Those of its statements that may have another payment instead. */
  doubtfulIn: readonly number[];
}

/** The stored booking that a booking of a statement is. `isDoubtful`: it may be another payment, and a person should say so. */
export interface MatchedBooking {
  id: number;
  by: 'CONTENT' | 'REFERENCE';
  isDoubtful: boolean;
}

type Ordered = Pick<BankStatement, 'id' | 'number' | 'page' | 'opening' | 'closing'>;

/** Whether two statements of an account prove that a booking of one is none of the other. */
export function areProvenApart(one: Ordered, other: Ordered): boolean {
  return continues(one, other) || continues(other, one);
}

/** Whether the next statement has the next number or page, and begins with the balance to which the first one led. */
function continues(first: Ordered, next: Ordered): boolean {
  const { opening, closing } = first;
  if (!opening || !closing || !next.opening || !isNext(first, next)) return false;
  return isSame(closing, next.opening) && !isSame(opening, closing);
}

function isNext(first: Ordered, next: Ordered): boolean {
  const isNextPage = first.page !== undefined && next.page === first.page + 1;
  if (first.number === undefined || next.number === undefined)
    return isNextPage && first.number === next.number && first.id !== '' && first.id === next.id;
  return next.number === first.number + 1 || (next.number === first.number && isNextPage);
}

function isSame(one: StatementBalance, other: StatementBalance): boolean {
  return one.amount === other.amount && one.currency === other.currency;
}

/** A statement of an import. */
interface SentStatement extends Ordered {
  key: string;
  fileId: number;
  fileName: string;
}

/**
 * The stored statements that the bank sends again, by `rowId`: those with its key. Many files have a key that names no statement (`isNamed`):
 * then only copies that an earlier import of a file of this name stored. A download of another payment may have the same content.
 */
function versionsOf(
  statement: SentStatement,
  bookings: readonly BookingKeys[],
  stored: readonly StoredBooking[],
): ReadonlySet<number> {
  const { key, fileId, fileName } = statement;
  const withKey = stored.flatMap(({ content, statements }) =>
    statements.filter((one) => one.key === key).map((one) => ({ ...one, content })),
  );
  if (isNamed(statement)) return new Set(withKey.map(({ rowId }) => rowId));
  const sent = contentsOf(bookings);
  const versions = [...queuesOf(withKey, ({ rowId }) => rowId)];
  return new Set(
    versions
      .filter(([, its]) =>
        its.every((one) => one.fileId !== fileId && one.fileName === fileName && one.size === bookings.length),
      )
      .filter(([, its]) => contentsOf(its) === sent)
      .map(([rowId]) => rowId),
  );
}

function contentsOf(bookings: readonly Pick<StoredBooking, 'content'>[]): string {
  return JSON.stringify(bookings.map(({ content = '' }) => content).sort());
}

/**
 * The stored booking of each booking of the statement, by its index; undefined of a new one. `key`: `statementKey`. `stored`: every
 * stored booking of the account that has the content or the reference of one of them.
 */
export function matchedBookings(
  statement: SentStatement,
  bookings: readonly SentBooking[],
  stored: readonly StoredBooking[],
): (MatchedBooking | undefined)[] {
  const candidates = stored.filter(({ statements }) => !statements.some((one) => areProvenApart(one, statement)));
  const versions = versionsOf(statement, bookings, stored);
  const isOfVersion = ({ statements, doubtfulIn }: StoredBooking) =>
    statements.some(({ rowId }) => versions.has(rowId) && !doubtfulIn.includes(rowId));
  const equal = queuesOf(candidates, ({ content }) => content);
  // One that stands in a version of this statement already is the likelier one.
  for (const queue of equal.values())
    queue.sort((a, b) => Number(isOfVersion(b)) - Number(isOfVersion(a)) || a.id - b.id);
  const byContent = bookings.map(({ content }) => equal.get(content)?.shift());
  const taken = new Set(byContent);
  const withReference = queuesOf(candidates, ({ reference }) => reference);
  const inStatement = queuesOf(bookings, ({ reference }) => reference);
  return bookings.map((booking, index) => {
    const { reference, money } = booking;
    const same = byContent[index];
    if (same) {
      const isDoubtful = reference === undefined && !isOfVersion(same);
      return { id: same.id, by: 'CONTENT', isDoubtful };
    }
    // A reference of several bookings, such as that of a batch, says of none which one it is.
    const [only, ...others] = withReference.get(reference ?? '') ?? [];
    const isUnique = others.length === 0 && inStatement.get(reference ?? '')?.length === 1;
    if (!only || !isUnique || taken.has(only) || only.money !== money) return undefined;
    // Some banks give one reference to many payments.
    if (haveNoneInCommon(booking.requestReferences, only.requestReferences)) return undefined;
    return { id: only.id, by: 'REFERENCE', isDoubtful: haveOtherSenders(booking, only) };
  });
}

/** Whether both have some, and none in common. */
export function haveNoneInCommon(one: readonly string[], other: readonly string[]): boolean {
  return one.length > 0 && other.length > 0 && !one.some((each) => other.includes(each));
}

/** Whether payers or their accounts contradict. Banks word a whole and its parts differently. */
function haveOtherSenders({ parts: sent }: Senders, { parts: stored }: Senders): boolean {
  if (sent.length !== stored.length) return false;
  const valuesOf = (parts: Senders['parts'], field: 'payer' | 'payerAccount') =>
    parts.map((part) => compact(part?.[field] ?? '').toUpperCase()).filter((value) => value !== '');
  return (['payer', 'payerAccount'] as const).some((field) =>
    haveNoneInCommon(valuesOf(sent, field), valuesOf(stored, field)),
  );
}

/** The values by their key, in their sequence. Those without a key are left out. */
function queuesOf<Value, Key>(values: readonly Value[], keyOf: (value: Value) => Key | undefined): Map<Key, Value[]> {
  const queues = new Map<Key, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    if (key === undefined) continue;
    const queue = queues.get(key);
    if (queue) queue.push(value);
    else queues.set(key, [value]);
  }
  return queues;
}

/**
 * The stored versions of a statement: those with its key that have a booking in common with it, and those among `named`, the stored ones
 * with its key if no other statement has it. `known`: its stored bookings.
 */
export function earlierVersions(
  key: string,
  known: readonly Pick<StoredBooking, 'statements'>[],
  named: readonly StoredStatement[],
): StoredStatement[] {
  const found = known.flatMap(({ statements }) => statements.filter((one) => one.key === key));
  return [...new Map([...found, ...named].map((one) => [one.rowId, one])).values()];
}
