/** `deploy`: which release new orders go to, and how long an older one is needed. docs/operators/deploying.md. */
import { InvalidArgumentError, type Command } from 'commander';
import type { DataConverter } from '@temporalio/common';
import type { Config } from '../../config';
import { recordOperation } from '../../data/operations/audit';
import { deploymentVersionPattern } from '../../setting-schemas';
import * as read from '../arguments';
import type { Deployments, ReplayCheck } from '../deployments';
import { show } from '../output';
import { tellInLines } from '../progress';
import { keysOf, withDatabase, withTemporal } from '../session';

interface Waiting {
  timeout: number;
}

/** What an operator has patience for where no `--timeout` is given, in seconds. */
const START_TIMEOUT_S = 120;
const DRAIN_TIMEOUT_S = 600;

export function addDeployCommands(program: Command): void {
  const deploy = program.command('deploy').description('Which release new orders go to');

  deploy
    .command('status')
    .description('Versions: which is current, which processes take orders, what is open, what to do next')
    .action((_options: object, command: Command) =>
      withDeployments(async (deployments, { statusOf, nameOf }) => {
        const status = await statusOf(deployments);
        show(
          command,
          status.map(({ version, state, processes, openOrders, isDrained, next }) => ({
            version: nameOf(version),
            state,
            polled_by: processes,
            open_orders: openOrders,
            drained: isDrained,
            next: next ?? null,
          })),
        );
      }),
    );

  deploy
    .command('promote')
    .description('Give new orders to a version, once one of its workers polls')
    .argument('<version>', 'its DEPLOYMENT_VERSION', version)
    .option('--timeout <seconds>', 'how long to wait for that', read.positiveInteger, START_TIMEOUT_S)
    .action((to: string, { timeout }: Waiting) =>
      withDeployments(async (deployments, { promote, nameOf }) => {
        const from = await promote(deployments, to, timeout * 1_000);
        if (from === to) return console.log(`${to} is the current version already.`);
        await recordCurrent(deployments, from, to);
        console.log(`New orders go to ${to} from now on.`);
        console.log(
          from === ''
            ? `Orders that began unversioned go on with ${to} at their next step.`
            : `Those of ${nameOf(from)} end with it: deploy drain ${from}`,
        );
      }),
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
      withDeployments(async (deployments, steps, config) => {
        const versions = from === undefined ? await steps.versionsToDrain(deployments) : [from];
        if (versions.length === 0) return console.log('No open order is pinned to a version before.');
        for (const each of versions) await drain(deployments, steps, config, each, options);
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
      withDeployments(async (deployments, { rollBack, nameOf }) => {
        const { from, to } = await rollBack(deployments, timeout * 1_000);
        await recordCurrent(deployments, from, to);
        console.log(`New orders go to ${nameOf(to)} again, instead of ${from}.`);
        console.log(`Those of ${from} end with it: deploy drain ${from}`);
      }),
    );
}

type Steps = typeof import('../deployments');

async function drain(
  deployments: Deployments,
  { currentBeside, waitUntilDrained, moveStragglers, namesOfPinned }: Steps,
  config: Config,
  from: string,
  { timeout, moveStragglers: moves = false }: Waiting & { moveStragglers?: boolean },
): Promise<void> {
  const to = await currentBeside(deployments, from);
  if (moves) refuseOtherRelease(config, to);
  const { open, runs } = await waitUntilDrained(deployments, from, timeout * 1_000);
  if (open === 0) return console.log(`No open order is pinned to ${from}: its workers can be stopped.`);
  if (!moves) {
    const why = runs ? `after ${timeout} s` : 'and none of its workers runs, so they stand still';
    throw new Error(
      `${open} open orders are pinned to ${from} ${why}: ${await namesOfPinned(deployments, from)}. ` +
        `${runs ? 'Let its workers run on' : 'Start one'}, or move them to ${to}: deploy drain ${from} --move-stragglers`,
    );
  }
  const check = await replayCheck(deployments, config);
  const { moved, left } = await moveStragglers(deployments, { from, to, check });
  if (moved.length > 0) {
    const entry = { action: 'deployment.stragglers_moved', object: `version/${from}` } as const;
    await recordOperation(deployments.database, { ...entry, after: { version: to, moved } });
  }
  for (const workflowId of moved) console.log(`${workflowId} goes on with ${to}.`);
  for (const { workflowId, error } of left) console.error(`${workflowId} is left: ${error}`);
  if (left.length === 0) return console.log(`Nothing is pinned to ${from}: its workers can be stopped.`);
  throw new Error(
    `${left.length} would do otherwise with ${to}: keep a worker of ${from} for them, or terminate them in the ` +
      `Temporal UI, and maintenance starts them again with ${to} within 5 minutes.`,
  );
}

/** Temporal keeps which version is current, and not who made it so. */
function recordCurrent({ database }: Deployments, from: string, to: string): Promise<void> {
  const entry = { action: 'deployment.current_changed', object: `version/${to}` } as const;
  return recordOperation(database, { ...entry, before: { version: from }, after: { version: to } });
}

/** The replay tells what the code of this tool would do. */
function refuseOtherRelease({ deploymentVersion }: Config, current: string): void {
  if (deploymentVersion === current) return;
  throw new Error(
    `Orders are moved by the release they are moved to, which replays them: run this with the code of ${current} ` +
      `and DEPLOYMENT_VERSION=${current} (here it is ${deploymentVersion ?? 'empty'}).`,
  );
}

async function replayCheck({ database }: Deployments, config: Config): Promise<ReplayCheck> {
  const { dataConverter } = await import('../../temporal/connection.js');
  const { replay } = await import('../../temporal/replay.js');
  const converter: DataConverter = dataConverter(await keysOf(database, config));
  return async (run) => {
    for await (const { error } of replay([run], converter)) return error;
    return 'it could not be replayed';
  };
}

async function withDeployments(
  work: (deployments: Deployments, steps: Steps, config: Config) => Promise<void>,
): Promise<void> {
  await withDatabase(async (database, config) => {
    // Loaded only here: the other commands start in a fraction of the time without it.
    const steps = await import('../deployments.js');
    await withTemporal(database, config, (temporal) =>
      work({ database, temporal, tell: tellInLines() }, steps, config),
    );
  });
}

function version(text: string): string {
  if (!deploymentVersionPattern.test(text))
    throw new InvalidArgumentError('Give a version as DEPLOYMENT_VERSION has it, such as 1.4.0.');
  return text;
}
