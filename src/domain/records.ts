/** Records by known names. TypeScript knows the names of a record, but not that `Object.keys` and `fromEntries` keep them. */

/** The names of a record that has no others than its type says. */
export function namesOf<Name extends string>(record: Readonly<Partial<Record<Name, unknown>>>): readonly Name[] {
  return Object.keys(record) as Name[];
}

/** A record with a value for each name. */
export function recordOf<Name extends string, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>;
}
