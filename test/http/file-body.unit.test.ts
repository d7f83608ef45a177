/** JSON bodies whose files are decoded while they arrive. */
import fc from 'fast-check';
import { ApiError } from '../../src/domain/errors';
import { BodyMemory, StreamedJson, type FileLimits } from '../../src/http/file-body';

const limits: FileLimits = { maxBytes: 16_384, maxFileBytes: 100_000, take: () => undefined };

/** The value of the bytes, which arrive in parts of this size. */
function read(bytes: Buffer, size: number, given = limits): unknown {
  const json = new StreamedJson(given);
  for (let from = 0; from < bytes.length; from += size) json.add(bytes.subarray(from, from + size));
  return json.value();
}

/** The value with the bytes of its long strings as texts. */
function withTexts(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withTexts(part)]));
}

/** The status with which the work is rejected; undefined if it is not. */
function statusOf(work: () => unknown): number | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof ApiError ? error.status : undefined;
  }
}

test('When a body arrives in parts of any size, then its value is that of the whole text', () => {
  const unit = fc.constantFrom('a', '"', '\\', '\n', '\u0001', '\u00e9', '\u20ac', '\ud83d\ude00', '\\u0041', '/');
  const text = fc.string({ unit, minLength: 0, maxLength: 400 }).map((short) => short.repeat(30));
  const ascii = (json: string) =>
    json.replace(/[^\x00-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 6_000 }), fc.boolean(), (long, size, isEscaped) => {
      const body = { file: { name: 'f"\\.csv', text: long }, reason: 'why', units: [1, 2], force: true };
      const json = JSON.stringify(body);
      expect(withTexts(read(Buffer.from(isEscaped ? ascii(json) : json), size))).toEqual(body);
    }),
    { numRuns: 200 },
  );
});

test.each([
  ['no JSON', '{"a": ', 400],
  ['a long string with a line break', `{"text": "${'x'.repeat(5_000)}\n"}`, 400],
  ['a long string with half an escape', `{"text": "${'x'.repeat(5_000)}\\u12"}`, 400],
  ['a deep nesting', '['.repeat(200) + ']'.repeat(200), 400],
  ['a long string with half of a character', `{"text": "${'x'.repeat(5_000)}\\ud83d"}`, 400],
  ['a file beyond its limit, also in base64', `{"text": "${'x'.repeat(140_001)}"}`, 413],
  ['short strings beyond the limit of the rest', JSON.stringify(Array(200).fill('x'.repeat(100))), 413],
])('When a body is %s, then it is rejected', (_what, text, status) => {
  expect(statusOf(() => read(Buffer.from(text), 1_000))).toBe(status);
});

test('When the bodies of all calls would take more memory than they may, then the next part is rejected until a call ends', () => {
  const memory = new BodyMemory(10_000);
  const [one, other] = [memory.share(), memory.share()];
  const body = Buffer.from(JSON.stringify({ text: 'x'.repeat(6_000) }));
  read(body, 1_000, { ...limits, take: one.take });
  expect(statusOf(() => read(body, 1_000, { ...limits, take: other.take }))).toBe(503);
  one.release();
  other.release();
  read(body, 1_000, { ...limits, take: other.take });
});

test('When a body is empty, then it has no value', () => {
  expect(read(Buffer.from(''), 1)).toBeUndefined();
});
