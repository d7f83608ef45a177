/**
 * What is being worked on: a request, or an activity of a workflow. Whatever is called for it finds it here, so that each
 * line of the log and each call of a supplier can be told to belong to it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** By the names that it has in the log. */
export interface Work {
  /** Of the request that began it: printable, at most 128 characters. */
  requestId?: string;
  orderId?: number;
  workflowId?: string;
  runId?: string;
  activity?: string;
  attempt?: number;
}

const work = new AsyncLocalStorage<Work>();

/** Runs as part of that work. */
export function workingOn<T>(what: Work, run: () => T): T {
  return work.run(what, run);
}

/** What is being worked on here; nothing where nobody said. */
export function currentWork(): Work {
  return work.getStore() ?? {};
}
