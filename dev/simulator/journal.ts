/** An append-only file of JSON lines: what was answered is in it, and survives a kill of the process. */
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  truncateSync,
} from 'node:fs';
import { dirname } from 'node:path';

export interface Journal<Entry> {
  append(entry: Entry): void;
  close(): void;
}

/** Opens the journal and hands every entry in it to `replay`, oldest first. */
export function openJournal<Entry>(file: string, replay: (entry: Entry) => void): Journal<Entry> {
  mkdirSync(dirname(file), { recursive: true });
  for (const line of wholeLines(file)) replay(JSON.parse(line) as Entry);
  const descriptor = openSync(file, 'a', 0o600);
  return {
    // Synchronous on purpose: nobody gets an answer before its entry is with the operating system.
    append: (entry) => appendFileSync(descriptor, `${JSON.stringify(entry)}\n`),
    close: () => closeSync(descriptor),
  };
}

/** The lines of the file. A last line cut short was never answered, and is dropped. */
function wholeLines(file: string): string[] {
  if (!existsSync(file)) return [];
  const bytes = readFileSync(file);
  const end = bytes.lastIndexOf('\n') + 1;
  if (end < bytes.length) truncateSync(file, end);
  return bytes.toString('utf8', 0, end).split('\n').slice(0, -1);
}
