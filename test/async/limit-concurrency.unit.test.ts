import { EventEmitter, once } from 'node:events';
import { limitConcurrency } from '../../src/async/limit-concurrency';

/** A piece of work that runs until `end` is called. */
function piece(limit: ReturnType<typeof limitConcurrency>) {
  const events = new EventEmitter();
  const ended = once(events, 'end');
  const begun = once(events, 'begin');
  let release: () => void = () => undefined;
  let hasBegun = false;
  const result = limit(async (free) => {
    release = free;
    hasBegun = true;
    events.emit('begin');
    await ended;
    return 'done';
  });
  return { begun, hasBegun: () => hasBegun, free: () => release(), end: () => events.emit('end'), result };
}

test('When more work arrives than may run, then it begins in the order of arrival as other work ends', async () => {
  const limit = limitConcurrency(2);
  const [first, second, third] = [piece(limit), piece(limit), piece(limit)];
  await Promise.all([first.begun, second.begun]);
  expect(third.hasBegun()).toBe(false);
  second.end();
  await third.begun;
  first.end();
  third.end();
  expect(await Promise.all([first, second, third].map(({ result }) => result))).toEqual(Array(3).fill('done'));
});

test('When a piece frees its place, then the next one begins while it continues, and its end frees no second place', async () => {
  const limit = limitConcurrency(1);
  const [first, second, third] = [piece(limit), piece(limit), piece(limit)];
  await first.begun;
  first.free();
  await second.begun;
  first.end();
  await first.result;
  expect(third.hasBegun()).toBe(false);
  second.end();
  await third.begun;
  third.end();
});

test('When a piece fails, then its caller gets the error, and the next one begins', async () => {
  const limit = limitConcurrency(1);
  await expect(limit(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await limit(async () => 'next')).toBe('next');
});
