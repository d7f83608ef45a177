/** Only pinned files are unpacked or run. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchArchive, verifyFiles } from '../../dev/stack/downloads';
import { fromSource } from '../../dev/stack/temporal';

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

let folder: string;
let archive: Buffer;
let server: Server;
let url: string;
let answer: { status: number; body: Buffer };

beforeAll(async () => {
  server = createServer((_, response) => response.writeHead(answer.status).end(answer.body));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/program.tar.gz`;
});
afterAll(() => void server.close());

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'downloads-'));
  const made = join(folder, 'made');
  mkdirSync(made);
  writeFileSync(join(made, 'program'), 'works\n');
  archive = execFileSync('tar', ['-czf', '-', '-C', made, 'program']);
  rmSync(made, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

test('When an archive matches its pin, then it is unpacked', async () => {
  answer = { status: 200, body: archive };
  await fetchArchive({ url, sha256: sha256(archive) }, folder);
  expect(readdirSync(folder)).toEqual(['program']);
});

test('When an archive was tampered with, then a message says so and nothing is unpacked', async () => {
  writeFileSync(join(folder, 'program'), 'does harm\n');
  const other = execFileSync('tar', ['-czf', '-', '-C', folder, 'program']);
  rmSync(join(folder, 'program'));
  answer = { status: 200, body: other };
  await expect(fetchArchive({ url, sha256: sha256(archive) }, folder)).rejects.toThrow(
    `${url} is not the file that was pinned (SHA-256 ${sha256(other)} instead of ${sha256(archive)}): nothing of it was run`,
  );
  expect(readdirSync(folder)).toEqual([]);
});

test('When an archive cannot be downloaded, then the error contains the response', async () => {
  answer = { status: 404, body: archive };
  await expect(fetchArchive({ url, sha256: sha256(archive) }, folder)).rejects.toThrow('HTTP 404');
});

describe('files of a list', () => {
  const list = `${sha256('one')}  one.jar\n${sha256('two')}  two.jar\n`;
  beforeEach(() => {
    writeFileSync(join(folder, 'one.jar'), 'one');
    writeFileSync(join(folder, 'two.jar'), 'two');
  });

  test('When each file matches its pin, then the list is accepted', async () => {
    await expect(verifyFiles(folder, list)).resolves.toBeUndefined();
  });

  test('When a file was tampered with, then a message names it', async () => {
    writeFileSync(join(folder, 'two.jar'), 'three');
    await expect(verifyFiles(folder, list)).rejects.toThrow(
      `two.jar is not the file that was pinned (SHA-256 ${sha256('three')} instead of ${sha256('two')}): nothing of it was run`,
    );
  });

  test('When a file was added, then a message names it', async () => {
    writeFileSync(join(folder, 'three.jar'), 'three');
    await expect(verifyFiles(folder, list)).rejects.toThrow(
      `three.jar is not the file that was pinned (SHA-256 ${sha256('three')} instead of none): nothing of it was run`,
    );
  });

  test('When a file is missing, then the list is rejected', async () => {
    rmSync(join(folder, 'one.jar'));
    await expect(verifyFiles(folder, list)).rejects.toThrow(/one\.jar/);
  });
});

test('When Go builds the server, then it uses its checksum database, regardless of the settings of the machine', async () => {
  const { PATH: path, GOSUMDB: before } = process.env;
  writeFileSync(join(folder, 'go'), `#!/bin/sh\necho "$1 $GOSUMDB $GONOSUMDB" >> "${folder}/asked"\n`);
  chmodSync(join(folder, 'go'), 0o755);
  process.env['PATH'] = `${folder}:${path}`;
  process.env['GOSUMDB'] = 'off';
  try {
    await fromSource(folder, () => undefined);
  } finally {
    process.env['PATH'] = path;
    if (before === undefined) delete process.env['GOSUMDB'];
    else process.env['GOSUMDB'] = before;
  }
  expect(readFileSync(join(folder, 'asked'), 'utf8')).toContain('install sum.golang.org none\n');
});
