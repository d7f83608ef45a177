/** `npm run ops`: the ops CLI. It works on the stack that runs on this machine, as its local admin, unless the environment names another. */
import { runningStack } from './launch';
import { RunDirectory } from './run-directory';
import { portVariables } from './ports';
import { environmentBeside } from './settings';
import { readLogin } from '../../src/operators/cli/operator-login';
import { printSafely } from '../../src/operators/cli/output';
import { loginCommands } from '../../src/operators/cli/program';
import { runCommand } from '../../src/operators/cli/run-command';

const help = ['--help', '-h'];
/** They concern the login at any installation, or the ops CLI itself. */
const needNoStack = [...loginCommands, 'completion', 'help', '--version', ...help];

function needsNoStack(words: readonly string[]): boolean {
  const [first = '--help'] = words.filter((word) => word !== '--json');
  return needNoStack.includes(first) || words.some((word) => help.includes(word));
}

function environment(): NodeJS.ProcessEnv {
  const stack = runningStack();
  if (!stack && needsNoStack(process.argv.slice(2))) return process.env;
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
