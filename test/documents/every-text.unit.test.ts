/** No text for clients is missing where texts are compared: `client-texts.test.ts`, `mail-texts.unit.test.ts`. */
import ts from 'typescript';
import { repositoryFiles, textOf } from './documents';

const isSource =
  /^src\/(api\/|domain\/(errors|orders\/failure-codes|orders\/topup-input)\.ts|notifications\/(mail\/endpoint-disabled-mail|webhooks\/(addresses|sender|delivery-round))\.ts)/;

/** What the API says of itself: compared whole with docs/clients/openapi.json. */
const isDescription = /^src\/api\/(openapi\/|.*(operations|schemas)\.ts$)/;

/** Where texts for clients are written. Mails by templates are compared whole. */
const sources = repositoryFiles().filter((file) => isSource.test(file) && !isDescription.test(file));

/** Where they are compared as clients meet them; and where the log of webhooks is told. */
const compared = [
  'test/documents/client-texts.test.ts',
  'test/documents/mail-texts.unit.test.ts',
  'docs/clients/webhooks.md',
]
  .map((file) => textOf(file).replace(/\s+/g, ' '))
  .join(' ');

/** Sentences in code that no client reads: what is logged, and what is thrown among ourselves. */
function isOurs(node: ts.Node): boolean {
  for (let at = node.parent; !ts.isSourceFile(at); at = at.parent) {
    if (ts.isNewExpression(at) && at.expression.getText() === 'Error') return true;
    if (ts.isCallExpression(at) && /(\blog\.\w+|^super)$/.test(at.expression.getText())) return true;
    if (ts.isCallExpression(at) && /\.(set|header)$/.test(at.expression.getText())) return true;
    if (isDescribing(at)) return true;
  }
  return false;
}

/** A description of a field or of an error, which is a part of what the API says of itself. */
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

/** Texts that no API client reads: headers, settings of Express, scripts for Redis, and what operators are told. */
const forOthers: readonly RegExp[] = [
  /^HTTP\/1\.1/,
  /^max-age=/,
  /^trust proxy fn$/,
  /redis\.call/,
  /secret-keys list/,
];

test('When a text for clients is in the code, then it is compared where texts are compared', () => {
  const uncompared = sentences
    .filter(([, sentence]) => !forOthers.some((pattern) => pattern.test(sentence)))
    .filter(([, sentence]) => !compared.includes(sentence));
  expect(uncompared).toEqual([]);
});
