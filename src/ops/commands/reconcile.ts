/** `reconcile`: what suppliers and Temporal know, compared with what is on record. */
import type { Command } from 'commander';
import type { Database } from '../../data/database/database';
import type { Config } from '../../config';
import type { Reconciliation } from '../../ordering/maintenance/reconciliation';
import { suppliersFrom } from '../../suppliers/registry';
import * as read from '../arguments';
import { show } from '../output';
import { withProgress, type Tell } from '../progress';
import { LONG_STATEMENTS_MS, withDatabase, withTemporal } from '../session';

/** An order placed a moment ago may not have its workflow yet, nor a workflow its order. */
const IN_FLIGHT_MS = 60_000;

const DEFAULT_DAYS = 7;

interface Options {
  dryRun?: boolean;
  since?: Date;
}

export function addReconcileCommand(program: Command): void {
  program
    .command('reconcile')
    .description(
      'Compare what suppliers sold, and which workflows run, with the orders; mend what can be mended',
    )
    .option('--dry-run', 'only tell')
    .option(
      '--since <time>',
      `compare sales since then; ${DEFAULT_DAYS} days ago where not given`,
      read.since,
    )
    .action((options: Options, command: Command) =>
      withDatabase(async (database, config) => {
        const found = await withProgress((tell) => reconcile(database, config, options, tell));
        const discrepancies = found.flatMap((part) => part.discrepancies);
        const { json } = command.optsWithGlobals<{ json?: boolean }>();
        if (json || discrepancies.length > 0)
          show(
            command,
            discrepancies.map((discrepancy) => ({ ...discrepancy })),
          );
        else console.log(`Everything agrees: ${found.map(({ summary }) => summary).join('; ')}.`);
        if (discrepancies.length > 0) process.exitCode = 1;
      }, LONG_STATEMENTS_MS),
    );
}

async function reconcile(
  database: Database,
  config: Config,
  options: Options,
  progress: Tell,
): Promise<Reconciliation[]> {
  // Loaded only here: the other commands start in a fraction of the time without it.
  const { reconcileSupplier, reconcileWorkflows } =
    await import('../../ordering/maintenance/reconciliation.js');
  const now = Date.now();
  const since = options.since ?? new Date(now - DEFAULT_DAYS * 86_400_000);
  const deps = { database, dryRun: options.dryRun ?? false, progress };
  return withTemporal(database, config, async (temporal) => {
    const found: Reconciliation[] = [];
    for (const supplier of suppliersFrom(config).values()) {
      const compared = await reconcileSupplier(deps, supplier, since);
      if (compared) found.push(compared);
      else console.error(`Supplier ${supplier.name} gives no statement: its sales are not compared.`);
    }
    found.push(await reconcileWorkflows(deps, temporal, new Date(now - IN_FLIGHT_MS)));
    return found;
  });
}
