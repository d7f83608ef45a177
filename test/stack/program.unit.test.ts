/** Processes of the stack: one that ends before it is ready, and their logs, which do not fill the disk. */
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Problem } from '../../dev/stack/problem';
import { Program, removeLogs, rotate } from '../../dev/stack/program';
import { until } from '../../dev/testbed/waiting';

const folder = mkdtempSync(join(tmpdir(), 'program-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A program that runs this command. It is never ready. */
function shell(command: string): { program: Program; said: string[] } {
  const said: string[] = [];
  const spec = {
    name: 'operators',
    command: 'sh',
    args: ['-c', command],
    env: { PATH: process.env['PATH'] },
    log: join(folder, 'operators.log'),
    isReady: async () => false,
  };
  return { program: new Program(spec, { changed: () => undefined, said: (line) => said.push(line) }), said };
}

test('When a process ends at once, then its last line is reported each time, and the third end is the last', async () => {
  const { program, said } = shell('echo starting; echo "Configuration: X is required." >&2; exit 1');
  await expect(program.start()).rejects.toThrow(
    /^operators stops repeatedly; the end of .*operators\.log:\n(.*\n)* {2}Configuration: X is required\.$/,
  );
  expect(said).toEqual([
    'operators stopped (exit code 1); starting it again: Configuration: X is required.',
    'operators stopped (exit code 1); starting it again: Configuration: X is required.',
    'operators stopped (exit code 1): Configuration: X is required.',
  ]);
  expect(program.pid).toBeUndefined();
});

test('When a process cannot be run at all, then the reason is reported', async () => {
  const { program, said } = shell('');
  Object.assign(program.spec, { command: join(folder, 'missing') });
  await expect(program.start()).rejects.toThrow(Problem);
  expect(said.at(-1)).toContain('ENOENT');
});

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
