/** What the page of the architecture shows of the sources. With `UPDATE_GUIDES=1`, the tests write it into the page. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rulesTable, statedRules } from '../../dev/documents/rules-table';
import { repositoryFiles, root, textOf } from './documents';

const page = join(root, 'docs/developers/architecture.md');

/** Compares the part of the page that matches, or writes it. */
function expectPart(part: RegExp, expected: string): void {
  const text = readFileSync(page, 'utf8');
  const updated = text.replace(part, () => expected);
  if (process.env['UPDATE_GUIDES']) writeFileSync(page, updated);
  else expect(text).toBe(updated);
}

test('When a part may import another one, then the page of the architecture draws it', () => {
  const program = join(root, 'dev/documents/parts-drawing.mjs');
  expectPart(
    /```mermaid\nflowchart TD\n[^`]*```\n/,
    execFileSync(process.execPath, [program], { encoding: 'utf8' }),
  );
});

test('When a file states a rule, then the table of the page has it', () => {
  expectPart(/\| rule \| where \|\n(?:\|.*\n)*/, rulesTable());
});

/** SQL that raises, or whose functions decide; and pure functions that decide. */
const decides = {
  sql: /RAISE EXCEPTION|FUNCTION (?:is|may|exceeds|decide|reject|require|limit|keep|refuse|hold|next_source)_/,
  ts: /^export (?:const|function) (?:is|may|can|reason|obstacle|judge|choose|basis|contradiction|requestPaid)[A-Z]\w*/m,
};

/** Files of `src/domain` whose functions only read or write a form. */
const forms = [
  'src/domain/differences.ts',
  'src/domain/errors.ts',
  'src/domain/orders/order-snapshot.ts',
  'src/domain/suppliers/port.ts',
  'src/domain/suppliers/shared-state.ts',
  'src/domain/shown-text.ts',
  'src/domain/time.ts',
  'src/domain/unknown-values.ts',
];

test('When SQL or the domain decides, then the head of the file states the rule', () => {
  const deciding = repositoryFiles().filter(
    (file) =>
      (/^src\/data\/schema\/functions\/.*\.sql$/.test(file) && decides.sql.test(textOf(file))) ||
      (/^src\/domain\/.*\.ts$/.test(file) && decides.ts.test(textOf(file))),
  );
  const stated = statedRules().map(({ file }) => file);
  expect(deciding.filter((file) => !stated.includes(file)).sort()).toEqual(forms.sort());
});
