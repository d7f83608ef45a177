/** The errors of values that an operator wrote in a command. */
import { InvalidArgumentError } from 'commander';
import { InvalidArgument } from '../operations/arguments';

/** The same function for commander, whose message about a value that is not valid names the argument. */
export function checked<Written, T>(read: (written: Written) => T): (written: Written) => T {
  return (written) => {
    try {
      return read(written);
    } catch (error) {
      if (error instanceof InvalidArgument) throw new InvalidArgumentError(error.message);
      throw error;
    }
  };
}
