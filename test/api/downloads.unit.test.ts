/** Downloads that the build has not made yet. docs/developers/api-reference.md#downloads. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Downloads } from '../../src/api/guides/downloads';

let folder: string;
const stopping = new AbortController();
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'downloads-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string) => writeFileSync(join(folder, name), name);

test('When a download is still being made, then a request for it waits, and one for another does not', async () => {
  write('order.py');
  const downloads = new Downloads(folder, stopping.signal);
  const later = downloads.find('library.tgz');
  expect((await downloads.find('order.py'))?.body.toString()).toBe('order.py');
  write('library.tgz');
  expect((await later)?.body.toString()).toBe('library.tgz');
});

test('When all downloads are made, then a request for another ends without one', async () => {
  const downloads = new Downloads(folder, stopping.signal);
  const other = downloads.find('other.whl');
  write('.complete');
  expect(await other).toBeUndefined();
  expect(await downloads.find('.complete')).toBeUndefined();
});

test('When the download is not made after the longest wait, then the client is asked to try again', async () => {
  const late = new Downloads(folder, stopping.signal, 300).find('library.tgz');
  await expect(late).rejects.toMatchObject({ status: 503 });
});

test('When the service stops, then the client is asked to try again', async () => {
  const never = new Downloads(join(folder, 'missing'), stopping.signal).find('library.tgz');
  stopping.abort();
  await expect(never).rejects.toMatchObject({ status: 503 });
});
