/**
 * Decides whether a booking may be one that is credited already, in other words: its credit then needs the word of a person
 * (`LOOKS_CREDITED`). docs/decisions/0089-credit-one-booking-once.md.
 */
import type { BankBooking, BankPart } from './bank-statement';
import { compact, type PartTexts } from './booking-keys';
import { areProvenApart, type StoredStatement } from './booking-matching';

/** A stored booking as it is compared with others of its account. */
export interface ComparedBooking extends Pick<
  BankBooking,
  'bookedOn' | 'direction' | 'isReversal' | 'amount' | 'currency'
> {
  id: number;
  /** The key of the bank's reference; undefined without one. */
  reference: string | undefined;
  /** The references of funding requests that its parts hold. */
  requestReferences: readonly string[];
  /** Of the file from which its texts are. */
  format: string;
  /** The texts of its parts; undefined of each whose texts are deleted. */
  parts: readonly (ComparedPart | undefined)[];
  statements: readonly StoredStatement[];
}

export type ComparedPart = PartTexts & Pick<BankPart, 'amount'>;

/** Whether the booking may be the credited one. Both are of one account. */
export function mayBeCredited(one: ComparedBooking, credited: ComparedBooking): boolean {
  if (one.id === credited.id || one.direction !== credited.direction || shareStatement(one, credited))
    return false;
  if (one.bookedOn === credited.bookedOn && areOfOneSeries(one, credited)) return true;
  if (areApart(one, credited)) return false;
  const { currency, isReversal, reference } = one;
  if (currency !== credited.currency || isReversal !== credited.isReversal) return false;
  return (reference !== undefined && reference === credited.reference) || isEqual(one, credited);
}

function pairsOf(one: ComparedBooking, other: ComparedBooking): [StoredStatement, StoredStatement][] {
  return one.statements.flatMap((first) =>
    other.statements.map((second): [StoredStatement, StoredStatement] => [first, second]),
  );
}

/** Bookings of one statement are two. */
function shareStatement(one: ComparedBooking, other: ComparedBooking): boolean {
  return pairsOf(one, other).some(([first, second]) => first.rowId === second.rowId);
}

/** Versions of one statement that lack each other's booking: the bank may have corrected it. */
function areOfOneSeries(one: ComparedBooking, other: ComparedBooking): boolean {
  return pairsOf(one, other).some(([first, second]) => first.series === second.series);
}

function areApart(one: ComparedBooking, other: ComparedBooking): boolean {
  const pairs = pairsOf(one, other);
  return pairs.length > 0 && pairs.every(([first, second]) => areProvenApart(first, second));
}

/** Equal money, and nothing that contradicts: neither references nor texts. */
function isEqual(one: ComparedBooking, other: ComparedBooking): boolean {
  const { bookedOn, amount, reference, requestReferences } = one;
  if (bookedOn !== other.bookedOn || amount !== other.amount) return false;
  if (reference !== undefined && other.reference !== undefined && reference !== other.reference) return false;
  const requests = [requestReferences, other.requestReferences];
  if (requests.every(({ length }) => length > 0))
    if (!requestReferences.some((each) => other.requestReferences.includes(each))) return false;
  // Banks word a whole and its parts differently, and so does each format.
  if (isSplit(one) !== isSplit(other) || one.format !== other.format) return true;
  return !areContrary(one.parts, other.parts);
}

function isSplit({ parts }: ComparedBooking): boolean {
  return parts.length > 1;
}

/** Parts that are compared. Two bookings with more equal ones may be equal. */
const MAX_COMPARED = 100;

/** Whether a part of the one is no part of the other. */
function areContrary(one: ComparedBooking['parts'], other: ComparedBooking['parts']): boolean {
  if (one.length !== other.length) return false;
  return one
    .slice(0, MAX_COMPARED)
    .some((part) => part !== undefined && !other.some((each) => each === undefined || isLike(part, each)));
}

function isLike(one: ComparedPart, other: ComparedPart): boolean {
  return (
    one.amount === other.amount &&
    isTextLike(one.payer, other.payer) &&
    isTextLike(one.payerAccount, other.payerAccount) &&
    isTextLike(one.endToEndId, other.endToEndId) &&
    isTextLike(one.text, other.text)
  );
}

/** Whether the texts are equal, one of them is empty, or one holds the other. */
function isTextLike(one: string, other: string): boolean {
  const [first, second] = [compact(one), compact(other)];
  return first.includes(second) || second.includes(first);
}
