/** `ledger`: verifies that money, goods and events add up, from the database alone. */
import type { Command } from 'commander';
import { verifyLedger, type Verification } from '../../data/ledger-verification';
import * as read from '../arguments';
import { wantsJson, withProgress } from '../output';
import { LONG_STATEMENTS_MS, keysOf, onDatabase } from '../session';
import { Sealer } from '../../security/sealing';

export function addLedgerCommands(program: Command): void {
  program
    .command('ledger')
    .description('Money, goods and events')
    .command('verify')
    .description('Verify in one snapshot that everything adds up, or list each wrong row')
    .option('--limit <n>', 'maximum number of rows listed for each check', read.positiveInteger, 20)
    .action(
      onDatabase(async (session, { limit }: { limit: number }) => {
        const { database, command } = session;
        const sealer = new Sealer(await keysOf(session));
        const verification = await withProgress((progress) =>
          verifyLedger(database, limit, {
            sealer,
            progress: (done, total) => progress(`${done} of ${total} passes are done ...`),
          }),
        );
        const isSound = verification.findings.length === 0;
        if (isSound && !wantsJson(command)) return `Everything adds up: ${countsOf(verification)}.`;
        if (!isSound) process.exitCode = 1;
        return report(verification);
      }, LONG_STATEMENTS_MS),
    );
}

/** A row for each finding, and a row with the number of further findings of a check. */
function report({ findings, totals }: Verification) {
  return [...totals].flatMap(([check, total]) => {
    const listed = findings.filter((finding) => finding.check === check);
    const unlisted = total - listed.length;
    const rows = listed.map(({ subject, detail }) => ({ check, subject, detail }));
    return unlisted === 0
      ? rows
      : [...rows, { check, subject: `${unlisted} more`, detail: 'see them with --limit' }];
  });
}

function countsOf({ counted }: Verification): string {
  return Object.entries(counted)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}
