/** Failure codes from outside. */
import { isFailureCode } from '../../src/domain/orders/failure-codes';

test.each(['toString', 'constructor', '__proto__', 'unknown', ''])(
  'When a supplier sends "%s" as a code, then it is no failure code',
  (text) => {
    expect(isFailureCode(text)).toBe(false);
  },
);
