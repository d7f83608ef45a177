/** The drawing of the parts. With `UPDATE_GUIDES=1`, the test writes it into the page. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './documents';

const page = join(root, 'docs/developers/architecture.md');

test('When a part may import another one, then the page of the architecture draws it', () => {
  const drawing = execFileSync(process.execPath, [join(root, 'dev/documents/parts-drawing.mjs')], {
    encoding: 'utf8',
  });
  const text = readFileSync(page, 'utf8');
  const expected = text.replace(/```mermaid\nflowchart TD\n[^`]*```\n/, () => drawing);
  if (process.env['UPDATE_GUIDES']) writeFileSync(page, expected);
  else expect(text).toBe(expected);
});
