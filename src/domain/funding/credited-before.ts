/**
 * Decides whether a booking may be one that is credited already, in other words: its credit then needs the word of a person
 * (`LOOKS_CREDITED`). docs/decisions/0089-credit-one-booking-once.md.
 * Rule: which booking may be one that is credited already
 */
import type { BankBooking, BankPart } from './bank-statement';
import { compact, isTextLike, type PartTexts } from './booking-keys';
import { areProvenApart, haveNoneInCommon, type StoredStatement } from './booking-matching';

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
  /** Those of its statements that may have another payment instead: they prove nothing apart. */
  doubtfulIn: readonly number[];
}

/** With compact texts. */
export type ComparedPart = PartTexts & Pick<BankPart, 'amount'>;

/** The part as it is compared. */
export function comparedPart({ amount, payer, payerAccount, endToEndId, text }: ComparedPart): ComparedPart {
  return {
    amount,
    payer: compact(payer),
    payerAccount: compact(payerAccount),
    endToEndId: compact(endToEndId),
    text: compact(text),
  };
}

/**
 * The credited bookings of the account that the booking may be. None if a statement has it beside all that are like it: bookings of one
 * statement are apart. `credited`: those of which no person said that they are apart.
 */
export function creditedBefore<Credited extends ComparedBooking>(
  one: ComparedBooking,
  credited: readonly Credited[],
): Credited[] {
  const like = credited.filter((other) => isLike(one, other));
  const certain = one.statements.filter(({ rowId }) => standsIn(one, rowId));
  const apart = certain.map(({ rowId }) => like.filter((other) => !standsIn(other, rowId)));
  // One of its statements has the most of them: those that it lacks are named.
  return apart.reduce((least, some) => (some.length < least.length ? some : least), like);
}

/** Whether the statement has it, and not perhaps another payment instead. */
function standsIn({ statements, doubtfulIn }: ComparedBooking, statement: number): boolean {
  return !doubtfulIn.includes(statement) && statements.some(({ rowId }) => rowId === statement);
}

/** Whether the two may be one, as far as their money, texts and statements say. */
function isLike(one: ComparedBooking, other: ComparedBooking): boolean {
  if (one.id === other.id || one.direction !== other.direction) return false;
  if (one.bookedOn === other.bookedOn && areOfOneSeries(one, other)) return true;
  const isSame = one.currency === other.currency && one.isReversal === other.isReversal;
  if (!isSame || areApart(one, other)) return false;
  return (one.reference !== undefined && one.reference === other.reference) || haveEqualMoney(one, other);
}

/** Versions of one statement, of which each may lack the booking of the other: the bank may have corrected it. */
function areOfOneSeries(one: ComparedBooking, other: ComparedBooking): boolean {
  return one.statements.some(({ series }) => other.statements.some((its) => its.series === series));
}

function areApart(one: ComparedBooking, other: ComparedBooking): boolean {
  if (one.statements.length === 0 || other.statements.length === 0) return false;
  return one.statements.every((mine) => other.statements.every((its) => areProvenApart(mine, its)));
}

/** Equal money, and nothing that contradicts: neither references nor texts. */
function haveEqualMoney(one: ComparedBooking, other: ComparedBooking): boolean {
  const { bookedOn, amount, reference, requestReferences } = one;
  if (bookedOn !== other.bookedOn || amount !== other.amount) return false;
  if (reference !== undefined && other.reference !== undefined && reference !== other.reference) return false;
  if (haveNoneInCommon(requestReferences, other.requestReferences)) return false;
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
    .some((part) => part !== undefined && !other.some((each) => each === undefined || isPartLike(part, each)));
}

function isPartLike(one: ComparedPart, other: ComparedPart): boolean {
  return (
    one.amount === other.amount &&
    isTextLike(one.payer, other.payer) &&
    isTextLike(one.payerAccount, other.payerAccount) &&
    isTextLike(one.endToEndId, other.endToEndId) &&
    isTextLike(one.text, other.text)
  );
}
