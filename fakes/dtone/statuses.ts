/** The states of a transaction. */

const classIds = {
  CREATED: 1,
  CONFIRMED: 2,
  REJECTED: 3,
  CANCELLED: 4,
  SUBMITTED: 5,
  COMPLETED: 7,
  REVERSED: 8,
  DECLINED: 9,
} as const;

export type ClassName = keyof typeof classIds;

export interface Status {
  readonly id: number;
  readonly message: string;
  readonly class: { readonly id: number; readonly message: string };
}

/** The details that the documentation names, in the order of their invented ids. The full list of ids is not known. */
const details = [
  '',
  '-INVALID-CREDIT-PARTY',
  '-BARRED-CREDIT-PARTY',
  '-INELIGIBLE-CREDIT-PARTY',
  '-LIMITATIONS-ON-CREDIT-PARTY-AMOUNT',
  '-LIMITATIONS-ON-CREDIT-PARTY-QUANTITY',
  '-OPERATOR-CURRENTLY-UNAVAILABLE',
  '-LIMITATIONS-ON-OPERATOR-AMOUNT',
  '-LIMITATIONS-ON-OPERATOR-QUANTITY',
  '-LIMITATIONS-ON-CUSTOMER-AMOUNT',
  '-LIMITATIONS-ON-CUSTOMER-QUANTITY',
  '-DUPLICATED-TRANSACTION',
  '-EXCEPTION',
  '-INSUFFICIENT-BALANCE',
  '-INVALID-DEBIT-PARTY',
];

/**
 * The status with this word, e.g. `DECLINED-BARRED-CREDIT-PARTY`. `*-` at the start stands for `DECLINED-`. A word without
 * a known class belongs to DECLINED, the most common class of a failure.
 */
export function statusOf(word: string): Status {
  const message = word.replace(/^\*-/, 'DECLINED-');
  const name = classNameOf(message);
  const detail = message.startsWith(name) ? details.indexOf(message.slice(name.length)) : -1;
  const id = classIds[name];
  return { id: id * 10_000 + (detail === -1 ? 9_900 : detail * 100), message, class: { id, message: name } };
}

/** A state that the documentation does not name: the ids of classes skip 6. */
export const unknownStatus: Status = { id: 60_000, message: 'ON-HOLD', class: { id: 6, message: 'ON-HOLD' } };

/** The class of a status that the fake made itself. */
export function classOf({ message }: Status): ClassName {
  return classNameOf(message);
}

/** Whether the status is final: only a reversal can follow it. */
export function isFinal(status: Status): boolean {
  return !['CREATED', 'CONFIRMED', 'SUBMITTED'].includes(classOf(status));
}

/** Whether the transaction ended without goods, and its money was released. */
export function isVoid(status: Status): boolean {
  return ['REJECTED', 'CANCELLED', 'DECLINED'].includes(classOf(status));
}

/** A final status that contradicts the given one. */
export function contradicting(status: Status): Status {
  return statusOf(isVoid(status) ? 'COMPLETED' : 'DECLINED');
}

function classNameOf(message: string): ClassName {
  const names = Object.keys(classIds) as ClassName[];
  return names.find((name) => message === name || message.startsWith(`${name}-`)) ?? 'DECLINED';
}
