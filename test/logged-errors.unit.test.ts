/** Logged errors keep their type and origin, and only messages of the service. */
import { ApplicationFailure } from '@temporalio/common';
import { DatabaseError } from 'sequelize';
import { safeText } from '../src/domain/safe-text';
import { RawSupplierResponse } from '../src/domain/suppliers/port';
import { SupplierUnavailable } from '../src/domain/suppliers/supplier-errors';
import { capturedLog } from './support/captured-log';

const secret = '+442079460123';

/** The error in the log line. */
function logged(error: unknown): { text: string; err: Record<string, unknown> } {
  const { log, written } = capturedLog();
  log.error({ err: error }, 'failed');
  return { text: written(), err: (JSON.parse(written()) as { err: Record<string, unknown> }).err };
}

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

test('When an error of the service is logged, then the line has its message, code and origin', () => {
  const { err } = logged(Object.assign(new Error('There is no order 17'), { code: 'NO_ORDER' }));
  expect(err).toMatchObject({ name: 'Error', message: 'There is no order 17', code: 'NO_ORDER' });
  expect(err['stack']).toMatch(/^ +at .*logged-errors\.unit\.test\.ts:\d+/);
});

const parsed = thrownBy(() => JSON.parse(`{"number": ${secret}`));
const statement = Object.assign(new Error(`invalid input syntax for type numeric: "${secret}"`), {
  sql: `SELECT '${secret}'`,
  parameters: [secret],
});
const foreign: [string, unknown][] = [
  ['the parser of JSON', parsed],
  ['a driver of databases', new DatabaseError(statement)],
  ['the language', thrownBy(() => BigInt(secret))],
  ['a URL that does not parse', thrownBy(() => new URL(secret))],
  ['a thrown text', secret],
  ['an error below one of the service', new Error('It cannot be read', { cause: parsed })],
  ['a message with lines like those of a stack', new TypeError(`no\n    at ${secret} (/app/x.ts:1:1)`)],
];

test.each(foreign)('When the error comes from %s, then its quoted input is not logged', (_of, error) => {
  expect(logged(error).text).not.toContain(secret.slice(1));
});

test("When a supplier's error is logged, then its raw response is not", () => {
  const { err, text } = logged(new SupplierUnavailable(safeText`503 BUSY`, 1_000, new RawSupplierResponse(secret)));
  expect(err).toMatchObject({ name: 'SupplierUnavailable', message: '503 BUSY' });
  expect(text).not.toContain(secret);
});

test('When a Temporal failure is logged, then the line has its type and message', () => {
  const failure = ApplicationFailure.create({ message: 'PostgreSQL is unavailable', type: 'ConnectionError' });
  expect(logged(failure).err).toMatchObject({
    name: 'ApplicationFailure',
    message: 'PostgreSQL is unavailable',
    type: 'ConnectionError',
  });
});
