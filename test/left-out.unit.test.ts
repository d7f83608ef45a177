/** What CI leaves out stands in one list, and each run draws from it. dev/scripts/draw-tests.mjs. */
import { execFileSync } from 'node:child_process';
import { repositoryFiles, root, textOf } from './documents/documents';

/** What a program of modules prints as JSON. */
function printed<T>(program: string): T {
  const node = ['--input-type=module', '--eval', program];
  return JSON.parse(execFileSync(process.execPath, node, { cwd: root, encoding: 'utf8' })) as T;
}

interface Entry {
  tests: string;
  command: string;
  subjects: string[];
}

const { leftOut, folders } = printed<{ leftOut: Entry[]; folders: string[] }>(`
  import { leftOut } from './dev/scripts/test-groups.mjs';
  import config from './jest.config.mjs';
  const known = ['unit', 'component', 'stack', 'rest-component', 'rest-stack'];
  const own = config.projects.filter(({ displayName }) => !known.includes(displayName));
  const folders = own.map(({ testMatch: [files] }) => /\\/test\\/(.*)\\/\\*/.exec(files)[1]);
  console.log(JSON.stringify({ leftOut, folders }));`);
const files = repositoryFiles();

test('When a folder has a project of its own, which CI does not run, then the list has it', () => {
  const listed = leftOut.map(({ tests }) => tests);
  expect(folders.map((name) => `${name}/*`).filter((tests) => !listed.includes(tests))).toEqual([]);
});

test.each(leftOut)(
  'When CI leaves out $tests, then they and their subjects exist, and CONTRIBUTING has the command',
  (entry) => {
    const { tests, command, subjects } = entry;
    const start = `test/${tests.replace('*', '')}`;
    expect(files.some((file) => file.startsWith(start) && file.endsWith('.test.ts'))).toBe(true);
    const isThere = (subject: string) => files.some((file) => file === subject || file.startsWith(`${subject}/`));
    expect(subjects.filter((subject) => !isThere(subject))).toEqual([]);
    expect(textOf('CONTRIBUTING.md')).toContain(`${command} `);
  },
);

test('When the proof of production runs test files, then they exist', () => {
  const paths = textOf('deploy/production/main.ts').matchAll(/'([a-z]+(?:\/[a-z-]+)+)'/g);
  const named = [...paths].map(([, name = '']) => `test/${name}.test.ts`);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((file) => !files.includes(file))).toEqual([]);
});

test('When CI runs, then it draws from the list, and leaves nothing else out', () => {
  const run = textOf('.ci/run');
  expect(run).toMatch(/^nice node dev\/scripts\/draw-tests\.mjs .*&$/m);
  expect(run).toMatch(/^npm test -- --ci .*$/m);
  expect(run).not.toContain('IgnorePatterns');
});

describe('When three files are chosen', () => {
  const entries = [
    { subjects: ['packages/console', 'src/api/console'], files: ['c1', 'c2', 'c3'] },
    { subjects: ['pages/runbook'], files: ['r1', 'r2'] },
    { subjects: ['workflows'], files: ['k1'] },
  ];
  const chosen = (changed: string[], random: number[] = [0]) =>
    printed<string[]>(`
      import { chooseFiles } from './dev/scripts/chosen-files.mjs';
      const numbers = ${JSON.stringify(random)};
      const random = () => numbers.push(numbers.shift()) && numbers.at(-1);
      console.log(JSON.stringify(chooseFiles(${JSON.stringify(entries)}, ${JSON.stringify(changed)}, 3, random)));`);

  test('and a subject changed, then two are of it, and one is any other', () => {
    expect(chosen(['src/api/console/event-stream.ts'])).toEqual(['c1', 'c2', 'c3']);
    expect(chosen(['src/api/console/event-stream.ts'], [0.3, 0.2, 0.1, 0.9, 0.8, 0.7, 0.6])).toEqual([
      'c3',
      'c2',
      'k1',
    ]);
  });

  test('and a subject with one file changed, or the file itself, then it is among them', () => {
    expect(chosen(['workflows/order/end.ts'])[0]).toBe('k1');
    expect(chosen(['r2'])).toEqual(expect.arrayContaining(['r1', 'r2']));
  });

  test('and a file changed that only begins like a subject, or nothing did, then all are drawn', () => {
    expect(chosen(['workflows.md'], [0.5])).toEqual(['c1', 'c2', 'c3']);
    expect(chosen([], [0.9, 0.9, 0.9, 0.1, 0.2, 0.3])).toEqual(['r1', 'r2', 'k1']);
  });
});
