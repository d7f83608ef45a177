/** Messages of operators to workflows, whether of orders, eSIMs or endpoints: what is written down of them. */
import { orderMessages } from '../orders/order-flow';
import { endpointMessages } from '../webhooks';

/** Signals that operators send, without an argument. */
export const operatorSignals: readonly string[] = [
  orderMessages.retryNow,
  endpointMessages.pause,
  endpointMessages.resume,
];

/** The word that the service gives with `retryNow`, so that it is not taken for an operator's. */
export const serviceWord = 'SUPPLIER_UPDATED';

/** Updates that operators send. */
export const operatorUpdates: readonly string[] = [
  orderMessages.resolve,
  orderMessages.cancel,
  endpointMessages.skipEvent,
];

/** What workflows tell their worker of such messages. */
export type OperatorSinks = {
  operators: {
    /**
     * Done before the task that takes the message is complete. `ordinal`: the how manieth message of an operator to the
     * run it is; null for a cancellation.
     */
    noteMessage(ordinal: number | null): void;
  };
};

/** A run of a workflow. */
export interface WorkflowRun {
  workflowId: string;
  runId: string;
}

/** Something that somebody did to a workflow, as its history tells it. */
export interface WorkflowCall extends WorkflowRun {
  /** The how manieth message of an operator to the run it is; null where it is none. */
  ordinal: number | null;
  /** What tells it from every other; an entry of it is written once. */
  event: string;
  at: Date;
  action:
    | 'workflow.signalled'
    | 'workflow.updated'
    | 'workflow.cancelled'
    | 'workflow.terminated'
    | 'workflow.reset';
  /** The message; what was done where there is none. */
  command: string;
  /** As Temporal was told; null where it was not. */
  identity: string | null;
  reason: string | null;
  /** What was asked for, and what was answered. */
  said: object;
}
