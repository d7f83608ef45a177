/** Texts for operators name only the first of many. */
import { firstNames } from '../../src/domain/first-names';

test.each([
  [['a', 'b'], undefined, 'a, b'],
  [['a', 'b', 'c', 'd', 'e', 'f', 'g'], undefined, 'a, b, c, d, e, 2 more'],
  [['a', 'b'], 12, 'a, b, 10 more'],
])('When %j are named, then the text counts those that it does not name', (names, count, text) => {
  expect(firstNames(names, ', ', count)).toBe(text);
});
