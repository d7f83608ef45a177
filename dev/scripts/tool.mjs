#!/usr/bin/env node
/**
 * Runs a program of the packages that only lint and the tests of documents need, which no other command installs:
 * `node dev/scripts/tool.mjs <program> [arguments]`. Plain Node, so that it works in a clean clone.
 */
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { install, root } from './install.mjs';
import { lock } from './lock.mjs';

const TOOLS = 'dev/tools';
const [program, ...args] = process.argv.slice(2);

mkdirSync(join(root, 'dist'), { recursive: true });
// Several checks may run at the same time.
const unlock = await lock(join(root, 'dist', '.install-lock'));
try {
  await install();
  await install(TOOLS, 'tools of lint');
} catch (error) {
  console.error(error.message);
  process.exit(1);
} finally {
  unlock();
}
const programs = join(root, TOOLS, 'node_modules/.bin');
// Programs find each other by the path.
const env = { ...process.env, PATH: [programs, process.env.PATH].join(delimiter) };
const tool = spawn(join(programs, program), args, { cwd: root, stdio: 'inherit', env });
tool.on('exit', (code) => process.exit(code ?? 1));
