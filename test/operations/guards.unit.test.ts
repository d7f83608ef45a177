/** Every operation that changes something is tried or checked before it is offered; the exceptions are listed here. */
import { operations, groups } from '../../src/operations/operations';

const changing = operations.filter(({ effect }) => effect !== 'reads');

test('When an operation is not tried before it is offered, then it has a check, and its preview tries it or it changes more than the database', () => {
  const untried = changing.filter(({ trial }) => trial !== undefined);
  expect(untried.filter(({ trial, preview }) => trial === 'PREVIEW' && preview === undefined)).toEqual([]);
  expect(untried.filter(({ trial, hasCheck }) => trial === 'NONE' && !hasCheck)).toEqual([]);
  expect(untried.filter(({ trial }) => trial === 'NONE').map(({ name }) => name)).toEqual([]);
});

/** The arguments that name what an operation is about. */
const subjects = [
  ...[
    'client',
    'email',
    'apiKey',
    'wallet',
    'rule',
    'number',
    'import',
    'claim',
    'endpoint',
    'event',
    'offer',
    'variant',
  ],
  ...['proposal', 'session', 'schedule', 'order', 'supplier', 'name', 'reference', 'recipient'],
];

test('When an operation needs more than its subject, then a check of its own says whether the subject permits it', () => {
  const unchecked = changing.filter(({ hasCheck, arguments: given }) => {
    const needed = Object.entries(given).filter(([name, { isRequired }]) => isRequired && name !== 'reason');
    return (
      !hasCheck &&
      needed.some(([name]) => subjects.includes(name)) &&
      !needed.every(([name]) => subjects.includes(name))
    );
  });
  expect(unchecked.map(({ name }) => name)).toEqual([]);
});

test('When an operation has a group, then the group is described', () => {
  expect(Object.keys(groups).length).toBeGreaterThan(20);
});
