/** Installs packages as their lock file names them, where they are missing or the lock file has changed. Plain Node. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export function percent(share) {
  return `${Math.round(share * 100)} %`;
}

/**
 * `npm ci` in a folder of the project, unless its packages were installed after its lock file was last written. `names`: of the
 * packages in messages. Throws one sentence if they cannot be installed.
 */
export async function install(folder = '.', names = 'packages') {
  const home = join(root, folder);
  const lock = join(home, 'package-lock.json');
  const installed = statSync(join(home, 'node_modules', '.package-lock.json'), { throwIfNoEntry: false });
  if (installed?.mtimeMs >= statSync(lock).mtimeMs) return;
  if (installed && folder === '.') checkNoStack();
  console.error(`Installing ${names} (npm ci) ...`);
  const folders = Object.keys(JSON.parse(readFileSync(lock, 'utf8')).packages);
  const began = Date.now();
  const heartbeat = setInterval(() => {
    const present = folders.filter((path) => existsSync(join(home, path))).length;
    const seconds = Math.round((Date.now() - began) / 1000);
    console.error(`  ${percent(present / folders.length)} of the ${names} after ${seconds} s ...`);
  }, 5_000);
  const npm = spawn('npm', ['ci', '--no-audit', '--no-fund'], { cwd: home, stdio: ['inherit', 2, 2] });
  const [code] = await once(npm, 'exit');
  clearInterval(heartbeat);
  if (code !== 0) throw new Error('npm ci failed: see above. It needs access to an npm registry.');
}

/** `npm ci` would remove the packages of a running stack. */
function checkNoStack() {
  const file = join(root, process.env.RUN_DIR ?? '.run', 'lock.json');
  if (!existsSync(file)) return;
  const { pid } = JSON.parse(readFileSync(file, 'utf8'));
  if (isAlive(pid))
    throw new Error(
      `The packages have changed, and a stack runs with the old ones (process ${pid}): stop it, then try again.`,
    );
}

/** Whether a process runs. */
export function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
