/** Reads the repository's documents for tests: headings, links, code blocks. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export const root = join(__dirname, '..', '..');

const passedOver = new Set(['node_modules', 'dist', '.git', '.run', 'coverage']);

/** Every hand-written file of the repository, by its path from the root. */
export function repositoryFiles(folder = root): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (passedOver.has(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? repositoryFiles(path) : [relative(root, path)];
  });
}

/** The text of a file, by its path from the root. */
export function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** Every document, by its path from the root. */
export const documents: readonly string[] = repositoryFiles().filter((file) => file.endsWith('.md'));

export interface CodeBlock {
  file: string;
  /** The 1-based line of its start. */
  line: number;
  language: string;
  code: string;
}

const fence = /^ *```(\w*)\n([\s\S]*?)^ *```$/gm;

/** The fenced blocks of a document. */
export function codeBlocks(file: string): CodeBlock[] {
  const text = textOf(file);
  return [...text.matchAll(fence)].map(({ index, 1: language = '', 2: code = '' }) => ({
    file,
    line: text.slice(0, index).split('\n').length,
    language,
    code,
  }));
}

/** A document without its fenced blocks. */
export function proseOf(file: string): string {
  return textOf(file).replace(fence, '');
}

/** The anchors of a document's headings, as GitHub makes them. */
export function anchorsOf(file: string): string[] {
  const seen = new Map<string, number>();
  return [...proseOf(file).matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading = '']) => {
    const anchor = heading
      .trim()
      .toLowerCase()
      .replace(/[^\p{Letter}\p{Number}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const times = seen.get(anchor) ?? 0;
    seen.set(anchor, times + 1);
    return times === 0 ? anchor : `${anchor}-${times}`;
  });
}

/** The fault of a reference to a document or file, by its path from the root; undefined if it is valid. */
export function faultOfTarget(path: string, anchor: string | undefined): string | undefined {
  if (!existsSync(join(root, path))) return `${path} does not exist`;
  if (anchor === undefined || !path.endsWith('.md')) return undefined;
  return anchorsOf(path).includes(anchor) ? undefined : `${path} has no heading #${anchor}`;
}

/** The shell commands of a document's blocks: one a line, without comments, continued lines joined. */
export function shellCommands(file: string): string[] {
  return codeBlocks(file)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ code }) => shellCommandsOf(code));
}

/** The commands of the blocks of that language below a heading of third level, as `shellCommands` reads them. */
export function commandsBelow(file: string, heading: string, language = 'sh'): string[] {
  const section = textOf(file)
    .split(/^#{2,3} /m)
    .find((text) => text.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`${file} has no heading "${heading}"`);
  return [...section.matchAll(fence)]
    .filter(([, its]) => its === language)
    .flatMap(([, , code = '']) => shellCommandsOf(code));
}

/** The fenced blocks below the heading with that anchor, up to the next of its level or above. */
export function codeBlocksBelow(file: string, anchor: string): CodeBlock[] {
  const index = anchorsOf(file).indexOf(anchor);
  const headings = [...proseWithLinesOf(file).matchAll(/^(#{1,6}) +.+$/gm)];
  const heading = headings[index];
  if (!heading) throw new Error(`${file} has no heading #${anchor}`);
  const level = heading[1]?.length ?? 0;
  const next = headings.slice(index + 1).find(([, marks = '']) => marks.length <= level);
  const lineOf = (at: number) => textOf(file).slice(0, at).split('\n').length;
  const [first, last] = [lineOf(heading.index), next ? lineOf(next.index) : Infinity];
  return codeBlocks(file).filter(({ line }) => line > first && line < last);
}

/** A document with blanked fenced blocks, in which every other character keeps its position. */
function proseWithLinesOf(file: string): string {
  return textOf(file).replace(fence, (block) => block.replace(/[^\n]/g, ' '));
}

/** The commands of one block. */
export function shellCommandsOf(code: string): string[] {
  return code
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/(^|\s)# .*$/, '').trim())
    .filter((line) => line !== '');
}
