import { ApplicationFailure, TemporalFailure } from '@temporalio/common';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { isDatabaseUnavailable } from '../data/unavailable';
import type { Logger } from 'pino';

/**
 * Keeps errors of drivers out of Temporal: they carry statements with their values. What an operator
 * sees is what kind of error it was; the log has its stack.
 */
export function plainFailures(log: Logger): ActivityInboundCallsInterceptor {
  return {
    async execute(input, next) {
      try {
        return await next(input);
      } catch (error) {
        if (error instanceof TemporalFailure) throw error;
        log.error({ err: error }, 'activity failed');
        throw plain(error);
      }
    },
  };
}

function plain(error: unknown): ApplicationFailure {
  const type = error instanceof Error ? error.name : 'Error';
  const message = isDatabaseUnavailable(error)
    ? 'PostgreSQL is unavailable'
    : `${type}; see the worker's log`;
  return ApplicationFailure.create({ message, type });
}
