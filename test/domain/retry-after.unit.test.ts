import { retryAfterMs, ownMoment } from '../../src/domain/time';

const now = ownMoment('2026-01-31T12:00:00Z').getTime();

test.each([
  ['0', 0],
  ['7', 7_000],
  ['25200', 25_200_000],
  ['Sat, 31 Jan 2026 12:01:30 GMT', 90_000],
  ['Saturday, 31-Jan-26 12:01:30 GMT', 90_000],
  ['Sat, 31 Jan 2026 11:00:00 GMT', 0],
])('When Retry-After is %s, then the wait is %i ms', (header, wait) => {
  expect(retryAfterMs(header, now)).toBe(wait);
});

test.each([['soon'], ['-5'], ['1.5'], [''], ['Soon, maybe'], [undefined], [['1', '2']]])(
  'When Retry-After is %j, then it is ignored',
  (header) => {
    expect(retryAfterMs(header, now)).toBeUndefined();
  },
);
