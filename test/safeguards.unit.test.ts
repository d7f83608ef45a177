/** The list of safeguards must fit the sources: an entry whose text has changed would no longer take anything away. */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

test('When the safeguards are listed, then the sources contain the text of each', () => {
  const list = spawnSync('node', ['dev/scripts/without-safeguards.mjs', '--list'], {
    cwd: resolve(__dirname, '..'),
    encoding: 'utf8',
  });
  expect(list.stderr).toBe('');
  expect(list.status).toBe(0);
});
