/** SQL in files of its own, beside the code that uses it, in the sources as in what is built of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The text of a file under `src/data`, such as `orders/statements/place-order.sql`. A line `-- include: path`
 * stands for the text of that file: what several statements share is written once.
 */
export function readSql(path: string): string {
  const text = readFileSync(join(__dirname, '..', path), 'utf8');
  return text.replace(/^ *-- include: (\S+)$/gm, (_line, included: string) => readSql(included).trimEnd());
}
