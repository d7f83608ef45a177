/** Polls an order until it is in a final state. */
import { isTransient, WaitTimeoutError } from './errors.ts';
import { pause } from './retries.ts';
import type { CallOptions } from './transport.ts';

export interface WaitOptions extends CallOptions {
  /** Milliseconds after which `WaitTimeoutError` is thrown; 10 minutes if not given. */
  timeout?: number;
}

export interface Waiting<Order> {
  read: (id: number, options: CallOptions) => Promise<Order>;
  /** Whether the order is in a final state. */
  isFinal: (order: { status: string }) => boolean;
  /** Seconds between polls; the last value repeats. */
  schedule: readonly number[];
}

/** Returns the order in its final state. Continues to poll after a transient error. */
export async function waitForOrder<Order extends { status: string }>(
  { read, isFinal, schedule }: Waiting<Order>,
  order: number | { id: number; status: string },
  { timeout = 600_000, ...options }: WaitOptions,
): Promise<Order> {
  const deadline = performance.now() + timeout;
  const id = typeof order === 'number' ? order : order.id;
  let last: Order | undefined;
  let failure: unknown;
  let isDueNow = typeof order === 'number' || isFinal(order);
  for (let turn = 0; ; turn++) {
    const wait = isDueNow ? 0 : (schedule[Math.min(turn, schedule.length - 1)] ?? 0) * 1_000;
    const left = deadline - performance.now();
    if (left <= 0) throw new WaitTimeoutError(last, failure === undefined ? {} : { cause: failure });
    if (!isDueNow) await pause(Math.min(wait, left), options.signal);
    isDueNow = false;
    try {
      last = await read(id, options);
      failure = undefined;
      if (isFinal(last)) return last;
    } catch (error) {
      if (!isTransient(error)) throw error;
      failure = error;
    }
  }
}
