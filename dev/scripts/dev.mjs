#!/usr/bin/env node
/**
 * `npm run dev`: a stack whose API and worker are built and started again whenever one of their sources changes.
 * Each changed file is compiled separately, in milliseconds and without type checks (`npm run lint:code`).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { assets, bundledFiles, bundleWorkflows, compileFile, dist, filesIn, root, usedBundle } from './build.mjs';

/** The source folders of API and worker. */
const folders = ['src', 'workflows', 'activities'];
/** Milliseconds. Polling the files' times takes less than 1 % of a core and works with every editor. */
const LOOK_EVERY = 250;

/** The last change time of each source. */
function sources() {
  const files = folders.flatMap((folder) => [...filesIn(root, folder, /\.ts$/), ...filesIn(root, folder, assets)]);
  return new Map(files.map((file) => [file, statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs]));
}

function changedBetween(before, after) {
  const files = new Set([...before.keys(), ...after.keys()]);
  return [...files].filter((file) => before.get(file) !== after.get(file));
}

/** True where API and worker are to be started again. */
async function rebuild(files) {
  try {
    await Promise.all(files.map(compileFile));
    const inBundle = bundledFiles();
    const isStale = files.some((file) => inBundle.has(join(dist, file.replace(/\.ts$/, '.js'))));
    return !isStale || (await bundleWorkflows(usedBundle));
  } catch (error) {
    // The compiler's stack trace does not help with the source.
    console.error(error.message.split('\n\nCaused by:')[0]);
    return false;
  }
}

const stack = spawn(process.execPath, [join(dist, 'dev/stack/main.js'), '--inspect', ...process.argv.slice(2)], {
  cwd: root,
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});
stack.once('exit', (code) => process.exit(code ?? 1));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stack.kill(signal));
process.once('disconnect', () => stack.kill('SIGTERM'));

let known = sources();
await once(stack, 'message');
console.log(`\nAPI and worker follow the sources in ${folders.join(', ')}. Ctrl-C stops.`);
for (;;) {
  await sleep(LOOK_EVERY);
  const current = sources();
  const changed = changedBetween(known, current);
  known = current;
  if (changed.length === 0) continue;
  const began = performance.now();
  console.log(`\n${changed.join(', ')} changed.`);
  if (!(await rebuild(changed))) continue;
  const seconds = () => ((performance.now() - began) / 1_000).toFixed(1);
  console.log(`Built after ${seconds()} s.`);
  stack.send('restart');
  await once(stack, 'message');
  console.log(`Running after ${seconds()} s.`);
}
