/** `replay`: checks before a deployment whether the workflows of this release can continue open runs. */
import type { Command } from 'commander';
import type { Client } from '@temporalio/client';
import type { Database } from '../../../data/database/database';
import { findOrderState } from '../../../data/orders/operator-reads';
import { families, familyIds } from '../../../domain/orders/families';
import { orderWorkflowId } from '../../../domain/orders/order-ids';
import { refundImportWorkflow } from '../../../domain/orders/refund-imports';
import { disabledMailWorkflow, endpointWorkflow } from '../../../domain/webhooks/delivery-rules';
import { esimMonitorType } from '../../../ordering/esims/esim-monitors';
import type { Replayed } from '../../../temporal/replay';
import { count, id } from '../../operations/kinds';
import { timeOrAge } from '../../operations/time-kinds';
import { checked } from '../arguments';
import type { Progress } from '../../operations/context';
import { withProgress } from '../output';
import { onDatabase, withTemporal } from '../command-resources';

const DEFAULT_SAMPLE = 200;

/** Without maintenance: if its tasks change, its next run continues with those of the new release. */
function workflowTypes({ orders }: Options): string[] {
  return [
    ...(orders ? familyIds.map((id) => families[id].workflow) : []),
    esimMonitorType,
    endpointWorkflow,
    disabledMailWorkflow,
    refundImportWorkflow,
  ];
}

interface Options {
  since?: Date;
  orders: boolean;
  sample: number;
}

export function addReplayCommand(program: Command): void {
  program
    .command('replay')
    .description('Replay histories with the workflows of this release. Exits with 1 if one of them differs')
    .argument('[order]', 'id of an order', checked(id.read))
    .option(
      '--since <time>',
      'replay a sample of the runs that started since this time, or in the last 90m, 12h, 1d',
      checked(timeOrAge.read),
    )
    .option('--no-orders', 'leave out the orders of the sample, because they stay with their release')
    .option('--sample <n>', 'maximum number of runs of each workflow', checked(count.read), DEFAULT_SAMPLE)
    .action(
      onDatabase(async (session, orderId: number | undefined, options: Options) => {
        // Lazy imports: commands that do not need Temporal start in a fraction of the time.
        const { dataConverter } = await import('../../../temporal/connection.js');
        const { quietReplays } = await import('../quiet-replays.js');
        return withTemporal(session, async (temporal, keyRing) => {
          const runs = await runsOf(session.database, temporal, orderId, options);
          const replay = quietReplays(dataConverter(keyRing));
          return withProgress((progress) => report(replay(runs), progress));
        });
      }),
    );
}

async function runsOf(database: Database, temporal: Client, orderId: number | undefined, options: Options) {
  const { newestRun, runsSince } = await import('../../../temporal/replay.js');
  const { since, sample } = options;
  if (since) return runsSince(temporal, workflowTypes(options), since, sample);
  if (orderId === undefined) throw new Error('Name an order, or give --since.');
  const order = await findOrderState(database, orderId);
  if (!order) throw new Error(`There is no order ${orderId}. Find it with: orders find`);
  return newestRun(temporal, orderWorkflowId(orderId, order.nonce));
}

async function report(replays: AsyncIterable<Replayed>, progress: Progress): Promise<string> {
  let done = 0;
  let failed = 0;
  for await (const { workflowId, error } of replays) {
    done++;
    progress(`${done} replayed ...`);
    if (error === undefined) continue;
    failed++;
    console.error(`${workflowId}: ${error}`);
  }
  if (failed > 0) process.exitCode = 1;
  return `${done} replayed, ${failed} of them differ.`;
}
