/** The forms of the back office fit the operations that the operators' API describes. docs/operators/office.md. */
import { operationsOf, type ControlKind, type OpsDocument } from '../../../packages/office/src/operations';
import { roles } from '../../../src/domain/operators/roles';
import type { Argument } from '../../../src/operators/operations/arguments';
import { jsonName } from '../../../src/operators/operations/json-arguments';
import { decimal } from '../../../src/operators/operations/kinds';
import { operations } from '../../../src/operators/operations/operations';
import { operatorsDocument } from '../../../src/operators/server/document';

const document = JSON.parse(JSON.stringify(operatorsDocument())) as OpsDocument;

function controlOf({ place, repeats, kind }: Argument<unknown>): ControlKind {
  if (place === 'flag') return 'check';
  if (place === 'switch') return 'switch';
  if (place === 'file' || place === 'file option') return 'file';
  const asked = kind?.schema['x-control'];
  if (repeats) return asked === 'numbers' ? asked : 'list';
  if (kind?.schema['enum']) return 'choice';
  if (kind?.schema['x-choices']) return 'choices';
  if (asked === 'operation') return 'choice';
  if (asked === 'day' || asked === 'month' || asked === 'time' || asked === 'object') return asked;
  if (place === 'secret') return 'secret';
  if (kind?.schema['pattern'] === decimal.schema['pattern']) return 'decimal';
  return kind?.schema.type === 'integer' ? 'number' : 'text';
}

test.each(roles)('When a %s opens the pages, then they know exactly the operations of the role', (role) => {
  const own = operations.filter((operation) => operation.roles.includes(role)).map(({ name }) => name);
  expect(operationsOf(document, role).map(({ name }) => name)).toEqual(own);
});

test('When a page offers an operation, then its button says in a few words what it does', () => {
  const buttons = operationsOf(document, 'admin').map(({ name, button }) => [name, button] as const);
  for (const [name, button] of buttons) {
    const [subject = '', ...rest] = name.split(' ');
    expect(button).toMatch(/^[A-Z][a-z]+( [a-zA-Z]+){0,4}$/);
    if (rest.length > 0) expect(button.toLowerCase().split(' ')[0]).not.toBe(subject);
  }
  expect(Object.fromEntries(buttons)).toMatchObject({
    'orders retry': 'Retry',
    'wallets fund': 'Fund',
    'orders reveal': 'Reveal the recipient',
  });
});

test('When operations are listed by subject, then no two of a subject have the same name', () => {
  const titles = operationsOf(document, 'admin').map(({ subject, button }) => `${subject}: ${button}`);
  expect(titles).toEqual(expect.arrayContaining(['Service accounts: Revoke', 'eSIMs: Poll', 'Wallets: Fund']));
  expect(titles.filter((title, index) => titles.indexOf(title) < index)).toEqual([]);
});

test('When an argument names a client, a supplier, a wallet or a product, then a person picks it by name', () => {
  const named = operationsOf(document, 'admin').flatMap((operation) =>
    operation.arguments.flatMap(({ name, subject }) => (subject ? [[operation.name, name, subject]] : [])),
  );
  expect(named).toEqual(
    expect.arrayContaining([
      ['wallets fund', 'wallet', 'wallet'],
      ['discounts set', 'client', 'client'],
      ['discounts set', 'product', 'product'],
      ['orders find', 'supplier', 'supplier'],
      ['suppliers pause', 'name', 'supplier'],
    ]),
  );
  expect(named.filter(([operation]) => operation === 'people invite')).toEqual([]);
});

test('When an operation is described, then its form has a control for each argument, and asks for those that are required', () => {
  for (const shown of operationsOf(document, 'admin')) {
    const operation = operations.find(({ name }) => name === shown.name);
    const expected = Object.entries(operation?.arguments ?? {}).map(([name, argument]) => [
      jsonName(name),
      controlOf(argument),
      argument.isRequired,
      argument.isConfidential === true,
    ]);
    const controls = shown.arguments.map((each) => [
      each.name,
      // A list with arguments for its parts has a line for each item.
      each.hasParts && each.kind === 'list' ? 'text' : each.kind,
      each.isRequired,
      each.isConfidential,
    ]);
    expect([shown.name, controls]).toEqual([shown.name, expected]);
    expect([shown.isLong, shown.hasPreview, shown.isDocument]).toEqual([
      operation?.isLong === true,
      operation?.effect !== 'reads',
      operation !== undefined && 'parts' in operation,
    ]);
  }
});

test('When an operation has alternatives, then each is of its own arguments', () => {
  const known = operationsOf(document, 'admin').filter(({ alternatives }) => alternatives.length > 0);
  expect(known.map(({ name }) => name)).toContain('orders retry');
  for (const { alternatives, arguments: own } of known)
    expect(own.map(({ name }) => name)).toEqual(expect.arrayContaining(alternatives.flat()));
});
