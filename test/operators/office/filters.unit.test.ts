/** The filters and columns that the pages of the back office name. docs/operators/office.md. */
import ts from 'typescript';
import { formless, pageInsteadOfForm } from '../../../packages/office/src/main-lists';
import { jsonName } from '../../../src/operators/operations/json-arguments';
import { operations } from '../../../src/operators/operations/operations';
import { repositoryFiles, textOf } from '../../documents/documents';

const pages = repositoryFiles()
  .filter((file) => /^packages\/office\/src\/.*\.tsx$/.test(file))
  .map((file) => ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX));

type Element = ts.JsxSelfClosingElement | ts.JsxOpeningElement;

function nodesIn<N extends ts.Node>(top: ts.Node, isWanted: (node: ts.Node) => node is N): N[] {
  const found: N[] = [];
  const visit = (node: ts.Node): void => {
    if (isWanted(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(top);
  return found;
}

const isElement = (node: ts.Node): node is Element => ts.isJsxSelfClosingElement(node) || ts.isJsxOpeningElement(node);
const elements = pages.flatMap((page) => nodesIn(page, isElement));
const components = pages.flatMap((page) => nodesIn(page, ts.isFunctionDeclaration));

/** The value of an attribute; undefined without the attribute. */
function valueOf(element: Element, name: string): ts.Expression | undefined {
  const attribute = element.attributes.properties
    .filter(ts.isJsxAttribute)
    .find((each) => each.name.getText() === name);
  const value = attribute?.initializer;
  return value && ts.isJsxExpression(value) ? value.expression : value;
}

function textsOfAll(values: readonly ts.Expression[]): string[] | undefined {
  const parts = values.map(textsOf);
  return parts.includes(undefined) ? undefined : parts.flatMap((texts) => texts ?? []);
}

/** A call of `filter` on a list, which leaves some of its texts. */
function isFilter(value: ts.Expression): value is ts.CallExpression & { expression: ts.PropertyAccessExpression } {
  return (
    ts.isCallExpression(value) &&
    ts.isPropertyAccessExpression(value.expression) &&
    value.expression.name.text === 'filter'
  );
}

/** The texts of a list, or of the constant that names it; undefined if a caller gives them. */
function textsOf(value: ts.Expression): string[] | undefined {
  if (ts.isStringLiteral(value)) return [value.text];
  if (ts.isConditionalExpression(value)) return textsOfAll([value.whenTrue, value.whenFalse]);
  if (isFilter(value)) return textsOf(value.expression.expression);
  if (ts.isSpreadElement(value)) return textsOf(value.expression);
  if (ts.isArrayLiteralExpression(value)) return textsOfAll(value.elements);
  const constants = nodesIn(value.getSourceFile(), ts.isVariableDeclaration);
  const list = constants.find(({ name }) => name.getText() === value.getText())?.initializer;
  return list && textsOf(list);
}

/** The operation that an element names, or the only one that its component or its function names. */
function operationOf(element: Element): string | undefined {
  const own = valueOf(element, 'operation');
  if (own && ts.isStringLiteral(own)) return own.text;
  const component = components.find(({ name }) => name?.text === element.tagName.getText());
  const lists = component
    ? nodesIn(component, isElement)
        .map((each) => valueOf(each, 'operation'))
        .filter((value) => value !== undefined)
    : [];
  const literal = lists.find(ts.isStringLiteral);
  return literal?.text ?? readBy(ts.findAncestor(element, ts.isFunctionDeclaration));
}

/** The operation that a function takes with `useOperation` or `useReading`. */
function readBy(component: ts.FunctionDeclaration | undefined): string | undefined {
  const calls = component ? nodesIn(component, ts.isCallExpression) : [];
  const [name] = calls.find(({ expression }) => /^use(Operation|Reading)$/.test(expression.getText()))?.arguments ?? [];
  return name && ts.isStringLiteral(name) ? name.text : undefined;
}

/** Each element that names filters. */
const filtered = elements.flatMap((element) => {
  const value = valueOf(element, element.tagName.getText() === 'Filters' ? 'names' : 'filters');
  if (!value) return [];
  return [{ file: element.getSourceFile().fileName, operation: operationOf(element), names: textsOf(value) }];
});

test.each(filtered.filter(({ names }) => names))(
  'When a page filters $operation by $names, then these are arguments of the operation',
  ({ operation, names = [] }) => {
    const described = operations.find(({ name }) => name === operation);
    expect(Object.keys(described?.arguments ?? {}).map(jsonName)).toEqual(expect.arrayContaining(names));
  },
);

test.each(formless)('When a page replaces the form of %s, then it has a filter for each argument', (operation) => {
  const { arguments: taken = {} } = operations.find(({ name }) => name === operation) ?? {};
  const filters = filtered.filter((one) => one.operation === operation).map(({ names = [] }) => names);
  const wanted = Object.keys(taken)
    .map(jsonName)
    .filter((name) => name !== 'after' && name !== 'limit');
  expect(wanted.length === 0 || filters.some((names) => wanted.every((name) => names.includes(name)))).toBe(true);
  expect(pageInsteadOfForm(operation)).toBeDefined();
});

/** The columns of rows, by the places that name them. */
const places = ['columns', 'more'] as const;

const shown = elements
  .filter((element) => ['List', 'Rows'].includes(element.tagName.getText()))
  .flatMap((element) =>
    places.flatMap((place) => {
      const value = valueOf(element, place);
      if (!value) return [];
      const file = element.getSourceFile().fileName;
      return [{ file, place, operation: operationOf(element), names: textsOf(value) }];
    }),
  );

test.each(shown.filter(({ names }) => names))(
  'When a page shows $names of $operation as $place, then its rows have them',
  ({ operation, names = [] }) => {
    const described = operations.find(({ name }) => name === operation);
    const columns = described && 'columns' in described ? described.columns : undefined;
    expect(Object.keys(columns ?? {})).toEqual(expect.arrayContaining(names));
  },
);

test('When a page shows columns, then it names them in a list', () => {
  const unread = shown.filter(({ names }) => !names).map(({ file }) => file);
  expect(unread.filter((file) => !file.startsWith('packages/office/src/parts/'))).toEqual([]);
  expect(shown.length).toBeGreaterThan(10);
});

test('When a part of a page gets its filters from the page, then the page names them in a list', () => {
  const unread = filtered.filter(({ names }) => !names).map(({ file }) => file);
  expect(unread.filter((file) => !file.startsWith('packages/office/src/parts/'))).toEqual([]);
});
