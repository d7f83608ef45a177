/** Stored bookings of an account, as an import compares a statement with them. Call these under the lock of the account. */
import type { BankBooking, StatementBalance } from '../../domain/funding/bank-statement';
import { moneyKey, type PartTexts } from '../../domain/funding/booking-keys';
import type { Senders, StoredBooking, StoredStatement } from '../../domain/funding/booking-matching';
import type { OldEntry } from '../../domain/funding/old-entries';
import { bankBookingKeys, type Sealer } from '../../security/sealing';
import { rows, type Database, type Transaction } from '../database/database';
import { openBankEntry } from './bank-entries';
import { referenceDigest, type BookingDigests, type HashedKeys } from './booking-digests';

/** Where the statements of a call run. */
export interface InAccount {
  database: Database;
  sealer: Sealer;
  account: string;
  transaction: Transaction;
}

/** Waits for imports and credits of the account, and lets others wait until the transaction ends. */
export async function lockBankAccount(
  database: Database,
  account: string,
  transaction: Transaction,
): Promise<void> {
  const lock = `SELECT pg_advisory_xact_lock(hashtextextended('bank/' || $account, 0))`;
  await rows(database, lock, { account }, transaction);
}

/** A stored booking with what an import may change of it. */
export interface KnownBooking extends StoredBooking {
  nonce: string;
  /** Whether a part of it moved money in a wallet. */
  hasMovedMoney: boolean;
  isOfOldReader: boolean;
}

/** The values that one statement compares or adds. */
export const AT_ONCE = 1_000;

export function* inChunks<Value>(values: readonly Value[]): Generator<Value[]> {
  for (let first = 0; first < values.length; first += AT_ONCE) yield values.slice(first, first + AT_ONCE);
}

interface KnownRow extends Pick<
  BankBooking,
  'bookedOn' | 'direction' | 'isReversal' | 'amount' | 'currency'
> {
  id: number;
  nonce: string;
  contentHash: Buffer | null;
  referenceHash: Buffer | null;
  hasMovedMoney: boolean;
  isOfOldReader: boolean;
  statementIds: number[];
  doubtfulIn: number[];
}

const knownStatement = `
  SELECT booking.id, booking.nonce, booking.booked_on::text AS "bookedOn", booking.direction, booking.is_reversal AS "isReversal",
         trim_scale(booking.amount)::text AS amount, booking.currency, booking.content_hash AS "contentHash",
         booking.reference_hash AS "referenceHash", booking.is_of_old_reader AS "isOfOldReader",
         EXISTS (SELECT FROM bank_entries WHERE booking_id = booking.id AND state IN ('CREDITED', 'DEBITED')) AS "hasMovedMoney",
         ARRAY(SELECT statement_id FROM bank_statement_bookings WHERE booking_id = booking.id) AS "statementIds",
         ARRAY(SELECT statement_id FROM bank_statement_bookings WHERE booking_id = booking.id AND is_doubtful) AS "doubtfulIn"
    FROM bank_bookings booking
   WHERE booking.content_hash = ANY ($contents::bytea[]) OR booking.reference_hash = ANY ($references::bytea[])`;

/** The stored bookings that have the content or the bank reference of one of these. */
export async function knownBookings(
  { database, sealer, account, transaction }: InAccount,
  keys: readonly HashedKeys[],
): Promise<KnownBooking[]> {
  const byId = new Map<number, KnownRow>();
  const [contents, references] = [new Map<string, string>(), new Map<string, string>()];
  for (const { content, contentHashes, reference = '', referenceHashes } of keys) {
    for (const hash of contentHashes) contents.set(hash.toString('hex'), content);
    for (const hash of referenceHashes) references.set(hash.toString('hex'), reference);
  }
  for (const part of inChunks(keys)) {
    const binds = {
      contents: part.flatMap((each) => each.contentHashes),
      references: part.flatMap((each) => each.referenceHashes),
    };
    for (const row of await rows<KnownRow>(database, knownStatement, binds, transaction))
      byId.set(row.id, row);
  }
  const found = [...byId.values()];
  const contentOf = ({ contentHash }: KnownRow) => contents.get(contentHash?.toString('hex') ?? '');
  const byReference = found.filter((row) => contentOf(row) === undefined).map(({ id }) => id);
  const senders = await sendersOf({ database, sealer, transaction }, byReference);
  const statementIds = [...new Set(found.flatMap((row) => row.statementIds))];
  const statements = await storedStatements(database, statementIds, transaction);
  return found.map((row) => {
    const { id, nonce, hasMovedMoney, isOfOldReader, doubtfulIn, referenceHash } = row;
    return {
      id,
      nonce,
      hasMovedMoney,
      isOfOldReader,
      doubtfulIn,
      money: moneyKey(account, row),
      content: contentOf(row),
      reference: references.get(referenceHash?.toString('hex') ?? ''),
      ...(senders.get(id) ?? noSenders),
      statements: row.statementIds.flatMap((statementId) => statements.get(statementId) ?? []),
    };
  });
}

const noSenders: Senders = { requestReferences: [], parts: [] };

interface SenderRow {
  bookingId: number;
  references: string[];
  nonce: string;
  sealedEntry: Buffer | null;
}

/** The senders of the bookings. */
async function sendersOf(
  { database, sealer, transaction }: Omit<InAccount, 'account'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Senders>> {
  const senders = new Map<number, Senders>();
  const statement = `
    SELECT booking_id AS "bookingId", refs AS "references", nonce, sealed_entry AS "sealedEntry" FROM bank_entries
     WHERE booking_id = ANY ($ids::integer[]) AND state <> 'REPLACED' ORDER BY id`;
  for (const part of inChunks(ids))
    for (const row of await rows<SenderRow>(database, statement, { ids: part }, transaction)) {
      const { requestReferences, parts } = senders.get(row.bookingId) ?? noSenders;
      senders.set(row.bookingId, {
        requestReferences: [...requestReferences, ...row.references],
        parts: [...parts, openBankEntry(sealer, row)],
      });
    }
  return senders;
}

interface StatementRow {
  rowId: number;
  fileId: number;
  series: number;
  key: string;
  id: string;
  size: number;
  number: number | null;
  page: number | null;
  opening: StatementBalance | null;
  closing: StatementBalance | null;
}

const balanceOf = (which: 'opening' | 'closing') => `
  CASE WHEN ${which}_amount IS NOT NULL
       THEN jsonb_build_object('amount', trim_scale(${which}_amount)::text, 'currency', ${which}_currency, 'day', ${which}_day::text) END`;

/** The stored statements by their ids. */
export async function storedStatements(
  database: Database,
  ids: readonly number[],
  transaction?: Transaction,
): Promise<ReadonlyMap<number, StoredStatement>> {
  const found = await rows<StatementRow>(
    database,
    `SELECT id AS "rowId", file_id AS "fileId", series, key, bank_id AS id, bookings AS size, number, page, ${balanceOf('opening')} AS opening, ${balanceOf('closing')} AS closing
       FROM bank_statements WHERE id = ANY ($ids::integer[])`,
    { ids },
    transaction,
  );
  return new Map(
    found.map(({ number, page, opening, closing, ...row }) => [
      row.rowId,
      {
        ...row,
        number: number ?? undefined,
        page: page ?? undefined,
        opening: opening ?? undefined,
        closing: closing ?? undefined,
      },
    ]),
  );
}

interface OldRow extends Omit<OldEntry, keyof PartTexts | 'bankReference'> {
  nonce: string;
  sealedEntry: Buffer | null;
}

const oldStatement = `
  SELECT booking.id AS "bookingId", file.name AS "fileName", entry.nonce, entry.sealed_entry AS "sealedEntry",
         booking.booked_on::text AS "bookedOn", booking.direction, booking.is_reversal AS "isReversal",
         trim_scale(booking.amount)::text AS amount, booking.currency, entry.refs AS "requestReferences",
         entry.state IN ('CREDITED', 'DEBITED') AS "hasMovedMoney"
    FROM bank_bookings booking JOIN bank_entries entry ON entry.booking_id = booking.id JOIN bank_files file ON file.id = booking.file_id
   WHERE booking.account = $account AND booking.is_of_old_reader AND booking.booked_on = ANY ($days::date[])
     AND booking.amount = ANY ($amounts::numeric[])
   ORDER BY booking.id`;

/** The entries of release 1.0.0 that one of these bookings may be. Their texts are opened. */
export async function oldEntriesFor(
  { database, sealer, account, transaction }: InAccount,
  bookings: readonly BankBooking[],
): Promise<OldEntry[]> {
  const days = [...new Set(bookings.map(({ bookedOn }) => bookedOn))];
  const amounts = [
    ...new Set(bookings.flatMap(({ amount, parts }) => [amount, ...parts.map((part) => part.amount)])),
  ];
  const found = await rows<OldRow>(database, oldStatement, { account, days, amounts }, transaction);
  return found.map(({ nonce, sealedEntry, ...entry }) => {
    const {
      bankReference = '',
      payer = '',
      payerAccount = '',
      endToEndId = '',
      text = '',
    } = openBankEntry(sealer, { nonce, sealedEntry }) ?? {};
    return { ...entry, bankReference, payer, payerAccount, endToEndId, text };
  });
}

const withoutKeysStatement = `
  SELECT booking.id, booking.nonce AS "bookingNonce", entry.nonce, entry.sealed_entry AS "sealedEntry"
    FROM bank_bookings booking JOIN bank_entries entry ON entry.booking_id = booking.id
   WHERE booking.account = $account AND booking.sealed_keys IS NULL ORDER BY booking.id LIMIT ${AT_ONCE}`;

const keysStatement = `
  UPDATE bank_bookings booking SET sealed_keys = decode(keyed.sealed, 'hex'), reference_hash = decode(keyed.hash, 'hex')
    FROM jsonb_to_recordset($keyed::jsonb) AS keyed (id integer, sealed text, hash text)
   WHERE booking.id = keyed.id RETURNING booking.id`;

/** Gives the bookings of release 1.0.0 the key of their bank reference: once, at the first import of the account. */
export async function keyOldBookings({ database, sealer, account, transaction }: InAccount): Promise<void> {
  interface Unkeyed {
    id: number;
    bookingNonce: string;
    nonce: string;
    sealedEntry: Buffer | null;
  }
  for (;;) {
    const found = await rows<Unkeyed>(database, withoutKeysStatement, { account }, transaction);
    if (found.length === 0) return;
    const keyed = found.map(({ id, bookingNonce, ...entry }) => {
      // The references of parts stood behind that of the booking.
      const [bankReference = ''] = openBankEntry(sealer, entry)?.bankReference.split('\n') ?? [];
      const reference = referenceDigest(account, bankReference);
      return {
        id,
        sealed: sealedDigests(sealer, bookingNonce, { content: null, reference }),
        hash: reference === null ? null : sealer.lookupHash(reference).toString('hex'),
      };
    });
    await rows(database, keysStatement, { keyed: JSON.stringify(keyed) }, transaction);
  }
}

/** In hexadecimal digits. */
export function sealedDigests(sealer: Sealer, nonce: string, digests: BookingDigests): string {
  return sealer.seal(bankBookingKeys(nonce), JSON.stringify(digests)).toString('hex');
}

/** Bookings of a version of the statement that a newer version of it lacks, as a sentence for each. */
export async function lackingBookings(
  { database, transaction }: Pick<InAccount, 'database' | 'transaction'>,
  { version, known, until }: { version: number; known: readonly number[]; until: string },
): Promise<string[]> {
  const found = await rows<{ text: string }>(
    database,
    `SELECT 'entry ' || entry.id || ' of ' || entry.booked_on || ' (' || trim_scale(entry.amount) || ' ' || entry.currency || ')'
            || coalesce(', credited to wallet ' || credit.wallet_id, '') AS text
       FROM bank_statement_bookings stood JOIN bank_entries entry ON entry.booking_id = stood.booking_id AND entry.state <> 'REPLACED'
       LEFT JOIN transactions credit ON credit.id = entry.transaction_id
      WHERE stood.statement_id = $version AND NOT stood.is_doubtful AND entry.direction = 'CREDIT' AND entry.booked_on <= $until::date
        AND NOT stood.booking_id = ANY ($known::integer[])
      ORDER BY credit.wallet_id IS NULL, entry.id`,
    { version, known, until },
    transaction,
  );
  return found.map(({ text }) => text);
}
