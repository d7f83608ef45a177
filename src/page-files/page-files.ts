/** The files of a built page. */
import { byWord } from '../domain/by-word';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

export interface PageFile {
  type: string;
  body: Buffer;
  /** Compressed copies of the body, made once for all requests. */
  copies: Copies;
  etag: string;
}

/** The encodings, the smallest first. */
export const encodings = ['br', 'gzip'] as const;
export type Copies = Readonly<Partial<Record<(typeof encodings)[number], Buffer>>>;

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

/** The ends of the names of compressed copies, which the build writes next to the originals. */
const endings = { br: '.br', gzip: '.gz' };

/** Reads the output of `dev/scripts/build.mjs` into memory. */
export function readPageFile(folder: string): PageFiles {
  return { page: readFile(join(folder, 'index.html')), assets: readFiles(join(folder, 'assets')) };
}

/** Reads the files of a folder into memory, by name. Leaves out hidden ones. */
export function readFiles(folder: string): ReadonlyMap<string, PageFile> {
  const isCopy = (name: string) => Object.values(endings).some((ending) => name.endsWith(ending));
  const names = readdirSync(folder).filter((name) => !isCopy(name) && !name.startsWith('.'));
  return new Map(names.map((name) => [name, readFile(join(folder, name))]));
}

/** Reads one file into memory, with its compressed copies. */
export function readFile(path: string): PageFile {
  const type = types[extname(path)] ?? 'application/octet-stream';
  const present = encodings.filter((encoding) => existsSync(path + endings[encoding]));
  const copies = present.map((encoding) => [encoding, readFileSync(path + endings[encoding])] as const);
  return pageFile(type, readFileSync(path), Object.fromEntries(copies));
}

/** The file with its ETag, which changes with the body. */
export function pageFile(type: string, body: Buffer, copies: Copies = {}): PageFile {
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  return { type, body, copies, etag };
}
