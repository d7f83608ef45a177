/** Logs of a local stack do not fill the disk. */
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeLogs, rotate } from '../../dev/stack/program';
import { until } from '../../dev/testbed/waiting';

const folder = mkdtempSync(join(tmpdir(), 'logs-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('When a log is full, then it restarts in the same file, and only a few full logs are kept', async () => {
  const log = join(folder, 'api.log');
  const end = rotate(log, { bytes: 10, files: 2 }, 5);
  for (const line of ['first line\n', 'second line\n', 'third line\n']) {
    appendFileSync(log, line);
    await until('its turn', async () => readFileSync(log, 'utf8') === '', 5);
  }
  appendFileSync(log, 'new');
  expect([log, `${log}.1`, `${log}.2`].map((file) => readFileSync(file, 'utf8'))).toEqual([
    'new',
    'third line\n',
    'second line\n',
  ]);
  expect(existsSync(`${log}.3`)).toBe(false);
  end();
  removeLogs(log, 2);
  expect([log, `${log}.1`, `${log}.2`].filter(existsSync)).toEqual([]);
});
