/** Replays between the sentences of a command. Each result has its error, so the log of Temporal's SDK adds nothing. */
import type { DataConverter } from '@temporalio/common';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { replay } from '../../temporal/replay';

/** Silences the SDK for the rest of the process, and returns `replay` with the converter. Call it once, before a worker starts. */
export function quietReplays(converter: DataConverter) {
  Runtime.install({
    logger: new DefaultLogger('ERROR', ({ message }) => console.error(message)),
    telemetryOptions: { logging: { filter: 'ERROR', forward: {} } },
  });
  return (runs: Parameters<typeof replay>[0]) => replay(runs, converter);
}
