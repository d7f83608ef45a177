import { DefaultLogger, Runtime } from '@temporalio/worker';

/** Keeps warnings of workers, such as failed activities, out of the output. Once for each test file, before it connects. */
export function quietRuntime(): void {
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { forward: {}, filter: 'ERROR' } },
  });
}
