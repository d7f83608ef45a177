/**
 * `npm run ops`: the ops CLI. If the environment names no database, it works on the stack that runs on this machine, with
 * that stack's keys and ports.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { runningStack } from './launch';
import { ROOT, RunDirectory } from './run-directory';
import { portVariables } from './ports';
import { environmentBeside } from './settings';

function environment(): NodeJS.ProcessEnv {
  if (process.env['DATABASE_URL']) return process.env;
  const stack = runningStack();
  if (!stack) {
    console.error('No stack runs here: start one with npm start, or set DATABASE_URL and SECRET_KEYS.');
    process.exit(1);
  }
  return environmentBeside(stack, new RunDirectory(), {
    ...process.env,
    ...(stack.ports && portVariables(stack.ports)),
  });
}

const tool = spawn(process.execPath, [join(ROOT, 'dist/src/ops/main.js'), ...process.argv.slice(2)], {
  env: environment(),
  stdio: 'inherit',
});
tool.on('exit', (code) => process.exit(code ?? 1));
