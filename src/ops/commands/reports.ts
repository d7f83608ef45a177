/** `reports`: sales reports for operators. */
import { Option, type Command } from 'commander';
import { marginDimensions, reportMargins, type MarginDimension } from '../../data/orders/margin-report';
import * as read from '../arguments';
import { LONG_STATEMENTS_MS, onDatabase } from '../session';

export function addReportCommands(program: Command): void {
  program
    .command('reports')
    .description('Figures of sales')
    .command('margin')
    .description('What the orders that ended in a month sold, cost and left, losses first')
    .requiredOption('--month <month>', 'in UTC, such as 2026-11', read.month)
    .addOption(new Option('--by <dimension>', 'one row for each').choices(marginDimensions))
    .action(
      onDatabase(
        ({ database }, { month, by }: { month: Date; by?: MarginDimension }) =>
          reportMargins(database, month, by),
        LONG_STATEMENTS_MS,
      ),
    );
}
