/** The limit of the entries of an import, which is checked while its files are read. */
import { InvalidArgument } from '../arguments';

/** More entries would hold the lock of their account for too long. Each part of a booking is an entry, and a statement counts like one. */
const MAX_BANK_ENTRIES = 10_000;

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
