/**
 * Every shell command in the documents is tested: a test runs it (`answers.test.ts`, `client-commands.test.ts`,
 * `simulator-commands.component.test.ts`, `test/operators/runbook`), or its program accepts its arguments.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { readOptions as readBenchOptions } from '../../dev/bench/options';
import { readOptions } from '../../dev/faults/options';
import { readOptions as readTrialOptions } from '../../dev/trial/options';
import { OAPI_CODEGEN } from '../generators/generator';
import { DirectDoor } from '../support/direct-door';
import { readValues } from '../../src/operators/operations/arguments';
import { givenIn, pathOf } from '../../src/operators/operations/json-arguments';
import { operations } from '../../src/operators/operations/operations';
import { opsProgram } from '../../src/operators/cli/program';
import { clientPages } from './client-pages';
import { documents, proseOf, root, shellCommands, textOf } from './documents';
import { shellWords } from './shell-words';

const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };

/** Documents whose blocks a test runs unchanged, by that test. */
const runs: Readonly<Record<string, RegExp>> = {
  'README.md': /^(curl|\w+=|demo\(\)|export |node examples\/)/,
  ...Object.fromEntries(clientPages.map((file) => [file, /./])),
  // By npm run test:more -- generators.
  'docs/clients/generated-clients.md': /./,
  'docs/developers/local-stack.md': /^(curl|demo\(\)|export )/,
  // By test/examples/examples.test.ts.
  'docs/clients/client-library.md': /^(npm install|node order\.mjs$)/,
  // The tool's commands are looked at here, too: npm run test:more -- runbook takes minutes.
  'docs/operators/runbook.md': /^(?!npm )/,
};

/** Throws if the operators' API does not accept the call. */
function isAccepted(words: string[]): void {
  const operation = operations.find((one) => words.some((word) => word.endsWith(pathOf(one))));
  if (!operation) throw new Error(`No operation has the address in: ${words.join(' ')}`);
  const body: unknown = JSON.parse(words[words.indexOf('-d') + 1] ?? '{}');
  readValues(operation.arguments, givenIn(operation.arguments, body));
}

/** The check of each other command. Throws if the program does not accept the command. */
const checks: readonly [RegExp, (words: string[]) => void][] = [
  [/^npm start$/, () => undefined],
  [/^npm start -- --suppliers$/, () => expect(textOf('dev/stack/main.ts')).toContain(`'--suppliers'`)],
  [/^((?:STACK_FILE|UPDATE_GUIDES)=\S+ )?npm test\b/, (words) => testsAreThere(words.slice(words.indexOf('--') + 1))],
  [/^npm run ops (--silent )?-- /, (words) => void optionsOf(words.slice(words.indexOf('--') + 1))],
  [/^curl -s "\$OPS_URL\/ops\/v1\//, isAccepted],
  [/^npm run replay -- /, (words) => void optionsOf(['replay', ...words.slice(4)])],
  [/^npm run test:faults\b/, (words) => void readOptions(words.slice(4))],
  [/^npm run suppliers:try -- /, (words) => void readTrialOptions(words.slice(4))],
  [
    /^npm run test:more -- \S+$/,
    (words) => expect(textOf('dev/scripts/more.mjs')).toMatch(new RegExp(`^  '?${words[4]}'?: {`, 'm')),
  ],
  [/^npm run test:mutants\b/, () => expect(scripts).toHaveProperty(['test:mutants'])],
  [/^npm run bench -- /, (words) => void readBenchOptions(words.slice(4))],
  [/^npm run prove:upgrade( -- <commit>)?$/, () => expect(scripts).toHaveProperty(['prove:upgrade'])],
  [
    /^npm exec -w @digital-goods\/client -- dgo (listen --forward-to|trigger|orders list|orders get)\b/,
    (words) => expect(textOf('packages/client/src/cli/main.ts')).toContain(`dgo ${words[6]}`),
  ],
  [
    /^npx dgo (listen --forward-to|trigger|orders list|orders get|events resend)\b/,
    (words) => expect(textOf('packages/client/src/cli/main.ts')).toContain(`dgo ${words[2]}`),
  ],
  [/^npm run [\w:-]+$/, (words) => expect(scripts).toHaveProperty([words[2] ?? ''])],
  [/^node inspect 127\.0\.0\.1:9229$/, () => expect(textOf('dev/stack/services.ts')).toContain('= 9229;')],
  [/^node --inspect-brk \S+\/jest\.js --runInBand --runTestsByPath /, (words) => testsAreThere(words.slice(5))],
  [/^node scripts\/\S+$/, (words) => expect(existsSync(join(root, words[1] ?? ''))).toBe(true)],
];

const commands = documents.flatMap((file) => shellCommands(file).map((command) => [command, file] as const));

test.each(commands)('When `%s` is shown in %s, then a test runs it, or its program accepts it', (command, file) => {
  if (runs[file]?.test(command)) return;
  const stop = jest.spyOn(process, 'exit').mockImplementation(() => {
    throw new Error(`not taken: ${command}`);
  });
  const [, check] = checks.find(([pattern]) => pattern.test(command)) ?? [];
  expect(check).toBeDefined();
  check?.(shellWords(command));
  stop.mockRestore();
});

function testsAreThere(words: string[]): void {
  if (words[0] === 'npm') return;
  const isOption = words[0]?.startsWith('--');
  if (isOption) expect(textOf('jest.config.mjs')).toContain(`displayName: '${words[1]}'`);
  else expect(words.filter((file) => !existsSync(join(root, file)))).toEqual([]);
}

const program = opsProgram(new DirectDoor());

test('When the page about generated clients installs oapi-codegen, then it is the version whose client is tested', () => {
  expect(textOf('docs/clients/generated-clients.md')).toContain(`\`go install ${OAPI_CODEGEN}\``);
});

/** Groups of commands that are also commands. */
const actThemselves: readonly string[] = ['attention', 'reconcile'];

/** The program's command for these words, with its parent commands. Throws if no command matches. */
function commandOf(words: readonly string[]): Command[] {
  const path = [program];
  for (const word of words) {
    const next = path.at(-1)?.commands.find((command) => command.name() === word);
    if (!next) break;
    path.push(next);
  }
  const last = path.at(-1) as Command;
  const isGroup = last.commands.length > 0 && !actThemselves.includes(last.name());
  if (isGroup && !words.includes('--help')) throw new Error(`not a command: ${words.join(' ')}`);
  return path;
}

/** The long options among these words. Throws if the command does not accept one. */
function optionsOf(words: readonly string[]): string[] {
  const taken = commandOf(words).flatMap(({ options }) => options.map(({ long }) => long));
  const given = words.filter((word) => word.startsWith('--')).map((word) => word.split('=')[0] ?? '');
  const unknown = given.filter((option) => option !== '--help' && !taken.includes(option));
  if (unknown.length > 0) throw new Error(`${words.join(' ')}: no option ${unknown.join(', ')}`);
  return given;
}

interface DocumentedCommand {
  words: string[];
  /** The options in the row. */
  options: string[];
}

const topLevel = program.commands.map((command) => command.name());

/** A row of a table, or an item of a list with its colon, that begins with commands. */
const aboutCommands = /^(?:\| (`[a-z][^|]*) \||- (`[a-z][^`\n]*`(?:, `[^`\n]*`)*):)(.*(?:\n {2}.*)*)$/gm;

/** The commands that a page documents in tables and lists: `a b`, `c` stands for `a b` and `a c`. */
function documentedCommands(file: string): DocumentedCommand[] {
  return [...proseOf(file).matchAll(aboutCommands)].flatMap(([, row, item, rest = '']) => {
    const cell = row ?? item ?? '';
    const quoted = [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => shellWords(text));
    const parent = quoted[0]?.[0] ?? '';
    if (!topLevel.includes(parent)) return [];
    const options = [...`${cell}${rest}`.matchAll(/`[^`]*?(--[a-z][\w-]*)/g)].map(([, option = '']) => option);
    return quoted.map((words) => ({ words: topLevel.includes(words[0] ?? '') ? words : [parent, ...words], options }));
  });
}

const operatorsPages = [
  'cli',
  'holds',
  'refunds',
  'claims',
  'privacy',
  'approvals',
  'catalogue',
  'configuration',
  'audit',
  'money-in',
].map((page) => `docs/operators/${page}.md`);
const documented = operatorsPages.flatMap(documentedCommands);

test.each(documented.map(({ words, options }) => [words.join(' '), words, options] as const))(
  'When `%s` is documented for operators, then the CLI has it with the documented options',
  (_text, words, options) => {
    const taken = commandOf(words).flatMap((command) => command.options.map(({ long }) => long));
    optionsOf(words.map((word) => word.replace(/[[\]]/g, '')));
    expect(options.filter((option) => !taken.includes(option))).toEqual([]);
  },
);

function leaves(command: Command): string[][] {
  if (command.commands.length === 0) return [[command.name()]];
  return command.commands.flatMap((child) => leaves(child).map((words) => [command.name(), ...words]));
}

test('When the CLI has a command, then a page for operators documents it', () => {
  const pages = [...operatorsPages, 'docs/operators/operations.md'].map(textOf).join('\n');
  const untold = leaves(program)
    .map(([, ...words]) => words)
    .filter((words) => {
      const inTable = documented.some((row) => words.every((word, index) => row.words[index] === word));
      return !inTable && !pages.includes(`ops -- ${words.join(' ')}`) && !pages.includes(`\`${words.join(' ')}\``);
    });
  expect(untold).toEqual([]);
});
