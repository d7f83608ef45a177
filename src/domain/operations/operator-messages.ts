/** The messages that operators send to workflows. docs/decisions/0036-audit-operators-with-triggers.md. */
import { orderMessages } from '../orders/order-flow';
import { endpointMessages } from '../webhooks';

const signals: readonly string[] = [orderMessages.retryNow, endpointMessages.pause, endpointMessages.resume];
const updates: readonly string[] = [orderMessages.resolve, orderMessages.cancel, endpointMessages.skipEvent];

/** The argument of the service's own `retryNow`. Operators send their signals without an argument. */
export const serviceWord = 'SUPPLIER_UPDATED';

export function isOperatorSignal(name: string, args: readonly unknown[]): boolean {
  return signals.includes(name) && args.length === 0;
}

export function isOperatorUpdate(name: string): boolean {
  return updates.includes(name);
}

/** What workflows report to their worker. */
export type OperatorSinks = {
  operators: {
    /**
     * Runs before the workflow task that receives the message completes. `ordinal`: the 1-based index of the message among the
     * operators' messages to the run; null for a cancellation.
     */
    recordOperatorCall(ordinal: number | null): void;
  };
};
