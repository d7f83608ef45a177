/** How a process paces its purchases. */
import { limitConcurrency } from '../../async/limit-concurrency';

export interface Pace {
  /** Makes a purchase, which calls `sent` when its request may be sent. */
  begin<Result>(buy: (sent: () => void) => Promise<Result>): Promise<Result>;
  /** Stores the report of a purchase. */
  store<Result>(store: () => Promise<Result>): Promise<Result>;
}

/** Order requests wait for the purchases, so none waits for another one. */
export const unpaced: Pace = { begin: (buy) => buy(() => undefined), store: (store) => store() };

/** One report is sealed while the database stores the other. */
const MAX_STORED = 2;

/**
 * The pace of a process with one connection to the database, which other processes overtake. A purchase is claimed only when the
 * one before it is sent, because it may be sent for only three seconds after its claim. So the claim waits for few other
 * statements, and thousands of units do not fill the memory while they wait for the connection.
 */
export function oneByOne(): Pace {
  const limitStoring = limitConcurrency(MAX_STORED);
  return { begin: limitConcurrency(1), store: (store) => limitStoring(store) };
}
