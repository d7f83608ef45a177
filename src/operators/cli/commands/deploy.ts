/** `deploy`: which release gets new orders, and when the workers of an older one can stop. docs/operators/deploying.md. */
import { InvalidArgumentError, type Command } from 'commander';
import { deploymentVersionPattern } from '../../../settings/setting-schemas';
import { count } from '../../operations/kinds';
import { checked } from '../arguments';
import type { Deployments } from '../deployments';
import { progressInLines } from '../output';
import { onDatabase, withTemporal } from '../command-resources';

const START_TIMEOUT_S = 120;
const DRAIN_TIMEOUT_S = 600;

interface DeployOptions {
  timeout: number;
  moveStragglers?: boolean;
}

export function addDeployCommands(program: Command): void {
  const deploy = program.command('deploy').description('The release that new orders go to');

  deploy
    .command('status')
    .description('Each version: whether it is current, its processes, its open orders, and your next step')
    .action(onDeployments(({ listVersionStatus }, deployments) => listVersionStatus(deployments)));

  withTimeout(deploy.command('promote'), START_TIMEOUT_S)
    .description('Give new orders to a version once one of its workers polls')
    .argument('<version>', 'its DEPLOYMENT_VERSION', readVersion)
    .action(
      onDeployments(({ promote }, deployments, to: string, { timeout }: DeployOptions) =>
        promote(deployments, to, timeout * 1_000),
      ),
    );

  withTimeout(deploy.command('drain'), DRAIN_TIMEOUT_S)
    .description('Wait until no open order is pinned to a replaced version')
    .argument('[version]', 'its DEPLOYMENT_VERSION; default: every replaced version', readVersion)
    .option('--move-stragglers', 'then move the remaining orders to the current version if their replay matches')
    .action(
      onDeployments(({ drain }, deployments, from: string | undefined, options: DeployOptions) => {
        const { timeout, moveStragglers = false } = options;
        return drain(deployments, from, { timeoutMs: timeout * 1_000, moves: moveStragglers });
      }),
    );

  withTimeout(deploy.command('rollback'), START_TIMEOUT_S)
    .description('Give new orders to the older version that was current last')
    .action(
      onDeployments(({ rollBack }, deployments, { timeout }: DeployOptions) => rollBack(deployments, timeout * 1_000)),
    );
}

function withTimeout(command: Command, defaultSeconds: number): Command {
  return command.option('--timeout <seconds>', 'how long to wait', checked(count.read), defaultSeconds);
}

function onDeployments<Args extends readonly unknown[]>(
  work: (
    steps: typeof import('../deployments') & typeof import('../drain'),
    deployments: Deployments,
    ...args: Args
  ) => Promise<readonly object[] | string | void>,
) {
  return onDatabase(async (session, ...args: Args) => {
    // A lazy import: commands that do not need Temporal start in a fraction of the time.
    const steps = { ...(await import('../deployments.js')), ...(await import('../drain.js')) };
    return withTemporal(session, (temporal) =>
      work(steps, { ...session, temporal, progress: progressInLines() }, ...args),
    );
  });
}

function readVersion(text: string): string {
  if (!deploymentVersionPattern.test(text))
    throw new InvalidArgumentError('Give a version as in DEPLOYMENT_VERSION, such as 1.4.0.');
  return text;
}
