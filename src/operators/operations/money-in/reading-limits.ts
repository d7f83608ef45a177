/** The limits of bank files, which are checked while a file is read, and how messages name the place. */
import { InvalidArgument } from '../arguments';

/** More entries would hold the lock of their account for too long. Each part of a booking is an entry, and a statement counts like one. */
export const MAX_BANK_ENTRIES = 10_000;
/** In characters: of one element of XML, one line or field of MT940, one line of CSV. */
export const MAX_FIELD_LENGTH = 4_000;

/** Counts the entries and statements of an import, which can be several files. */
export class EntryCount {
  private count = 0;

  /** Throws `InvalidArgument` for one entry too many. */
  add(): void {
    this.count += 1;
    if (this.count > MAX_BANK_ENTRIES)
      throw new InvalidArgument(
        `a file can have ${MAX_BANK_ENTRIES} entries and statements, and this is one more: download fewer days at a time`,
      );
  }
}

/** Throws `InvalidArgument` for a text that is longer than any bank writes. `what`: such as `field 86`. */
export function assertFieldLength(length: number, line: number, what: string): void {
  if (length > MAX_FIELD_LENGTH)
    throw new InvalidArgument(`line ${line}: ${what} is longer than ${MAX_FIELD_LENGTH} characters`);
}

/** The result of the work, whose `InvalidArgument` gets the place before its message, such as `line 7`. */
export function at<Result>(place: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof InvalidArgument)) throw error;
    throw new InvalidArgument(`${place}: ${error.message}`);
  }
}
