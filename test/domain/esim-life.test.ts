import {
  isOver,
  lifeOf,
  newLife,
  nextLook,
  timesAfter,
  validityIsOver,
  type DeliveredEsim,
  type EsimSighting,
} from '../../src/domain/esim-life';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

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
  test.each<[string, DeliveredEsim, EsimSighting, object | undefined]>([
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
      { depletedAt: at(2 * day) },
      { installedAt: at(hour), activatedAt: at(day), depletedAt: at(2 * day) },
    ],
    [
      'installed, used and used up at once',
      delivered,
      { installedAt: at(1), firstUsedAt: at(2), depletedAt: at(3) },
      { installedAt: at(1), activatedAt: at(2), depletedAt: at(3) },
    ],
    ['used up, but never installed', delivered, { depletedAt: at(day) }, undefined],
    ['something after the end', expired, { depletedAt: at(3 * day) }, undefined],
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

describe('How long an eSIM is followed', () => {
  test('When it was not used, then for a year from its delivery, installed or not', () => {
    expect(lifeOf(delivered)).toEqual(newLife(delivery));
    expect(lifeOf(installed)).toEqual({
      status: 'ACTIVE',
      changedAt: delivery + hour,
      endsAt: delivery + 365 * day,
    });
    expect(isOver(newLife(delivery), delivery + 365 * day - 1)).toBe(false);
    expect(isOver(newLife(delivery), delivery + 365 * day)).toBe(true);
  });

  test('When it was used, then until its days are over or it is used up', () => {
    expect(lifeOf(used)).toEqual({
      status: 'ACTIVE',
      changedAt: delivery + day,
      endsAt: delivery + 31 * day,
    });
    expect(isOver(lifeOf(expired), delivery)).toBe(true);
  });
});

describe('When the supplier is asked', () => {
  test.each([
    [0, 5 * second],
    [minute, 45 * second],
    [9 * minute, 45 * second],
    [11 * minute, 7.5 * minute],
    [69 * minute, 7.5 * minute],
    [2 * hour, hour],
    [3 * day, 6 * hour],
    [30 * day, day],
    [365 * day - hour, hour],
  ])('When the last change is %i ms ago, then again in %i ms', (age, wait) => {
    expect(nextLook(newLife(delivery), delivery + age, false)).toBe(wait);
  });

  test('When it could not be asked, then it is asked again within the hour, also when the end has passed', () => {
    expect(nextLook(newLife(delivery), delivery + 30 * day, true)).toBe(hour);
    expect(nextLook(newLife(delivery), delivery + 400 * day, true)).toBe(hour);
    expect(nextLook(newLife(delivery), delivery + minute, true)).toBe(45 * second);
  });
});
