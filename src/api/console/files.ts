/** The console as it was built: one page, and what the page loads. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

export interface ConsoleFile {
  type: string;
  body: Buffer;
  etag: string;
}

export interface ConsoleFiles {
  page: ConsoleFile;
  /** By name; each name holds a digest of what is in it, so that a browser keeps it for good. */
  assets: ReadonlyMap<string, ConsoleFile>;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Reads what `scripts/build.mjs` made of `packages/console`; some 100 kB that stay in memory. */
export function readConsole(folder: string): ConsoleFiles {
  const names = readdirSync(join(folder, 'assets'));
  return {
    page: readFile(join(folder, 'index.html')),
    assets: new Map(names.map((name) => [name, readFile(join(folder, 'assets', name))])),
  };
}

function readFile(path: string): ConsoleFile {
  const body = readFileSync(path);
  const digest = createHash('sha256').update(body).digest('base64url');
  return { type: types[extname(path)] ?? 'application/octet-stream', body, etag: `"${digest}"` };
}
