/**
 * Tells the worker of every message that an operator sends to a workflow: who sent it stands in the history, which the
 * workflow itself cannot read. No command, so nothing in a history depends on it.
 */
import {
  CancellationScope,
  proxySinks,
  workflowInfo,
  type WorkflowInboundCallsInterceptor,
  type WorkflowInterceptorsFactory,
} from '@temporalio/workflow';
import {
  operatorSignals,
  operatorUpdates,
  type OperatorSinks,
} from '../src/domain/operations/operator-messages';

const { operators } = proxySinks<OperatorSinks>();

function note(ordinal: number | null): void {
  if (!workflowInfo().unsafe.isReplaying) operators.noteMessage(ordinal);
}

/** Loaded with every workflow (see `dev/scripts/build.mjs`). */
export const interceptors: WorkflowInterceptorsFactory = () => {
  // Messages that are replayed count too: the history has them in the same order.
  let messages = 0;
  return { inbound: [inbound(() => note(++messages))] };
};

function inbound(noteNext: () => void): WorkflowInboundCallsInterceptor {
  return {
    execute(input, next) {
      CancellationScope.current().cancelRequested.catch(() => note(null));
      return next(input);
    },
    handleSignal(input, next) {
      if (operatorSignals.includes(input.signalName) && input.args.length === 0) noteNext();
      return next(input);
    },
    handleUpdate(input, next) {
      if (operatorUpdates.includes(input.name)) noteNext();
      return next(input);
    },
  };
}
