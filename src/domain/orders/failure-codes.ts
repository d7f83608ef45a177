/**
 * The failure codes of orders, with their meaning to the customer. docs/specification.md#top-up-order. Each supplier adapter maps
 * the errors of its supplier to these codes in its `error-codes.ts`.
 * Rule: what a failure code means to a client
 */
import { namesOf } from '../records';

interface FailureMeaning {
  /** Shown as `failure_reason`. */
  readonly reason: string;
  /** Shown as `is_user_fixable`: a corrected order can succeed. */
  readonly userFixable: boolean;
  /** Cause and remedy are for developers of clients: docs/clients/errors.md. */
  readonly cause: string;
  readonly remedy: string;
}

const meanings = {
  INVALID_RECIPIENT: {
    reason: 'The recipient identifier is malformed or not recognised. Check it and order again.',
    userFixable: true,
    cause: 'The number or account is malformed, or the operator does not know it.',
    remedy: 'Ask the customer to correct it, then place a new order.',
  },
  RECIPIENT_BARRED: {
    reason: 'The operator has blocked this recipient.',
    userFixable: false,
    cause: 'The operator has blocked the recipient.',
    remedy: 'Tell the customer to contact the operator. Another order fails in the same way.',
  },
  RECIPIENT_INELIGIBLE: {
    reason: 'This recipient cannot receive the plan. Pick another plan.',
    userFixable: true,
    cause: "The recipient's tariff or region does not allow this plan.",
    remedy: 'Offer another plan, then place a new order.',
  },
  RECIPIENT_LIMIT_EXCEEDED: {
    reason: 'The recipient has reached the cap for top-ups. Try again later.',
    userFixable: false,
    cause: 'The recipient has reached a temporary limit of the operator.',
    remedy: 'Order again after a day.',
  },
  OPERATOR_UNAVAILABLE: {
    reason: 'The operator is temporarily unavailable. Try again later.',
    userFixable: false,
    cause: "The operator's platform was unavailable during all retries.",
    remedy: 'Order again after an hour.',
  },
  OPERATOR_LIMIT_EXCEEDED: {
    reason: 'The operator has reached its cap. Try again later.',
    userFixable: false,
    cause: 'The operator has temporarily reached its own limit.',
    remedy: 'Order again after an hour.',
  },
  CLIENT_LIMIT_EXCEEDED: {
    reason: 'The transaction count or value cap of the account is reached. Contact the account manager.',
    userFixable: false,
    cause: 'Your account has reached its daily count or value limit. Nothing was debited.',
    remedy: 'Order again tomorrow (UTC), or ask your account manager for a higher limit.',
  },
  PRODUCT_UNAVAILABLE: {
    reason: 'The plan is not for sale. Pick another plan.',
    userFixable: true,
    cause: 'The plan is no longer for sale.',
    remedy: 'Read the catalogue again, then offer another plan.',
  },
  PRODUCT_OUT_OF_STOCK: {
    reason: 'The product is out of stock. Pick another or try again later.',
    userFixable: true,
    cause: 'The supplier is out of stock.',
    remedy: 'Offer another product, or order again later.',
  },
  AMOUNT_OUT_OF_RANGE: {
    reason: 'The amount is not among the allowed denominations or outside the range.',
    userFixable: true,
    cause: 'The supplier does not accept the amount.',
    remedy: 'Read the variants again, then order one of their amounts.',
  },
  // Does not mention the refund: the order itself shows whether it was credited.
  UNKNOWN: {
    reason: 'The order could not be fulfilled.',
    userFixable: false,
    cause: 'The order could not be fulfilled for an unknown reason.',
    remedy: "Offer another product. If the failure recurs, send us the order's id.",
  },
} as const satisfies Record<string, FailureMeaning>;

export type FailureCode = keyof typeof meanings;

/** Every failure code, in the order of the specification. */
export const failureCodes = namesOf(meanings);

export function failureMeaning(code: FailureCode): FailureMeaning {
  return meanings[code];
}

/** Narrows text from outside (a supplier, the database) to a failure code. */
export function isFailureCode(text: string): text is FailureCode {
  return Object.hasOwn(meanings, text);
}
