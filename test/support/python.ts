/** Python programs of tests, with pinned packages. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../../dev/stack/problem';
import { ROOT } from '../../dev/stack/run-directory';

/**
 * The virtual environment with exactly the packages of a requirements file. It is made again when the file has changed.
 * Throws a `Problem` if Python or its packages are missing.
 */
export function pythonFolder(name: string, requirements: string): string {
  const folder = join(ROOT, '.run', `${name}-program`);
  const stamp = join(folder, 'requirements.txt');
  const wanted = readFileSync(requirements, 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return folder;
  rmSync(folder, { recursive: true, force: true });
  console.log(`Installing the Python packages of ${name} ...`);
  const made = spawnSync('python3', ['-m', 'venv', folder], { stdio: 'inherit' });
  if (made.error || made.status !== 0)
    throw new Problem(`${name} needs Python 3.10 or newer with venv: install python3 and python3-venv.`);
  const pip = join(folder, 'bin', 'pip');
  const installed = spawnSync(pip, ['install', '--quiet', '--no-deps', '-r', requirements], { stdio: 'inherit' });
  if (installed.status !== 0)
    throw new Problem(`${name} could not be installed: pip needs access to a Python package index.`);
  writeFileSync(stamp, wanted);
  return folder;
}
