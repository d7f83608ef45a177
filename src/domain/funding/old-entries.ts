/**
 * Entries that release 1.0.0 stored: one for each part, without their statement, and with other texts than the readers give now. They are
 * found by money, the bank's reference, the payer's account and the end-to-end id, each once. Payer and text rank them.
 */
import type { BankBooking, BankPart } from './bank-statement';
import { compact, givenReference, isTextLike, type PartTexts } from './booking-keys';
import { haveNoneInCommon } from './booking-matching';
import { Exact } from '../prices/money';

/** A stored entry. Its texts have lines: one for each that the file had. */
export interface OldEntry
  extends
    Pick<BankBooking, 'bookedOn' | 'direction' | 'isReversal' | 'amount' | 'currency' | 'bankReference'>,
    PartTexts {
  bookingId: number;
  fileName: string;
  /** The valid references of funding requests in its texts. */
  requestReferences: readonly string[];
  hasMovedMoney: boolean;
}

/** The stored entries that a booking is. Unless that is certain, a person should say whether it is another payment. */
export interface MatchedOldEntries {
  entries: readonly OldEntry[];
  isCertain: boolean;
}

/** How well an entry fits. `isExact`: no side lacks a field. `isWorded`: payer and text are equal, or one holds the other. */
interface Fit {
  isExact: boolean;
  isWorded: boolean;
}

/** The best first. */
const fitsInTurn: readonly Fit[] = [
  { isExact: true, isWorded: true },
  { isExact: false, isWorded: true },
  { isExact: true, isWorded: false },
  { isExact: false, isWorded: false },
];

/** Entries that no booking has taken, by their money. */
type FreeEntries = ReadonlyMap<string, Set<OldEntry>>;

function freeLike(free: FreeEntries, { isReversal, ...entry }: OldEntry): Set<OldEntry> {
  return free.get(moneyOf(entry, entry.amount, isReversal)) ?? new Set();
}

type ReferencesOf = (part: BankPart) => readonly string[];

/**
 * The stored entries that each booking is: one for each of its parts, one for all of them, or several for a booking that is not split any
 * more. Undefined for a booking that has none. The best fits come first. None has the reference of another request. `old`: in the sequence
 * in which they were stored. `referencesOf`: the references of a part.
 */
export function matchedOldEntries(
  bookings: readonly BankBooking[],
  old: readonly OldEntry[],
  referencesOf: ReferencesOf,
): (MatchedOldEntries | undefined)[] {
  const free = new Map<string, Set<OldEntry>>();
  for (const entry of old) {
    const money = moneyOf(entry, entry.amount, entry.isReversal);
    free.set(money, (free.get(money) ?? new Set()).add(entry));
  }
  const found = bookings.map((): MatchedOldEntries | undefined => undefined);
  for (const fit of fitsInTurn)
    for (const [index, booking] of bookings.entries()) {
      const entries = found[index] ? undefined : taken(booking, free, { fit, referencesOf });
      if (entries) found[index] = { entries, isCertain: fit.isExact && fit.isWorded };
    }
  const whole = [...bookings.entries()].filter(([index, { parts }]) => !found[index] && parts.length === 1);
  const sums = neighboursBySum(old, new Set(whole.map(([, booking]) => moneyOfBooking(booking))));
  for (const [index, booking] of whole) {
    const entries = takenTogether(booking, { free, sums, referencesOf });
    if (entries) found[index] = { entries, isCertain: false };
  }
  return found;
}

/** Entries that are looked at as the parts of one booking. */
const MAX_PARTS = 20;

type NeighboursBySum = ReadonlyMap<string, readonly (readonly OldEntry[])[]>;

/** Neighbours among the entries of a file and a day, by the money that they add up to, if this is wanted. */
function neighboursBySum(old: readonly OldEntry[], wanted: ReadonlySet<string>): NeighboursBySum {
  const found = new Map<string, OldEntry[][]>();
  if (wanted.size === 0) return found;
  for (const [first, entry] of old.entries()) {
    const isLike = (one: OldEntry) =>
      one.fileName === entry.fileName && moneyOf(one, '', one.isReversal) === moneyOf(entry, '', entry.isReversal);
    let sum = new Exact(0);
    for (let end = first; end < first + MAX_PARTS; end += 1) {
      const part = old[end];
      if (!part || !isLike(part)) break;
      sum = sum.plus(part.amount);
      const money = moneyOf(entry, sum.toFixed(), entry.isReversal);
      if (end > first && wanted.has(money)) found.set(money, [...(found.get(money) ?? []), old.slice(first, end + 1)]);
    }
  }
  return found;
}

/** Takes entries that may have been the parts of the booking, all or none. Only a person knows whether they were. */
function takenTogether(
  booking: BankBooking,
  { free, sums, referencesOf }: { free: FreeEntries; sums: NeighboursBySum; referencesOf: ReferencesOf },
): readonly OldEntry[] | undefined {
  const { parts } = booking;
  const mayBe = (entry: OldEntry) =>
    freeLike(free, entry).has(entry) &&
    !haveNoneInCommon(entry.requestReferences, parts.flatMap(referencesOf)) &&
    fits(entry, booking, parts, false);
  const entries = sums.get(moneyOfBooking(booking))?.find((each) => each.every(mayBe));
  for (const entry of entries ?? []) freeLike(free, entry).delete(entry);
  return entries;
}

function moneyOfBooking(booking: BankBooking): string {
  return moneyOf(booking, booking.amount, booking.isReversal);
}

/** Takes the entries of the booking, all or none. */
function taken(
  booking: BankBooking,
  free: FreeEntries,
  { fit, referencesOf }: { fit: Fit; referencesOf: ReferencesOf },
): OldEntry[] | undefined {
  const { parts } = booking;
  // A returned part made a reversal of the whole.
  const isReversal = booking.isReversal || parts.some(({ isReturn }) => isReturn);
  const take = (amount: string, of: readonly BankPart[]): OldEntry | undefined => {
    const entries = free.get(moneyOf(booking, amount, isReversal)) ?? new Set();
    for (const entry of entries)
      if (
        !haveNoneInCommon(entry.requestReferences, of.flatMap(referencesOf)) &&
        (!fit.isWorded || isWordedLike(entry, booking, of)) &&
        fits(entry, booking, of, fit.isExact)
      ) {
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
  for (const entry of each) freeLike(free, entry).add(entry);
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

/** Whether the payer is the same, and the text: words do not matter beside an equal reference of the bank. */
function isWordedLike(entry: OldEntry, { bankReference }: BankBooking, parts: readonly BankPart[]): boolean {
  const isLike = (field: 'payer' | 'text') =>
    isTextLike(comparable(entry[field]), comparable(parts.map((part) => part[field]).join('')));
  const [own = ''] = linesIn([bankReference]);
  return isLike('payer') && (linesIn([entry.bankReference]).has(own) || isLike('text'));
}

function comparable(text: string): string {
  return compact(text).toUpperCase();
}

function fits(entry: OldEntry, { bankReference }: BankBooking, parts: readonly BankPart[], isExact: boolean): boolean {
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
  return new Set(lines.map(comparable).filter((line) => line !== ''));
}
