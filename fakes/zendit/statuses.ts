/** The states of a purchase. */

/** The states before the final state, in their order. */
const waiting = ['ACCEPTED', 'PENDING', 'AUTHORIZED', 'IN_PROGRESS'] as const;
/** One page of the documentation writes FAIL, so a buyer must accept both words. */
const failed = ['FAILED', 'FAIL'] as const;

type Waiting = (typeof waiting)[number];
export type Status = Waiting | 'DONE' | (typeof failed)[number];

const all: readonly Status[] = [...waiting, 'DONE', ...failed];

/** A state that the documentation does not name. */
export const unknownStatus = 'ON_HOLD';

/** The state with this word. */
export function findStatus(word: string): Status | undefined {
  return all.find((status) => status === word);
}

/** Whether the purchase ended without goods, and its cost was returned. */
export function isVoid(status: Status): boolean {
  return failed.some((word) => word === status);
}

export function isFinal(status: Status): boolean {
  return status === 'DONE' || isVoid(status);
}

/** The states between ACCEPTED and this one. With `isWithoutFunds`, the purchase fails before AUTHORIZED. */
export function statesBefore(status: Status, isWithoutFunds: boolean): readonly Status[] {
  if (isWithoutFunds) return ['PENDING'];
  const end = waiting.findIndex((word) => word === status);
  return end === -1 ? waiting.slice(1) : waiting.slice(1, Math.max(1, end));
}

/** A final state that contradicts the given one. */
export function contradicting(status: Status): Status {
  return isVoid(status) ? 'DONE' : 'FAILED';
}
