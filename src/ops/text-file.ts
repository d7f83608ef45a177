/** Reads the text of a file that an operator names. */
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';

/** The text of the file. Throws unless it is UTF-8: another encoding would lose characters. */
export function textOfFile(path: string): string {
  const bytes = readFileSync(path);
  const text = bytes.toString('utf8');
  if (isUtf8(bytes)) return text;
  const line = text.slice(0, text.indexOf('\uFFFD')).split('\n').length;
  throw new Error(`it is not UTF-8, first in line ${line}: save it as UTF-8`);
}
