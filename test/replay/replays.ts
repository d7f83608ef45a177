/** Replays of recordings by the build. */
import { join } from 'node:path';
import type { WorkflowBundleOption } from '@temporalio/worker';
import { replay } from '../../src/temporal/replay';
import type { Run } from './recording';

export const dist = join(__dirname, '../../dist');
/** The workflow bundle of the build. `npm test` builds it first. */
export const built = { codePath: join(dist, 'workflow-bundle.js') };

/** For each workflow id, the error of each replay, undefined where the replay succeeds. */
export type Errors = Map<string, (string | undefined)[]>;

/** Replays all runs in one call, since each call starts a worker. */
export async function errorsOf(runs: Run[], workflowBundle: WorkflowBundleOption): Promise<Errors> {
  const errors: Errors = new Map();
  for await (const { workflowId, error } of replay(runs, {}, workflowBundle))
    errors.set(workflowId, [...(errors.get(workflowId) ?? []), error]);
  return errors;
}
