/** Catalogue patterns: the seeded ones match as in JavaScript, and hostile ones do not block the process. */
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import catalogue from '../../dev/sandbox/catalogue.json';
import { faultOfPattern, matchesPattern } from '../../src/domain/orders/pattern';

const seeded = catalogue.topupProducts.flatMap(({ inputFields }) =>
  inputFields.flatMap((field) => ('validationRegex' in field ? [String(field.validationRegex)] : [])),
);

/** The result of the work. Throws after a minute, because a backtracking pattern never ends. */
function ending<Result>(work: () => Result): Result {
  return runInNewContext('work()', { work }, { timeout: 60_000 }) as Result;
}

test('When a pattern of the demo catalogue is matched with any text, then the result equals that of JavaScript', () => {
  expect(seeded.length).toBeGreaterThan(3);
  const common = [
    '^\\d{3}-\\d{4}$',
    '^[\\w.-]+@[\\w-]+\\.[a-z]{2,}$',
    '^(?:eu|us)_\\d+$',
    'a\\/b',
    '^\\u0041\\x42$',
    '^(?<zone>\\d{1,5})$',
    '^\\+?[1-9]\\d{3,14}$',
    '^a?b*c+?$',
    '^foo$',
  ];
  for (const pattern of [...seeded, ...common]) {
    expect([pattern, faultOfPattern(pattern)]).toEqual([pattern, undefined]);
    const inJavaScript = new RegExp(pattern);
    const near = fc.stringMatching(inJavaScript, { maxLength: 30 });
    const text = fc.oneof(
      near,
      near.map((given) => `${given} `),
      fc.string(),
      fc.constant(''),
    );
    fc.assert(fc.property(text, (given) => expect(matchesPattern(pattern, given)).toBe(inJavaScript.test(given))));
  }
});

const long = 'a'.repeat(499);

test.each([
  ['^(a+)+$', `${long}!`],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', long],
  ['^(a|aa)+$', `${long}!`],
  ['(.*)*(.*)*(.*)*x$', 'y'.repeat(500)],
  ['\\b'.repeat(128), `${long}!`],
  [`${'(?:'.repeat(60)}a${')+'.repeat(60)}$`, 'b'],
  [`${'('.repeat(60)}a${')?'.repeat(60)}$`, `${long}!`],
  ['(?:a|b)'.repeat(36), long],
  ['[a-z]{1,1000}'.repeat(19), `${long}!`],
  ['((a{1000}){1000}){1000}', long],
  [`${'('.repeat(40)}a${'){2}'.repeat(40)}`, long],
  ['(?:(?:a?){30}){30}', long],
  ['('.repeat(256), long],
  ['(a|'.repeat(85), long],
  [`(${'a'.repeat(100_000)})+`, long],
])('When a pattern is hostile (%#), then compiling and matching it end', (pattern, text) => {
  ending(() => faultOfPattern(pattern));
  ending(() => matchesPattern(pattern, text));
  expect(matchesPattern('^ok$', 'ok')).toBe(true);
});

test('When a pattern is a random mixture, then compiling and matching it end', () => {
  const part = fc.constantFrom(
    'a',
    '.',
    '\\b',
    '\\w',
    '[a-z]',
    '(',
    '(?:',
    ')',
    ')+',
    ')*',
    ')?',
    '){2}',
    '){0,9}',
    '|',
    '+',
    '{100}',
    '^',
    '$',
  );
  const pattern = fc.array(part, { minLength: 1, maxLength: 120 }).map((parts) => parts.join('').slice(0, 256));
  fc.assert(
    fc.property(pattern, (given) => {
      ending(() => faultOfPattern(given) ?? matchesPattern(given, long));
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['(', 'is no regular expression'],
  ['(?i)a', 'is no regular expression'],
  ['^(?=.*\\d).+$', 'uses what RE2 does not know, such as look-ahead or a repetition above 1000'],
  ['(a)\\1', 'uses what RE2 does not know, such as look-ahead or a repetition above 1000'],
  ['a{1001}', 'uses what RE2 does not know, such as look-ahead or a repetition above 1000'],
  ['[a-z]{1,1000}'.repeat(19), 'repeats too much'],
  ['(?:a?){700}(?:a?){700}(?:a?){700}[x-z]', 'repeats too much'],
  ['(?:.{0,200}){0,5}[x-z]', 'repeats too much'],
  ['a\\z', 'uses what regular expressions of JavaScript and RE2 read differently'],
  ['a'.repeat(257), 'is longer than 256 characters'],
])('When the pattern is %j, then a catalogue with it is rejected', (pattern, fault) => {
  expect(faultOfPattern(pattern)).toBe(fault);
});

test.each([
  ['(?:a?){500}[x-z]', 'the pattern matches nothing in many ways'],
  ['(?:.{0,50}){0,10}[x-z]', 'its repetitions are nested'],
  ['(?:[a-z]?\\w?.?[^b]?){130}[x-z]', 'each character is of many classes'],
  [`(?:${'(a?)'.repeat(20)}){13}[x-z]`, 'it has many groups'],
])('When a catalogue may have the pattern %j, then a value costs little, although %s', (pattern) => {
  expect(faultOfPattern(pattern)).toBeUndefined();
  const costs = [1, 2, 3, 4, 5].map(() => {
    const began = process.cpuUsage();
    expect(matchesPattern(pattern, 'a'.repeat(500))).toBe(false);
    return process.cpuUsage(began).user / 1_000;
  });
  expect(Math.min(...costs)).toBeLessThan(75);
});

test('When a stored pattern cannot be compiled, then nothing matches', () => {
  expect(matchesPattern('^(', 'x')).toBe(false);
  expect(matchesPattern(`^${'a'.repeat(300)}$`, 'a'.repeat(300))).toBe(false);
});
