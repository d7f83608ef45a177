/** The files of a built page. */
import { byWord } from '../domain/by-word';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

export interface PageFile {
  type: string;
  body: Buffer;
  /** The body compressed with gzip, once for all requests. */
  gzip?: Buffer;
  etag: string;
}

export interface PageFiles {
  page: PageFile;
  /** By name. Each name contains a digest of the content, so browsers may cache a file forever. */
  assets: ReadonlyMap<string, PageFile>;
}

const types = byWord({
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.py': 'text/x-python; charset=utf-8',
  '.go': 'text/x-go; charset=utf-8',
  '.tgz': 'application/gzip',
});

/** The end of the names of compressed files, which the build writes next to the originals. */
const COMPRESSED = '.gz';

/** Reads the output of `dev/scripts/build.mjs` into memory. */
export function readPageFile(folder: string): PageFiles {
  return { page: readFile(join(folder, 'index.html')), assets: readFiles(join(folder, 'assets')) };
}

/** Reads the files of a folder into memory, by name. Leaves out hidden ones. */
export function readFiles(folder: string): ReadonlyMap<string, PageFile> {
  const names = readdirSync(folder).filter((name) => !name.endsWith(COMPRESSED) && !name.startsWith('.'));
  return new Map(names.map((name) => [name, readFile(join(folder, name))]));
}

/** Reads one file into memory, with its compressed copy. */
export function readFile(path: string): PageFile {
  const type = types[extname(path)] ?? 'application/octet-stream';
  const compressed = path + COMPRESSED;
  return pageFile(type, readFileSync(path), existsSync(compressed) ? readFileSync(compressed) : undefined);
}

/** The file with its ETag, which changes with the body. */
export function pageFile(type: string, body: Buffer, gzip?: Buffer): PageFile {
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  return { type, body, etag, ...(gzip && { gzip }) };
}
