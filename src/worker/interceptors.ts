/** The interceptors of every activity and workflow of a worker. */
import type { Context } from '@temporalio/activity';
import { ApplicationFailure, TemporalFailure } from '@temporalio/common';
import type {
  ActivityInboundCallsInterceptor,
  ActivityInterceptors,
  InjectedSinks,
  WorkerInterceptors,
} from '@temporalio/worker';
import type { Logger } from 'pino';
import { plainFailure, withoutCause } from '../../activities/failures';
import { runWithWork, type Work } from '../process/current-work';
import { recordOperatorCall } from '../data/audit/operator-calls';
import type { Database } from '../data/database/database';
import type { OperatorSinks } from '../domain/operators/operator-messages';
import type { TemporalTracing } from '../tracing/opentelemetry';
import { propertyOf } from '../domain/unknown-values';

/** The interceptors of activities, the outermost first. */
export function workerInterceptors({ activityInterceptors: spans }: TemporalTracing, log: Logger): WorkerInterceptors {
  return { activity: [...spans, activityWork, () => ({ inbound: plainFailures(log) })] };
}

/** Adds the activity's ids to its supplier calls and its log lines, including those that the SDK writes. */
function activityWork({ info }: Context): ActivityInterceptors {
  const { workflowExecution, activityType: activity, attempt } = info;
  const work: Work = { ...workflowExecution, activity, attempt };
  return {
    inbound: {
      execute(input, next) {
        Object.assign(work, orderOf(input.args[0]));
        return runWithWork(work, () => next(input));
      },
    },
    outbound: {
      // Omits the task token, which is useless in a log, and the values that `work` already has under other names.
      getLogAttributes({ taskToken: _token, activityType: _type, workflowRunId: _run, ...others }, next) {
        return next({ ...others, ...work });
      },
    },
  };
}

/** The ids in the first argument of an activity; empty unless it is an order (see `OrderStart`). */
function orderOf(argument: unknown): Pick<Work, 'orderId' | 'requestId'> {
  const orderId = propertyOf(argument, 'orderId');
  const requestId = propertyOf(argument, 'requestId');
  return { ...(typeof orderId === 'number' && { orderId }), ...(typeof requestId === 'string' && { requestId }) };
}

/**
 * Keeps the errors of drivers and parsers out of Temporal: drivers quote SQL with its values, and parsers quote their input.
 * Temporal stores only the kind of such an error, and the log has its stack.
 */
function plainFailures(log: Logger): ActivityInboundCallsInterceptor {
  return {
    async execute(input, next) {
      try {
        return await next(input);
      } catch (error) {
        if (error instanceof TemporalFailure && error.cause === undefined) throw error;
        log.error({ err: error }, 'activity failed');
        throw error instanceof ApplicationFailure ? withoutCause(error) : plainFailure(error);
      }
    },
  };
}

/** Records that an operator has sent a message to a workflow. Maintenance then copies the message from the history to the audit. */
export function operatorSinks(database: Database): InjectedSinks<OperatorSinks> {
  return {
    operators: {
      recordOperatorCall: { fn: (run, ordinal) => recordOperatorCall(database, run, ordinal), callDuringReplay: false },
    },
  };
}
