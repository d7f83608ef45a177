/** Writes bookings of a statement and their entries, under the lock of the account. */
import { randomBytes } from 'node:crypto';
import type { BankBooking, BankPart } from '../../domain/funding/bank-statement';
import { pairedParts } from '../../domain/funding/paired-parts';
import { rows, type Database, type Transaction } from '../database/database';
import { inChunks, sealedDigests, type InAccount, type KnownBooking } from './bank-bookings';
import { openBankEntry, sealBankPart } from './bank-entries';
import type { HashedKeys } from './booking-digests';

/** Stored entries that are equal to payments of a file: those that are other payments, and those that are the same ones. */
export interface EqualAnswers {
  another: readonly number[];
  same: readonly number[];
}

/** The account and the file of an import. */
export interface ImportPlace extends InAccount {
  fileId: number;
  fileName: string;
  importedBy: string;
  /** What a person says about stored entries that are equal to payments of the file. */
  answers: EqualAnswers;
  /** The references in the texts of each part. */
  references: ReadonlyMap<BankPart, readonly string[]>;
}

/** A stored entry of which nothing is credited. */
interface StoredPart {
  id: number;
  bookingId: number;
  nonce: string;
  sealedEntry: Buffer | null;
  state: 'WAITING' | 'IGNORED';
  references: string[];
  amount: string;
  isReversal: boolean;
}

/** A booking with its keys. */
export interface KeyedBooking {
  booking: BankBooking;
  keys: HashedKeys;
}

const newNonce = (): string => randomBytes(12).toString('hex');

const moneyColumns = ({ bookedOn, direction, isReversal, amount, currency }: BankBooking) => ({
  bookedOn,
  direction,
  isReversal,
  amount,
  currency,
});

const addBookingsStatement = `
  INSERT INTO bank_bookings (file_id, nonce, account, booked_on, direction, is_reversal, amount, currency, sealed_keys, content_hash, reference_hash)
  SELECT $fileId, nonce, $account, "bookedOn", direction, "isReversal", amount, currency, decode(sealed, 'hex'), decode(content, 'hex'),
         decode(reference, 'hex')
    FROM jsonb_to_recordset($bookings::jsonb) AS added (nonce text, "bookedOn" date, direction text, "isReversal" boolean, amount numeric,
      currency text, sealed text, content text, reference text)
  RETURNING id, nonce`;

/** Adds bookings with their entries. Returns their ids, in the same sequence. */
export async function addBookings(place: ImportPlace, added: readonly KeyedBooking[]): Promise<number[]> {
  const { database, sealer, account, fileId, transaction } = place;
  const ids: number[] = [];
  for (const part of inChunks(added)) {
    const bookings = part.map(({ booking, keys: { content, reference = null, ...hashes } }) => {
      const nonce = newNonce();
      return {
        ...moneyColumns(booking),
        nonce,
        sealed: sealedDigests(sealer, nonce, { content, reference }),
        content: hashes.contentHashes[0]?.toString('hex'),
        reference: hashes.referenceHashes[0]?.toString('hex') ?? null,
      };
    });
    const binds = { fileId, account, bookings: JSON.stringify(bookings) };
    const stored = await rows<{ id: number; nonce: string }>(database, addBookingsStatement, binds, transaction);
    const byNonce = new Map(stored.map(({ id, nonce }) => [nonce, id]));
    ids.push(...bookings.map(({ nonce }) => byNonce.get(nonce) ?? 0));
  }
  await addEntries(
    place,
    added.map(({ booking }, index) => [ids[index] ?? 0, booking]),
  );
  return ids;
}

const addEntriesStatement = `
  INSERT INTO bank_entries (file_id, booking_id, nonce, account, booked_on, direction, is_reversal, amount, currency, refs, sealed_entry)
  SELECT $fileId, "bookingId", nonce, $account, "bookedOn", direction, "isReversal", amount, currency, refs, decode(sealed, 'hex')
    FROM jsonb_to_recordset($entries::jsonb) AS added ("bookingId" integer, nonce text, "bookedOn" date, direction text,
      "isReversal" boolean, amount numeric, currency text, refs text[], sealed text)`;

/** Adds an entry for each part of the stored bookings. */
async function addEntries(
  { database, sealer, account, fileId, transaction, references }: ImportPlace,
  bookings: readonly (readonly [id: number, booking: BankBooking])[],
): Promise<void> {
  const parts = bookings.flatMap(([bookingId, booking]) => booking.parts.map((part) => ({ bookingId, booking, part })));
  for (const chunk of inChunks(parts)) {
    const entries = chunk.map(({ bookingId, booking, part }) => {
      const nonce = newNonce();
      return {
        ...moneyColumns(booking),
        amount: part.amount,
        isReversal: booking.isReversal || part.isReturn,
        bookingId,
        nonce,
        refs: references.get(part) ?? [],
        sealed: sealBankPart(sealer, nonce, booking, part).toString('hex'),
      };
    });
    await rows(database, addEntriesStatement, { fileId, account, entries: JSON.stringify(entries) }, transaction);
  }
}

/** Gives stored bookings, of which nothing is credited, the parts that the bank sends now. Each entry keeps its number if it
 * stays the same payment. */
export async function replaceParts(
  place: ImportPlace,
  bookings: readonly (readonly [id: number, booking: BankBooking])[],
): Promise<void> {
  const { database, sealer, transaction } = place;
  if (bookings.length === 0) return;
  const stored = await rows<StoredPart>(
    database,
    `SELECT id, booking_id AS "bookingId", nonce, sealed_entry AS "sealedEntry", state, refs AS "references", trim_scale(amount)::text AS amount, is_reversal AS "isReversal"
       FROM bank_entries WHERE booking_id = ANY ($ids::integer[]) AND state IN ('WAITING', 'IGNORED') ORDER BY id`,
    { ids: bookings.map(([id]) => id) },
    transaction,
  );
  const byBooking = new Map<number, StoredPart[]>();
  for (const part of stored) byBooking.set(part.bookingId, [...(byBooking.get(part.bookingId) ?? []), part]);
  const others: (readonly [number, BankBooking])[] = [];
  for (const [id, booking] of bookings) {
    const parts = byBooking.get(id) ?? [];
    const opened = parts.map((part) => ({ ...part, texts: openBankEntry(sealer, part) }));
    const pairs = pairedParts(opened, booking);
    if (pairs) await reword(place, pairs, booking);
    else others.push([id, booking]);
  }
  const gone = others.map(([id]) => id);
  const replace = `
    UPDATE bank_entries SET state = 'REPLACED', ended_at = coalesce(ended_at, now())
     WHERE booking_id = ANY ($gone::integer[]) AND state IN ('WAITING', 'IGNORED')`;
  await rows(database, replace, { gone }, transaction);
  await addEntries(place, others);
}

async function reword(
  { database, sealer, fileId, transaction, references }: ImportPlace,
  pairs: readonly (readonly [StoredPart, BankPart])[],
  booking: BankBooking,
): Promise<void> {
  for (const [{ id, nonce, state, references: former }, part] of pairs) {
    const sealed = sealBankPart(sealer, nonce, booking, part);
    const refs = references.get(part) ?? [];
    // Whoever ignored it did not know a reference that it has by now.
    const isNews = state === 'IGNORED' && refs.some((reference) => !former.includes(reference));
    const statement = `
      UPDATE bank_entries SET sealed_entry = $sealed, refs = $refs::text[], file_id = $fileId, state = CASE WHEN $isNews THEN 'WAITING' ELSE state END,
             ended_at = CASE WHEN $isNews THEN NULL ELSE ended_at END
       WHERE id = $id`;
    await rows(database, statement, { id, sealed, refs, fileId, isNews }, transaction);
  }
}

/** Records the file, the content and the amount of a stored booking as the bank sends it now. */
export async function keepAs(
  { database, sealer, fileId, transaction }: ImportPlace,
  { id, nonce }: Pick<KnownBooking, 'id' | 'nonce'>,
  { booking, keys }: KeyedBooking,
): Promise<void> {
  const { content, reference = null } = keys;
  await rows(
    database,
    `UPDATE bank_bookings SET file_id = $fileId, amount = $amount, is_reversal = $isReversal, is_of_old_reader = false,
            sealed_keys = decode($sealed, 'hex'), content_hash = $contentHash, reference_hash = $referenceHash
      WHERE id = $id`,
    {
      id,
      fileId,
      amount: booking.amount,
      isReversal: booking.isReversal,
      sealed: sealedDigests(sealer, nonce, { content, reference }),
      contentHash: keys.contentHashes[0] ?? null,
      referenceHash: keys.referenceHashes[0] ?? null,
    },
    transaction,
  );
}

/** Makes the entries of the other bookings parts of this one. */
export async function joinBookings(
  { database, transaction }: ImportPlace,
  { id, others }: { id: number; others: readonly number[] },
): Promise<void> {
  const moved = 'UPDATE bank_entries SET booking_id = $id WHERE booking_id = ANY ($others::integer[])';
  await rows(database, moved, { id, others }, transaction);
  const emptied = 'DELETE FROM bank_bookings WHERE id = ANY ($others::integer[])';
  await rows(database, emptied, { others }, transaction);
}

/** Records the word of a person that the booking is none of the others. */
export async function giveWords(
  database: Database,
  { id, otherIds, by }: { id: number; otherIds: readonly number[]; by: string },
  transaction: Transaction,
): Promise<void> {
  await rows(
    database,
    `INSERT INTO bank_words (booking_id, other_id, given_by) SELECT $id, other_id, $by FROM unnest($otherIds::integer[]) AS other (other_id)
     ON CONFLICT DO NOTHING`,
    { id, otherIds, by },
    transaction,
  );
}

/** Throws for an entry about whose equality nobody asks, unless a person has given this answer before. `bookingIds`: of the file. */
export async function assertAsked(
  database: Database,
  { another, same }: EqualAnswers,
  bookingIds: readonly number[],
  transaction: Transaction,
): Promise<void> {
  const unasked = await rows<{ id: number; answer: string }>(
    database,
    `SELECT id, 'another' AS answer FROM unnest($another::integer[]) AS given (id)
      WHERE NOT EXISTS (SELECT FROM bank_entries entry JOIN bank_words word ON word.other_id = entry.booking_id
                         WHERE entry.id = given.id AND word.booking_id = ANY ($bookingIds::integer[]))
     UNION ALL
     SELECT id, 'same' FROM unnest($same::integer[]) AS given (id)
      WHERE NOT EXISTS (SELECT FROM bank_entries entry WHERE entry.id = given.id AND entry.booking_id = ANY ($bookingIds::integer[]))`,
    { another, same, bookingIds },
    transaction,
  );
  const [first] = unasked;
  if (first)
    throw new Error(
      `No payment of the file may be entry ${first.id}: leave out --${first.answer} ${first.id}. See the questions with: bank check`,
    );
}
