/**
 * Entries that release 1.0.0 stored: one for each part, without their statement, and with other texts than the readers give now. They are
 * found by money, the bank's reference, the payer's account and the end-to-end id, each once.
 */
import type { BankBooking, BankPart } from './bank-statement';
import { compact, givenReference } from './booking-keys';

/** A stored entry. Its texts have lines: one for each that the file had. */
export interface OldEntry
  extends
    Pick<BankBooking, 'bookedOn' | 'direction' | 'isReversal' | 'amount' | 'currency' | 'bankReference'>,
    Pick<BankPart, 'payerAccount' | 'endToEndId'> {
  bookingId: number;
  fileName: string;
}

/**
 * The stored entries that each booking is: one for each of its parts, or one for all of them. Undefined for a booking that has none. First
 * come those of which all is equal, then those of which one side lacks a field.
 */
export function matchedOldEntries(
  bookings: readonly BankBooking[],
  old: readonly OldEntry[],
): (OldEntry[] | undefined)[] {
  const free = new Map<string, Set<OldEntry>>();
  for (const entry of old) {
    const money = moneyOf(entry, entry.amount, entry.isReversal);
    free.set(money, (free.get(money) ?? new Set()).add(entry));
  }
  const found = bookings.map((): OldEntry[] | undefined => undefined);
  for (const isExact of [true, false])
    for (const [index, booking] of bookings.entries()) found[index] ??= taken(booking, free, isExact);
  return found;
}

/** Takes the entries of the booking, all or none. */
function taken(
  booking: BankBooking,
  free: ReadonlyMap<string, Set<OldEntry>>,
  isExact: boolean,
): OldEntry[] | undefined {
  const { parts } = booking;
  // A returned part made a reversal of the whole.
  const isReversal = booking.isReversal || parts.some(({ isReturn }) => isReturn);
  const take = (amount: string, of: readonly BankPart[]): OldEntry | undefined => {
    const entries = free.get(moneyOf(booking, amount, isReversal)) ?? new Set();
    for (const entry of entries)
      if (fits(entry, booking, of, isExact)) {
        entries.delete(entry);
        return entry;
      }
    return undefined;
  };
  const each: OldEntry[] = [];
  for (const part of parts) {
    const entry = take(part.amount, [part]);
    if (!entry) break;
    each.push(entry);
  }
  if (each.length === parts.length) return each;
  for (const entry of each) free.get(moneyOf(entry, entry.amount, entry.isReversal))?.add(entry);
  const whole = take(booking.amount, parts);
  return whole && [whole];
}

function moneyOf(
  { bookedOn, direction, currency }: Pick<BankBooking, 'bookedOn' | 'direction' | 'currency'>,
  amount: string,
  isReversal: boolean,
): string {
  return JSON.stringify([bookedOn, direction, isReversal, amount, currency]);
}

function fits(
  entry: OldEntry,
  { bankReference }: BankBooking,
  parts: readonly BankPart[],
  isExact: boolean,
): boolean {
  const references = linesIn([entry.bankReference]);
  const [own = ''] = linesIn([bankReference]);
  // The references of parts stood behind that of the booking.
  const isOfBank = own === '' ? references.size === 0 || !isExact : references.has(own);
  return (
    (isOfBank || (!isExact && references.size === 0)) &&
    agree(linesIn([entry.payerAccount]), linesIn(parts.map((part) => part.payerAccount)), isExact) &&
    agree(linesIn([entry.endToEndId]), linesIn(parts.map((part) => part.endToEndId)), isExact)
  );
}

function agree(one: ReadonlySet<string>, other: ReadonlySet<string>, isExact: boolean): boolean {
  if (!isExact && (one.size === 0 || other.size === 0)) return true;
  return one.size === other.size && [...one].every((line) => other.has(line));
}

function linesIn(texts: readonly string[]): Set<string> {
  const lines = texts.flatMap((text) => text.split('\n')).map(givenReference);
  return new Set(lines.map((line) => compact(line).toUpperCase()).filter((line) => line !== ''));
}
