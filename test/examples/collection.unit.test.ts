/** The collection of requests matches the API's document. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../documents/documents';

test('When the document has changed, then the collection was generated again', () => {
  const generator = join(root, 'examples/collection/generate.mjs');
  const { status, stderr } = spawnSync(process.execPath, [generator, '--check'], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
