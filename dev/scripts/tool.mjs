#!/usr/bin/env node
/**
 * Runs a program of the packages that only `npm run lint` needs, which no other command installs:
 * `node dev/scripts/tool.mjs <program> [arguments]`. Plain Node, so that it works in a clean clone.
 */
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { install, root } from './install.mjs';
import { lock } from './lock.mjs';

const TOOLS = 'dev/tools';
const [program, ...args] = process.argv.slice(2);

mkdirSync(join(root, 'dist'), { recursive: true });
// Several checks may run at the same time.
const unlock = await lock(join(root, 'dist', '.install-lock'));
try {
  await install();
  await install(TOOLS, 'tools of npm run lint');
} catch (error) {
  console.error(error.message);
  process.exit(1);
} finally {
  unlock();
}
const tool = spawn(join(root, TOOLS, 'node_modules/.bin', program), args, { cwd: root, stdio: 'inherit' });
tool.on('exit', (code) => process.exit(code ?? 1));
