/**
 * Distinguishes operators' messages to workflows from the service's. docs/decisions/0036-audit-operators-with-triggers.md.
 * Rule: which signals and updates operators may send to workflows
 */
import { orderMessages } from '../orders/order-messages';
import { endpointMessages } from '../webhooks/delivery-rules';

const signals: readonly string[] = [orderMessages.retryNow, endpointMessages.pause, endpointMessages.resume];
const updates: readonly string[] = [
  orderMessages.resolve,
  orderMessages.cancel,
  orderMessages.release,
  endpointMessages.skipEvent,
];

/**
 * The header of an operator's message with the id under which the audit has recorded that it is sent. Histories keep it, so the copy of
 * the message joins that entry.
 */
export const messageIdHeader = 'message-id';

/** The argument of a `retryNow` from the service. Operators send signals without an argument. */
export const serviceWord = 'SUPPLIER_UPDATED';

export function isOperatorSignal(name: string, args: readonly unknown[]): boolean {
  return signals.includes(name) && args.length === 0;
}

export function isOperatorUpdate(name: string): boolean {
  return updates.includes(name);
}

/** The sinks by which workflows report operators' messages to their worker. */
export type OperatorSinks = {
  operators: {
    /**
     * Records one message, before the workflow task that receives it completes. `ordinal`: the 1-based index among the operators'
     * signals and updates to the run; null for a cancellation.
     */
    recordOperatorCall(ordinal: number | null): void;
  };
};
