/**
 * The failure codes of top-up and eSIM orders: what each means to the customer and whether the
 * customer can mend it. docs/specification.md#top-up-order.
 */
interface FailureMeaning {
  /** Shown as `failure_reason`. */
  readonly reason: string;
  /** Shown as `is_user_fixable`: a corrected order can succeed. */
  readonly userFixable: boolean;
}

const meanings = {
  INVALID_RECIPIENT: {
    reason: 'The recipient identifier is malformed or not recognised. Check it and order again.',
    userFixable: true,
  },
  RECIPIENT_BARRED: { reason: 'The operator has blocked this recipient.', userFixable: false },
  RECIPIENT_INELIGIBLE: {
    reason: 'This recipient cannot receive the plan. Pick another plan.',
    userFixable: true,
  },
  RECIPIENT_LIMIT_EXCEEDED: {
    reason: 'The recipient has reached the cap for top-ups. Try again later.',
    userFixable: false,
  },
  OPERATOR_UNAVAILABLE: {
    reason: 'The operator is temporarily unavailable. Try again later.',
    userFixable: false,
  },
  OPERATOR_LIMIT_EXCEEDED: {
    reason: 'The operator has reached its cap. Try again later.',
    userFixable: false,
  },
  CLIENT_LIMIT_EXCEEDED: {
    reason: 'The transaction count or value cap of the account is reached. Contact the account manager.',
    userFixable: false,
  },
  PRODUCT_UNAVAILABLE: { reason: 'The plan is not for sale. Pick another plan.', userFixable: true },
  PRODUCT_OUT_OF_STOCK: {
    reason: 'The product is out of stock. Pick another or try again later.',
    userFixable: true,
  },
  AMOUNT_OUT_OF_RANGE: {
    reason: 'The amount is not among the allowed denominations or outside the range.',
    userFixable: true,
  },
  // Says nothing of the refund: whether it was credited is shown where the order is.
  UNKNOWN: { reason: 'The order could not be fulfilled.', userFixable: false },
} as const satisfies Record<string, FailureMeaning>;

export type FailureCode = keyof typeof meanings;

/** Every failure code, in the order of the specification. */
export const failureCodes = Object.keys(meanings) as readonly FailureCode[];

/** The reason shown to the customer and whether the customer can mend it. */
export function failureMeaning(code: FailureCode): FailureMeaning {
  return meanings[code];
}

/** Narrows text from outside (a supplier, the database) to a failure code. */
export function isFailureCode(text: string): text is FailureCode {
  return text in meanings;
}
