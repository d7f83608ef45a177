/** What the ops CLI loads before it calls the operators' process: an operator waits for the start of each command. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../../../dev/stack/run-directory';
import { loadStack, stackDirectory } from '../../../dev/testbed/loaded-stack';

/** Runs a command. Returns the packages that its process loaded. */
function packagesOf(...words: string[]): string[] {
  const program = join(ROOT, 'dist/src/operators/cli/main.js');
  const script = `
    process.argv = [process.execPath, ...${JSON.stringify([program, ...words])}];
    process.stdout.write = () => true;
    process.on('exit', () => require('node:fs').writeSync(1, Object.keys(require.cache).join('\\n')));
    require(process.argv[1]);`;
  const env = { ...process.env, OPS_URL: loadStack().ops_url, OPS_TOKEN: stackDirectory().operatorToken() };
  const files = execFileSync(process.execPath, ['-e', script], { env, encoding: 'utf8' }).split('\n');
  expect(files).toContain(program);
  const names = files.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []);
  return [...new Set(names)];
}

test.each([['whoami'], ['wallets list'], ['orders find --limit 1']])(
  "When the operators' process answers `%s`, then the ops CLI has loaded no package of the service",
  (words) => expect(packagesOf(...words.split(' '))).toEqual(['commander']),
);
