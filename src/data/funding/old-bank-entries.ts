/** Entries that release 1.0.0 stored, as an import compares them with the bookings of a file. Call these under the lock of the account. */
import type { BankBooking } from '../../domain/funding/bank-statement';
import type { PartTexts } from '../../domain/funding/booking-keys';
import type { OldEntry } from '../../domain/funding/old-entries';
import { Exact } from '../../domain/prices/money';
import { rows } from '../database/database';
import { AT_ONCE, sealedDigests, type InAccount } from './bank-bookings';
import { openBankEntry } from './bank-entries';
import { referenceDigest } from './booking-digests';

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
     AND booking.amount <= $most::numeric
   ORDER BY booking.id`;

/** The entries of release 1.0.0 that one of these bookings, or a part of it, may be. Their texts are opened. */
export async function oldEntriesFor(
  { database, sealer, account, transaction }: InAccount,
  bookings: readonly BankBooking[],
): Promise<OldEntry[]> {
  const days = [...new Set(bookings.map(({ bookedOn }) => bookedOn))];
  const most = Exact.max(0, ...bookings.map(({ amount }) => amount)).toFixed();
  const found = await rows<OldRow>(database, oldStatement, { account, days, most }, transaction);
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
