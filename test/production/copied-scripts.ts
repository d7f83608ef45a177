/** The scripts of an installation with docker compose, in a folder of their own. */
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../documents/documents';

/** Returns a new folder with the scripts. The test removes it. `prefix`: how its name begins. */
export function copyScripts(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  mkdirSync(join(folder, 'deploy/production'), { recursive: true });
  for (const file of ['upgrade.sh', 'rollback.sh', 'workers.sh', 'backup.sh', 'production/release.sh'])
    cpSync(join(root, 'deploy', file), join(folder, 'deploy', file));
  return folder;
}

/** Writes the `.env` of an installation that runs this release. */
export function setRelease(folder: string, release: string): void {
  const files = 'COMPOSE_FILE=docker-compose.yml:deploy/production/compose.yml';
  writeFileSync(join(folder, '.env'), `${files}\nDEPLOYMENT_VERSION=${release}\n`);
}
