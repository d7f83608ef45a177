import {
  isGone,
  shouldDisable,
  isSuccess,
  planRetry,
  healthAfter,
  SUSPECT_AFTER_ATTEMPTS,
  deliveryRetryDelayMs,
  healthy,
  type RoundOutcome,
  type EndpointHealth,
} from '../../src/domain/webhooks/delivery-rules';
import { day, hour, minute, second } from '../../src/domain/time';

const now = new Date('2026-01-31T12:00:00Z');
const after = (milliseconds: number) => new Date(now.getTime() + milliseconds);

const failed: RoundOutcome = { succeeded: false, retryAfterMs: 0, onlySuspectFailed: false };

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
  ])('When attempt %i failed, then the next is planned %i ms later, and up to a tenth more', (attempts, wait) => {
    expect(deliveryRetryDelayMs(attempts, 0, 0)).toBe(wait);
    expect(deliveryRetryDelayMs(attempts, 0, 1)).toBeCloseTo(wait * 1.1);
    expect(new Set(Array.from({ length: 20 }, () => deliveryRetryDelayMs(attempts))).size).toBeGreaterThan(1);
  });

  test('When the endpoint sends Retry-After, then the longer wait applies, but never more than a day', () => {
    expect(deliveryRetryDelayMs(1, 90 * second, 0)).toBe(90 * second);
    expect(deliveryRetryDelayMs(2, 90 * second, 0)).toBe(5 * minute);
    expect(deliveryRetryDelayMs(1, 400 * day, 0)).toBe(day);
  });

  test('When an endpoint accepts other events, then an event has ten attempts', () => {
    const event = { attempts: 9, firstFailedAt: after(-3 * day) };
    expect(planRetry(event, healthy, 0, now).state).toBe('RETRY');
    expect(planRetry({ ...event, attempts: 10 }, healthy, 0, now)).toEqual({ state: 'FAILED' });
  });

  test('When the endpoint has failed since before the event, then attempts continue', () => {
    const health: EndpointHealth = { failingSince: after(-4 * day), failures: 10, circuitOpenUntil: null };
    const event = { attempts: 10, firstFailedAt: after(-4 * day) };
    expect(planRetry(event, health, 0, now).state).toBe('RETRY');
    expect(planRetry({ ...event, firstFailedAt: after(-6 * day) }, health, 0, now).state).toBe('FAILED');
  });

  test('When a round fails, then all events wait, longer each time', () => {
    let health = healthy;
    const delays: number[] = [];
    for (let round = 1; round <= 4; round++) {
      health = healthAfter(health, failed, now);
      delays.push((health.circuitOpenUntil as Date).getTime() - now.getTime());
    }
    expect(health).toMatchObject({ failingSince: now, failures: 4 });
    [5 * second, 5 * minute, 30 * minute, 2 * hour].forEach((wait, index) => {
      expect(delays[index]).toBeGreaterThanOrEqual(wait);
      expect(delays[index]).toBeLessThanOrEqual(wait * 1.1);
    });
  });

  test('When one event succeeds, then the endpoint is healthy', () => {
    const health: EndpointHealth = { failingSince: after(-day), failures: 7, circuitOpenUntil: after(-1) };
    expect(healthAfter(health, { ...failed, succeeded: true }, now)).toEqual(healthy);
  });

  test('When only a suspect event fails, then no other event waits for it', () => {
    const health = healthAfter(healthy, { ...failed, onlySuspectFailed: true }, now);
    expect(health).toEqual({ failingSince: now, failures: 0, circuitOpenUntil: null });
    expect(SUSPECT_AFTER_ATTEMPTS).toBe(3);
  });

  test('When an endpoint has failed for five days, then one last attempt precedes its disabling', () => {
    const health: EndpointHealth = { failingSince: after(-5 * day + hour), failures: 9, circuitOpenUntil: null };
    expect(shouldDisable(health, now)).toBe(false);
    expect(healthAfter(health, failed, now).circuitOpenUntil).toEqual(after(hour));
    expect(planRetry({ attempts: 9, firstFailedAt: after(-day) }, health, 0, now)).toMatchObject({ at: after(hour) });
    expect(shouldDisable(health, after(hour))).toBe(true);
    expect(shouldDisable(healthy, now)).toBe(false);
  });

  test('When a response is classified, then only 2xx is success and only 410 is gone', () => {
    expect([200, 204, 299].map((status) => isSuccess({ status }))).toEqual([true, true, true]);
    const failures = [100, 199, 300, 301, 304, 307, 400, 404, 410, 429, 500, 503, null];
    expect(failures.some((status) => isSuccess({ status }))).toBe(false);
    expect(failures.filter((status) => isGone({ status }))).toEqual([410]);
  });
});
