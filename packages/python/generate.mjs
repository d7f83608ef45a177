#!/usr/bin/env node
/**
 * Writes `digital_goods_client`, the Python package, from docs/clients/openapi.json. Needs Python 3.10 or newer with venv.
 * `--check` writes nothing and fails if the package is out of date.
 */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const root = join(folder, '../..');
const target = join(folder, 'digital_goods_client');
const run = join(root, '.run');
const tools = join(run, 'python-generator');

function call(command, args) {
  const PATH = [join(tools, 'bin'), process.env.PATH].join(delimiter);
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH },
  });
  if (status === 0) return;
  console.error(`${command} ${args[0]} failed${error ? `: ${error.message}` : ''}.`);
  process.exit(1);
}

/** The generator, in exactly the versions of requirements.txt. */
function installGenerator() {
  const requirements = join(folder, 'requirements.txt');
  const stamp = join(tools, 'requirements.txt');
  const wanted = readFileSync(requirements, 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  call('python3', ['-m', 'venv', '--clear', tools]);
  call(join(tools, 'bin/pip'), ['install', '--quiet', '--no-deps', '-r', requirements]);
  writeFileSync(stamp, wanted);
}

/** Generates the package elsewhere, so that a failure leaves the old one. A warning fails: it would drop an operation. */
function generated() {
  const parent = mkdtempSync(join(run, 'python-package-'));
  const home = join(parent, 'digital_goods_client');
  const config = join(parent, 'config.json');
  const names = {
    package_name_override: 'digital_goods_client',
    project_name_override: 'digital-goods-client',
    post_hooks: ['ruff format --isolated --quiet --line-length 120 .'],
  };
  writeFileSync(config, JSON.stringify(names));
  const document = ['--path', join(root, 'docs/clients/openapi.json'), '--config', config];
  const options = ['--meta', 'none', '--output-path', home, '--fail-on-warning'];
  call(join(tools, 'bin/openapi-python-client'), ['generate', ...document, ...options]);
  rmSync(join(home, '.ruff_cache'), { recursive: true, force: true });
  return { parent, home };
}

function contentsOf(base) {
  if (!existsSync(base)) return new Map();
  const files = readdirSync(base, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !path.includes('__pycache__'));
  return new Map(paths.map((path) => [path.slice(base.length), readFileSync(path, 'utf8')]));
}

mkdirSync(run, { recursive: true });
installGenerator();
const { parent, home } = generated();
if (process.argv.includes('--check')) {
  const [now, wanted] = [contentsOf(target), contentsOf(home)];
  const stale = [...new Set([...now.keys(), ...wanted.keys()])].filter(
    (path) => now.get(path) !== wanted.get(path),
  );
  if (stale.length > 0) {
    console.error(`Out of date: ${stale.slice(0, 10).join(', ')}. Run npm run generate:python.`);
    process.exitCode = 1;
  }
} else {
  rmSync(target, { recursive: true, force: true });
  renameSync(home, target);
}
rmSync(parent, { recursive: true, force: true });
