/** SQL in files of its own, beside the code that uses it, in the sources as in what is built of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The text of a file under `src/data`, such as `orders/statements/place-order.sql`. */
export function readSql(path: string): string {
  return readFileSync(join(__dirname, path), 'utf8');
}
