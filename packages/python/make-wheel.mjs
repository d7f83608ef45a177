#!/usr/bin/env node
/**
 * Generates the Python package from docs/clients/openapi.json and writes it as a wheel into the folder of its argument. Needs
 * Python 3.11 or newer with venv, and a Python package index. Without them it prints one sentence and fails.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lock } from '../../dev/scripts/lock.mjs';

const folder = fileURLToPath(new URL('.', import.meta.url));
const root = join(folder, '../..');
const run = join(root, '.run');
const tools = join(run, 'python-generator');

function call(command, args) {
  const { status, error, stderr } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    env: {
      ...process.env,
      PATH: [join(tools, 'bin'), process.env.PATH].join(delimiter),
      // Equal sources make equal archives: their time is the format's first.
      SOURCE_DATE_EPOCH: String(Date.UTC(1980, 0, 1) / 1000),
    },
  });
  if (status === 0) return;
  const reason = error?.message ?? (stderr.trim().split('\n').at(-1) || `exit code ${status}`);
  console.error(`No Python package: ${command} ${args[0]}: ${reason}`);
  process.exit(1);
}

/** The generator, in exactly the versions of requirements.txt. */
function installGenerator() {
  const requirements = join(folder, 'requirements.txt');
  const stamp = join(tools, 'requirements.txt');
  const wanted = readFileSync(requirements, 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  // Otherwise the Python of an interrupted installation would be found first, and link to itself.
  rmSync(tools, { recursive: true, force: true });
  call('python3', ['-m', 'venv', tools]);
  const limits = ['--retries', '1', '--timeout', '10'];
  call(join(tools, 'bin/pip'), ['install', '--quiet', '--no-compile', '--no-deps', ...limits, '-r', requirements]);
  writeFileSync(stamp, wanted);
}

/** A warning fails, too: it would drop an operation. */
function generatePackage(home) {
  const config = join(home, 'config.json');
  const names = {
    package_name_override: 'digital_goods_client',
    post_hooks: ['ruff format --isolated --no-cache --quiet --line-length 120 .'],
  };
  writeFileSync(config, JSON.stringify(names));
  const document = ['--path', join(root, 'docs/clients/openapi.json'), '--config', config];
  const options = ['--meta', 'none', '--output-path', join(home, 'digital_goods_client'), '--fail-on-warning'];
  call(join(tools, 'bin/openapi-python-client'), ['generate', ...document, ...options]);
  for (const file of ['pyproject.toml', 'README.md']) cpSync(join(folder, file), join(home, file));
}

const target = resolve(process.argv[2]);
mkdirSync(run, { recursive: true });
// The build that waits for this program also has a lock, which ends when only the build is killed.
const unlock = await lock(`${tools}-lock`);
installGenerator();
unlock();
const home = mkdtempSync(join(run, 'python-package-'));
process.on('exit', () => rmSync(home, { recursive: true }));
generatePackage(home);
const options = ['--quiet', '--no-deps', '--no-build-isolation', '--wheel-dir', target];
call(join(tools, 'bin/pip'), ['wheel', ...options, home]);
