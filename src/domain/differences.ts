/** Differences between two states of a record, as operators see them. */

/** A field of the record as text; null if it has no value. */
export interface Field {
  field: string;
  value: string | null;
}

export interface FieldDifference {
  field: string;
  /** Null if the field had no value. */
  before: string | null;
  /** Null if the field has no value. */
  after: string | null;
}

/** The fields whose values differ, those of the earlier state first. */
export function differencesOf(before: readonly Field[], after: readonly Field[]): FieldDifference[] {
  const [earlier, later] = [valuesOf(before), valuesOf(after)];
  const fields = new Set([...earlier.keys(), ...later.keys()]);
  return [...fields]
    .map((field) => ({ field, before: earlier.get(field) ?? null, after: later.get(field) ?? null }))
    .filter((difference) => difference.before !== difference.after);
}

const valuesOf = (fields: readonly Field[]) => new Map(fields.map(({ field, value }) => [field, value]));

/** Whether a value was removed: the field had one, and has none. */
export function isRemoval({ before, after }: FieldDifference): boolean {
  return isValue(before) && !isValue(after);
}

const isValue = (value: string | null) => value !== null && value !== '';
