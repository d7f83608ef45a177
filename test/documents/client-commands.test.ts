/** The commands of the client pages have the documented effect on the stack, and the responses that the pages show. */
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { newClient, stackDatabase } from '../support/clients';
import { loadStack } from '../support/stack';
import { clientPages } from './client-pages';
import { codeBlocks, type CodeBlock } from './documents';

const onThisMachine = spawnSync('curl', ['--version']).status === 0 ? test : test.skip;

const database = stackDatabase();
afterAll(() => database.close());

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
  /(^|_)(id|at|token|number|code|reference|balance|ccid|url)$|^(secret|remarks|lpa|apple|android|iccid)$/;
const fixed = ['failure_code', 'country_code', 'currency_code', 'code'];

/** The documented value, with the varying values of the response. A list may show only its first items. */
function withVarying(documented: unknown, response: unknown, key = ''): unknown {
  if (Array.isArray(documented) && Array.isArray(response))
    return [
      ...documented.map((item, index) => withVarying(item, response[index])),
      ...(documented.length > 0 ? response.slice(documented.length) : []),
    ];
  if (typeof documented === 'object' && documented !== null && typeof response === 'object' && response) {
    const values = new Map(Object.entries(response));
    return Object.fromEntries(
      Object.entries(documented).map(([name, value]) => [name, withVarying(value, values.get(name), name)]),
    );
  }
  const varies = varying.test(key) && !fixed.includes(key) && typeof documented === typeof response;
  return varies ? response : documented;
}

/** The JSON block directly after a block of commands, which shows the response. */
function shownResponses(file: string): { line: number; block: number; documented: unknown }[] {
  const blocks = codeBlocks(file);
  const commands = blocks.filter(isCommand);
  return blocks.flatMap(({ language, code, line }, index) => {
    const before = blocks[index - 1];
    if (language !== 'json' || !before || !isCommand(before)) return [];
    const endsAt = before.line + before.code.split('\n').length;
    if (line !== endsAt + 2) return [];
    return [{ line, block: commands.indexOf(before), documented: JSON.parse(code) as unknown }];
  });
}

describe.each(clientPages)('When the commands of %s are run', (file) => {
  onThisMachine(
    'then none is rejected unless the page shows the error, and each response is as shown',
    async () => {
      const { credentials } = await newClient(database, { USD: 20_000, EUR: 1_000, JPY: 10_000 });
      const outputs = await outputsOf(file, credentials);
      const shown = shownResponses(file);
      for (const { line, block, documented } of shown) {
        const response = lastResponse(outputs[block] ?? '');
        expect([line, response]).toEqual([line, withVarying(documented, response)]);
      }
      const shownErrors = shown.filter(({ documented }) => JSON.stringify(documented).startsWith('{"error"'));
      const rejected = outputs.filter((output) => output.includes('{"error"'));
      expect(rejected).toHaveLength(shownErrors.length);
    },
  );
});
