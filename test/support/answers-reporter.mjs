/**
 * Fails a complete test run when no test received a documented operation, answer or error.
 * `answers-not-provoked.json` lists the responses that tests cannot provoke; a run also fails on an entry that is not needed. A run
 * of single files checks nothing.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));

/** The answers that the tests of the last complete run received, if some were missing. dev/scripts/test-summary.mjs adds to them. */
export const incompleteAnswers = join(root, '.run', 'answers-incomplete.jsonl');

export default class AnswersReporter {
  constructor({ rootDir, nonFlagArgs, testNamePattern, testPathPatterns, shard, onlyChanged }) {
    const chosen = [testNamePattern, shard, onlyChanged, ...nonFlagArgs, ...(testPathPatterns?.patterns ?? [])];
    this.isWhole = !chosen.some(Boolean);
    this.file = join(rootDir, '.run', 'answers-seen.jsonl');
  }

  onRunStart() {
    if (!this.isWhole) return;
    mkdirSync(dirname(this.file), { recursive: true });
    writeFileSync(this.file, '');
    // Read by `answers-seen.ts` in each worker.
    process.env.ANSWERS_SEEN = this.file;
  }

  onRunComplete(contexts) {
    const projects = new Set([...contexts].map(({ config }) => config.displayName?.name));
    if (!this.isWhole || projects.size < 3) return;
    // Not at the start: the tests of `--rest` run after those that receive the answers.
    rmSync(incompleteAnswers, { force: true });
    const wrong = wrongAnswers(this.file);
    if (wrong.length === 0) return rmSync(this.file);
    renameSync(this.file, incompleteAnswers);
    this.error = new Error(`Documented answers:\n  ${wrong.join('\n  ')}`);
    console.error(this.error.message);
  }

  getLastError() {
    return this.error;
  }
}

/** What the answers in the file, and the exceptions, leave to be mended. */
export function wrongAnswers(file) {
  const seen = readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const documents = ['docs/clients/openapi.json', 'docs/operators/openapi.json'].map(read);
  const exceptions = read('test/support/answers-not-provoked.json');
  return [
    ...unseen(documents, seen, exceptions).map((answer) => `${answer}: documented, but in no test`),
    ...unneeded(documents, seen, exceptions).map(
      (answer) => `${answer}: in answers-not-provoked.json, but a test received it, or it is not documented`,
    ),
  ];
}

/** Descriptions of the documented answers and errors that no test received. */
export function unseen(documents, seen, exceptions) {
  const missing = notReceived(documents, seen).filter((each) => !exceptions.some((one) => covers(one, each)));
  return [...new Set(missing.map(inWords))];
}

/** Descriptions of the exceptions whose answers tests received, or which no document has. */
export function unneeded(documents, seen, exceptions) {
  const missing = notReceived(documents, seen);
  return exceptions.filter((one) => !missing.some((each) => covers(one, each))).map(inWords);
}

function notReceived(documents, seen) {
  return documents
    .flatMap((document) => [...answersOf(document), ...errorsOf(document)])
    .filter((wanted) => !seen.some((each) => Object.keys(wanted).every((key) => each[key] === wanted[key])));
}

function covers(exception, answer) {
  return ['operation', 'status', 'code'].every((key) => exception[key] === undefined || exception[key] === answer[key]);
}

/** Every response of every operation. A 5xx does not depend on the operation, so one operation is enough. */
function answersOf({ paths, components }) {
  return Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([text, answer]) => {
        const status = Number(text);
        const resolved = answer.$ref ? components.responses[answer.$ref.split('/').at(-1)] : answer;
        const own = status >= 500 ? {} : { operation: operationId };
        return (resolved['x-error-codes'] ?? [null]).map((code) => ({ ...own, status, code }));
      }),
    ),
  );
}

function errorsOf({ components }) {
  const { name, code } = components.schemas.Error.properties.error.properties;
  if (!name || !code) throw new Error('The document has no schema Error');
  return code['x-extensible-enum'].map((each) => ({ code: each }));
}

function inWords({ operation = 'any operation', status = '', code }) {
  return [operation, status, code].filter(Boolean).join(' ');
}
