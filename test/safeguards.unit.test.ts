/** The list of safeguards must fit the sources: an entry whose text has changed would no longer take anything away. */
import { spawnSync } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { textOf } from './documents/documents';

const { stdout, stderr, status } = spawnSync('node', ['dev/scripts/without-safeguards.mjs', '--list'], {
  cwd: resolve(__dirname, '..'),
  encoding: 'utf8',
});

test('When the safeguards are listed, then the sources contain the text of each', () => {
  expect(stderr).toBe('');
  expect(status).toBe(0);
});

test('When the page about security names a test of a guarantee, then a safeguard is listed without which it fails', () => {
  const [guarantees = ''] = textOf('docs/operators/security.md').split('## What is not guaranteed');
  const named = [...guarantees.matchAll(/`(test\/[\w/.-]+\.ts)`/g)].map(([, file = '']) => file);
  // A part of a test file, in a folder of its name, runs with that file.
  const tests = named.map((file) => (file.endsWith('.test.ts') ? file : `${dirname(file)}.test.ts`));
  const failing = stdout.split('\n').flatMap((line) => line.split(': ')[1]?.split(', ') ?? []);
  expect(tests.length).toBeGreaterThan(40);
  expect(tests.filter((file) => !failing.includes(file))).toEqual([]);
});
