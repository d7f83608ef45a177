/** The archive command of the runbook, run by a shell as PostgreSQL runs it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { runbook } from '../operators/runbook/runbook-case';
import { textOf } from './documents';

const [, command = ''] = /SET archive_command = '(.+)';/.exec(textOf(runbook)) ?? [];
const FILE = '000000010000000000000001';

let folder: string;
let archive: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'archive-'));
  archive = join(folder, 'archive');
  spawnSync('mkdir', [archive, join(folder, 'bin')]);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Archives a WAL file with this content. Returns whether the command succeeded. `cp`: replaces the program. */
function archives(content: string, cp?: string): boolean {
  const wal = join(folder, FILE);
  writeFileSync(wal, content);
  const bin = join(folder, 'bin');
  rmSync(join(bin, 'cp'), { force: true });
  if (cp !== undefined) writeFileSync(join(bin, 'cp'), `#!/bin/sh\n${cp}\n`, { mode: 0o755 });
  const typed = command.replaceAll('<archive>', archive).replaceAll('%f', FILE).replaceAll('%p', wal);
  const PATH = [bin, process.env['PATH']].join(delimiter);
  return spawnSync('sh', ['-c', typed], { env: { PATH } }).status === 0;
}

test('When a copy is torn, then no restore finds the part, and the next attempt succeeds', () => {
  expect(archives('content of the file', 'head -c 7 "$1" > "$2"; exit 1')).toBe(false);
  expect(readdirSync(archive)).not.toContain(FILE);
  expect(archives('content of the file')).toBe(true);
  expect(readFileSync(join(archive, FILE), 'utf8')).toBe('content of the file');
  expect(readdirSync(archive)).toEqual([FILE]);
});

test('When PostgreSQL archives a file again after a crash, then the command succeeds', () => {
  expect(archives('content of the file')).toBe(true);
  expect(archives('content of the file')).toBe(true);
});

test('When the archive has another file with the name, then the command fails and leaves that file', () => {
  expect(archives('of another server')).toBe(true);
  expect(archives('content of the file')).toBe(false);
  expect(readFileSync(join(archive, FILE), 'utf8')).toBe('of another server');
});
