/** At the end of a full test run, a reporter lists the documented responses that no test has seen. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { clientDocument, operatorDocument } from '../../../src/api/openapi/document';
import { recordedExamples } from '../../../src/api/openapi/recorded-examples';
import { apiOperations } from '../../../src/api/routes';
import type { SeenAnswer } from '../../support/answers-seen';

const documents = [clientDocument(apiOperations, recordedExamples()), operatorDocument(apiOperations)];
const reporter = join(__dirname, '../../support/answers-reporter.mjs');

type Exception = Partial<SeenAnswer> & { reason: string };

const unseen = (seen: SeenAnswer[], exceptions: Exception[] = []) => reported('unseen', seen, exceptions);
const unneeded = (seen: SeenAnswer[], exceptions: Exception[]) => reported('unneeded', seen, exceptions);

/** Calls the reporter in a separate Node process. */
function reported(list: 'unseen' | 'unneeded', seen: SeenAnswer[], exceptions: Exception[]): string[] {
  const program = `import { readFileSync } from 'node:fs';
    import { ${list} } from ${JSON.stringify(reporter)};
    console.log(JSON.stringify(${list}(...JSON.parse(readFileSync(0, 'utf8')))));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    input: JSON.stringify([documents, seen, exceptions]),
  });
  return JSON.parse(output.toString()) as string[];
}

const wallet: SeenAnswer = { operation: 'getWallet', status: 200, code: null };

test('When no response was seen, then every operation, response and code is reported', () => {
  const missing = unseen([]);
  expect(Object.values(apiOperations).filter(({ id }) => !missing.some((line) => line.startsWith(id)))).toEqual([]);
  expect(missing).toEqual(expect.arrayContaining(['getWallet 200', 'getWallet 404 NOT_FOUND']));
  expect(missing).toEqual(expect.arrayContaining(['createVoucherOrder 400 INSUFFICIENT_BALANCE']));
  expect(missing).toContain('any operation REQUEST_TIMEOUT');
});

test('When a response was seen, then the reporter omits it and lists the others', () => {
  const missing = unseen([wallet]);
  expect(missing).not.toContain('getWallet 200');
  expect(missing).toContain('listWallets 200');
});

test('When a response is listed as impossible to provoke, then the reporter omits it', () => {
  expect(unseen([], [{ status: 500, reason: 'none is known' }]).join()).not.toMatch(/ 500/);
  expect(unseen([], [{ operation: 'getWallet', status: 200, reason: 'x' }])).toContain('listWallets 200');
});

test('When every response of an exception was seen, or no document has one, then the exception is reported', () => {
  const exceptions = [
    { operation: 'getWallet', status: 200, reason: 'x' },
    { operation: 'getWallets', status: 200, reason: 'no such operation' },
    { status: 500, reason: 'not seen' },
    { operation: 'getWallet', reason: 'only some are seen' },
  ];
  expect(unneeded([wallet], exceptions)).toEqual(['getWallet 200', 'getWallets 200']);
});

test('When a common 5xx was seen at one operation, then no operation is reported for it', () => {
  const missing = unseen([{ operation: 'getWallet', status: 503, code: 'SERVICE_UNAVAILABLE' }]);
  expect(missing).not.toContain('listWallets 503 SERVICE_UNAVAILABLE');
  expect(missing.filter((line) => line.startsWith('any operation 503'))).toEqual([]);
});
