/** `restore`: what is done after the database was restored to an earlier moment, before the service starts on it. */
import type { Command } from 'commander';
import type { Config } from '../../config';
import { recordOperation } from '../../data/operations/audit';
import type { Database } from '../../data/database/database';
import { listKeyHolders } from '../../data/operations/running-processes';
import type { LostOrder, RestoreDependencies } from '../../ordering/maintenance/after-restore';
import { suppliersFrom } from '../../suppliers/registry';
import * as read from '../arguments';
import { show } from '../output';
import { withProgress } from '../progress';
import { LONG_STATEMENTS_MS, withDatabase, withTemporal } from '../session';

const SINCE = 'the moment to which the database was restored';

export function addRestoreCommands(program: Command): void {
  const restore = program
    .command('restore')
    .description('After the database was restored to an earlier moment');

  restore
    .command('lost')
    .description('Orders that Temporal or a supplier knows, and the database does not')
    .requiredOption('--since <time>', SINCE, read.since)
    .action(({ since }: { since: Date }, command: Command) =>
      withRestored(async (deps) => {
        const { lostOrders } = await import('../../ordering/maintenance/after-restore.js');
        showLost(command, await lostOrders(deps, since));
      }),
    );

  restore
    .command('prepare')
    .description(
      'Make the service fit to start: ids go on behind those given, what may have been bought is asked about',
    )
    .requiredOption('--since <time>', SINCE, read.since)
    .action(({ since }: { since: Date }, command: Command) =>
      withRestored(async (deps) => {
        await refuseWhileServing(deps.database);
        const { prepareRestored } = await import('../../ordering/maintenance/after-restore.js');
        const { lost, lastOrderId, asked, ended } = await prepareRestored(deps, since);
        const after = { since, last_order_id: lastOrderId, asked, ended, lost: lost.length };
        await recordOperation(deps.database, { action: 'database.prepared', object: 'database', after });
        showLost(command, lost);
        console.error(
          `Orders go on behind ${lastOrderId}. ${asked} purchases are asked about before they are sent. ` +
            `${ended} workflows were ended; they begin anew once the worker runs. ${lost.length} orders are lost.`,
        );
      }),
    );
}

function showLost(command: Command, lost: readonly LostOrder[]): void {
  show(
    command,
    lost.map(({ orderId, workflowId, placedAt, ...order }) => ({
      order_id: orderId,
      placed_at: placedAt,
      ...order,
      workflow_id: workflowId,
    })),
  );
}

/** A process that runs meanwhile would give ids and buy beside it. */
async function refuseWhileServing(database: Database): Promise<void> {
  const [running] = await listKeyHolders(database);
  if (!running) return;
  throw new Error(
    `The ${running.role} ${running.pid} on ${running.host} runs, or did a minute before the moment to which the database ` +
      'was restored: stop API and worker, wait a minute, and repeat this',
  );
}

async function withRestored(work: (deps: RestoreDependencies) => Promise<void>): Promise<void> {
  await withDatabase(async (database, config: Config) => {
    const suppliers = [...suppliersFrom(config).values()];
    await withTemporal(database, config, (temporal) =>
      withProgress((progress) => work({ database, temporal, suppliers, progress })),
    );
  }, LONG_STATEMENTS_MS);
}
