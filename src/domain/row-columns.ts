/** The columns of the rows that an operation returns, and the types of rows that are declared by their columns. */

/** What the values of a column are, as JSON carries them. Any of them may be null. */
export type ColumnKind = 'text' | 'number' | 'flag' | 'time' | 'list' | 'object';

/** The columns of rows, in their sequence. */
export type Columns = Readonly<Record<string, ColumnKind>>;

type KindOf<Value> = unknown extends Value
  ? ColumnKind
  : [Value] extends [string]
    ? 'text'
    : [Value] extends [number]
      ? 'number'
      : [Value] extends [boolean]
        ? 'flag'
        : [Value] extends [Date]
          ? 'time'
          : [Value] extends [readonly unknown[]]
            ? 'list'
            : 'object';

/** Distributes over the types of rows of a list. */
type NameIn<Row> = Row extends unknown ? keyof Row & string : never;
type ValueIn<Row, Name> = Row extends unknown ? (Name extends keyof Row ? Row[Name] : never) : never;

/** Every column of the rows; any columns if the data are no rows. */
export type ColumnsOf<Data> = Data extends readonly (infer Row)[]
  ? { readonly [Name in NameIn<Row>]: KindOf<NonNullable<ValueIn<Row, Name>>> }
  : Columns;

/** A declared column. Its `Value` is only a type: no column has a `value`. */
interface Column<Value> {
  kind: KindOf<NonNullable<Value>>;
  value?: Value;
}

export const number: Column<number> = { kind: 'number' };
export const flag: Column<boolean> = { kind: 'flag' };
export const time: Column<Date> = { kind: 'time' };
export const text: Column<string> = { kind: 'text' };
export const oneOf = <Text extends string>() => ({ kind: 'text' }) as Column<Text>;
export const object = <Value extends object>() => ({ kind: 'object' }) as Column<Value>;
export const list = <Item>() => ({ kind: 'list' }) as Column<Item[]>;
export const orNull = <Value>({ kind }: Column<Value>) => ({ kind }) as Column<Value | null>;

/** The row that has the declared columns. */
export type RowWith<Declared> = {
  -readonly [Name in keyof Declared]: Declared[Name] extends Column<infer Value> ? Value : never;
};

/** The declared columns, as an operation describes them. */
export function kindsOf<Declared extends Record<string, { kind: ColumnKind }>>(declared: Declared) {
  const kinds = Object.entries(declared).map(([name, { kind }]) => [name, kind]);
  return Object.fromEntries(kinds) as { [Name in keyof Declared]: Declared[Name]['kind'] };
}
