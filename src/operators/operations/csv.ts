/** The rows of an operation as comma-separated values. */
import { csvText } from '../../statements/statements';
import { InvalidArgument } from './arguments';
import type { DataOperation } from './operation';

type Listing = Pick<DataOperation, 'name' | 'columns' | 'rows'>;

/** CSV with a header line, also without rows, made on demand from the results of the operation. Throws `InvalidArgument` if it returns no rows. */
export async function* csvOf(operation: Listing, results: AsyncGenerator<unknown, void>): AsyncGenerator<string, void> {
  const { value } = await results.next();
  const first = rowsIn(operation, value);
  async function* lines() {
    yield* first.map(lineOf);
    for await (const result of results) yield* rowsIn(operation, result).map(lineOf);
  }
  const { columns } = operation;
  yield* csvText(columns ? Object.keys(columns) : [...new Set(first.flatMap((row) => Object.keys(row)))], lines());
}

function rowsIn({ name, rows }: Listing, result: unknown): object[] {
  // As JSON carries them: a time is a string.
  const carried: unknown = JSON.parse(JSON.stringify(result));
  const found: unknown = rows?.(carried) ?? carried;
  if (!Array.isArray(found)) throw new InvalidArgument(`${name} returns no rows. Ask for application/json.`);
  return found.map((row: unknown) => Object(row) as object);
}

function lineOf(row: object): object {
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, cellOf(value)]));
}

function cellOf(value: unknown): string | number | boolean | null {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
