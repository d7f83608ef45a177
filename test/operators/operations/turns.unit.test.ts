import { setImmediate } from 'node:timers/promises';
import type { Context } from '../../../src/operators/operations/context';
import { inTurn } from '../../../src/operators/operations/approvals/turns';

const callerOf = (operator: string, accountable = operator): Pick<Context, 'operator' | 'account'> => ({
  operator,
  account: { id: operator, accountable, door: 'CLI', isService: operator !== accountable },
});

test('When an operation of a person runs, then the next one of the person or its service account waits, and one of another person runs', async () => {
  const began: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => () =>
    new Promise<void>((resolve) => {
      began.push(name);
      ends.push(resolve);
    });
  const first = inTurn(callerOf('alice'), work('first'));
  const second = inTurn(callerOf('robot', 'alice'), work('second'));
  const other = inTurn(callerOf('bob'), work('other'));
  await setImmediate();
  expect(began).toEqual(['first', 'other']);
  ends[0]?.();
  await first;
  await setImmediate();
  expect(began).toEqual(['first', 'other', 'second']);
  for (const end of ends) end();
  await Promise.all([second, other]);
});

test('When an operation fails, then the next one of the person runs', async () => {
  const failed = inTurn(callerOf('carol'), () => Promise.reject(new Error('no')));
  const next = inTurn(callerOf('carol'), () => Promise.resolve('done'));
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('done');
});

test('When an operation has waited for a minute, then it is rejected, and never runs', async () => {
  jest.useFakeTimers();
  let end: () => void = () => undefined;
  const long = inTurn(callerOf('dave'), () => new Promise<void>((resolve) => (end = resolve)));
  const waiting = jest.fn(() => Promise.resolve());
  const rejected = expect(inTurn(callerOf('dave'), waiting)).rejects.toThrow(
    'Too many of your calls run. Repeat this one later.',
  );
  await jest.advanceTimersByTimeAsync(60_000);
  await rejected;
  end();
  await long;
  expect(waiting).not.toHaveBeenCalled();
  jest.useRealTimers();
});
