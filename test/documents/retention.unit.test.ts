/** The list of what is kept and how long. With `UPDATE_GUIDES=1`, the test writes it into the page. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keptRows, retentionList } from '../../dev/documents/retention-table';
import { retention } from '../../src/data/maintenance/retention';
import { root } from './documents';

const page = join(root, 'docs/operators/maintenance.md');

test('When a retention changes, then the page of maintenance shows it', () => {
  const text = readFileSync(page, 'utf8');
  const expected = text.replace(
    /(## Retention\n(?:.*\n)*?)(?:- .*\n)+/,
    (_, head: string) => `${head}${retentionList()}\n`,
  );
  if (process.env['UPDATE_GUIDES']) writeFileSync(page, expected);
  else expect(text).toBe(expected);
});

test('When a retention is added, then a line of the list is kept by it', () => {
  const named = keptRows.flatMap(({ by }) => by ?? []);
  expect(Object.keys(retention).filter((name) => !named.some((one) => one === name))).toEqual([]);
});
