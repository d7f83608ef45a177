/** `reconcile`: compares the records of suppliers and Temporal with the orders. */
import type { Command } from 'commander';
import { acceptDifferences, listDifferences } from '../../data/purchases/settlement-differences';
import { day } from '../../domain/time';
import type { Reconciliation } from '../reconciliation';
import * as read from '../arguments';
import { reasoned } from '../confirmation';
import { wantsJson, withProgress, type Progress } from '../output';
import { LONG_STATEMENTS_MS, onDatabase, withTemporal, type Session } from '../session';
import { suppliersOf } from '../suppliers';

/** An order younger than this may have no workflow yet, and a workflow younger than this may have no order yet. */
const IN_FLIGHT_MS = 60_000;

const DEFAULT_DAYS = 7;

interface Options {
  dryRun?: boolean;
  since?: Date;
}

export function addReconcileCommand(program: Command): void {
  const reconcileCommand = program
    .command('reconcile')
    // Commander gives a `--reason` of `reconcile accept` to `reconcile`, which has the same option.
    .hook('preSubcommand', (parent, command) => {
      command.setOptionValue('reason', parent.getOptionValue('reason'));
    })
    .description(
      'Compare the sales of suppliers and the running workflows with the orders, and repair what can be repaired',
    )
    .option('--dry-run', 'only report')
    .option(
      '--since <time>',
      `compare sales since this time; default: the last ${DEFAULT_DAYS} days`,
      read.timeOrAge,
    )
    .option('--reason <text>', 'the reason, for the audit log', read.reason)
    .action(
      onDatabase(async (session, options: Options) => {
        const found = await withProgress((progress) => reconcile(session, options, progress));
        const discrepancies = found.flatMap((part) => part.discrepancies);
        if (discrepancies.length > 0) process.exitCode = 1;
        else if (!wantsJson(session.command))
          return `Everything agrees: ${found.map(({ summary }) => summary).join('; ')}.`;
        return discrepancies;
      }, LONG_STATEMENTS_MS),
    );

  reconcileCommand
    .command('differences')
    .description(
      'The differences between statements and purchases that the last comparisons found, also accepted ones',
    )
    .argument('[supplier]', 'default: all suppliers')
    .action(onDatabase(({ database }, supplier?: string) => listDifferences(database, supplier)));

  reasoned(reconcileCommand.command('accept'))
    .description('Accept differences as they are, for example because the supplier has credited them')
    .argument('<supplier>', 'see suppliers list')
    .argument('<reference...>', 'as in reconcile differences')
    .action(
      onDatabase(
        async ({ database }, supplier: string, references: string[], { reason }: { reason: string }) => {
          const accepted: string[] = [];
          for (const reference of references)
            accepted.push(...(await acceptDifferences(database, supplier, reference, reason)));
          return `Accepted: ${accepted.join('; ')}.`;
        },
      ),
    );
}

async function reconcile(session: Session, options: Options, progress: Progress): Promise<Reconciliation[]> {
  // A lazy import: commands that do not need Temporal start in a fraction of the time.
  const { reconcileSupplier, reconcileWorkflows } = await import('../reconciliation.js');
  const now = Date.now();
  const since = options.since ?? new Date(now - DEFAULT_DAYS * day);
  const deps = { database: session.database, dryRun: options.dryRun ?? false, progress };
  return withTemporal(session, async (temporal) => {
    const found: Reconciliation[] = [];
    for (const supplier of suppliersOf(session).values()) {
      const compared = await reconcileSupplier(deps, supplier, since);
      if (compared) found.push(compared);
      else console.error(`Supplier ${supplier.name} provides no statement: its sales are not compared.`);
    }
    found.push(await reconcileWorkflows(deps, temporal, new Date(now - IN_FLIGHT_MS)));
    return found;
  });
}
