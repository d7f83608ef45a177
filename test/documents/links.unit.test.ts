/** The targets of documents and comments exist: files, headings, scripts of package.json. */
import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { documents, faultOfTarget, proseOf, repositoryFiles, root, textOf } from './documents';

const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };

const sources = repositoryFiles().filter(
  (file) =>
    (/\.(tsx?|mjs|js|cjs|sql|ya?ml|json|liquid|txt|html)$/.test(file) || file === '.env.example') &&
    file !== 'package-lock.json',
);

test.each(documents)('When %s links to a file or a heading of the repository, then the target exists', (file) => {
  const links = [...proseOf(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  const faults = links
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor] = target.split('#');
      return faultOfTarget(path === '' ? file : normalize(join(dirname(file), path)), anchor);
    });
  expect(faults.filter(Boolean)).toEqual([]);
});

/** Paths as prose names them: of a file, of a folder, or of a test without its ending. */
const named =
  /`((?:src|workflows|activities|test|dev|deploy|docs|examples|fakes|packages|temporal-config)\/[\w./-]*)`/g;

/** A recipe names files of its example supplier, which its reader will create. */
const example = /\btremendous\b/;

test.each(documents)('When %s names a file or a folder, then it exists', (file) => {
  const paths = [...proseOf(file).matchAll(named)].map(([, path = '']) => path).filter((path) => !example.test(path));
  const endings = ['', '.ts', '.test.ts', '.unit.test.ts'];
  const missing = paths.filter((path) => !endings.some((ending) => existsSync(join(root, path + ending))));
  expect(missing).toEqual([]);
});

test.each(documents)('When %s names an npm script, then package.json has it', (file) => {
  const names = [...textOf(file).matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
  expect(names.filter((name) => !(name in scripts))).toEqual([]);
});

test('When a comment cites a document, then the document and its heading exist', () => {
  const faults = sources.flatMap((file) =>
    [...textOf(file).matchAll(/(?<!\/)\bdocs\/[\w./-]+?\.md(?:#([\w-]+))?/g)].flatMap(([cited, anchor]) => {
      const fault = faultOfTarget(cited.split('#')[0] as string, anchor);
      return fault === undefined ? [] : [`${file}: ${fault}`];
    }),
  );
  expect(faults).toEqual([]);
});

const code = sources.filter((file) => /\.(tsx?|mjs|js|cjs)$/.test(file));
const comments = /(?<![:"'`\w])\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*$/gm;

/** Identifiers of Temporal, and what a decision rejected. */
const foreign = ['deprecatePatch', 'history.hostLevelCacheMaxSize', 'isolateExecutionTimeout', 'requireClientAuth'];

/** The identifiers that a text names as code, such as `orderOf`, and that no source has. */
function strangersIn(text: string, known: ReadonlySet<string>): string[] {
  const named = [...text.matchAll(/`([a-z]\w*(?:\.[a-z]\w*)*)(?:\(\))?`/g)].map(([, name = '']) => name);
  const isKnown = (word: string) => !/[A-Z]/.test(word) || known.has(word);
  return named.filter((name) => !foreign.includes(name) && !name.split('.').every(isKnown));
}

test('When a document or a comment names a function, then a source has it', () => {
  const known = new Set(
    sources.flatMap((file) => {
      const text = textOf(file);
      return (code.includes(file) ? text.replace(comments, '') : text).match(/[A-Za-z_$][\w$]*/g) ?? [];
    }),
  );
  const prose = documents.map((file) => [file, proseOf(file)] as const);
  const commented = code.map((file) => [file, textOf(file).match(comments)?.join('\n') ?? ''] as const);
  const faults = [...prose, ...commented].flatMap(([file, text]) =>
    strangersIn(text, known).map((name) => `${file}: ${name}`),
  );
  expect(faults).toEqual([]);
});

test('When a comment mentions the specification or a decision, then it cites the page by its path', () => {
  const unlinked = /(Specification|[Dd]ecisions), "/;
  const here = 'test/documents/links.unit.test.ts';
  expect(sources.filter((file) => file !== here && unlinked.test(textOf(file)))).toEqual([]);
});

test('When the index of the documents is read, then it lists every page', () => {
  const index = proseOf('docs/README.md') + proseOf('docs/decisions/README.md');
  const pages = documents.filter((file) => file.startsWith('docs/') && !file.endsWith('README.md'));
  const listed = (page: string) =>
    [page.replace('docs/', ''), page.replace('docs/decisions/', '')].some((path) => index.includes(`(${path})`));
  expect(pages.filter((page) => !listed(page))).toEqual([]);
});

const decisions = documents.filter((file) => /^docs\/decisions\/\d/.test(file)).sort();

test('When decisions are numbered, then each number is one page or a retired one of the index', () => {
  const pages = decisions.map((file) => file.slice('docs/decisions/'.length).slice(0, 4));
  const [, retired = ''] = proseOf('docs/decisions/README.md').split('## Retired numbers');
  const merged = [...retired.matchAll(/^- (\d{4}(?:, \d{4})*): /gm)].flatMap(([, numbers = '']) => numbers.split(', '));
  const numbers = [...pages, ...merged].sort();
  expect(numbers).toEqual(numbers.map((_, index) => String(index + 1).padStart(4, '0')));
});

test.each(decisions)(
  'When %s is read, then it has the four sections, and the index has its title and its successor',
  (file) => {
    const [, number, title, superseded] =
      /^# (\d{4})\. (.+)\n\n(?:Superseded by (\[\d{4}\]\(.+\))\.\n\n)?## /.exec(textOf(file)) ?? [];
    const status = superseded === undefined ? '' : `, superseded by ${superseded}`;
    const rows = proseOf('docs/decisions/README.md').split('\n');
    const row = `- [${number}](${file.slice('docs/decisions/'.length)}) ${title} (`;
    const rest = rows.find((line) => line.startsWith(row))?.slice(row.length);
    expect(rest?.replace(/^\d{4}-\d\d-\d\d/, '<date>')).toBe(`<date>${status})`);
    const headings = [...proseOf(file).matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(['Context', 'Decision', 'Rejected', 'Consequences']);
  },
);
