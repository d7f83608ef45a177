/**
 * Every text that a page of the back office can show is for a person: no command, option, setting, code or JSON. Descriptions come from
 * the operations, all other texts from the sources. docs/developers/operations.md.
 */
import ts from 'typescript';
import { pageText } from '../../packages/office/src/parts/page-text';
import { attentionKinds } from '../../src/domain/attention/attention-kinds';
import { explanationParts } from '../../src/domain/attention/attention-explanations';
import { roleMeanings } from '../../src/domain/operators/roles';
import { commandOnPage } from '../../src/operators/operations/actions';
import { groups, operations } from '../../src/operators/operations/operations';
import { anchorsOf, repositoryFiles, textOf } from './documents';

/** Words with hyphens that are English, and names. */
const english =
  /^(e-mail|top-ups?|sign-in|comma-separated|un|re-hash|read-only|end-to-end|first-come|so-called|two-digit|three-letter|built-in|house-brand)$/;

/** What no person should have to read. */
const terminal: readonly (readonly [what: string, found: (text: string) => boolean])[] = [
  ['a command or code', (text) => /`|\bnpm run\b|\bops [a-z-]+ [a-z-]+/.test(text) && !/\bops CLI\b/.test(text)],
  ['an option', (text) => /(^|[\s(])--[a-z]|\boptions?\b|<[a-z]+>/.test(text)],
  ['the terminal', (text) => /standard input|\bprints?\b|\bcommand line\b|\bthe command\b/i.test(text)],
  ['JSON', (text) => /[{}]|"[a-z_]+":/.test(text)],
  ['the code of a program', (text) => /\b[A-Z]+_[A-Z_]+\b|\b[a-z]+_[a-z_]+\b/.test(text)],
  ['how the service works', (text) => /keyed hash|such as pending,failed|\blast 90m\b/.test(text)],
  ['a document', (text) => /\.md\b|docs\//.test(text)],
  ['a name of an operation', (text) => named.some((name) => text.includes(name) && !natural.test(text))],
];

/** The names of operations that are no words of a sentence. */
const named = operations.map(({ name }) => name).filter((name) => name.includes(' '));
/** Sentences with words that are the name of an operation, too; the second one ends with a command, which pages leave out. */
const natural = /\d orders retry at once|^5\nSee the orders|no longer log in, \d+ sessions end/;
/** The columns of a file are what a person writes into it. */
const columns = /^CSV with the columns /;

function faultsOf(text: string): string[] {
  const shown = pageText(text);
  const words = shown.match(/\b[a-z]+(?:-[a-z]+)+\b/g) ?? [];
  return [
    ...terminal.filter(([, found]) => found(shown)).map(([what]) => what),
    ...words.filter((word) => !english.test(word)).map((word) => `the word ${word}`),
  ];
}

const faulty = (texts: readonly (readonly [where: string, text: string])[]) =>
  texts.flatMap(([where, text]) => {
    const faults = faultsOf(text);
    return faults.length > 0 && !columns.test(text) ? [[where, text, ...faults]] : [];
  });

test('When an operation, an argument, a group or a role is described, then a person can read it', () => {
  const described = operations.flatMap(({ name, button, about, arguments: given }) => [
    [name, about] as const,
    [name, button] as const,
    ...Object.entries(given).flatMap(([argument, { about: text, opposite }]) =>
      [text, opposite].flatMap((one) => (one === undefined ? [] : [[`${name} ${argument}`, one] as const])),
    ),
  ]);
  expect(described.length).toBeGreaterThan(500);
  expect(faulty([...described, ...Object.entries(groups), ...Object.entries(roleMeanings)])).toEqual([]);
});

const context = {
  operationNamed(name: string) {
    const found = operations.find((one) => one.name === name);
    return found && { ...found, isAllowed: true };
  },
};

test('When an entry of the attention list is explained, then a person can read it, and it links to cases that the runbook has', () => {
  const cases = anchorsOf('docs/operators/runbook.md');
  const parts = attentionKinds.map((kind) => explanationParts(kind, (code) => commandOnPage(context, code)));
  const texts = parts.map(
    (each, index) => [attentionKinds[index] ?? '', each.map(({ text }) => text).join('')] as const,
  );
  expect(faulty(texts)).toEqual([]);
  const linked = parts.flat().flatMap(({ runbook }) => runbook ?? []);
  expect(linked.length).toBeGreaterThan(30);
  expect(linked.filter((one) => !cases.includes(one))).toEqual([]);
});

/** What the Temporal UI shows, and what a process says when it does not start. */
const forOthers =
  /^src\/(domain\/(orders\/order-snapshot|attention\/|mail|clients\/|webhooks\/|errors|error-kinds)|data\/(clients\/clients|schema\/|keys\/|database\/|privacy))/;

/** The sources of results, previews, errors and reasons that pages show. The others are for programs, clients and the Temporal UI. */
const sources = repositoryFiles()
  .filter(
    (file) =>
      /^src\/(operators\/operations|catalogue|ordering|suppliers|domain|data)\/.*\.ts$/.test(file) ||
      /^packages\/(office|parts)\/src\/.*\.tsx?$/.test(file),
  )
  .filter((file) => !forOthers.test(file));

/** A value in place of what a text has at run time. */
const VALUE = '5';

/** The text that an expression writes; undefined if it is no text. */
function textIn(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isJsxText(node)) return node.text.replace(/\s+/g, ' ').trim();
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => VALUE + literal.text).join('');
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const [left, right] = [textIn(node.left), textIn(node.right)];
  return left === undefined || right === undefined ? undefined : left + right;
}

/** Whether the text belongs to the help of a command, to a command itself, or to a name. */
function isForTerminal(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isSourceFile(parent)) return false;
  if (ts.isCallExpression(parent) && parent.expression.getText() === 'inTerminal' && parent.arguments[1] === node)
    return true;
  if (ts.isPropertyAssignment(parent) && ['inTerminal', 'name', 'text'].includes(parent.name.getText())) return true;
  if (ts.isFunctionDeclaration(parent) && ['commandsAbout', 'createdRemark'].includes(parent.name?.text ?? ''))
    return true;
  return isForTerminal(parent);
}

const isSentence = (text: string) =>
  /^[A-Z5“].*[a-z]{2,} [a-z]{2,}/s.test(text) &&
  !/\b(SELECT|INSERT|UPDATE|DELETE|WITH|FROM|WHERE|CASE|JOIN|TABLE)\b/.test(text);

function sentencesIn(file: string): (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  const visit = (node: ts.Node): void => {
    const text = textIn(node);
    if (text === undefined) return ts.forEachChild(node, visit);
    if (isSentence(text) && !isForTerminal(node)) found.push([file, text]);
  };
  visit(ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true));
  return found;
}

test('When an operation says what it did, what it will do, or why it does not, then a person can read it', () => {
  const sentences = sources.flatMap(sentencesIn);
  expect(sentences.length).toBeGreaterThan(400);
  expect(faulty(sentences)).toEqual([]);
});
