/** Finds the stored bookings that a statement has, under the lock of the account. */
import type { BankBooking, BankStatement } from '../../domain/funding/bank-statement';
import { matchedBookings } from '../../domain/funding/booking-matching';
import { matchedOldEntries, type OldEntry } from '../../domain/funding/old-entries';
import { rows } from '../database/database';
import { knownBookings, knownOldBookings, type KnownBooking } from './bank-bookings';
import { hashedKeys, type HashedKeys } from './booking-digests';
import { joinBookings, type ImportPlace } from './booking-writes';
import { oldEntriesFor } from './old-bank-entries';

/** A stored entry that is equal, if only a person knows whether it is one payment or two. */
export interface EqualEntry {
  entry: number;
  file: string;
}

/** A booking of the statement with what is stored of it. */
export interface FoundBooking {
  booking: BankBooking;
  keys: HashedKeys;
  /** Undefined if it is new. */
  known: KnownBooking | undefined;
  /** Whether its content is that of the stored one. */
  isByContent: boolean;
  isDoubtful: boolean;
  doubt: EqualEntry | undefined;
  /** The stored booking that a person calls another payment. */
  another: number | undefined;
}

/** What is stored of each booking of the statement, in its sequence. */
export async function foundBookings(
  place: ImportPlace,
  statement: BankStatement,
  key: string,
): Promise<FoundBooking[]> {
  const found = await matched(place, statement, key);
  const old = await findOldEntries(place, found);
  await askAboutDoubtful(place, found);
  await joinOldEntries(place, old);
  return found;
}

async function matched(place: ImportPlace, statement: BankStatement, key: string): Promise<FoundBooking[]> {
  const { sealer, account, fileId, fileName, references } = place;
  const keyed = statement.bookings.map((booking) => ({ booking, keys: hashedKeys(sealer, account, booking) }));
  const keys = keyed.map((each) => each.keys);
  const stored = await knownBookings(place, keys);
  const sent = keyed.map((each) => ({
    ...each.keys,
    requestReferences: each.booking.parts.flatMap((part) => references.get(part) ?? []),
    parts: each.booking.parts,
  }));
  const byId = new Map(stored.map((one) => [one.id, one]));
  const matches = matchedBookings({ ...statement, key, fileId, fileName }, sent, stored);
  return keyed.map((each, index) => {
    const match = matches[index];
    return {
      ...each,
      known: match && byId.get(match.id),
      isByContent: match?.by === 'CONTENT',
      // A debit is never credited, and fees are often equal.
      isDoubtful: each.booking.direction === 'CREDIT' && (match?.isDoubtful ?? false),
      doubt: undefined,
      another: undefined,
    };
  });
}

/** Finds the entries that release 1.0.0 stored. Returns those of each booking. */
async function findOldEntries(
  place: ImportPlace,
  found: readonly FoundBooking[],
): Promise<ReadonlyMap<FoundBooking, readonly OldEntry[]>> {
  const missing = found.filter(({ known }) => !known);
  if (missing.length === 0) return new Map();
  const bookings = missing.map(({ booking }) => booking);
  const taken = new Set(found.flatMap(({ known }) => known?.id ?? []));
  const free = (await oldEntriesFor(place, bookings)).filter(({ bookingId }) => !taken.has(bookingId));
  const matches = matchedOldEntries(bookings, free, (part) => place.references.get(part) ?? []);
  const firstIds = matches.flatMap((match) => match?.entries[0]?.bookingId ?? []);
  const known = await knownOldBookings(place, firstIds);
  const old = new Map<FoundBooking, readonly OldEntry[]>();
  for (const [index, one] of missing.entries()) {
    const { entries = [], isCertain = false } = matches[index] ?? {};
    const [first] = entries;
    const stored = first && known.get(first.bookingId);
    if (!stored) continue;
    old.set(one, entries);
    one.known = { ...stored, hasMovedMoney: entries.some(({ hasMovedMoney }) => hasMovedMoney) };
    one.isByContent = false;
    const isAskable = one.booking.direction === 'CREDIT';
    const isOfAnotherFile = one.keys.reference === undefined && first.fileName !== place.fileName;
    one.isDoubtful = isAskable && (!isCertain || isOfAnotherFile);
  }
  return old;
}

/** Makes the old entries of each booking its parts, unless they may be another payment. */
async function joinOldEntries(place: ImportPlace, old: ReadonlyMap<FoundBooking, readonly OldEntry[]>): Promise<void> {
  for (const [{ known, isDoubtful }, [, ...rest]] of old) {
    if (!known || isDoubtful) continue;
    const others = rest.map(({ bookingId }) => bookingId);
    await joinBookings(place, { id: known.id, others });
  }
}

/**
 * Names the equal entry of each doubtful booking, unless a person has answered: the booking is then new if it is another payment, and
 * known without a doubt if it is the same.
 */
async function askAboutDoubtful(
  { database, transaction, answers: { another, same } }: ImportPlace,
  found: readonly FoundBooking[],
): Promise<void> {
  const doubtful = found.filter(({ isDoubtful }) => isDoubtful);
  const ids = doubtful.flatMap(({ known }) => known?.id ?? []);
  if (ids.length === 0) return;
  const equal = await rows<EqualEntry & { bookingId: number; entries: number[] }>(
    database,
    `SELECT entry.booking_id AS "bookingId", min(entry.id) AS entry, array_agg(entry.id) AS entries, min(file.name) AS file
       FROM bank_entries entry JOIN bank_bookings booking ON booking.id = entry.booking_id JOIN bank_files file ON file.id = booking.file_id
      WHERE entry.booking_id = ANY ($ids::integer[]) AND entry.state <> 'REPLACED' GROUP BY entry.booking_id`,
    { ids },
    transaction,
  );
  const byBooking = new Map(equal.map((one) => [one.bookingId, one]));
  for (const one of doubtful) {
    const stored = byBooking.get(one.known?.id ?? 0);
    if (!stored) continue;
    const { bookingId, entry, entries, file } = stored;
    const isAnother = entries.some((id) => another.includes(id));
    one.isDoubtful = !isAnother && !entries.some((id) => same.includes(id));
    if (isAnother) {
      one.another = bookingId;
      one.known = undefined;
    } else if (one.isDoubtful) one.doubt = { entry, file };
  }
}
