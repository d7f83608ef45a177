#!/usr/bin/env node
/**
 * Compiles the sources into `dist/`, bundles the workflows, the console and the back office, renders the clients' pages, builds the
 * clients' library and makes the downloads: `node dev/scripts/build.mjs [part ...]`, all parts without arguments. What is made is
 * made again only if one of its sources has changed.
 */
import { Buffer } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { completeDownloads, downloadSources, makeDownloads, makeWheel, wheelSources } from './downloads.mjs';
import { guideSources, renderDocument, renderGuides } from './guides.mjs';
import { root } from './install.mjs';
import { lock, read } from './lock.mjs';
import { drawPictures, pictureSource } from './pictures.mjs';

export { root };
export const dist = join(root, 'dist');
const require = createRequire(import.meta.url);
/** Files under `src` that the compiled code reads from its own folder. */
export const assets = /\.(sql|html|txt|json)$|\/tokens\.css$/;
/** The scales of the look that all pages share. */
const scales = 'packages/parts/src/tokens.css';
const library = 'packages/client';
/** The back office shows it to those who have no copy of the repository. */
const runbook = 'docs/operators/runbook.md';
/** Made by the step that packages the library. */
const generatedTypes = `${library}/src/schema.ts`;
const settings = ['package-lock.json', 'tsconfig.json', 'dev/scripts/build.mjs'];

/** The names of the bundles: src/temporal/bundle.ts. */
const PLAIN = 'workflow-bundle.js';
const TRACED = 'workflow-bundle-traced.js';
export const workflowBundles = [PLAIN, TRACED];
const isTraced = Boolean(process.env.OTEL_EXPORTER_OTLP_ENDPOINT);
/** The bundle that a worker of this environment runs. */
export const usedBundle = isTraced ? TRACED : PLAIN;

/** The sources of what `npm start`, `npm run ops`, `demo` and `replay` run, and those of all other programs. */
const serviceSources = [
  'src',
  'workflows',
  'activities',
  'fakes',
  ...['stack', 'sandbox', 'simulator'].map((folder) => `dev/${folder}`),
];
const otherSources = ['test', 'dev', 'deploy'];

/** `seconds`: of CPU, as measured, for the share that is done. */
const compilation = {
  title: 'Compiling',
  seconds: 2,
  inputs: serviceSources,
  output: '.compiled',
  make: () => compile(serviceSources),
};
const otherCompilation = {
  title: 'Compiling tests and tools',
  seconds: 2,
  inputs: otherSources,
  output: '.compiled-others',
  make: () => compile(otherSources),
};
const bundle = {
  title: 'Bundling the workflows',
  seconds: 3,
  inputs: ['src', 'workflows', 'activities'],
  output: '.bundled',
  make: () => bundleWorkflows(),
};
const tracedBundle = {
  ...bundle,
  title: 'Bundling the workflows with their traces',
  output: '.bundled-traced',
  make: () => bundleWorkflows(TRACED),
};
const [consolePages, officePages] = ['console', 'office'].map((name) => ({
  inputs: [
    `packages/${name}`,
    'packages/parts',
    `${library}/src`,
    ...(name === 'office' ? ['dev/scripts/guides.mjs', runbook] : []),
  ],
  output: `.${name}`,
  title: `Bundling the ${name}`,
  seconds: 1,
  make: () => bundlePages(name),
}));
const reference = {
  title: 'Gathering the API reference, the guides and the pictures',
  seconds: 1,
  inputs: [
    'src/api/openapi/page',
    'src/api/guides/page',
    scales,
    'dev/scripts/guides.mjs',
    'dev/scripts/pictures.mjs',
    pictureSource,
    ...guideSources,
  ],
  output: '.reference',
  make: gatherReference,
};
const packaging = {
  title: "Compiling the clients' library",
  seconds: 5,
  inputs: [`${library}/src`, `${library}/tsconfig.json`, `${library}/generate-types.mjs`, 'docs/clients/openapi.json'],
  output: '.packaged',
  make: compileLibrary,
};
const downloadsFolder = join(dist, 'docs', 'downloads');
const downloads = {
  title: 'Gathering the downloads',
  seconds: 1,
  inputs: ['dev/scripts/downloads.mjs', 'docs/clients/openapi.json', ...downloadSources],
  output: '.downloads',
  make: gatherDownloads,
};
/** Without Python all else is there, and the next build tries again. */
const wheel = {
  title: 'Generating the Python package',
  seconds: 10,
  inputs: ['dev/scripts/downloads.mjs', ...wheelSources],
  output: '.wheel',
  make: gatherWheel,
  isOptional: true,
};

/** What the service runs, what tests need besides, and what a local stack makes only when it is ready. */
const parts = {
  service: [compilation, isTraced ? tracedBundle : bundle, consolePages, officePages, reference],
  tests: [otherCompilation, bundle, tracedBundle, packaging],
  downloads: [packaging, downloads, wheel],
};

/** The stale steps of the parts, with their titles and seconds. */
export function staleSteps(names) {
  return new Set(names.flatMap((name) => parts[name]).filter(isStale));
}

/**
 * Makes what is stale of the parts. `announce` receives each step that begins. If something cannot be made, prints why and returns
 * false.
 */
export async function build(names = Object.keys(parts), announce = ({ title }) => console.error(`${title} ...`)) {
  mkdirSync(dist, { recursive: true });
  for (const step of new Set(names.flatMap((name) => parts[name])))
    if (!(await update(step, announce)) && !step.isOptional) return false;
  return true;
}

/** Whether a source changed since the step last ran. Where a time says so, the digest decides: a checkout renews the times. */
function isStale({ inputs, output }) {
  const stamp = join(dist, output);
  if (statSync(stamp, { throwIfNoEntry: false })?.mtimeMs > newestOf(inputs)) return false;
  const began = new Date();
  if (read(stamp) !== digestOf(inputs)) return true;
  utimesSync(stamp, began, began);
  return false;
}

/**
 * Runs a step if it is stale. The stamp has the digest and the time of the moment before it: a file that changes during the step
 * makes the next build run again. Another process may make other steps at the same time.
 */
async function update(step, announce) {
  if (!isStale(step)) return true;
  const stamp = join(dist, step.output);
  const unlock = await lock(`${stamp}-lock`);
  try {
    if (!isStale(step)) return true;
    const began = new Date();
    const digest = digestOf(step.inputs);
    rmSync(stamp, { force: true });
    announce(step);
    if (!(await step.make())) return false;
    writeFileSync(stamp, digest);
    utimesSync(stamp, began, began);
    return true;
  } finally {
    unlock();
  }
}

const sources = /\.(tsx?|mjs|md|json|sql|html|txt|css|svg|py|go|toml)$/;

function digestOf(inputs) {
  const hash = createHash('sha256');
  for (const file of [...settings, ...inputs.flatMap((input) => filesIn(root, input, sources))]) {
    if (file === generatedTypes) continue;
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

/** When a file was last written, replaced, added or removed. Unlike the time of the content, no copy sets this time back. */
function newestOf(inputs) {
  return Math.max(...[...settings, ...inputs].map((input) => newestIn(join(root, input))));
}

function newestIn(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found?.ctimeMs ?? 0;
  const names = readdirSync(path).filter((name) => name !== 'node_modules');
  return Math.max(found.ctimeMs, ...names.map((name) => newestIn(join(path, name))));
}

/** The files of a folder of `base` and all below it, as paths from `base`. The folder may also be a file. */
export function filesIn(base, folder, pattern) {
  if (!existsSync(join(base, folder))) return [];
  if (statSync(join(base, folder)).isFile()) return [folder];
  return readdirSync(join(base, folder), { recursive: true })
    .filter((file) => pattern.test(file) && !/(^|\/)node_modules\//.test(file))
    .map((file) => join(folder, file))
    .sort();
}

/** Compiles changed files only, without checking types: `npm run lint:code` does. */
async function compile(folders) {
  folders.forEach(removeOrphans);
  const filesOf = (pattern, ...its) => its.flatMap((folder) => filesIn(root, folder, pattern));
  const files = [
    ...filesOf(/(?<!\.d)\.ts$/, ...folders),
    ...filesOf(assets, ...folders.filter((folder) => folder === 'src')),
    ...filesOf(/\.json$/, ...folders.filter((folder) => folder.startsWith('dev'))),
  ];
  try {
    await Promise.all(files.filter(isOutdated).map(compileFile));
    return true;
  } catch (error) {
    console.error(`The sources do not compile: ${error.message}`);
    return false;
  }
}

/** Whether a file or this script, which holds the compiler's options, changed since the file was compiled. */
function isOutdated(file) {
  const compiled = statSync(join(dist, file.replace(/\.ts$/, '.js')), { throwIfNoEntry: false });
  return [file, 'dev/scripts/build.mjs'].some((input) => !(compiled?.mtimeMs > statSync(join(root, input)).mtimeMs));
}

/** Runs a program of Node. Returns whether it succeeded. */
function runs(program, args = []) {
  return spawnSync(process.execPath, [program, ...args], { stdio: ['ignore', 2, 2] }).status === 0;
}

/** Builds the clients' library as published: for `import` and for `require`, each with its types. */
async function compileLibrary() {
  const target = join(root, library, 'dist.new');
  rmSync(target, { recursive: true, force: true });
  if (!runs(join(root, library, 'generate-types.mjs'))) return false;
  const tsc = require.resolve('typescript/bin/tsc');
  if (!runs(tsc, ['-p', join(root, library), '--outDir', join(target, 'esm')])) return false;
  const declarations = filesIn(join(target, 'esm'), '.', /\.d\.ts$/);
  declarations.forEach((file) => importFromJs(join(target, 'esm', file)));
  const sources = filesIn(join(root, library, 'src'), '.', /\.ts$/);
  for (const [folder, type, module] of [
    ['cjs', 'commonjs', 'commonjs'],
    ['esm', 'module', 'es6'],
  ]) {
    const home = join(target, folder);
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'package.json'), `${JSON.stringify({ type })}\n`);
    if (folder !== 'esm') declarations.forEach((file) => cpSync(join(target, 'esm', file), join(home, file)));
    await Promise.all(sources.map((file) => compileModule(join(root, library, 'src', file), home, file, module)));
  }
  rmSync(join(root, library, 'dist'), { recursive: true, force: true });
  renameSync(target, join(root, library, 'dist'));
  return true;
}

/** Compiles a module of the clients' library, as it is published: with comments and without a source map. */
async function compileModule(source, home, file, type) {
  const { code } = await require('@swc/core').transformFile(source, {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022', rewriteRelativeImportExtensions: true },
    module: { type, ignoreDynamic: true },
  });
  const target = join(home, file.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, code);
}

/** Replaces `./x.ts` in declarations, which older compilers cannot resolve. */
function importFromJs(declarations) {
  const text = readFileSync(declarations, 'utf8');
  writeFileSync(declarations, text.replace(/(from '\.[^']*)\.ts'/g, "$1.js'"));
}

function gatherDownloads() {
  makeDownloads({ root, folder: downloadsFolder });
  rmSync(join(dist, wheel.output), { force: true });
  return true;
}

function gatherWheel() {
  const isMade = makeWheel({ root, folder: downloadsFolder });
  completeDownloads(downloadsFolder);
  return isMade;
}

/** Removes the output of deleted sources, because a renamed migration must not run twice. */
function removeOrphans(folder) {
  for (const file of [...filesIn(dist, folder, /\.js$/), ...filesIn(dist, folder, assets)]) {
    if (!existsSync(join(root, file.replace(/\.js$/, '.ts')))) rmSync(join(dist, file));
  }
}

/** Brings what is compiled of one file up to date, without a check of its types. Throws if it does not parse. */
export async function compileFile(file) {
  const source = join(root, file);
  const target = join(dist, file.replace(/\.ts$/, '.js'));
  if (!existsSync(source)) return rmSync(target, { force: true });
  mkdirSync(dirname(target), { recursive: true });
  if (assets.test(file)) return replaceFile(target, readFileSync(source));
  const { code } = await require('@swc/core').transformFile(source, {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    // An `import()` stays as it is, so the annotation names the exports to Node.
    module: { type: 'commonjs', ignoreDynamic: true, exportInteropAnnotation: true, lazy: loadedOnUse(file) },
    sourceMaps: 'inline',
    inlineSourcesContent: false,
  });
  replaceFile(target, code);
}

/**
 * The imports of a file that it loads when it first uses them, because most commands and programs use few of their packages: a list,
 * or true for all packages. The ops CLI describes all operations, and runs none of them itself, so these files load our own modules
 * on use, too. Elsewhere our own modules are loaded at the start: a build must not change the code of a running program. Workflows
 * load everything at once, into the part of their isolate that all of them share.
 */
function loadedOnUse(file) {
  if (/^(workflows|src\/(domain|temporal))\//.test(file)) return false;
  if (!/^src\/(operators\/(operations|cli)|data\/database)\//.test(file)) return true;
  return [...readFileSync(join(root, file), 'utf8').matchAll(/ from '([^']+)'/g)].map(([, path]) => path);
}

/** The compiled files that the bundle of the workflows is made of. */
export function bundledFiles(file = join(dist, 'workflows', 'index.js'), found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, path] of readFileSync(file, 'utf8').matchAll(/require\("(\.[^"]+)"\)/g)) {
    bundledFiles(`${join(dirname(file), path)}.js`, found);
  }
  return found;
}

/** Bundles what is compiled of the workflows. False, with the reason printed, where that cannot be done. */
export async function bundleWorkflows(name = PLAIN) {
  const { bundleWorkflowCode, DefaultLogger } = require('@temporalio/worker');
  const workflowsPath = join(dist, 'workflows', 'index.js');
  const operatorMessages = join(dist, 'workflows', 'reported-messages.js');
  const interceptors = [
    ...(name === TRACED ? [require.resolve('@temporalio/interceptors-opentelemetry/lib/workflow-interceptors')] : []),
    operatorMessages,
  ];
  try {
    const { code } = await bundleWorkflowCode({
      workflowsPath,
      workflowInterceptorModules: interceptors,
      // The modules hold no workflow state, so they are loaded once instead of once for each workflow.
      preloadModules: [workflowsPath, operatorMessages],
      failureConverterPath: join(dist, 'src', 'temporal', 'failure-converter.js'),
      logger: new DefaultLogger('WARN'),
    });
    replaceFile(join(dist, name), withoutSources(code));
    return true;
  } catch (error) {
    console.error(`The workflows could not be bundled: ${error.message}`);
    return false;
  }
}

/** Writes a file at once, so that no process reads a part of it. */
function replaceFile(file, content) {
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, content);
  renameSync(partial, file);
}

/**
 * The bundle without the texts of its sources. Stack traces need only the positions in its source map, and each worker
 * thread keeps the map in memory.
 */
function withoutSources(code) {
  const mark = 'base64,';
  const start = code.indexOf(mark, code.lastIndexOf('//# sourceMappingURL=data:')) + mark.length;
  const map = JSON.parse(Buffer.from(code.slice(start), 'base64').toString());
  delete map.sourcesContent;
  return code.slice(0, start) + Buffer.from(JSON.stringify(map)).toString('base64');
}

/**
 * Copies the page for the OpenAPI document with its published renderer, renders the clients' pages and draws the pictures of the
 * sandbox.
 */
async function gatherReference() {
  const folder = join(dist, 'docs');
  const page = join(root, 'src', 'api', 'openapi', 'page');
  const made = ['index.html', 'assets', 'guides', 'pictures'];
  for (const name of made) rmSync(join(folder, name), { recursive: true, force: true });
  mkdirSync(join(folder, 'assets'), { recursive: true });
  const guides = join(root, 'src', 'api', 'guides', 'page');
  const { outputFiles } = await require('esbuild').build({
    entryPoints: [join(guides, 'guide.mjs'), join(guides, 'guide.css')],
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    logLevel: 'error',
  });
  const files = {
    'elements.js': require.resolve('@stoplight/elements/web-components.min.js'),
    'elements.css': require.resolve('@stoplight/elements/styles.min.css'),
    'page.css': join(page, 'page.css'),
    'page.js': join(page, 'page.mjs'),
  };
  const contents = Object.fromEntries(outputFiles.map((file) => [basename(file.path), file.contents]));
  const addAsset = (file, content) => {
    const { name, ext } = parse(file);
    const digest = createHash('sha256').update(content).digest('hex').slice(0, 12);
    writeFileSync(join(folder, 'assets', `${name}-${digest}${ext}`), content);
    return `/docs/assets/${name}-${digest}${ext}`;
  };
  const assetOf = (file) => addAsset(file, contents[file] ?? readFileSync(files[file]));
  const html = readFileSync(join(page, 'index.html'), 'utf8');
  writeFileSync(
    join(folder, 'index.html'),
    html.replace(/\.\/([\w.]+)/g, (_, file) => assetOf(file)),
  );
  const template = readFileSync(join(guides, 'guide.html'), 'utf8');
  renderGuides({ root, folder: join(folder, 'guides'), template, assetOf, addAsset });
  drawPictures({ root, folder: join(folder, 'pictures') });
  made.forEach((name) => compressFiles(folder, name));
  return true;
}

/** Writes compressed copies next to each file, so that no process compresses them while it serves. */
function compressFiles(folder, name = '.') {
  for (const file of filesIn(folder, name, /\.(html|js|css|svg|json|md|txt)$/)) {
    const content = readFileSync(join(folder, file));
    writeFileSync(join(folder, `${file}.gz`), gzipSync(content, { level: 9 }));
    writeFileSync(join(folder, `${file}.br`), brotliCompressSync(content));
  }
}

/** Bundles the pages served at `/<name>`: one document, and assets whose names change with their content. */
async function bundlePages(name) {
  const sources = join(root, 'packages', name, 'src');
  const folder = join(dist, name);
  rmSync(folder, { recursive: true, force: true });
  try {
    const { metafile } = await require('esbuild').build({
      entryPoints: ['main.tsx', 'style.css', 'icon.svg'].map((file) => join(sources, file)),
      outdir: join(folder, 'assets'),
      entryNames: '[name]-[hash]',
      chunkNames: '[name]-[hash]',
      // What a page loads later has files of its own.
      splitting: true,
      bundle: true,
      minify: true,
      metafile: true,
      format: 'esm',
      target: 'es2022',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      loader: { '.svg': 'copy' },
      logLevel: 'error',
    });
    const names = Object.keys(metafile.outputs).map((path) => basename(path));
    const built = (file) => names.find((asset) => asset.startsWith(`${parse(file).name}-`)) ?? file;
    const page = readFileSync(join(sources, 'index.html'), 'utf8');
    const address = (_, file) => `/${name}/assets/${built(file)}`;
    writeFileSync(join(folder, 'index.html'), page.replace(/\.\/([\w.]+)/g, address));
    if (name === 'office') {
      const template = readFileSync(join(sources, 'runbook.html'), 'utf8').replace(/\.\/([\w.]+)/g, address);
      writeFileSync(join(folder, 'runbook.html'), renderDocument({ root, source: runbook, template }));
    }
    compressFiles(folder);
    return true;
  } catch (error) {
    console.error(`The ${name} could not be bundled: ${error.message}`);
    return false;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = process.argv.slice(2);
  process.exitCode = (await build(names.length > 0 ? names : undefined)) ? 0 : 1;
}
