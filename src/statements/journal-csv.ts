/** The journal of a month as CSV. docs/operators/books.md. */
import { createHash } from 'node:crypto';
import { journalColumns, journalRow, type BookLine } from '../domain/books/journal';
import { csvText } from './statements';

type BookLines = AsyncIterable<BookLine> | Iterable<BookLine>;

/** The journal as CSV, in parts. The same lines always give the same bytes. */
export function journalText(month: string, lines: BookLines): AsyncGenerator<string> {
  async function* journal() {
    for await (const line of lines) yield journalRow(month, line);
  }
  return csvText(journalColumns, journal());
}

/** The SHA-256 of these bytes in hexadecimal digits. */
export async function journalDigest(month: string, lines: BookLines): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of journalText(month, lines)) hash.update(part);
  return hash.digest('hex');
}
