import v8 from 'node:v8';
import { IllegalStateError } from '@temporalio/common';
import { DefaultLogger, Runtime } from '@temporalio/worker';

/**
 * Keeps warnings of workers, such as failed activities, out of the output. Call it before a test file connects.
 *
 * Also removes the hook with which the SDK records the stack of each promise of a workflow. Only the query `__stack_trace` reads these
 * stacks, and no test sends it. The hook would slow down every later test file of the process.
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
