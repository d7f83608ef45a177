/** The rows of an operation as comma-separated values. */
import { csvText } from '../statements/statements';
import { InvalidArgument } from './arguments';
import type { DataOperation } from './operation';

/** CSV with a header line, also without rows. Throws `InvalidArgument` if the operation returns no rows. */
export function csvOf(
  { name, columns, rows }: Pick<DataOperation, 'name' | 'columns' | 'rows'>,
  data: unknown,
): AsyncIterable<string> {
  // As JSON carries them: a time is a string.
  const carried: unknown = JSON.parse(JSON.stringify(data));
  const found: unknown = rows?.(carried) ?? carried;
  if (!Array.isArray(found)) throw new InvalidArgument(`${name} returns no rows. Ask for application/json.`);
  const lines = found.map((row: unknown) => Object.entries(Object(row) as object));
  const filled = lines.flatMap((line) => line.map(([column]) => column));
  return csvText(
    columns ? Object.keys(columns) : [...new Set(filled)],
    lines.map((line) => Object.fromEntries(line.map(([column, value]) => [column, cellOf(value)]))),
  );
}

function cellOf(value: unknown): string | number | boolean | null {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
