import { ApplicationFailure, TemporalFailure } from '@temporalio/common';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import type { Logger } from 'pino';
import { plainFailure, withoutCause } from '../../activities/failures';

/**
 * Keeps errors of drivers and parsers out of Temporal: they carry statements with their values, or what they
 * could not read. What an operator sees is what kind of error it was; the log has its stack.
 */
export function plainFailures(log: Logger): ActivityInboundCallsInterceptor {
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
