/** The request or activity that the current code works for. Log lines and supplier calls carry its ids. */
import { AsyncLocalStorage } from 'node:async_hooks';

/** The ids, by their names in the log. */
export interface Work {
  /** The request that began the work: printable, at most 128 characters. */
  requestId?: string;
  orderId?: number;
  workflowId?: string;
  runId?: string;
  activity?: string;
  /** The task of maintenance. */
  task?: string;
  attempt?: number;
}

const work = new AsyncLocalStorage<Work>();

/** Runs the function as part of the work. */
export function runWithWork<T>(current: Work, run: () => T): T {
  return work.run(current, run);
}

/** The current work; empty outside of any. */
export function currentWork(): Work {
  return work.getStore() ?? {};
}
