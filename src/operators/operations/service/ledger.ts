/** `ledger`: verifies that money, goods and events add up, from the database alone. */
import { verifyLedger, type Verification } from '../../../data/ledger-verification';
import { Sealer } from '../../../security/sealing';
import { journalDigest } from '../../../statements/journal-csv';
import { optionOr } from '../arguments';
import { count } from '../kinds';
import { everyRole, operation } from '../operation';
import { table } from '../text';

const verify = operation({
  name: 'ledger verify',
  button: 'Verify the ledger',
  about: 'Verify in one snapshot that everything adds up, or list each wrong row',
  roles: everyRole,
  effect: 'reads',
  isLong: true,
  arguments: { limit: optionOr(count, '20', 'maximum number of rows listed for each check') },
  columns: { check: 'text', subject: 'text', detail: 'text' },
  async run(context, { limit }) {
    const sealer = new Sealer(await context.keyRing());
    const verification = await verifyLedger(context.database, limit, {
      sealer,
      digestOf: journalDigest,
      progress: (done, total) => context.progress(`${done} of ${total} passes are done ...`),
    });
    if (verification.findings.length > 0) context.mark(1);
    return { counted: verification.counted, findings: report(verification) };
  },
  rows: ({ findings }) => findings,
  text: ({ counted, findings }, { tableColumns }) =>
    findings.length === 0 ? `Everything adds up: ${countsOf(counted)}.` : table(findings, tableColumns),
});

/** A row for each finding, and a row with the number of further findings of a check. */
function report({ findings, totals }: Verification) {
  return [...totals].flatMap(([check, total]) => {
    const listed = findings.filter((finding) => finding.check === check);
    const unlisted = total - listed.length;
    const rows = listed.map(({ subject, detail }) => ({ check, subject, detail }));
    return unlisted === 0 ? rows : [...rows, { check, subject: `${unlisted} more`, detail: 'see them with --limit' }];
  });
}

function countsOf(counted: Readonly<Record<string, number>>): string {
  return Object.entries(counted)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}

export const ledgerOperations = [verify];
