/** Tables whose rows are all shown, sorted by a column that a person chooses. */
import { useState } from 'preact/hooks';

/** How the rows of a table are sorted: by a column, or in the sequence in which they were read. */
export interface Sorting {
  /** The captions of the columns that can be chosen. */
  columns: readonly string[];
  by: string | undefined;
  isDescending: boolean;
  choose: (column: string | undefined, isDescending: boolean) => void;
}

/** Sorts rows by the chosen column. `valueOf`: the value of a row in the column with this caption. */
export function useSorted<Row>(
  rows: readonly Row[],
  columns: readonly string[],
  valueOf: (row: Row, column: string) => unknown,
): { sorted: readonly Row[]; sorting: Sorting } {
  const [{ by, isDescending }, setChosen] = useState<Pick<Sorting, 'by' | 'isDescending'>>({
    by: undefined,
    isDescending: false,
  });
  const choose: Sorting['choose'] = (column, isDown) => setChosen({ by: column, isDescending: isDown });
  const sorting = { columns, by, isDescending, choose };
  if (by === undefined || !columns.includes(by)) return { sorted: rows, sorting };
  const direction = isDescending ? -1 : 1;
  const sorted = [...rows].sort((one, other) => compared(valueOf(one, by), valueOf(other, by), direction));
  return { sorted, sorting };
}

/** The sequence of two values. Empty ones come last in both directions. */
function compared(one: unknown, other: unknown, direction: 1 | -1): number {
  const [isEmpty, isOtherEmpty] = [one, other].map((value) => value === null || value === undefined || value === '');
  if (isEmpty || isOtherEmpty) return Number(isEmpty) - Number(isOtherEmpty);
  const [first, second] = [textOf(one), textOf(other)];
  const [number, otherNumber] = [first, second].map(Number);
  if (!Number.isNaN(number) && !Number.isNaN(otherNumber)) return direction * (Number(number) - Number(otherNumber));
  return direction * first.localeCompare(second, 'en', { numeric: true });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
