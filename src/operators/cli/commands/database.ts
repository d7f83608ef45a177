/** `restore` and `migrate`: preparing the database before the service starts. */
import type { Command } from 'commander';
import { loadDatabaseUrl } from '../../../settings/config';
import { recordOperation } from '../../../data/audit/audit-entries';
import type { Database } from '../../../data/database/database';
import { listRunningProcesses } from '../../../data/maintenance/running-processes';
import { migrate } from '../../../data/schema/migrate';
import type { LostOrder, RestoreDependencies } from '../after-restore';
import { timeOrAge } from '../../operations/time-kinds';
import { checked } from '../arguments';
import { show, withProgress } from '../output';
import { LONG_STATEMENT_MS } from '../../../data/database/database';
import { onDatabase, withDatabase, withTemporal } from '../command-resources';
import { suppliersOf } from '../suppliers';

type Steps = typeof import('../after-restore');

export function addRestoreCommands(program: Command): void {
  const restore = program
    .command('restore')
    .description('Commands for a database that was restored to an earlier moment');

  addRestoreAction(restore.command('lost'), async (deps, since, command, { readGap }) =>
    showLost(command, (await readGap(deps, since)).lost),
  ).description('Orders that Temporal or a supplier knows, and the database does not');

  addRestoreAction(restore.command('prepare'), async (deps, since, command, { prepareRestored }) => {
    await assertNotServing(deps.database);
    const { lost, boughtInGap, lastOrderId, asked, ended } = await prepareRestored(deps, since);
    const after = { since, last_order_id: lastOrderId, asked, ended, lost: lost.length, bought_in_gap: boughtInGap };
    await recordOperation(deps.database, { action: 'database.prepared', object: 'database', after });
    showLost(command, lost);
    console.error(
      `New orders get ids above ${lastOrderId}. ${asked} purchases are looked up before they are sent. ` +
        `${ended} workflows were ended and restart once the worker runs. ${lost.length} orders are lost.`,
    );
    if (boughtInGap.length > 0)
      console.error(
        `Open orders that need a decision, because a supplier sold for them under a reference that the database has lost: ` +
          `${boughtInGap.join(', ')}.`,
      );
  }).description(
    'Make the service ready to start: move id sequences past the used ids, look up possible purchases before sending them',
  );
}

function addRestoreAction(
  command: Command,
  work: (deps: RestoreDependencies, since: Date, command: Command, steps: Steps) => Promise<void>,
): Command {
  return command
    .requiredOption('--since <time>', 'the moment to which the database was restored', checked(timeOrAge.read))
    .action(
      onDatabase(async (session, { since }: { since: Date }) => {
        const { database } = session;
        const steps = await import('../after-restore.js');
        const suppliers = [...suppliersOf(session).values()];
        await withTemporal(session, (temporal) =>
          withProgress((progress) => work({ database, temporal, suppliers, progress }, since, command, steps)),
        );
      }, LONG_STATEMENT_MS),
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

/** Throws if a process of the service runs, because it would assign ids and buy during the repair. */
async function assertNotServing(database: Database): Promise<void> {
  const [running] = await listRunningProcesses(database);
  if (!running) return;
  throw new Error(
    `The ${running.role} ${running.pid} on ${running.host} runs, or ran within a minute before the moment to which the ` +
      "database was restored. Stop API, workers and operators' process, wait a minute, and repeat this command",
  );
}

export function addSchemaCommand(program: Command): void {
  program
    .command('migrate')
    .description('As the owner: migrate the schema to this release, and grant the rights of the roles')
    .action(async () => {
      const url = loadDatabaseUrl();
      const done = await migrate(url, (sentence) => console.error(sentence));
      if (done.length === 0) return console.log('The schema is up to date.');
      // After the migration, because only the schema of this release can store the audit entry.
      await withDatabase(url, (database) =>
        recordOperation(database, { action: 'schema.migrated', object: 'schema', after: { done } }),
      );
      console.log(`Done: ${done.join(', ')}.`);
    });
}
