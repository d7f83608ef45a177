/** The table of operations is generated from their descriptions. With `UPDATE_GUIDES=1`, the test writes it into the page. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { roleMeanings, roles } from '../../src/domain/operators/roles';
import type { Operation } from '../../src/operators/operations/operation';
import { operations } from '../../src/operators/operations/operations';
import { root } from './documents';

const page = join(root, 'docs/operators/operations.md');
const [begin, end] = ['<!-- generated: operations -->', '<!-- end -->'];

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
    [
      '| role | may |',
      '|---|---|',
      ...Object.entries(roleMeanings).map(([role, may]) => `| \`${role}\` | ${may} |`),
    ],
    ['| operations | effect | roles |', '|---|---|---|', ...rows()],
  ]
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

test('When an operation or a role changes, then the page of operations shows it', () => {
  const text = readFileSync(page, 'utf8');
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1] ?? '';
  const expected = `${before}${begin}\n\n${tables()}\n\n${end}${after}`;
  if (process.env['UPDATE_GUIDES']) writeFileSync(page, expected);
  else expect(text).toBe(expected);
});

test('When operations are listed, then each name is unique and no name is the beginning of a path of arguments', () => {
  const names = operations.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
