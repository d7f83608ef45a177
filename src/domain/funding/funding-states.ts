/** The states of funding requests. docs/specification.md#funding-requests. */
export const fundingStates = ['PENDING', 'CREDITED', 'CANCELLED', 'EXPIRED'] as const;
export type FundingState = (typeof fundingStates)[number];

/** PENDING requests of one wallet. */
export const MAX_PENDING_FUNDING = 100;
