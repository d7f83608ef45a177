/**
 * The kinds and states of claims. docs/specification.md#claims. The SQL functions `claimable_unit`, `decide_refund` and
 * `decide_replacement` decide whether a unit can be claimed, and is refunded or replaced.
 * Rule: which kinds of claims a family has
 */
import type { Family } from './families';
import type { RefundReason } from './refund-reasons';

/** What is wrong with the goods. Migrations 0008 and 0024 have the same list. */
export const claimKinds = [
  'INVALID_CODE',
  'ALREADY_USED',
  'NOT_RECEIVED',
  'WRONG_GOODS',
  'NOT_WORKING',
  'UNUSED',
] as const;
export type ClaimKind = (typeof claimKinds)[number];

/** Whether a claim about an order of the family can be of the kind. Only an eSIM shows whether it was used. */
export const canClaim = (family: Family, kind: ClaimKind) => kind !== 'UNUSED' || family === 'ESIM';

/** An ACCEPTED claim without an outcome waits for its refund or its replacement. */
export const claimStates = ['OPEN', 'AT_SUPPLIER', 'ACCEPTED', 'REJECTED'] as const;
export type ClaimState = (typeof claimStates)[number];

export const claimOutcomes = ['REFUNDED', 'REPLACED'] as const;
export type ClaimOutcome = (typeof claimOutcomes)[number];

/** The characters of a claim's text. */
export const MAX_CLAIM_TEXT = 2_000;

/** Why the client gets its money back, as the refund of the claim says it. */
export function refundReasonOf(kind: ClaimKind): RefundReason {
  if (kind === 'UNUSED') return 'OTHER';
  return kind === 'NOT_RECEIVED' ? 'NOT_RECEIVED' : 'INVALID_GOODS';
}
