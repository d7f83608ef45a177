/** What `temporal-config/create-namespace.sh` says where Temporal does not answer. `npm run prove:production` runs it where it does. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../documents/documents';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'namespace-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs the script with these programs only. */
function run(programs: Readonly<Record<string, string>>) {
  for (const [name, script] of Object.entries(programs))
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const env = { PATH: folder, FOLDER: folder, TEMPORAL_ADDRESS: 'temporal:7233', TEMPORAL_NAMESPACE: 'goods' };
  const { status, stdout, stderr } = spawnSync(join(root, 'temporal-config/create-namespace.sh'), {
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('When the server does not answer, then the script says what it waits for, and ends with the reason', () => {
  writeFileSync(join(folder, 'clock'), '1000\n');
  const clock = '"$FOLDER/clock"';
  const ended = run({
    temporal: 'echo "connection refused" >&2; exit 1',
    date: `read -r now < ${clock}; echo "$now"`,
    sleep: `read -r now < ${clock}; echo $((now + 60)) > ${clock}`,
  });
  expect(ended).toEqual({
    status: 1,
    stdout: 'Waiting for the Temporal server at temporal:7233 ...\n',
    stderr: 'It does not answer within two minutes.\nconnection refused\n',
  });
});

test('When the Temporal CLI is not installed, then the script says so at once', () => {
  const stderr = 'The program temporal is missing: install the Temporal CLI.\n';
  expect(run({})).toEqual({ status: 1, stdout: '', stderr });
});
