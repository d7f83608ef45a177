import type { RequestAnswer } from '../../src/domain/orders/order-facts';

/** The progress that a run of a long order passes to the next run. */
export interface OrderProgress {
  /** When the first run began (milliseconds since 1970). */
  since: number;
  /** When the order began to wait for what it sent last (milliseconds since 1970). Absent if it has not. */
  waitingSince?: number;
  /** Whether every purchase was sent. */
  bought: boolean;
  /** Whether `retryNow` requested an attempt that the run has not made. */
  isWoken?: boolean;
  /** The most units that were delivered so far. Absent if none were. */
  delivered?: number;
  /** When the time for buying began (milliseconds since 1970). Absent while no purchase has to be sent. */
  buyingSince?: number;
  /** The time for buying that had passed when `buyingSince` was unset, in milliseconds. */
  boughtForMs?: number;
  /** Whether no purchase could be sent for the family's `giveUpAfterMs`: then the unsent ones are withdrawn. */
  hasGivenUp?: boolean;
  /** When the first run of the workflow started (milliseconds since 1970). Absent in the first run. */
  startedAt?: number;
  /** How the order request was answered. Absent while it waits, and if there was none. */
  requestAnswer?: RequestAnswer;
}
