/** `replay`: whether the workflows of this release can go on with runs that are under way, before it is deployed. */
import type { Command } from 'commander';
import type { Client } from '@temporalio/client';
import type { Database } from '../../data/database/database';
import { loadKeyRing } from '../../data/keys/loaded-keys';
import { findOrderState } from '../../data/operations/operator-reads';
import { families, familyIds } from '../../domain/orders/families';
import { maintenanceWorkflow } from '../../domain/operations/maintenance';
import { orderWorkflowId } from '../../domain/orders/orders';
import { disabledMailWorkflow, endpointWorkflow } from '../../domain/webhooks';
import { LocalKeyEncryption } from '../../security/key-encryption';
import { esimMonitor } from '../../temporal/esim-monitor';
import type { Replayed } from '../../temporal/replay';
import * as read from '../arguments';
import { withProgress, type Tell } from '../progress';
import { withDatabase } from '../session';

/** Runs of each workflow that are replayed where no other number is given. */
const DEFAULT_SAMPLE = 200;

const workflows = [
  ...familyIds.map((id) => families[id].workflow),
  ...[esimMonitor, endpointWorkflow, disabledMailWorkflow, maintenanceWorkflow],
];

interface Options {
  since?: Date;
  sample: number;
}

export function addReplayCommand(program: Command): void {
  program
    .command('replay')
    .description(
      'Replay what workflows did with the workflows of this release; fails where these do otherwise',
    )
    .argument('[order]', 'id of an order', read.positiveInteger)
    .option(
      '--since <time>',
      'a sample of the runs begun since a time, or so long ago: 90m, 12h, 1d',
      read.since,
    )
    .option('--sample <n>', 'at most so many runs of each workflow', read.positiveInteger, DEFAULT_SAMPLE)
    .action((orderId: number | undefined, options: Options) =>
      withDatabase(async (database, config) => {
        // Loaded only here: the other commands start in a fraction of the time without it.
        const { connectTemporal, dataConverter } = await import('../../temporal/connection.js');
        const { replay } = await import('../../temporal/replay.js');
        const keyRing = await loadKeyRing(database, new LocalKeyEncryption(config.secretKeys));
        const temporal = await connectTemporal(config, keyRing);
        try {
          const runs = await runsOf(database, temporal, orderId, options);
          await withProgress((tell) => report(replay(runs, dataConverter(keyRing)), tell));
        } finally {
          await temporal.connection.close();
        }
      }),
    );
}

async function runsOf(
  database: Database,
  temporal: Client,
  orderId: number | undefined,
  { since, sample }: Options,
) {
  const { newestRun, runsSince } = await import('../../temporal/replay.js');
  if (since) return runsSince(temporal, workflows, since, sample);
  if (orderId === undefined) throw new Error('Name an order, or give --since.');
  const order = await findOrderState(database, orderId);
  if (!order) throw new Error(`There is no order ${orderId}`);
  return newestRun(temporal, orderWorkflowId(orderId, order.nonce));
}

async function report(replays: AsyncIterable<Replayed>, progress: Tell): Promise<void> {
  let done = 0;
  let failed = 0;
  for await (const { workflowId, error } of replays) {
    done++;
    progress(`${done} replayed ...`);
    if (error === undefined) continue;
    failed++;
    console.error(`${workflowId}: ${error}`);
  }
  console.log(`${done} replayed, ${failed} of them do otherwise now.`);
  if (failed > 0) process.exitCode = 1;
}
