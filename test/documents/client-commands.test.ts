/** The commands of the pages for clients do what the pages say, on the stack as it is. */
import { execFile, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { loadStack } from '../support/stack';
import { clientPages } from './client-pages';
import { codeBlocks } from './documents';

const onThisMachine = spawnSync('curl', ['--version']).status === 0 ? test : test.skip;

const commandsOf = (file: string) => codeBlocks(file).filter(({ language }) => language === 'sh');
const gettingStarted = 'docs/clients/getting-started.md';

/** The commands of a page, in the shell of the first page, as one script that ends where a call is refused. */
function scriptOf(file: string): string {
  const shell = file === gettingStarted ? [] : commandsOf(gettingStarted).slice(0, 1);
  return [...shell, ...commandsOf(file)]
    .map(({ code }) => code)
    .join('\n')
    .replaceAll('http://127.0.0.1:3000', loadStack().api_url)
    .replaceAll('./.run/stack.json', resolve(process.env['STACK_FILE'] as string))
    .replaceAll('curl -s', 'curl -sS --fail-with-body');
}

onThisMachine.each(clientPages)('When the commands of %s are run, then none is refused', async (file) => {
  const script = `set -eu -o pipefail\n${scriptOf(file)}`;
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { maxBuffer: 16 * 1024 * 1024 });
  expect(stdout).not.toContain('"error"');
});
