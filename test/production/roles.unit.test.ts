/** `deploy/postgres-config/roles.sh`, with a psql that records how it is called. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { root } from '../documents/documents';

const passwords = Object.fromEntries(
  ['OWNER', 'SERVICE', 'OPERATOR', 'RETENTION', 'OPERATOR_IDENTITY', 'MEMBER_IDENTITY', 'TEMPORAL'].map((role) => [
    `${role}_PASSWORD`,
    `the-password-of-${role}`,
  ]),
);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'roles-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('When the script creates the roles, then no process has a password among its arguments', () => {
  const stub = 'echo "$@" >> "$CALLS"; cat > /dev/null';
  writeFileSync(join(folder, 'psql'), `#!/bin/sh\n${stub}\n`, { mode: 0o755 });
  const calls = join(folder, 'calls');
  const path = [folder, process.env['PATH']].join(delimiter);
  execFileSync('sh', [join(root, 'deploy/postgres-config/roles.sh')], {
    env: { ...passwords, CALLS: calls, PATH: path },
  });
  const recorded = readFileSync(calls, 'utf8');
  expect(recorded).toContain('name=digital_goods_retention');
  for (const password of Object.values(passwords)) expect(recorded).not.toContain(password);
});

test('When neither OWNER_PASSWORD nor TEMPORAL_PASSWORD is set, then the script fails and names both', () => {
  const { status, stderr } = spawnSync('/bin/sh', [join(root, 'deploy/postgres-config/roles.sh')], {
    env: { SERVICE_PASSWORD: 'x' },
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'Nothing to do: set TEMPORAL_PASSWORD, or OWNER_PASSWORD with the other passwords of the service.\n',
  });
});
