import {
  implausibleTimes,
  isMonitoringOver,
  monitoredEsim,
  timesAfter,
  validityIsOver,
  type DeliveredEsim,
  type EsimTimes,
  type EsimStatus,
} from '../../src/domain/esims/esim-lifecycle';
import { nextPollDelayMs, pollStep, waitBeforePoll } from '../../src/domain/esims/esim-polling';
import { day, hour, minute, second, timeAt } from '../../src/domain/time';

const delivery = Date.UTC(2030, 0, 1);
const at = (sinceDelivery: number) => timeAt(delivery + sinceDelivery);

const delivered: DeliveredEsim = {
  activationStatus: 'NOT_INSTALLED',
  deliveredAt: at(0),
  validityDays: 30,
  installedAt: null,
  activatedAt: null,
  depletedAt: null,
};
const installed: DeliveredEsim = { ...delivered, activationStatus: 'ACTIVE', installedAt: at(hour) };
const used: DeliveredEsim = { ...installed, activatedAt: at(day) };
const expired: DeliveredEsim = { ...used, activationStatus: 'EXPIRED', depletedAt: at(2 * day) };

describe('The changes from a supplier report', () => {
  test.each<[string, DeliveredEsim, EsimStatus, object | undefined]>([
    ['nothing happened', delivered, {}, undefined],
    ['installed', delivered, { installedAt: at(hour) }, { installedAt: at(hour), activatedAt: null, depletedAt: null }],
    ['installed, as already known', installed, { installedAt: at(minute) }, undefined],
    [
      'used, hence installed',
      delivered,
      { firstUsedAt: at(day) },
      { installedAt: at(day), activatedAt: at(day), depletedAt: null },
    ],
    [
      'used, with a known installation',
      installed,
      { firstUsedAt: at(day) },
      { installedAt: at(hour), activatedAt: at(day), depletedAt: null },
    ],
    [
      'used up',
      used,
      { isDepleted: true, depletedAt: at(2 * day) },
      { installedAt: at(hour), activatedAt: at(day), depletedAt: at(2 * day) },
    ],
    [
      'installed, used and used up together',
      delivered,
      { installedAt: at(1), firstUsedAt: at(2), isDepleted: true, depletedAt: at(3) },
      { installedAt: at(1), activatedAt: at(2), depletedAt: at(3) },
    ],
    [
      'used up at an unknown time',
      used,
      { isDepleted: true },
      { installedAt: at(hour), activatedAt: at(day), depletedAt: at(2 * day) },
    ],
    ['a depletion time without depletion', used, { depletedAt: at(2 * day) }, undefined],
    ['used up, but never installed', delivered, { isDepleted: true, depletedAt: at(day) }, undefined],
    ['a report after the end', expired, { isDepleted: true, depletedAt: at(3 * day) }, undefined],
  ])('When the report is: %s, then only new facts count', (_, esim, seen, times) => {
    expect(timesAfter(esim, seen, at(2 * day))).toEqual(times);
  });

  test('When the days of an eSIM since its first use are over, then the eSIM has expired, regardless of the supplier', () => {
    expect(validityIsOver(used, at(31 * day - 1))).toBe(false);
    expect(validityIsOver(used, at(31 * day))).toBe(true);
    expect(timesAfter(used, {}, at(40 * day))).toMatchObject({ depletedAt: at(31 * day) });
    expect(timesAfter(delivered, { firstUsedAt: at(0) }, at(40 * day))).toMatchObject({ depletedAt: at(30 * day) });
  });
});

describe('Reports of a wrong supplier clock', () => {
  const now = at(2 * day);
  const earliest = new Date(-8.64e15);
  const latest = new Date(8.64e15);

  test.each<[string, Date, Date]>([
    ['before its delivery', at(-30 * day), at(0)],
    ['in 1970', new Date(0), at(0)],
    ['in the year -271821', earliest, at(0)],
    ['after now', at(3 * day), now],
    ['in the year 275760', latest, now],
    ['at an invalid date', new Date(NaN), now],
  ])(
    'When an eSIM was used %s, then the time is bounded, its days count from there, and operators are notified',
    (_when, reported, taken) => {
      const seen = { firstUsedAt: reported };
      const times = timesAfter(delivered, seen, now);
      expect(times).toEqual({ installedAt: taken, activatedAt: taken, depletedAt: null });
      expect(implausibleTimes(delivered, seen, times as EsimTimes)).toContain(`first use at`);
      const stored = { ...delivered, ...times };
      expect(monitoredEsim(stored, false).endsAt).toBe(taken.getTime() + 30 * day);
      expect(timesAfter(stored, seen, now)).toBeUndefined();
    },
  );

  test('When the supplier reports its end, then it ends between delivery and now, and the time is raised for operators', () => {
    const seen = { isDepleted: true, depletedAt: earliest };
    const times = timesAfter(installed, seen, now) as EsimTimes;
    expect(times).toEqual({ installedAt: at(hour), activatedAt: null, depletedAt: at(0) });
    expect(implausibleTimes(installed, seen, times)).toBe(
      `The supplier's clock is wrong: it reports its end at -271821-04-20T00:00:00.000Z (at ${at(0).toISOString()} counts)`,
    );
  });

  test('When clocks differ by less than a minute, then the time is bounded and not raised', () => {
    const seen = { installedAt: at(-minute), firstUsedAt: at(2 * day + minute) };
    const times = timesAfter(delivered, seen, now) as EsimTimes;
    expect(times).toMatchObject({ installedAt: at(0), activatedAt: now });
    expect(implausibleTimes(delivered, seen, times)).toBeUndefined();
  });

  test('When the clock of the service was behind at the delivery, then no time is bounded to before the delivery', () => {
    expect(timesAfter(delivered, { installedAt: at(-day) }, at(-hour))).toMatchObject({ installedAt: at(0) });
  });

  test.each([earliest, latest])('When %s was stored as first use, then it still ends', (activatedAt) => {
    const { endsAt } = monitoredEsim({ ...used, activatedAt }, false);
    expect(endsAt).toBeGreaterThanOrEqual(delivery + 30 * day);
    expect(endsAt).toBeLessThanOrEqual(delivery + 395 * day);
  });
});

describe('The duration of monitoring', () => {
  test('When an eSIM was not used, then monitoring lasts a year from its delivery, installed or not', () => {
    expect(monitoredEsim(delivered, false)).toEqual({
      status: 'NOT_INSTALLED',
      isUsed: false,
      changedAt: delivery,
      endsAt: delivery + 365 * day,
      pushed: false,
    });
    expect(monitoredEsim(installed, true)).toEqual({
      status: 'ACTIVE',
      isUsed: false,
      changedAt: delivery + hour,
      endsAt: delivery + 365 * day,
      pushed: true,
    });
    expect(isMonitoringOver(monitoredEsim(delivered, false), delivery + 365 * day - 1)).toBe(false);
    expect(isMonitoringOver(monitoredEsim(delivered, false), delivery + 365 * day)).toBe(true);
  });

  test('When an eSIM was used, then monitoring lasts until its days are over or it is used up', () => {
    expect(monitoredEsim(used, true)).toEqual({
      status: 'ACTIVE',
      isUsed: true,
      changedAt: delivery + day,
      endsAt: delivery + 31 * day,
      pushed: true,
    });
    expect(isMonitoringOver(monitoredEsim(expired, true), delivery)).toBe(true);
  });
});

describe('When the supplier is polled', () => {
  const polled = monitoredEsim(delivered, false);
  const pushed = { ...polled, pushed: true };

  test.each([
    [0, 5 * second, 5 * second],
    [minute, 45 * second, 10 * minute],
    [9 * minute, 45 * second, 10 * minute],
    [11 * minute, 7.5 * minute, 30 * minute],
    [69 * minute, 7.5 * minute, 30 * minute],
    [3 * hour, hour, 6 * hour],
    [3 * day, 6 * hour, day],
    [30 * day, day, day],
    [365 * day - hour, hour, hour],
    [-30 * day, day, day],
  ])(
    'When the last change is %i ms ago, then the next poll is in %i ms, or in %i ms with pushes',
    (age, wait, waitPushed) => {
      expect(nextPollDelayMs(polled, delivery + age, 0)).toBe(wait);
      expect(nextPollDelayMs(pushed, delivery + age, 0)).toBe(waitPushed);
    },
  );

  test('When a wait of minutes is over, then the supplier is polled once, and a failed poll again after 5 s, growing waits, at most a quarter of the interval', () => {
    const policy = (age: number) => pollStep(pushed, delivery + age, 0);
    expect(policy(30 * day)).toEqual({
      summary: 'Poll the supplier: not installed',
      scheduleToCloseTimeout: day,
      retry: { initialInterval: 5 * second, backoffCoefficient: 4, maximumInterval: 6 * hour },
    });
    expect(policy(minute).retry.maximumInterval).toBe(150 * second);
    expect(policy(400 * day).retry.maximumInterval).toBe(6 * hour);
  });

  test('When it has just changed, then one step polls in an even interval until ten minutes after the change', () => {
    const everyMs = 54 * second;
    expect(pollStep(polled, delivery + 4 * minute, 1)).toEqual({
      summary: 'Poll every 54 s for 6 min, or until it changes: not installed',
      scheduleToCloseTimeout: 6 * minute + everyMs + 40 * second,
      retry: { initialInterval: everyMs, backoffCoefficient: 1, maximumInterval: everyMs },
    });
  });

  test('When the validity ends in a few minutes, then no burst misses its end', () => {
    const ending = { ...polled, endsAt: delivery + 6 * minute };
    expect(pollStep(ending, delivery + 2 * minute, 0).retry.backoffCoefficient).toBe(4);
    expect(nextPollDelayMs(ending, delivery + 6 * minute - 30 * second, 1)).toBe(30 * second);
  });

  test.each([
    [polled, 3 * hour, null, 'Next poll in 1 h 6 min: not installed'],
    [monitoredEsim(installed, false), 3 * hour, null, 'Next poll in 1 h 6 min: installed, not used'],
    [monitoredEsim(used, false), 26 * hour, null, 'Next poll in 1 h 6 min: in use'],
    [monitoredEsim(used, false), 31 * day - 2 * hour, null, 'Validity ends in 2 h: in use'],
    [polled, 365 * day - 90 * second, null, 'Monitoring ends in 90 s: not installed'],
    [{ ...polled, unreadable: true }, hour, null, 'Next poll in 1 d 2 h: its ICCID cannot be decrypted'],
    [
      polled,
      3 * hour,
      delivery + hour,
      'Next poll in 17 min: not installed; polls have failed since 2030-01-01 01:00:00 UTC',
    ],
  ])('When a monitor waits, then its timer says for what: %#', (esim, age, failingSince, summary) => {
    const wait = waitBeforePoll(esim, { now: delivery + age, chance: 0.5, failingSince });
    expect(wait.summary).toBe(summary);
  });

  test('When the supplier repeats a status for 20 minutes, then the next poll is not earlier', () => {
    const repeated = monitoredEsim(delivered, false, 20 * minute);
    expect(nextPollDelayMs(repeated, delivery, 0)).toBe(20 * minute);
    expect(nextPollDelayMs(repeated, delivery + 3 * hour, 0)).toBe(hour);
  });

  test('When the ICCID cannot be decrypted, then the next poll is in a day, even after a recent change', () => {
    expect(nextPollDelayMs({ ...polled, unreadable: true }, delivery + minute, 0)).toBe(day);
  });

  test('When many were delivered together, then their polls are spread, and their end is not missed', () => {
    expect(nextPollDelayMs(pushed, delivery + 30 * day, 1)).toBe(day * 1.2);
    expect(nextPollDelayMs(pushed, delivery + 365 * day - hour, 1)).toBe(hour);
  });

  test('When polls fail shortly before the end of the validity, then the next poll is not later than the end', () => {
    const now = delivery + 365 * day - hour;
    expect(pollStep(pushed, now, 1).scheduleToCloseTimeout).toBe(hour);
    expect(waitBeforePoll(pushed, { now, chance: 1, failingSince: delivery }).waitMs).toBe(hour);
  });
});
