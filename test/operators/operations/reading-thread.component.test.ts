/** The thread that reads files: what one file may take, and what goes on meanwhile. docs/decisions/0094-read-files-in-a-thread.md. */
import { inSharedMemory } from '../../../src/async/shared-bytes';
import { InvalidArgument } from '../../../src/operators/operations/arguments';
import { unpackedRows } from '../../../src/operators/operations/files/packed-rows';
import { ReadingThread } from '../../../src/operators/operations/files/reading-thread';
import { UploadedFile } from '../../../src/operators/operations/files/uploaded-file';
import { readWorstFiles } from '../../support/read-worst-files';

/** Why a file is not read; undefined if it is, whose content would be too long to show. */
const whyNot = (reading: Promise<unknown>): Promise<unknown> =>
  reading.then(
    () => undefined,
    (error: unknown) => error,
  );
const sale = (index: number) => `order-${index},1,2026-10-31T12:00:00Z`;
const salesOf = (count: number) =>
  inSharedMemory([
    Buffer.from(['reference,units,sold_at', ...Array.from({ length: count }, (_, index) => sale(index))].join('\n')),
  ]);

test('When a file is read, then its rows come back, its bytes stay, and several files wait for each other', async () => {
  const file = { name: 'sales.csv', bytes: salesOf(1_200) };
  const read = () => new UploadedFile('sales', file).read();
  for (const { sales, months } of await Promise.all([read(), read()])) {
    expect([sales.count, months]).toEqual([1_200, ['2026-10']]);
    expect([...unpackedRows(sales)].map(({ reference }) => reference).at(-1)).toBe('order-1199');
  }
  expect(file.bytes.length).toBeGreaterThan(1_200);
});

test('When a file is faulty, then the error names it and the place', async () => {
  const bytes = Buffer.from('reference,units,sold_at\n,1,2026-10-31');
  await expect(new UploadedFile('sales', { name: 'a.csv', bytes }).read()).rejects.toThrow(
    new InvalidArgument('a.csv: line 2: reference: Give 1 to 255 characters.'),
  );
});

test('When a file takes too much time, then it is rejected, and the next file is read', async () => {
  const thread = new ReadingThread({ ms: 100, heapMiB: 128 });
  const failed = await whyNot(thread.read('sales', { name: 'large.csv', bytes: salesOf(200_000) }, []));
  expect(failed).toEqual(new InvalidArgument('large.csv cannot be read within 0.1 s and 128 MB'));
  expect((await thread.read('sales', { name: 'a.csv', bytes: salesOf(1) }, [])).sales.count).toBe(1);
  await thread.close();
});

test('When a file takes too much memory, then it is rejected, and the next file is read', async () => {
  const refundsOf = (count: number) => {
    const rows = Array.from({ length: count }, (_, index) => `${index + 1},1,OTHER,r-${index},${'\u20ac'.repeat(900)}`);
    return { name: 'r.csv', bytes: Buffer.from(['order,units,reason_code,reference,note', ...rows].join('\n')) };
  };
  const thread = new ReadingThread({ ms: 60_000, heapMiB: 36 });
  const failed = await whyNot(thread.read('refunds', refundsOf(10_000), []));
  expect(failed).toEqual(new InvalidArgument('r.csv cannot be read within 60 s and 36 MB'));
  expect((await thread.read('refunds', refundsOf(1), [])).refunds).toHaveLength(1);
  await thread.close();
});

// The full size: `npm run test:more -- files`.
readWorstFiles(0.05);
