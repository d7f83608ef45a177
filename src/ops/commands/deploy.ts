/** `deploy`: which release gets new orders, and how long an older one is needed. docs/operators/deploying.md. */
import { InvalidArgumentError, type Command } from 'commander';
import { deploymentVersionPattern } from '../../setting-schemas';
import * as read from '../arguments';
import type { Deployments } from '../deployments';
import { show } from '../output';
import { tellInLines } from '../progress';
import { withDatabase, withTemporal } from '../session';

interface Waiting {
  timeout: number;
}

const START_TIMEOUT_S = 120;
const DRAIN_TIMEOUT_S = 600;

export function addDeployCommands(program: Command): void {
  const deploy = program.command('deploy').description('Which release new orders go to');

  deploy
    .command('status')
    .description('Versions: which is current, which processes take orders, what is open, what to do next')
    .action((_options: object, command: Command) =>
      withDeployments(async (deployments, { listVersionStatus }) =>
        show(
          command,
          (await listVersionStatus(deployments)).map((status) => ({ ...status })),
        ),
      ),
    );

  deploy
    .command('promote')
    .description('Give new orders to a version, once one of its workers polls')
    .argument('<version>', 'its DEPLOYMENT_VERSION', version)
    .option('--timeout <seconds>', 'how long to wait for that', read.positiveInteger, START_TIMEOUT_S)
    .action((to: string, { timeout }: Waiting) =>
      withDeployments((deployments, { promote }) => promote(deployments, to, timeout * 1_000)),
    );

  deploy
    .command('drain')
    .description('Wait until no open order is pinned to a version that was replaced')
    .argument('[version]', 'that one; without it all of them', version)
    .option('--timeout <seconds>', 'how long to wait for that', read.positiveInteger, DRAIN_TIMEOUT_S)
    .option(
      '--move-stragglers',
      'then move what is left to the current version, where its replay does the same',
    )
    .action((from: string | undefined, options: Waiting & { moveStragglers?: boolean }) =>
      withDeployments((deployments, { drain }) => {
        const { timeout, moveStragglers: moves = false } = options;
        return drain(deployments, from, { timeoutMs: timeout * 1_000, moves });
      }),
    );

  deploy
    .command('rollback')
    .description('Give new orders to the version that was current before')
    .option(
      '--timeout <seconds>',
      'how long to wait until one of its workers polls',
      read.positiveInteger,
      START_TIMEOUT_S,
    )
    .action(({ timeout }: Waiting) =>
      withDeployments((deployments, { rollBack }) => rollBack(deployments, timeout * 1_000)),
    );
}

async function withDeployments(
  work: (deployments: Deployments, steps: typeof import('../deployments')) => Promise<void>,
): Promise<void> {
  await withDatabase(async (database, config) => {
    // A lazy import: commands that do not need Temporal start in a fraction of the time.
    const steps = await import('../deployments.js');
    await withTemporal(database, config, (temporal) =>
      work({ database, temporal, config, progress: tellInLines() }, steps),
    );
  });
}

function version(text: string): string {
  if (!deploymentVersionPattern.test(text))
    throw new InvalidArgumentError('Give a version as DEPLOYMENT_VERSION has it, such as 1.4.0.');
  return text;
}
