/** One sentence names a missing or unknown part of the machine and the fix. */
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readStackFile } from '../../dev/stack/launch';
import { RunDirectory } from '../../dev/stack/run-directory';
import { temporalBinary } from '../../dev/stack/temporal';

const folder = mkdtempSync(join(tmpdir(), 'sentences-'));
const path = process.env['PATH'];
const caches = process.env['XDG_CACHE_HOME'];
afterEach(() => {
  process.env['PATH'] = path;
  if (caches === undefined) delete process.env['XDG_CACHE_HOME'];
  else process.env['XDG_CACHE_HOME'] = caches;
});
afterAll(() => rmSync(folder, { recursive: true }));

test('When STACK_FILE names a missing file, then the error names the file and the fix', () => {
  const missing = join(folder, 'none.json');
  expect(() => readStackFile(missing)).toThrow(
    `There is no stack file ${missing}: start a stack with npm start, or unset STACK_FILE and let the tests start one of their own.`,
  );
});

test('When the state of the stack cannot be written, then the error names the folder and the setting', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(() => new RunDirectory(join(file, 'run'))).toThrow(
    /^The stack keeps its state in .*\/file\/run, which cannot be written \(ENOTDIR\): set RUN_DIR to a folder that can\.$/,
  );
});

test('When the folder of the stack can never be created, then the error says so', () => {
  expect(() => new RunDirectory('/proc/none')).toThrow(
    'The stack keeps its state in /proc/none, which cannot be written (ENOENT): set RUN_DIR to a folder that can.',
  );
});

test.each([
  ['9.9.9', 1],
  ['1.9.1', 0],
])(
  'When the temporal on PATH is version %s, then it is used, and %i sentence mentions it',
  async (version, sentences) => {
    const program = join(folder, 'temporal');
    writeFileSync(program, `#!/bin/sh\necho "temporal version ${version} (Server 1.31.0, UI 2.49.1)"\n`);
    chmodSync(program, 0o755);
    process.env['PATH'] = `${folder}:${path}`;
    const said: string[] = [];
    expect(await temporalBinary((line) => said.push(line))).toBe('temporal');
    expect(said).toHaveLength(sentences);
    if (sentences)
      expect(said[0]).toMatch(/is version 9\.9\.9, known to work are 1\.9\.1 and 1\.5\.1: .*TEMPORAL_ADDRESS/);
  },
);

describe('the Temporal program in the cache', () => {
  const program = '#!/bin/sh\necho kept\n';
  const name = `temporal-1.9.1-${createHash('sha256').update(program).digest('hex')}`;
  let cache: string;
  beforeEach(() => {
    process.env['XDG_CACHE_HOME'] = mkdtempSync(join(folder, 'cache-'));
    cache = join(process.env['XDG_CACHE_HOME'], 'digital-goods-ordering-service');
    mkdirSync(cache);
    // No program on PATH, no pip and no Go; and no request leaves the machine.
    process.env['PATH'] = folder.concat('/empty');
    jest.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('offline'));
  });
  afterEach(() => jest.restoreAllMocks());

  test('When the cached program is the downloaded file, then it is used', async () => {
    writeFileSync(join(cache, name), program);
    const said: string[] = [];
    expect(await temporalBinary((line) => said.push(line))).toBe(join(cache, name));
    expect(said).toEqual([]);
  });

  test('When the file was changed, then it is downloaded again instead of run', async () => {
    writeFileSync(join(cache, name), `${program}# something else\n`);
    const said: string[] = [];
    await expect(temporalBinary((line) => said.push(line))).rejects.toThrow(/could not be downloaded/);
    expect(said[0]).toMatch(/is not the downloaded program/);
    expect(readdirSync(cache)).toEqual([]);
  });
});
