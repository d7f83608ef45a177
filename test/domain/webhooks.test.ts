import {
  isGone,
  isLost,
  isSuccess,
  retryOf,
  standingAfter,
  SUSPECT_AFTER,
  waitAfter,
  working,
  type RoundSummary,
  type Standing,
} from '../../src/domain/webhooks';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const now = new Date('2026-01-31T12:00:00Z');
const after = (milliseconds: number) => new Date(now.getTime() + milliseconds);

const failed: RoundSummary = { succeeded: false, retryAfter: 0, onlySuspectFailed: false };

describe('webhook retries', () => {
  test.each([
    [1, 5 * second],
    [2, 5 * minute],
    [3, 30 * minute],
    [4, 2 * hour],
    [5, 5 * hour],
    [6, 10 * hour],
    [7, 14 * hour],
    [8, 20 * hour],
    [9, day],
    [10, day],
    [100, day],
  ])('When try %i failed, then the next is planned %i ms later, and up to a tenth more', (tries, wait) => {
    expect(waitAfter(tries, 0, 0)).toBe(wait);
    expect(waitAfter(tries, 0, 1)).toBeCloseTo(wait * 1.1);
    expect(new Set(Array.from({ length: 20 }, () => waitAfter(tries))).size).toBeGreaterThan(1);
  });

  test('When the endpoint asks for a wait, then it gets the longer one, but never more than a day', () => {
    expect(waitAfter(1, 90 * second, 0)).toBe(90 * second);
    expect(waitAfter(2, 90 * second, 0)).toBe(5 * minute);
    expect(waitAfter(1, 400 * day, 0)).toBe(day);
  });

  test('When an endpoint works otherwise, then an event has ten tries', () => {
    const event = { tries: 9, firstFailedAt: after(-3 * day) };
    expect(retryOf(event, working, 0, now).state).toBe('RETRY');
    expect(retryOf({ ...event, tries: 10 }, working, 0, now)).toEqual({ state: 'FAILED' });
  });

  test('When the endpoint has failed since before the event, then the event is not given up', () => {
    const standing: Standing = { failingSince: after(-4 * day), failures: 10, heldUntil: null };
    const event = { tries: 10, firstFailedAt: after(-4 * day) };
    expect(retryOf(event, standing, 0, now).state).toBe('RETRY');
    expect(retryOf({ ...event, firstFailedAt: after(-6 * day) }, standing, 0, now).state).toBe('FAILED');
  });

  test('When a round fails, then everything is held back, longer each time', () => {
    let standing = working;
    const waits: number[] = [];
    for (let round = 1; round <= 4; round++) {
      standing = standingAfter(standing, failed, now);
      waits.push((standing.heldUntil as Date).getTime() - now.getTime());
    }
    expect(standing).toMatchObject({ failingSince: now, failures: 4 });
    [5 * second, 5 * minute, 30 * minute, 2 * hour].forEach((wait, index) => {
      expect(waits[index]).toBeGreaterThanOrEqual(wait);
      expect(waits[index]).toBeLessThanOrEqual(wait * 1.1);
    });
  });

  test('When anything gets through, then the endpoint works', () => {
    const standing: Standing = { failingSince: after(-day), failures: 7, heldUntil: after(-1) };
    expect(standingAfter(standing, { ...failed, succeeded: true }, now)).toEqual(working);
  });

  test('When a suspect event is all that fails, then nothing waits for it', () => {
    const standing = standingAfter(working, { ...failed, onlySuspectFailed: true }, now);
    expect(standing).toEqual({ failingSince: now, failures: 0, heldUntil: null });
    expect(SUSPECT_AFTER).toBe(3);
  });

  test('When an endpoint has failed for five days, then it is lost, and is asked once more at that moment', () => {
    const standing: Standing = { failingSince: after(-5 * day + hour), failures: 9, heldUntil: null };
    expect(isLost(standing, now)).toBe(false);
    expect(standingAfter(standing, failed, now).heldUntil).toEqual(after(hour));
    expect(retryOf({ tries: 9, firstFailedAt: after(-day) }, standing, 0, now)).toMatchObject({
      at: after(hour),
    });
    expect(isLost(standing, after(hour))).toBe(true);
    expect(isLost(working, now)).toBe(false);
  });

  test('When an answer is judged, then 2xx alone is success and 410 alone is gone', () => {
    expect([200, 204, 299].map((status) => isSuccess({ status }))).toEqual([true, true, true]);
    const failures = [100, 199, 300, 301, 304, 307, 400, 404, 410, 429, 500, 503, null];
    expect(failures.some((status) => isSuccess({ status }))).toBe(false);
    expect(failures.filter((status) => isGone({ status }))).toEqual([410]);
  });
});
