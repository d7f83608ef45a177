/** Stored bookings of an account, as an import compares a statement with them. Call these under the lock of the account. */
import type { BankBooking, StatementBalance } from '../../domain/funding/bank-statement';
import { moneyKey } from '../../domain/funding/booking-keys';
import type { Senders, StoredBooking, StoredStatement } from '../../domain/funding/booking-matching';
import { bankBookingKeys, type Sealer } from '../../security/sealing';
import { rows, type Database, type Transaction } from '../database/database';
import { openBankEntry } from './bank-entries';
import type { BookingDigests, HashedKeys } from './booking-digests';

/** Where the statements of a call run. */
export interface InAccount {
  database: Database;
  sealer: Sealer;
  account: string;
  transaction: Transaction;
}

/** Waits for imports and credits of the account, and lets others wait until the transaction ends. */
export async function lockBankAccount(database: Database, account: string, transaction: Transaction): Promise<void> {
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

interface KnownRow extends Pick<BankBooking, 'bookedOn' | 'direction' | 'isReversal' | 'amount' | 'currency'> {
  id: number;
  nonce: string;
  contentHash: Buffer | null;
  referenceHash: Buffer | null;
  hasMovedMoney: boolean;
  isOfOldReader: boolean;
  statementIds: number[];
  doubtfulIn: number[];
}

/** SQL: the stored bookings of which the condition is true. */
const knownStatement = (condition: string) => `
  SELECT booking.id, booking.nonce, booking.booked_on::text AS "bookedOn", booking.direction, booking.is_reversal AS "isReversal",
         trim_scale(booking.amount)::text AS amount, booking.currency, booking.content_hash AS "contentHash",
         booking.reference_hash AS "referenceHash", booking.is_of_old_reader AS "isOfOldReader",
         EXISTS (SELECT FROM bank_entries WHERE booking_id = booking.id AND state IN ('CREDITED', 'DEBITED')) AS "hasMovedMoney",
         ARRAY(SELECT statement_id FROM bank_statement_bookings WHERE booking_id = booking.id) AS "statementIds",
         ARRAY(SELECT statement_id FROM bank_statement_bookings WHERE booking_id = booking.id AND is_doubtful) AS "doubtfulIn"
    FROM bank_bookings booking WHERE ${condition}`;

const byKeys = knownStatement(
  'booking.content_hash = ANY ($contents::bytea[]) OR booking.reference_hash = ANY ($references::bytea[])',
);
const byIds = knownStatement('booking.id = ANY ($ids::integer[])');

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
    for (const row of await rows<KnownRow>(database, byKeys, binds, transaction)) byId.set(row.id, row);
  }
  const found = [...byId.values()];
  const contentOf = ({ contentHash }: KnownRow) => contents.get(contentHash?.toString('hex') ?? '');
  const byReference = found.filter((row) => contentOf(row) === undefined).map(({ id }) => id);
  const senders = await sendersOf({ database, sealer, transaction }, byReference);
  return (await knownOf({ database, account, transaction }, found)).map(([one, row]) => ({
    ...one,
    content: contentOf(row),
    reference: references.get(row.referenceHash?.toString('hex') ?? ''),
    ...(senders.get(row.id) ?? noSenders),
  }));
}

/** The stored bookings of release 1.0.0 with these ids, by id. They have no content, and what contradicts a match was compared already. */
export async function knownOldBookings(
  place: Omit<InAccount, 'sealer'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, KnownBooking>> {
  const found = await rows<KnownRow>(place.database, byIds, { ids }, place.transaction);
  const known = await knownOf(place, found);
  return new Map(known.map(([one]) => [one.id, { ...one, content: undefined, reference: undefined, ...noSenders }]));
}

type OwnFacts = Omit<KnownBooking, 'content' | 'reference' | keyof Senders>;

async function knownOf(
  { database, account, transaction }: Omit<InAccount, 'sealer'>,
  found: readonly KnownRow[],
): Promise<[OwnFacts, KnownRow][]> {
  const statementIds = [...new Set(found.flatMap((row) => row.statementIds))];
  const statements = await storedStatements(database, { ids: statementIds }, transaction);
  return found.map((row) => {
    const { id, nonce, hasMovedMoney, isOfOldReader, doubtfulIn } = row;
    const own = row.statementIds.flatMap((statementId) => statements.get(statementId) ?? []);
    return [
      { id, nonce, hasMovedMoney, isOfOldReader, doubtfulIn, money: moneyKey(account, row), statements: own },
      row,
    ];
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
  fileName: string;
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

/** The stored statements with these ids, or of this account with this key, by their ids. */
export async function storedStatements(
  database: Database,
  wanted: { ids: readonly number[] } | { account: string; key: string },
  transaction?: Transaction,
): Promise<ReadonlyMap<number, StoredStatement>> {
  const condition =
    'ids' in wanted ? 'statement.id = ANY ($ids::integer[])' : 'statement.account = $account AND key = $key';
  const found = await rows<StatementRow>(
    database,
    `SELECT statement.id AS "rowId", file_id AS "fileId", file.name AS "fileName", series, key, bank_id AS id, bookings AS size, number, page, ${balanceOf('opening')} AS opening, ${balanceOf('closing')} AS closing
       FROM bank_statements statement JOIN bank_files file ON file.id = statement.file_id WHERE ${condition}`,
    wanted,
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
