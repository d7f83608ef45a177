import {
  implausibleTimes,
  isMonitoringOver,
  monitoredEsim,
  nextPollDelayMs,
  timesAfter,
  validityIsOver,
  type DeliveredEsim,
  type EsimTimes,
  type EsimStatus,
} from '../../src/domain/esims/esim-lifecycle';
import { day, hour, minute, second } from '../../src/domain/time';

const delivery = Date.UTC(2030, 0, 1);
const at = (sinceDelivery: number) => new Date(delivery + sinceDelivery);

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

describe('What a sighting means', () => {
  test.each<[string, DeliveredEsim, EsimStatus, object | undefined]>([
    ['nothing happened', delivered, {}, undefined],
    [
      'installed',
      delivered,
      { installedAt: at(hour) },
      { installedAt: at(hour), activatedAt: null, depletedAt: null },
    ],
    ['installed, as is known', installed, { installedAt: at(minute) }, undefined],
    [
      'used, hence installed',
      delivered,
      { firstUsedAt: at(day) },
      { installedAt: at(day), activatedAt: at(day), depletedAt: null },
    ],
    [
      'used, when installation is known',
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
      'installed, used and used up at once',
      delivered,
      { installedAt: at(1), firstUsedAt: at(2), isDepleted: true, depletedAt: at(3) },
      { installedAt: at(1), activatedAt: at(2), depletedAt: at(3) },
    ],
    [
      'used up at no known time',
      used,
      { isDepleted: true },
      { installedAt: at(hour), activatedAt: at(day), depletedAt: at(2 * day) },
    ],
    ['a time of the end, but no end', used, { depletedAt: at(2 * day) }, undefined],
    ['used up, but never installed', delivered, { isDepleted: true, depletedAt: at(day) }, undefined],
    ['something after the end', expired, { isDepleted: true, depletedAt: at(3 * day) }, undefined],
  ])('When it is seen that: %s, then only what is new counts', (_, esim, seen, times) => {
    expect(timesAfter(esim, seen, at(2 * day))).toEqual(times);
  });

  test('When its days since first use are over, then it is over, whatever the supplier says', () => {
    expect(validityIsOver(used, at(31 * day - 1))).toBe(false);
    expect(validityIsOver(used, at(31 * day))).toBe(true);
    expect(timesAfter(used, {}, at(40 * day))).toMatchObject({ depletedAt: at(31 * day) });
    expect(timesAfter(delivered, { firstUsedAt: at(0) }, at(40 * day))).toMatchObject({
      depletedAt: at(30 * day),
    });
  });
});

describe('What a wrong clock of the supplier reports', () => {
  const now = at(2 * day);
  const earliest = new Date(-8.64e15);
  const latest = new Date(8.64e15);

  test.each<[string, Date, Date]>([
    ['before its delivery', at(-30 * day), at(0)],
    ['in 1970', new Date(0), at(0)],
    ['in the year -271821', earliest, at(0)],
    ['after now', at(3 * day), now],
    ['in the year 275760', latest, now],
    ['at no date', new Date(NaN), now],
  ])(
    'When it was used %s, then that is bounded, its days count from there, and operators are told',
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

  test('When the supplier says that it ended, then it ends between delivery and now, and operators are told of the time', () => {
    const seen = { isDepleted: true, depletedAt: earliest };
    const times = timesAfter(installed, seen, now) as EsimTimes;
    expect(times).toEqual({ installedAt: at(hour), activatedAt: null, depletedAt: at(0) });
    expect(implausibleTimes(installed, seen, times)).toBe(
      `The supplier's clock is wrong: it reports its end at -271821-04-20T00:00:00.000Z (at ${at(0).toISOString()} counts)`,
    );
  });

  test('When clocks differ by less than a minute, then the time is bounded and nobody is told', () => {
    const seen = { installedAt: at(-minute), firstUsedAt: at(2 * day + minute) };
    const times = timesAfter(delivered, seen, now) as EsimTimes;
    expect(times).toMatchObject({ installedAt: at(0), activatedAt: now });
    expect(implausibleTimes(delivered, seen, times)).toBeUndefined();
  });

  test('When our own clock was behind at the delivery, then nothing is bounded to before it', () => {
    expect(timesAfter(delivered, { installedAt: at(-day) }, at(-hour))).toMatchObject({ installedAt: at(0) });
  });

  test.each([earliest, latest])(
    'When %s was stored as first use, then it ends all the same',
    (activatedAt) => {
      const { endsAt } = monitoredEsim({ ...used, activatedAt }, false);
      expect(endsAt).toBeGreaterThanOrEqual(delivery + 30 * day);
      expect(endsAt).toBeLessThanOrEqual(delivery + 395 * day);
    },
  );
});

describe('How long an eSIM is followed', () => {
  test('When it was not used, then for a year from its delivery, installed or not', () => {
    expect(monitoredEsim(delivered, false)).toEqual({
      status: 'NOT_INSTALLED',
      changedAt: delivery,
      endsAt: delivery + 365 * day,
      pushed: false,
    });
    expect(monitoredEsim(installed, true)).toEqual({
      status: 'ACTIVE',
      changedAt: delivery + hour,
      endsAt: delivery + 365 * day,
      pushed: true,
    });
    expect(isMonitoringOver(monitoredEsim(delivered, false), delivery + 365 * day - 1)).toBe(false);
    expect(isMonitoringOver(monitoredEsim(delivered, false), delivery + 365 * day)).toBe(true);
  });

  test('When it was used, then until its days are over or it is used up', () => {
    expect(monitoredEsim(used, true)).toEqual({
      status: 'ACTIVE',
      changedAt: delivery + day,
      endsAt: delivery + 31 * day,
      pushed: true,
    });
    expect(isMonitoringOver(monitoredEsim(expired, true), delivery)).toBe(true);
  });
});

describe('When the supplier is asked', () => {
  const polled = monitoredEsim(delivered, false);
  const pushed = { ...polled, pushed: true };

  test.each([
    [0, 5 * second, 5 * second],
    [minute, 45 * second, 5 * minute],
    [9 * minute, 45 * second, 5 * minute],
    [11 * minute, 7.5 * minute, 30 * minute],
    [69 * minute, 7.5 * minute, 30 * minute],
    [3 * hour, hour, 6 * hour],
    [3 * day, 6 * hour, day],
    [30 * day, day, day],
    [365 * day - hour, hour, hour],
    [-30 * day, day, day],
  ])(
    'When the last change is %i ms ago, then again in %i ms, in %i where it pushes',
    (age, wait, waitPushed) => {
      expect(nextPollDelayMs(polled, delivery + age, 0, 0)).toBe(wait);
      expect(nextPollDelayMs(pushed, delivery + age, 0, 0)).toBe(waitPushed);
    },
  );

  test('When it does not answer, then it is asked again soon, ever less, and no oftener than it would be', () => {
    const waits = [1, 2, 3, 4, 20].map((failures) =>
      nextPollDelayMs(pushed, delivery + 30 * day, failures, 0),
    );
    expect(waits).toEqual([5 * second, 20 * second, 80 * second, 320 * second, day]);
    expect(nextPollDelayMs(polled, delivery + minute, 20, 0)).toBe(45 * second);
    expect(nextPollDelayMs(polled, delivery + 400 * day, 20, 0)).toBe(day);
  });

  test('When its ICCID does not open, then it waits for a day, however young its last change is', () => {
    expect(nextPollDelayMs({ ...polled, unreadable: true }, delivery + minute, 0, 0)).toBe(day);
  });

  test('When many were delivered together, then they are asked about apart, and their end is not missed', () => {
    expect(nextPollDelayMs(pushed, delivery + 30 * day, 0, 1)).toBe(day * 1.2);
    expect(nextPollDelayMs(pushed, delivery + 365 * day - hour, 0, 1)).toBe(hour);
  });
});
