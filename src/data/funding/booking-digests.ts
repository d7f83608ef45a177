/**
 * What a booking of a bank is known by once its texts are deleted: digests of what makes it equal to another one. They are sealed, and
 * found by their keyed hashes.
 */
import { createHash } from 'node:crypto';
import type { BankBooking } from '../../domain/funding/bank-statement';
import { contentKey, moneyKey, bankReferenceKey } from '../../domain/funding/booking-keys';
import type { BookingKeys } from '../../domain/funding/booking-matching';
import type { Sealer } from '../../security/sealing';

/** As they are sealed. `content`: null of a booking that an older release read. `reference`: null without a bank reference. */
export interface BookingDigests {
  content: string | null;
  reference: string | null;
}

/** The digests in a sealed value. */
export function bookingDigests(json: string): BookingDigests {
  const { content = null, reference = null } = JSON.parse(json) as Partial<BookingDigests>;
  return { content, reference };
}

/** The keys of a booking of the account, with the hashes by which an equal one is found: one for each lookup key. */
export interface HashedKeys extends BookingKeys {
  contentHashes: Buffer[];
  referenceHashes: Buffer[];
}

export function hashedKeys(sealer: Sealer, account: string, booking: BankBooking): HashedKeys {
  const content = digestOf(contentKey(account, booking));
  const reference = referenceDigest(account, booking.bankReference) ?? undefined;
  return {
    money: moneyKey(account, booking),
    content,
    reference,
    contentHashes: sealer.lookupHashes(content),
    referenceHashes: reference === undefined ? [] : sealer.lookupHashes(reference),
  };
}

/** The digest of the bank's reference; null without one. */
export function referenceDigest(account: string, bankReference: string): string | null {
  const key = bankReferenceKey(account, bankReference);
  return key === undefined ? null : digestOf(key);
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
