/** The longest text in a file, checked while the file is read, and how messages name a place in it. */
import { InvalidArgument } from '../arguments';

/** In characters: of one element of XML, one line or field of MT940, one line of CSV. */
export const MAX_FIELD_LENGTH = 4_000;

/** Throws `InvalidArgument` for a text that is too long. `what`: such as `field 86`. */
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
