/** Concurrent work with a limit. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { limitConcurrency } from '../../src/async/concurrency-limiter';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

test('When work exceeds the limit, then the rest waits in order, also behind failed work', async () => {
  const line = limitConcurrency(() => 2);
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

test('When the limit rises, then waiting work starts as soon as one piece of work ends', async () => {
  let most = 1;
  const line = limitConcurrency(() => most);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const works = numbers(4).map((number) =>
    line(() => new Promise<void>((resolve) => void (begun.push(number), ends.push(resolve)))),
  );
  await nextTurn();
  expect(begun).toEqual([0]);
  most = 2;
  ends[0]?.();
  await nextTurn();
  expect(begun).toEqual([0, 1, 2]);
  most = 1;
  ends[1]?.();
  await nextTurn();
  expect(begun).toEqual([0, 1, 2]);
  ends[2]?.();
  await nextTurn();
  ends[3]?.();
  await Promise.all(works);
  expect(begun).toEqual([0, 1, 2, 3]);
});
