/** The columns of the rows that an operation returns. */

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
