/** The faults of the rows and items of files. */
import { InvalidArgument } from '../arguments';

/** Faults that an error names. */
const MAX_FAULTS = 5;

/** A file with so many is not read to its end: each fault costs more than a sound row. */
const MAX_COUNTED = 1_000;

/** What is shown of one fault, which may repeat the file. */
const MAX_FAULT_CHARACTERS = 300;

/** The faults of a file, of which the first ones are kept. Each method throws `InvalidArgument` with these at the thousandth fault. */
export class Faults {
  private readonly first: string[] = [];
  private count = 0;

  constructor(private readonly name: string) {}

  /** Does the work. Notes its `InvalidArgument` as a fault of this place, such as `line 3`. */
  noting(place: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof InvalidArgument)) throw error;
      this.add(`${place}: ${error.message}`);
    }
  }

  add(fault: string): void {
    this.count += 1;
    if (this.count <= MAX_FAULTS) this.first.push(fault.slice(0, MAX_FAULT_CHARACTERS));
    if (this.count === MAX_COUNTED) this.reject();
  }

  /** Throws `InvalidArgument` with the first faults, if there are any. */
  reject(): void {
    if (this.count === 0) return;
    const least = this.count === MAX_COUNTED ? 'at least ' : '';
    const rest = this.count > MAX_FAULTS ? ` (and ${least}${this.count - MAX_FAULTS} more)` : '';
    throw new InvalidArgument(`${this.name}: ${this.first.join(' ')}${rest}`);
  }
}
