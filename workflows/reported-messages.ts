/**
 * Reports every message of an operator to the worker, so that maintenance copies it into the audit. Only the history names the
 * sender, and a workflow cannot read its history. A sink adds no command to a history, so replays do not depend on it.
 */
import { CancellationScope, proxySinks, workflowInfo, type WorkflowInterceptorsFactory } from '@temporalio/workflow';
import { isOperatorSignal, isOperatorUpdate, type OperatorSinks } from '../src/domain/operators/operator-messages';

const { operators } = proxySinks<OperatorSinks>();

/** `ordinal`: the 1-based index of the message in the run; null for a cancellation. */
function report(ordinal: number | null): void {
  if (!workflowInfo().unsafe.isReplaying) operators.recordOperatorCall(ordinal);
}

/** Loaded with every workflow (see `dev/scripts/build.mjs`). */
export const interceptors: WorkflowInterceptorsFactory = () => {
  // Replayed messages count, too: the history holds them in the same order.
  let messages = 0;
  return {
    inbound: [
      {
        execute(input, next) {
          CancellationScope.current().cancelRequested.catch(() => report(null));
          return next(input);
        },
        handleSignal(input, next) {
          if (isOperatorSignal(input.signalName, input.args)) report(++messages);
          return next(input);
        },
        handleUpdate(input, next) {
          if (isOperatorUpdate(input.name)) report(++messages);
          return next(input);
        },
      },
    ],
  };
};
