import { WaitingLine, type Place } from '../../src/ordering/waiting-line';

const LONG = 10_000;

async function enter(line: WaitingLine): Promise<Place> {
  return (await line.enter(LONG)) as Place;
}

test('When a place is free, then whoever comes is let in; else when one is left, in the order they came', async () => {
  const line = new WaitingLine(2);
  const [first, second] = [await enter(line), await enter(line)];
  const inside: string[] = [];
  const [third, fourth] = ['third', 'fourth'].map(async (name) => {
    const place = await enter(line);
    inside.push(name);
    return place;
  });
  expect(inside).toEqual([]);
  second.leave();
  await third;
  expect(inside).toEqual(['third']);
  first.leave();
  await fourth;
  expect(inside).toEqual(['third', 'fourth']);
});

test('When a place is left twice, then one is let in', async () => {
  const line = new WaitingLine(1);
  const place = await enter(line);
  place.leave();
  place.leave();
  expect(place.isTaken).toBe(false);
  expect((await enter(line)).isTaken).toBe(true);
  expect(await line.enter(1)).toBeUndefined();
});

test('When no place comes free in time, then there is none, and who waits behind comes before', async () => {
  const line = new WaitingLine(1);
  const place = await enter(line);
  const impatient = line.enter(1);
  const patient = enter(line);
  expect(await impatient).toBeUndefined();
  place.leave();
  expect((await patient).isTaken).toBe(true);
});
