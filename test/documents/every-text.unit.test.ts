/** The tests of the API, `client-texts.test.ts` and `mail-texts.unit.test.ts` compare every text for clients. */
import ts from 'typescript';
import { repositoryFiles, textOf } from './documents';

const isSource =
  /^src\/(api\/|domain\/(errors|orders\/failure-codes|orders\/customer-input)\.ts|notifications\/(mail\/endpoint-disabled-mail|webhooks\/(addresses|sender|delivery))\.ts)/;

/** The files that only describe the API. A test compares their descriptions with docs/clients/openapi.json. */
const isDescription = /^src\/api\/(openapi\/|.*schemas\.ts$)/;

/** The files with texts for clients. Mails from templates are compared whole. */
const sources = repositoryFiles().filter((file) => isSource.test(file) && !isDescription.test(file));

/** The lines of all texts in openapi.json except example messages of errors. */
const described: string[] = [];
const collect = (key: string, value: unknown): unknown => {
  if (typeof value === 'string' && key !== 'message')
    described.push(...value.split('\n').map((line) => line.trim()));
  return value;
};
for (const folder of ['clients', 'operators']) JSON.parse(textOf(`docs/${folder}/openapi.json`), collect);

/** The tests that compare texts as clients receive them, and the page that lists the texts of the webhook log. */
const compared = [
  ...repositoryFiles().filter((file) => /^test\/api\/.*\.test\.ts$/.test(file)),
  'test/documents/client-texts.test.ts',
  'test/documents/errors.unit.test.ts',
  'test/documents/mail-texts.unit.test.ts',
  'test/domain/customer-input.unit.test.ts',
  'docs/clients/webhooks.md',
]
  .map((file) => textOf(file).replace(/\s+/g, ' '))
  .join(' ');

/** Sentences in code that no client reads: log messages and internal errors. */
function isOurs(node: ts.Node): boolean {
  for (let at = node.parent; !ts.isSourceFile(at); at = at.parent) {
    if (ts.isNewExpression(at) && at.expression.getText() === 'Error') return true;
    if (ts.isCallExpression(at) && /(\blog\.\w+|^super)$/.test(at.expression.getText())) return true;
    if (ts.isCallExpression(at) && /\.(set|header)$/.test(at.expression.getText())) return true;
    if (isDescribing(at)) return true;
  }
  return false;
}

/** A description of a field or an error, which is part of the API document. */
function isDescribing(node: ts.Node): boolean {
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression))
    return ['description', 'example'].includes(node.expression.name.text);
  return ts.isPropertyAssignment(node) && ['cause', 'remedy'].includes(node.name.getText());
}

/** The fixed parts of every text with two words or more; a template's values are left out. */
function sentencesIn(file: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isText =
      ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
    if (isText && !isOurs(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true));
  return found.map((text) => text.trim()).filter((text) => /[a-z]{2,} [a-z]{2,}/i.test(text));
}

const sentences = sources
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) => sentencesIn(file).map((sentence) => [file, sentence] as const));

/** Texts that no API client reads: headers, settings of Express, scripts for Redis, and messages for operators. */
const forOthers: readonly RegExp[] = [
  /^HTTP\/1\.1/,
  /^max-age=/,
  /^trust proxy fn$/,
  /redis\.call/,
  /secret-keys list/,
];

test('When the code has a text for clients, then a test compares it', () => {
  const uncompared = sentences
    .filter(([, sentence]) => !forOthers.some((pattern) => pattern.test(sentence)))
    .filter(([, sentence]) => !described.some((line) => line.startsWith(sentence)))
    .filter(([, sentence]) => !compared.includes(sentence));
  expect(uncompared).toEqual([]);
});
