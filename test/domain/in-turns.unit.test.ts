/** Large lists let others in between: what an order of 5,000 does must not hold up an order of one. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inLine, mapInTurns } from '../../src/domain/in-turns';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

test('When a list is mapped, short or long, then every item is, in order', async () => {
  for (const count of [0, 1, 25, 26, 501]) {
    expect(await mapInTurns(numbers(count), (number) => number * 2)).toEqual(
      numbers(count).map((number) => number * 2),
    );
  }
});

test('When several long lists are mapped at once, then a turn of the event loop works on a part of one of them', async () => {
  let inThisTurn = 0;
  let most = 0;
  let isOver = false;
  const turns = (async () => {
    while (!isOver) {
      inThisTurn = 0;
      await nextTurn();
      most = Math.max(most, inThisTurn);
    }
  })();
  await Promise.all(numbers(8).map(() => mapInTurns(numbers(200), () => inThisTurn++)));
  isOver = true;
  await turns;
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(25);
});

test('When an item cannot be mapped, then its list fails, and others go on', async () => {
  const failing = mapInTurns(numbers(100), (number) => {
    if (number === 60) throw new Error('sixty');
    return number;
  });
  const [outcome, other] = await Promise.allSettled([failing, mapInTurns(numbers(100), (number) => number)]);
  expect(outcome.status).toBe('rejected');
  expect(other).toMatchObject({ status: 'fulfilled', value: numbers(100) });
});

test('When more work comes than may be under way, then the rest waits in line, also behind work that failed', async () => {
  const line = inLine(2);
  let underWay = 0;
  let most = 0;
  const outcomes = await Promise.allSettled(
    numbers(7).map((number) =>
      line(async () => {
        most = Math.max(most, ++underWay);
        await nextTurn();
        underWay--;
        if (number % 2 === 1) throw new Error('odd');
        return number;
      }),
    ),
  );
  expect(most).toBe(2);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
});
