/** The actions that pages offer: each is an operation with arguments that it takes. */
import { attentionExplanations, explanationOf } from '../../../src/domain/attention/attention-explanations';
import { attentionKinds, resolvingCommands } from '../../../src/domain/attention/attention-kinds';
import { roles, type Role } from '../../../src/domain/operators/roles';
import { actionOf, commandOnPage } from '../../../src/operators/operations/actions';
import { readValues } from '../../../src/operators/operations/arguments';
import { givenIn } from '../../../src/operators/operations/json-arguments';
import { operations } from '../../../src/operators/operations/operations';

const usableBy = (role: Role) => ({
  operationNamed(name: string) {
    const named = operations.find((one) => one.name === name);
    return named && { ...named, isAllowed: named.roles.includes(role) };
  },
});

const filled = (command: string) =>
  command
    .replace('<number>', '3')
    .replace('<order>', '17')
    .replace('<endpoint>', '5')
    .replace('<supplier>', 'simulator');

/** Commands of the machine, which no operation has. */
const local = /^(secret-keys|deploy) /;

test.each(attentionKinds)(
  'When %s is listed, then a page can offer the operation that ends it, with its arguments',
  (kind) => {
    const command = filled(resolvingCommands[kind]);
    const action = actionOf(usableBy('admin'), command);
    if (local.test(command)) return void expect(action).toBeUndefined();
    expect(command.startsWith(action?.operation ?? '-')).toBe(true);
    const described = operations.find(({ name }) => name === action?.operation)?.arguments ?? {};
    // What a person adds: a reason, one of the choices, and what the command leaves open.
    const chosen = Object.entries(action?.choices ?? {}).map(([name, values]) => [name, values[0]]);
    const given = givenIn(described, { ...action?.arguments, ...Object.fromEntries(chosen) });
    const known = Object.fromEntries(Object.entries(described).filter(([name]) => given[name] !== undefined));
    expect(() => readValues(known, given)).not.toThrow();
  },
);

test('When a command has choices and open values, then the action has the choices and leaves the values out', () => {
  const command = filled(resolvingCommands.OUTCOME_UNKNOWN);
  expect(actionOf(usableBy('support'), command)).toEqual({
    operation: 'orders resolve',
    about: expect.any(String),
    arguments: { order: 17 },
    choices: { decision: ['ask-again', 'not-bought', 'delivered', 'elsewhere', 'unusable'] },
  });
  expect(actionOf(usableBy('catalogue'), filled(resolvingCommands.CATALOGUE_DOUBTED))).toMatchObject({
    arguments: { supplier: 'simulator', accept_gone: true },
  });
});

test.each(roles)('When a %s reads the list, then each kind has an operation of the role, or none', (role) => {
  for (const kind of attentionKinds) {
    const action = actionOf(usableBy(role), filled(resolvingCommands[kind]));
    const offered = operations.find(({ name }) => name === action?.operation);
    if (action) expect(offered?.roles).toContain(role);
  }
});

test('When the role may not use the operation, then no action is offered', () => {
  expect(actionOf(usableBy('viewer'), filled(resolvingCommands.GOODS_APART))).toBeUndefined();
  expect(actionOf(usableBy('catalogue'), filled(resolvingCommands.OUTCOME_UNKNOWN))).toBeUndefined();
});

test('When a kind is explained, then the text is plain', () => {
  for (const kind of Object.keys(attentionExplanations) as (typeof attentionKinds)[number][])
    expect(explanationOf(kind, (code) => code)).not.toMatch(/[`*]|\]\(/);
});

test.each([
  ['claims send', '“Mark as sent”'],
  ['orders resolve ... delivered', '“Resolve”'],
  ['deploy status', 'deploy status'],
  ['RATE_MAX_AGE_HOURS', 'RATE_MAX_AGE_HOURS'],
])('When an explanation names %s, then a page names it as %s', (code, shown) => {
  expect(commandOnPage(usableBy('viewer'), code)).toBe(shown);
});
