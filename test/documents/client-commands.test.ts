/**
 * The commands of the client pages have the documented effect on the stack, and the responses that the pages show. With
 * `UPDATE_GUIDES=1`, the test writes the responses into the pages.
 */
import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newClient, useDatabase } from '../support/clients';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { clientPages } from './client-pages';
import { codeBlocks, root, textOf, type CodeBlock } from './documents';
import { shownJson } from './json-blocks';

const onThisMachine = spawnSync('curl', ['--version']).status === 0 ? test : test.skip;

const database = useDatabase();

const gettingStarted = 'docs/clients/getting-started.md';
const isCommand = ({ language }: CodeBlock) => language === 'sh';

/** Separates the output of the blocks. */
const END_OF_BLOCK = '=== end of block ===';

/** The output of each block of commands. The page is read as its reader does: with an address, a key and a secret, and no checkout. */
async function outputsOf(file: string, { api_key, api_secret }: { api_key: string; api_secret: string }) {
  const shell = file === gettingStarted ? [] : codeBlocks(gettingStarted).filter(isCommand).slice(0, 1);
  const blocks = [...shell, ...codeBlocks(file).filter(isCommand)];
  const script = ['set -eu -o pipefail', ...blocks.map(({ code }) => `${code}\necho '${END_OF_BLOCK}'`)]
    .join('\n')
    .replaceAll('http://127.0.0.1:3000', loadStack().api_url)
    .replaceAll('your-api-key', api_key)
    .replaceAll('your-api-secret', api_secret);
  const options = { cwd: '/', maxBuffer: 16 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)('bash', ['-c', script], options);
  return stdout.split(END_OF_BLOCK).slice(shell.length, blocks.length);
}

/** The response to the last command of a block. */
function lastResponse(output: string): unknown {
  const responses = output.trim().split(/(?<=[}\]])(?=[{[])/);
  return JSON.parse(responses.at(-1) ?? '');
}

/** Fields with another value for each reader. */
const varying =
  /(^|_)(id|at|token|number|code|reference|balance|available|ccid|url|key|secret)$|^(secret|remarks|lpa|apple|android|iccid)$/;
const fixed = ['failure_code', 'country_code', 'currency_code', 'code'];

/** The response as the page shows it: with the varying values of the page, and with as many items of a list. */
function asShown(response: unknown, shown: unknown, key = ''): unknown {
  if (Array.isArray(response)) {
    const items: unknown[] = Array.isArray(shown) ? shown : [];
    const first = items.length === 0 ? response : response.slice(0, items.length);
    return first.map((item, index) => asShown(item, items[index]));
  }
  if (typeof response === 'object' && response !== null) {
    const values = new Map(Object.entries(shown ?? {}));
    return Object.fromEntries(
      Object.entries(response).map(([name, value]) => [name, asShown(value, values.get(name), name)]),
    );
  }
  const varies = varying.test(key) && !fixed.includes(key) && typeof shown === typeof response;
  return varies ? shown : response;
}

interface ShownResponse {
  line: number;
  /** The index of its commands among the blocks of commands. */
  block: number;
  code: string;
}

/** The JSON blocks that directly follow a block of commands: they show the response to its last command. */
function shownResponses(file: string): ShownResponse[] {
  const blocks = codeBlocks(file);
  const commands = blocks.filter(isCommand);
  return blocks.flatMap(({ language, code, line }, index) => {
    const before = blocks[index - 1];
    if (language !== 'json' || !before || !isCommand(before)) return [];
    const endsAt = before.line + before.code.split('\n').length;
    return line === endsAt + 2 ? [{ line, block: commands.indexOf(before), code }] : [];
  });
}

/** Writes the responses into the page. */
function update(file: string, responses: readonly { code: string; response: unknown }[]): void {
  const text = responses.reduce(
    (page, { code, response }) => page.replace(code, () => `${shownJson(response)}\n`),
    textOf(file),
  );
  writeFileSync(join(root, file), text);
}

describe.each(clientPages)('When the commands of %s are run', (file) => {
  onThisMachine('then none is rejected unless the page shows the error, and each response is as shown', async () => {
    const { credentials } = await newClient(database, { USD: 20_000, EUR: 1_000, JPY: 10_000 });
    const outputs = await outputsOf(file, credentials);
    const shown = shownResponses(file).map(({ line, block, code }) => {
      const value = JSON.parse(code) as unknown;
      return { line, code, value, response: asShown(lastResponse(outputs[block] ?? ''), value) };
    });
    if (process.env['UPDATE_GUIDES']) return update(file, shown);
    for (const { line, value, response } of shown) expect([line, response]).toEqual([line, value]);
    const shownErrors = shown.filter(({ code }) => code.includes('"error"'));
    const rejected = outputs.filter((output) => output.includes('{"error"'));
    expect(rejected).toHaveLength(shownErrors.length);
  });
});
