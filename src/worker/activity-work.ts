import type { Context } from '@temporalio/activity';
import type { ActivityInterceptors } from '@temporalio/worker';
import { workingOn, type Work } from '../current-work';

/** Has all that is logged and called for an activity belong to it, in the SDK's own lines too. */
export function activityWork({ info }: Context): ActivityInterceptors {
  const { workflowExecution, activityType: activity, attempt } = info;
  const work: Work = { ...workflowExecution, activity, attempt };
  return {
    inbound: {
      execute(input, next) {
        Object.assign(work, orderOf(input.args[0]));
        return workingOn(work, () => next(input));
      },
    },
    outbound: {
      // Under our names alone; the token is long and of no use to a reader.
      getLogAttributes({ taskToken: _token, activityType: _type, workflowRunId: _run, ...others }, next) {
        return next({ ...others, ...work });
      },
    },
  };
}

/** What the first argument tells of an order, where it is one (see `OrderStart`). */
function orderOf(argument: unknown): Pick<Work, 'orderId' | 'requestId'> {
  const { orderId, requestId } = Object(argument) as Record<string, unknown>;
  return {
    ...(typeof orderId === 'number' && { orderId }),
    ...(typeof requestId === 'string' && { requestId }),
  };
}
