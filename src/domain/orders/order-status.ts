/** The states of an order. docs/specification.md#states-and-transitions. */
export const orderStatuses = ['PENDING', 'PARTIALLY_DELIVERED', 'DELIVERED', 'FAILED', 'CANCELLED'] as const;
export type OrderStatus = (typeof orderStatuses)[number];
