import { IllegalStateError } from '@temporalio/common';
import { DefaultLogger, Runtime } from '@temporalio/worker';

/** Keeps warnings of workers, such as failed activities, out of the output. Call it before a test file connects. */
export function quietRuntime(): void {
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
