/** `ledger`: the proof that money, goods and events add up, from the database alone. */
import type { Command } from 'commander';
import { verifyLedger, type Verification } from '../../data/ledger-verification';
import * as read from '../arguments';
import { show, type Row } from '../output';
import { withProgress } from '../progress';
import { LONG_STATEMENTS_MS, withDatabase } from '../session';

export function addLedgerCommands(program: Command): void {
  program
    .command('ledger')
    .description('The books: money, goods and events')
    .command('verify')
    .description('Prove in one snapshot that everything adds up; else name what does not, row by row')
    .option('--limit <n>', 'rows named of each check', read.positiveInteger, 20)
    .action(({ limit }: { limit: number }, command: Command) =>
      withDatabase(async (database) => {
        const verification = await withProgress((tell) =>
          verifyLedger(database, limit, (done, of) => tell(`${done} of ${of} passes are done ...`)),
        );
        if (verification.findings.length > 0) {
          show(command, report(verification));
          process.exitCode = 1;
        } else if (command.optsWithGlobals<{ json?: boolean }>().json) {
          show(command, []);
        } else {
          console.log(`Everything adds up: ${countsOf(verification)}.`);
        }
      }, LONG_STATEMENTS_MS),
    );
}

/** A row for each finding, and after those of a check one for the rest of them. */
function report({ findings, totals }: Verification): Row[] {
  return [...totals].flatMap(([check, total]): Row[] => {
    const named = findings.filter((finding) => finding.check === check);
    const rest = total - named.length;
    const shown: Row[] = named.map(({ subject, detail }) => ({ check, subject, detail }));
    return rest === 0
      ? shown
      : [...shown, { check, subject: `${rest} more`, detail: 'see them with --limit' }];
  });
}

function countsOf({ counted }: Verification): string {
  return Object.entries(counted)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ');
}
