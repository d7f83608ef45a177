/** ZIP files of statements: all of their files are one import, or none. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBankFile } from '../../../src/operators/operations/money-in/bank-file';
import { zipOf, type ZippedFile } from '../../support/zip';

const contentOf = (name: string) => readFileSync(join(__dirname, 'bank-files', name));
const read = (...files: readonly ZippedFile[]) =>
  readBankFile({ name: 'a.zip', bytes: zipOf(files) }, { csv: undefined });
const camt = contentOf('de-camt053-02.xml');
const mt940 = contentOf('nl.mt940');

test('When a ZIP file has statements, then they are read in the sequence of the names', async () => {
  const { format, statements } = await read(
    { name: '2026/11/27.xml', content: contentOf('de-camt053-08.xml') },
    { name: '2026/', content: '' },
    { name: '2026/11/26.xml', content: camt },
    { name: '__MACOSX/2026/11/26.xml', content: 'x' },
  );
  expect(format).toBe('camt053');
  expect(statements.map(({ number }) => number)).toEqual([228, 331]);
  expect((await read({ name: 'a.sta', content: mt940 })).format).toBe('mt940');
});

test.each<[string, ZippedFile[], string]>([
  ['no file', [], 'a.zip has no file'],
  [
    'files of two formats',
    [
      { name: 'a', content: camt },
      { name: 'b', content: mt940 },
    ],
    'a.zip/b is mt940, and a.zip/a camt053',
  ],
  [
    'a faulty file',
    [
      { name: 'a', content: camt },
      { name: 'b', content: camt.subarray(0, 2_000) },
    ],
    'a.zip/b cannot be imported as camt053: line',
  ],
  ['a CSV file', [{ name: 'a', content: contentOf('nl.csv') }], 'a.zip/a is neither camt.053 nor MT940'],
  ['a PDF', [{ name: 'a.pdf', content: '%PDF-1.7' }], 'a.zip/a.pdf is a PDF'],
  ['a ZIP file', [{ name: 'b.zip', content: zipOf([{ name: 'a', content: camt }]) }], 'a.zip/b.zip is a ZIP file'],
  ['an encrypted file', [{ name: 'a', content: camt, isEncrypted: true }], 'a.zip cannot be unpacked: a is encrypted'],
  ['a name that leads out', [{ name: '../a', content: camt }], 'a.zip cannot be unpacked: invalid relative path: ../a'],
  ['an absolute name', [{ name: '/a', content: camt }], 'a.zip cannot be unpacked: absolute path: /a'],
  [
    '101 files',
    Array.from({ length: 101 }, (_, index) => ({ name: String(index), content: 'x' })),
    'a.zip cannot be unpacked: it has 101 files, and can have 100',
  ],
  [
    'more than 8 MiB',
    [
      { name: 'a', content: Buffer.alloc(2 ** 23) },
      { name: 'b', content: 'x' },
    ],
    'a.zip cannot be unpacked: its files have more than 8 MiB',
  ],
  [
    'a file that is larger than it says',
    [{ name: 'a', content: Buffer.alloc(2 ** 23), size: 10 }],
    'a.zip cannot be unpacked: too many bytes in the stream',
  ],
  ['a damaged file', [{ name: 'a', content: camt, checksum: 1 }], 'a.zip cannot be unpacked: a is damaged'],
])('When a ZIP file has %s, then it is rejected', async (_what, files, message) => {
  await expect(read(...files)).rejects.toThrow(message);
});

test('When a ZIP file is cut off, then it is rejected', async () => {
  const bytes = zipOf([{ name: 'a', content: camt }]).subarray(0, -30);
  await expect(readBankFile({ name: 'a.zip', bytes }, { csv: undefined })).rejects.toThrow(
    'a.zip cannot be unpacked: End of central directory record signature not found',
  );
});

test('When the files of a ZIP file have one entry too many together, then it is rejected at its file and line', async () => {
  const lines = Array.from({ length: 6_000 }, () => ':61:261126C0,NTRFNONREF');
  const content = [':20:A', ':25:1', ':28C:1', ':60F:C261126EUR0,', ...lines, ':62F:C261126EUR0,'].join('\n');
  await expect(read({ name: 'a', content }, { name: 'b', content })).rejects.toThrow(
    'a.zip/b cannot be imported as mt940: line 4003: a file can have 10000 entries',
  );
});
