/** The commands of the client pages have the documented effect on the stack. */
import { execFile, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { loadStack } from '../support/stack';
import { clientPages } from './client-pages';
import { codeBlocks } from './documents';

const onThisMachine = spawnSync('curl', ['--version']).status === 0 ? test : test.skip;

const commandsOf = (file: string) => codeBlocks(file).filter(({ language }) => language === 'sh');
const gettingStarted = 'docs/clients/getting-started.md';

/** The commands of a page as one script, in the shell of the first page. The script ends at a rejected call. */
function scriptOf(file: string): string {
  const shell = file === gettingStarted ? [] : commandsOf(gettingStarted).slice(0, 1);
  return [...shell, ...commandsOf(file)]
    .map(({ code }) => code)
    .join('\n')
    .replaceAll('http://127.0.0.1:3000', loadStack().api_url)
    .replaceAll('./.run/stack.json', resolve(process.env['STACK_FILE'] as string))
    .replaceAll('curl -s', 'curl -sS --fail-with-body');
}

onThisMachine.each(clientPages)('When the commands of %s are run, then none is rejected', async (file) => {
  const script = `set -eu -o pipefail\n${scriptOf(file)}`;
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { maxBuffer: 16 * 1024 * 1024 });
  expect(stdout).not.toContain('"error"');
});
