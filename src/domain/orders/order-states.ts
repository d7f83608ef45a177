/**
 * The states of an order, and the transitions between them. docs/specification.md#states-and-transitions.
 * Rule: which states follow a state
 */
import { familyIds, type Family } from './families';

export const orderStatuses = ['PENDING', 'PARTIALLY_DELIVERED', 'DELIVERED', 'FAILED', 'CANCELLED'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** The states to which an order may move from each state. */
type Transitions = Readonly<Record<OrderStatus, readonly OrderStatus[]>>;

const wholeOrNothing: Transitions = {
  PENDING: ['DELIVERED', 'FAILED', 'CANCELLED'],
  PARTIALLY_DELIVERED: [],
  DELIVERED: [],
  FAILED: [],
  CANCELLED: [],
};

const inParts: Transitions = {
  ...wholeOrNothing,
  PENDING: ['PARTIALLY_DELIVERED', 'DELIVERED', 'FAILED', 'CANCELLED'],
  PARTIALLY_DELIVERED: ['DELIVERED', 'FAILED'],
};

const transitions: Readonly<Record<Family, Transitions>> = {
  VOUCHER: inParts,
  TOPUP: wholeOrNothing,
  ESIM: wholeOrNothing,
};

/** The states from which an order of the family may move to `to`. */
export function statesBefore(family: Family, to: OrderStatus): OrderStatus[] {
  return orderStatuses.filter((from) => transitions[family][from].includes(to));
}

/** Whether the status is final in every family. */
export function isTerminal(status: OrderStatus): boolean {
  return familyIds.every((family) => transitions[family][status].length === 0);
}
