/**
 * The deadlines of an order request, such as the 60 s of an eSIM. They count from the arrival of the request, by this process's
 * monotonic clock. `src/domain/orders/families.ts` sets them for each family:
 *
 *                placement: an unplaced order   response: a placed order
 *                is fenced off, then 503        is shown as it is
 *     vouchers   10 s                           10 s
 *     top-ups    10 s                            4 s
 *     eSIMs      30 s                           60 s
 *
 * docs/specification.md#response-times-of-order-requests.
 */
import { families, type Family } from '../../domain/orders/families';

/** A moment on this process's monotonic clock, which a change of the wall clock does not move. */
export class Deadline {
  private constructor(private readonly at: number) {}

  /** `timeMs` milliseconds after `from`, a reading of `performance.now()`. */
  static after(timeMs: number, from: number): Deadline {
    return new Deadline(from + timeMs);
  }

  /** Milliseconds until the deadline; 0 after it. */
  get leftMs(): number {
    return Math.max(0, this.at - performance.now());
  }

  isBefore(other: Deadline): boolean {
    return this.at < other.at;
  }
}

/** `placement`: the moment until which the order must be placed. `response`: the latest moment of the response. */
export interface OrderDeadlines {
  placement: Deadline;
  response: Deadline;
}

/** The deadlines of a request that arrived at `arrivedAt`, a reading of `performance.now()`. */
export function deadlinesOf(family: Family, arrivedAt: number): OrderDeadlines {
  const { placementDeadlineMs, responseDeadlineMs } = families[family].timing;
  return {
    placement: Deadline.after(placementDeadlineMs, arrivedAt),
    response: Deadline.after(responseDeadlineMs, arrivedAt),
  };
}
