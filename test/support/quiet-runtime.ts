import v8 from 'node:v8';
import { IllegalStateError } from '@temporalio/common';
import { DefaultLogger, Runtime } from '@temporalio/worker';

/**
 * Keeps warnings of workers, such as failed activities, out of the output. Call it before a test file connects.
 *
 * A worker in the process of the tests stores no stacks of promises: the query `__stack_trace`, which nobody sends, would show them.
 * The hook that stores them would run for every promise of this process and of its later test files.
 */
export function quietRuntime(): void {
  Object.assign(v8, { promiseHooks: { ...v8.promiseHooks, createHook: () => () => undefined } });
  try {
    Runtime.install({
      logger: new DefaultLogger('ERROR'),
      telemetryOptions: { logging: { forward: {}, filter: 'ERROR' } },
    });
  } catch (error) {
    // An earlier file of this process has installed it.
    if (!(error instanceof IllegalStateError)) throw error;
  }
}
