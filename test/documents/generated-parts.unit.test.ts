/** The parts of pages that are generated from the sources. With `UPDATE_GUIDES=1`, the tests write them into the pages. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keptRows, retentionList } from '../../dev/documents/retention-table';
import { rulesTable, statedRules } from '../../dev/documents/rules-table';
import { retention } from '../../src/data/maintenance/retention';
import { roleMeanings, roles } from '../../src/domain/operators/roles';
import type { Operation } from '../../src/operators/operations/operation';
import { operations } from '../../src/operators/operations/operations';
import { repositoryFiles, root, textOf } from './documents';

/** Compares the part of the page that matches, or writes it. */
function expectPart(page: string, part: RegExp, expected: string): void {
  const text = textOf(page);
  const updated = text.replace(part, () => expected);
  if (process.env['UPDATE_GUIDES']) writeFileSync(join(root, page), updated);
  else expect(text).toBe(updated);
}

const architecture = 'docs/developers/architecture.md';

test('When a part may import another one, then the page of the architecture draws it', () => {
  const program = join(root, 'dev/documents/parts-drawing.mjs');
  expectPart(
    architecture,
    /```mermaid\nflowchart TD\n[^`]*```\n/,
    execFileSync(process.execPath, [program], { encoding: 'utf8' }),
  );
});

test('When a file states a rule, then the table of the page has it', () => {
  expectPart(architecture, /\| rule \| where \|\n(?:\|.*\n)*/, rulesTable());
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
  'src/domain/suppliers/shared-state.ts',
  'src/domain/shown-text.ts',
  'src/domain/time.ts',
  'src/domain/unknown-values.ts',
];

test('When SQL or the domain decides, then the head of the file states the rule', () => {
  const deciding = repositoryFiles().filter(
    (file) =>
      (/^src\/data\/schema\/rules\/.*\.sql$/.test(file) && decides.sql.test(textOf(file))) ||
      (/^src\/domain\/.*\.ts$/.test(file) && decides.ts.test(textOf(file))),
  );
  const stated = statedRules().map(({ file }) => file);
  expect(deciding.filter((file) => !stated.includes(file)).sort()).toEqual(forms.sort());
});

function effectOf({ effect, givesAccess, harmless }: Operation): string {
  if (effect === 'money') return '**money**';
  if (givesAccess) return '**access**';
  return harmless === undefined ? effect : 'harmless';
}

function rolesOf({ roles: allowed }: Operation): string {
  return allowed.length === roles.length ? 'all' : allowed.join(', ');
}

/** One row for the operations of a group of commands that have the same effect and the same roles. */
function rows(): string[] {
  const cells = operations.map((operation) => ({
    name: `\`${operation.name}\``,
    rest: `${effectOf(operation)} | ${rolesOf(operation)}`,
    group: operation.name.split(' ', 1)[0],
  }));
  const keys = new Set(cells.map(({ group, rest }) => `${group} | ${rest}`));
  return [...keys].map((key) => {
    const those = cells.filter(({ group, rest }) => `${group} | ${rest}` === key);
    return `| ${those.map(({ name }) => name).join(', ')} | ${those[0]?.rest} |`;
  });
}

function tables(): string {
  return [
    ['| role | may |', '|---|---|', ...Object.entries(roleMeanings).map(([role, may]) => `| \`${role}\` | ${may} |`)],
    ['| operations | effect | roles |', '|---|---|---|', ...rows()],
  ]
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

test('When an operation or a role changes, then the page of operations shows it', () => {
  const part = /(?<=<!-- generated: operations -->)[^]*?(?=<!-- end -->)/;
  expectPart('docs/operators/operations.md', part, `\n\n${tables()}\n\n`);
});

test('When operations are listed, then each name is unique and no name is the beginning of a path of arguments', () => {
  const names = operations.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

test('When a retention changes, then the page of maintenance shows it', () => {
  const part = /(?<=## Retention\n(?:(?!- ).*\n)*)(?:- .*\n)+/;
  expectPart('docs/operators/maintenance.md', part, `${retentionList()}\n`);
});

test('When a retention is added, then a line of the list is kept by it', () => {
  const named = keptRows.flatMap(({ by }) => by ?? []);
  expect(Object.keys(retention).filter((name) => !named.some((one) => one === name))).toEqual([]);
});
