/** The tests of the API, `client-texts.test.ts` and `mail-texts.unit.test.ts` compare every text for clients. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { patternOf } from '../../dev/documents/errors-page';
import { repositoryFiles, root, textOf } from './documents';

/** The files that only describe the API. A test compares their descriptions with docs/clients/openapi.json. */
const isDescription = /^src\/api\/(openapi\/|.*schemas\.ts$)/;

/** Texts that clients read besides responses: mails without a template, and the log of webhooks. */
const besidesResponses =
  /^src\/notifications\/(mail\/endpoint-disabled-mail|webhooks\/(addresses|sender|delivery))\.ts$/;

/**
 * Files that the API imports, and whose texts are for operators: lists of attention, the audit, the log, metadata of workflows in the
 * Temporal UI.
 */
const forOperators =
  /^src\/(temporal|data\/database|async)\/|\/(order-workflow|esim-status|replacement-plans|variant-sync|endpoint-secrets|purchase-polls)\.ts$/;

const parsed = (file: string) => ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true);

/** The files whose values the file imports. */
function importsOf(file: string): string[] {
  const statements = parsed(file).statements.filter(
    (each) => ts.isImportDeclaration(each) || ts.isExportDeclaration(each),
  );
  return statements.flatMap((each) => {
    const isOfTypes = ts.isImportDeclaration(each) && each.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
    if (isOfTypes || !each.moduleSpecifier || !ts.isStringLiteral(each.moduleSpecifier)) return [];
    const path = join(dirname(file), each.moduleSpecifier.text);
    return [`${path}.ts`, `${path}/index.ts`].filter((candidate) => existsSync(join(root, candidate)));
  });
}

/** All that a response can hold: the texts of the API, and of the files that it imports. */
const ofApi = repositoryFiles().filter((file) => /^src\/api\/.*\.ts$/.test(file) && file !== 'src/api/main.ts');
const sources = [
  ...new Set([
    ...ofApi,
    ...ofApi.flatMap(importsOf),
    ...repositoryFiles().filter((file) => besidesResponses.test(file)),
  ]),
]
  .filter((file) => !isDescription.test(file) && !forOperators.test(file))
  .sort();

/** The lines of all texts in openapi.json except example messages of errors, and of the page with all messages. */
const described: string[] = textOf('docs/clients/errors.md').split('\n');
const collect = (key: string, value: unknown): unknown => {
  if (typeof value === 'string' && key !== 'message') described.push(...value.split('\n').map((line) => line.trim()));
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

/** What statements and their parts have, and sentences have not. */
const isSql = (file: string, text: string) =>
  file.startsWith('src/data/') &&
  /\b(SELECT|FROM|WHERE|SET|AND|OR|IN|AS|ON|IS|NULL|THEN|DESC|LIMIT|OFFSET|RETURNING|GROUP BY|ORDER BY)\b|\w[_.]\w|::|\$\w|\|\|/.test(
    text,
  );

/** The texts in SQL, such as the remarks of an entry, but not those of errors, which no client reads. */
function textsInSql(sql: string): string[] {
  const withoutErrors = sql.replace(/--.*$/gm, '').replace(/RAISE [^;]*;/g, '');
  const texts = Array.from(withoutErrors.matchAll(/'((?:[^'\n]|'')*)'/g), ([, text = '']) =>
    text.replaceAll("''", "'"),
  );
  return texts.filter((text) => !/^(SELECT|INSERT) /.test(text));
}

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
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
    if (isText && !isOurs(node)) found.push(...(isSql(file, node.text) ? textsInSql(node.text) : [node.text]));
    ts.forEachChild(node, visit);
  };
  if (file.endsWith('.sql')) found.push(...textsInSql(textOf(file)));
  else visit(parsed(file));
  return found.map((text) => text.trim()).filter((text) => /[a-z]{2,} [a-z]{2,}/i.test(text));
}

const functions = repositoryFiles().filter((file) => /^src\/data\/schema\/rules\/.*\.sql$/.test(file));
const sentences = [...sources, ...functions].flatMap((file) =>
  sentencesIn(file).map((sentence) => [file, sentence] as const),
);

/** Texts that no API client reads: headers, settings of Express, scripts for Redis, names of systems, and texts for operators. */
const forOthers: readonly RegExp[] = [
  /^Mac OS X$/,
  // The list of attention.
  /because a key is missing or wrong/,
  /^(The supplier's clock is wrong: it reports|its first use|at no date)$/,
  /^(Has only failed since|; is disabled on|The notification mail could not be sent)$/,
  /^A refund after delivery waits, because wallet$/,
  // Why an order is held, and by whom it is decided.
  /^Rule %s: |^within an hour$|^for one recipient within|^within 24 hours from the new network$/,
  /^By its client$|^, in the sandbox$/,
  // Entries that operators post: the sandbox chooses reference and amount of its own.
  /^The reference is empty$|the service's own: the entries of orders|is that of funding request$|belongs to another entry:$/,
  /^There is no wallet$|moved money in wallet$|^of another client: if both are right|^is not an amount of$|^: give an amount above 0/,
  // Expressions that a trigger gets as text.
  /^CASE WHEN active/,
  /^HTTP\/1\.1/,
  /^max-age=/,
  /^trust proxy fn$/,
  /redis\.call/,
  /secret-keys list/,
  // Statements that a function puts together.
  /^CASE WHEN /,
];

const isDescribed = (text: string) => described.some((line) => line.includes(text));

test('When the code has a text for clients, then a test compares it', () => {
  const uncompared = sentences
    .filter(([, sentence]) => !forOthers.some((pattern) => pattern.test(sentence)))
    .filter(([, sentence]) => !isDescribed(sentence) && !isDescribed(patternOf(sentence)))
    .filter(([, sentence]) => !compared.includes(sentence));
  expect(uncompared).toEqual([]);
});
