/**
 * A table for words that come from outside: of callers, suppliers, files. It has no prototype, so a word such as `constructor` or
 * `__proto__` finds nothing. A lint rule (dev/lint/no-literal-lookup.mjs) finds object literals that are read in its place.
 */
export function byWord<T>(entries: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.assign(Object.create(null) as Record<string, T>, entries);
}
