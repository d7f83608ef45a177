#!/usr/bin/env node
/**
 * `npm run dev`: a stack whose API and worker are built and started again whenever a source of theirs changes.
 * Each changed file is compiled by itself, which takes milliseconds and checks no types: `npm run typecheck` does.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { assets, bundleWorkflows, dist, filesIn, root } from './build.mjs';

const { transformFile } = createRequire(import.meta.url)('@swc/core');

/** What API and worker are made of. */
const folders = ['src', 'workflows', 'activities'];
/** Milliseconds. Looking at every file's time costs less than 1 % of a core and misses no editor's way of saving. */
const LOOK_EVERY = 250;

/** When each source was last changed. */
function sources() {
  const files = folders.flatMap((folder) => [
    ...filesIn(root, folder, /\.ts$/),
    ...filesIn(root, folder, assets),
  ]);
  return new Map(files.map((file) => [file, statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs]));
}

function changedBetween(before, after) {
  const files = new Set([...before.keys(), ...after.keys()]);
  return [...files].filter((file) => before.get(file) !== after.get(file));
}

/** Brings what was built of the source up to date. Throws if it does not compile. */
async function make(file) {
  const source = join(root, file);
  const target = join(dist, file.replace(/\.ts$/, '.js'));
  if (!statSync(source, { throwIfNoEntry: false })) return rmSync(target, { force: true });
  mkdirSync(dirname(target), { recursive: true });
  if (assets.test(file)) return cpSync(source, target);
  const { code } = await transformFile(source, {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs', ignoreDynamic: true },
    sourceMaps: 'inline',
  });
  writeFileSync(target, code);
}

/** The files that workflows are bundled from. */
function bundled(file = join(dist, 'workflows', 'index.js'), found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, path] of readFileSync(file, 'utf8').matchAll(/require\("(\.[^"]+)"\)/g)) {
    bundled(`${join(dirname(file), path)}.js`, found);
  }
  return found;
}

/** True where API and worker are to be started again. */
async function rebuild(files) {
  try {
    await Promise.all(files.map(make));
    const inBundle = bundled();
    const isStale = files.some((file) => inBundle.has(join(dist, file.replace(/\.ts$/, '.js'))));
    return !isStale || (await bundleWorkflows());
  } catch (error) {
    // The compiler's own stack says nothing about the source.
    console.error(error.message.split('\n\nCaused by:')[0]);
    return false;
  }
}

const stack = spawn(
  process.execPath,
  [join(dist, 'dev/stack/main.js'), '--inspect', ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  },
);
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
