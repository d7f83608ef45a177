import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The version of this release, from the nearest `package.json` above its sources or its build. */
export function ownVersion(folder = __dirname): string {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return ownVersion(dirname(folder));
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
