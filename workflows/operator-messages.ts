/**
 * Reports every message of an operator to the worker. The sender is in the history, which the workflow cannot read. A sink
 * adds no command, so nothing in a history depends on it.
 */
import {
  CancellationScope,
  proxySinks,
  workflowInfo,
  type WorkflowInterceptorsFactory,
} from '@temporalio/workflow';
import {
  isOperatorSignal,
  isOperatorUpdate,
  type OperatorSinks,
} from '../src/domain/operations/operator-messages';

const { operators } = proxySinks<OperatorSinks>();

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
