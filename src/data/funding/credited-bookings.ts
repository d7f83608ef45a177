/** Finds credited bookings that a waiting one may be (`LOOKS_CREDITED`). docs/decisions/0089-credit-one-booking-once.md. */
import {
  comparedPart,
  creditedBefore,
  type ComparedBooking,
  type ComparedPart,
} from '../../domain/funding/credited-before';
import { bankBookingKeys, type Sealer } from '../../security/sealing';
import { rows, type Database, type Transaction } from '../database/database';
import { inChunks, storedStatements } from './bank-bookings';
import { openBankEntry } from './bank-entries';
import { bookingDigests } from './booking-digests';

/** A credited booking. */
export interface CreditedBooking {
  bookingId: number;
  /** Its first credited entry. */
  entry: number;
  walletId: number;
}

/** Credited bookings that are compared with one booking. One that has more may be any of them. */
const MAX_CANDIDATES = 200;

/**
 * SQL: whether the booking `other` may be `one`: a part of it is credited, a statement of `one` lacks it, and no person called them two.
 * Those that stand in every statement of `one` change nothing. A doubtful standing counts for neither.
 */
const isCandidate = `
  other.id <> one.id AND other.direction = one.direction
  AND EXISTS (SELECT FROM bank_entries WHERE booking_id = other.id AND state = 'CREDITED')
  AND coalesce((SELECT bool_or(its.booking_id IS NULL) FROM bank_statement_bookings mine
                  LEFT JOIN bank_statement_bookings its ON its.statement_id = mine.statement_id AND its.booking_id = other.id
                                                             AND NOT its.is_doubtful
                 WHERE mine.booking_id = one.id AND NOT mine.is_doubtful), true)
  AND NOT EXISTS (SELECT FROM bank_words WHERE (booking_id, other_id) IN ((one.id, other.id), (other.id, one.id)))`;

const candidatesStatement = `
  SELECT one.id, found.id AS "otherId"
    FROM bank_bookings one CROSS JOIN LATERAL (
      (SELECT other.id FROM bank_bookings other
        WHERE other.account = one.account AND other.booked_on = one.booked_on AND other.amount = one.amount AND ${isCandidate}
        LIMIT ${MAX_CANDIDATES})
      UNION
      (SELECT other.id FROM unnest($ofIds::integer[], $hashes::bytea[]) AS hashed (id, hash)
         JOIN bank_bookings other ON other.reference_hash = hashed.hash
        WHERE hashed.id = one.id AND ${isCandidate}
        LIMIT ${MAX_CANDIDATES})
      UNION
      (SELECT other.id FROM unnest($versionOf::integer[], $versions::integer[]) AS version (id, statement_id)
         JOIN bank_statement_bookings stood ON stood.statement_id = version.statement_id JOIN bank_bookings other ON other.id = stood.booking_id
        WHERE version.id = one.id AND other.booked_on = one.booked_on AND ${isCandidate}
        LIMIT ${MAX_CANDIDATES})
    ) found
   WHERE one.id = ANY ($ids::integer[])`;

/** Other versions of the statements in which these bookings stand. */
const versionsStatement = `
  SELECT stood.booking_id AS id, other.id AS "statementId"
    FROM bank_statement_bookings stood JOIN bank_statements statement ON statement.id = stood.statement_id
    JOIN bank_statements other ON other.series = statement.series AND other.id <> statement.id
   WHERE stood.booking_id = ANY ($ids::integer[])`;

/** By booking: the credited bookings that it may be, the oldest first. Absent for a booking that may be none. */
export async function creditedBookingsLike(
  database: Database,
  sealer: Sealer,
  bookingIds: readonly number[],
  transaction?: Transaction,
): Promise<ReadonlyMap<number, CreditedBooking[]>> {
  const found = new Map<number, CreditedBooking[]>();
  for (const ids of inChunks([...new Set(bookingIds)]))
    for (const [id, credited] of await likeThese(database, sealer, ids, transaction)) found.set(id, credited);
  return found;
}

async function likeThese(
  database: Database,
  sealer: Sealer,
  ids: readonly number[],
  transaction: Transaction | undefined,
): Promise<ReadonlyMap<number, CreditedBooking[]>> {
  const pairs = await candidatesOf(database, sealer, ids, transaction);
  const othersOf = new Map<number, number[]>();
  for (const { id, otherId } of pairs) othersOf.set(id, [...(othersOf.get(id) ?? []), otherId]);
  const involved = [...new Set(pairs.flatMap(({ id, otherId }) => [id, otherId]))];
  const compared = await comparedBookings(database, sealer, involved, transaction);
  const found = new Map<number, CreditedBooking[]>();
  for (const [id, others] of othersOf) {
    const one = compared.get(id);
    const candidates = others.sort((a, b) => a - b).flatMap((other) => compared.get(other) ?? []);
    if (!one) continue;
    const like = others.length < MAX_CANDIDATES ? creditedBefore(one, candidates) : candidates;
    const credited = like.flatMap((other) => other.credited ?? []);
    if (credited.length > 0) found.set(id, credited);
  }
  return found;
}

async function candidatesOf(
  database: Database,
  sealer: Sealer,
  ids: readonly number[],
  transaction: Transaction | undefined,
): Promise<{ id: number; otherId: number }[]> {
  const keys = await rows<{ id: number; nonce: string; sealedKeys: Buffer | null }>(
    database,
    'SELECT id, nonce, sealed_keys AS "sealedKeys" FROM bank_bookings WHERE id = ANY ($ids::integer[])',
    { ids },
    transaction,
  );
  // By each of the lookup keys, because a rotation may have moved the hash of one of them only.
  const hashed = keys.flatMap(({ id, nonce, sealedKeys }) => {
    const reference = referenceIn(sealer, nonce, sealedKeys);
    return reference === undefined ? [] : sealer.lookupHashes(reference).map((hash) => ({ id, hash }));
  });
  const versions = await rows<{ id: number; statementId: number }>(database, versionsStatement, { ids }, transaction);
  const binds = {
    ids,
    ofIds: hashed.map(({ id }) => id),
    hashes: hashed.map(({ hash }) => hash),
    versionOf: versions.map(({ id }) => id),
    versions: versions.map(({ statementId }) => statementId),
  };
  return rows(database, candidatesStatement, binds, transaction);
}

function referenceIn(sealer: Sealer, nonce: string, sealedKeys: Buffer | null): string | undefined {
  const json = sealer.openForView(bankBookingKeys(nonce), sealedKeys);
  return (json === null ? null : bookingDigests(json).reference) ?? undefined;
}

interface ComparedRow extends Omit<ComparedBooking, 'reference' | 'parts' | 'statements'> {
  nonce: string;
  sealedKeys: Buffer | null;
  statementIds: number[];
  parts: { nonce: string; amount: string; sealed: string | null }[];
  credited: CreditedBooking | null;
}

const comparedStatement = `
  SELECT booking.id, booking.nonce, booking.sealed_keys AS "sealedKeys", booking.booked_on::text AS "bookedOn", booking.direction,
         booking.is_reversal AS "isReversal", trim_scale(booking.amount)::text AS amount, booking.currency, file.format,
         ARRAY(SELECT DISTINCT request.reference FROM bank_entries entry, unnest(entry.refs) AS held (reference)
                 JOIN funding_requests request ON request.reference = held.reference
                WHERE entry.booking_id = booking.id AND entry.state <> 'REPLACED') AS "requestReferences",
         ARRAY(SELECT statement_id FROM bank_statement_bookings WHERE booking_id = booking.id) AS "statementIds",
         ARRAY(SELECT statement_id FROM bank_statement_bookings WHERE booking_id = booking.id AND is_doubtful) AS "doubtfulIn",
         (SELECT jsonb_agg(jsonb_build_object('nonce', entry.nonce, 'amount', trim_scale(entry.amount)::text,
                                              'sealed', encode(entry.sealed_entry, 'hex')) ORDER BY entry.id)
            FROM bank_entries entry WHERE entry.booking_id = booking.id AND entry.state <> 'REPLACED') AS parts,
         (SELECT jsonb_build_object('bookingId', entry.booking_id, 'entry', entry.id, 'walletId', credit.wallet_id)
            FROM bank_entries entry JOIN transactions credit ON credit.id = entry.transaction_id
           WHERE entry.booking_id = booking.id ORDER BY entry.id LIMIT 1) AS credited
    FROM bank_bookings booking JOIN bank_files file ON file.id = booking.file_id WHERE booking.id = ANY ($ids::integer[])`;

async function comparedBookings(
  database: Database,
  sealer: Sealer,
  ids: readonly number[],
  transaction: Transaction | undefined,
): Promise<ReadonlyMap<number, ComparedBooking & { credited: CreditedBooking | null }>> {
  const found = await rows<ComparedRow>(database, comparedStatement, { ids }, transaction);
  const statementIds = [...new Set(found.flatMap((row) => row.statementIds))];
  const statements = await storedStatements(database, { ids: statementIds }, transaction);
  return new Map(
    found.map(({ nonce, sealedKeys, statementIds: own, parts, ...booking }) => [
      booking.id,
      {
        ...booking,
        reference: referenceIn(sealer, nonce, sealedKeys),
        parts: parts.map((part) => openedPart(sealer, part)),
        statements: own.flatMap((id) => statements.get(id) ?? []),
      },
    ]),
  );
}

/** Undefined once its texts are deleted. */
function openedPart(sealer: Sealer, { nonce, amount, sealed }: ComparedRow['parts'][number]): ComparedPart | undefined {
  const sealedEntry = sealed === null ? null : Buffer.from(sealed, 'hex');
  const texts = openBankEntry(sealer, { nonce, sealedEntry });
  return texts && comparedPart({ ...texts, amount });
}
