/** `npm run ops`: the ops CLI. It works on the stack that runs on this machine, as its local admin, unless the environment names another. */
import { runningStack } from './launch';
import { RunDirectory } from './run-directory';
import { portVariables } from './ports';
import { environmentBeside } from './settings';
import { readLogin } from '../../src/operators/cli/operator-login';
import { printSafely } from '../../src/operators/cli/output';
import { runCommand } from '../../src/operators/cli/run-command';

/** They say something about the ops CLI itself. */
const needNoStack = ['completion', '--help', '--version'];

function environment(): NodeJS.ProcessEnv {
  const stack = runningStack();
  if (!stack && needNoStack.includes(process.argv[2] ?? '')) return process.env;
  const { DATABASE_URL: named } = process.env;
  if (!stack && !named && !process.env['OPS_URL'] && !readLogin()) {
    console.error('No stack runs here: start one with npm start, or log in elsewhere with: npm run ops -- login <url>');
    process.exit(1);
  }
  if (!stack || (named && named !== stack.database_url)) return process.env;
  return environmentBeside(stack, new RunDirectory(), {
    ...process.env,
    ...(stack.ports && portVariables(stack.ports)),
  });
}

process.env = environment();
printSafely();
void runCommand(process.argv.slice(2));
