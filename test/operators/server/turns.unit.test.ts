/** By how much a call asks for, it waits among the short calls or among those about many rows. docs/operators/api.md. */
import { operations } from '../../../src/operators/operations/operations';
import { turnOf } from '../../../src/operators/server/turns';

const lists = operations.filter(
  (operation) => operation.effect === 'reads' && !operation.isLong && 'limit' in operation.arguments,
);

test.each(lists.map((list) => [list.name, list] as const))(
  'When %s is called without a limit, then it waits with calls about many rows, unless few rows are its default',
  (_name, list) => {
    const turn = (given: { limit?: string }) => turnOf(list, 'application/json', given);
    const standard = list.arguments['limit']?.standard;
    expect(turn({})).toBe(Number(standard ?? Infinity) > 1_000 ? 'many' : 'short');
    expect(turn({ limit: '1000' })).toBe('short');
    expect(turn({ limit: '1001' })).toBe('many');
  },
);

test('When lists are looked at, then some have a default limit, and others read all rows', () => {
  const standards = lists.map((list) => list.arguments['limit']?.standard === undefined);
  expect([...new Set(standards)].sort()).toEqual([false, true]);
});
