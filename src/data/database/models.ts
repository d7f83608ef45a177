/** Defines Sequelize models by their columns. The type of a model's rows follows from the columns. Decimals are read as text. */
import {
  DataTypes,
  type Model,
  type ModelAttributeColumnOptions,
  type ModelAttributes,
  type ModelOptions,
  type ModelStatic,
} from 'sequelize';
import type { Database } from './database';

declare const value: unique symbol;

/** A column with values of the type `Value`. If `HasDefault` is true, the database has a default for the column. */
interface Column<Value, HasDefault extends boolean = false> extends ModelAttributeColumnOptions {
  /** Never set: the property only carries the types. */
  [value]?: [Value, HasDefault];
}

type Columns = Readonly<Record<string, Column<unknown, boolean>>>;
type ValueOf<C> = C extends Column<infer Value, boolean> ? Value : never;
type WithDefault<C extends Columns> = {
  [Name in keyof C]: C[Name] extends Column<unknown, true> ? Name : never;
}[keyof C];

type Values<C extends Columns> = { -readonly [Name in keyof C]: ValueOf<C[Name]> };
type NewValues<C extends Columns> = Omit<Values<C>, WithDefault<C>> & Partial<Pick<Values<C>, WithDefault<C>>>;

/** A row of a model with these columns. */
type RowOf<C extends Columns> = Model<Values<C>, NewValues<C>> & Values<C>;

/** The values of a row, without the methods that read and write it. Only `src/data` has the methods. */
export type RowValues<Row extends Model> = Omit<Row, keyof Model>;

// Functions, because Sequelize writes into the objects that it is given.
export const text = <Value extends string = string>(): Column<Value> => ({ type: DataTypes.TEXT });
export const integer = (): Column<number> => ({ type: DataTypes.INTEGER });
export const decimal = (): Column<string> => ({ type: DataTypes.DECIMAL });
export const flag = (): Column<boolean> => ({ type: DataTypes.BOOLEAN });
export const moment = (): Column<Date> => ({ type: DataTypes.DATE });
export const bytes = (): Column<Buffer> => ({ type: DataTypes.BLOB });
export const json = <Value>(): Column<Value> => ({ type: DataTypes.JSONB });
export const texts = <Value extends string = string>(): Column<Value[]> => ({ type: DataTypes.ARRAY(DataTypes.TEXT) });

/** A primary key whose values the database assigns. */
export const id = (): Column<number, true> => ({ type: DataTypes.INTEGER, autoIncrement: true, primaryKey: true });
/** One column of a primary key that has several columns. */
export const key = <Value>(column: Column<Value>): Column<Value> => ({ ...column, primaryKey: true });
export const nullable = <Value>(column: Column<Value>): Column<Value | null> => column;
export const withDefault = <Value>({ type }: Column<Value>): Column<Value, true> => ({ type });

/** Defines the model `name` of a table. In the model's statements, the model's name is the alias of the table. */
export function defineModel<C extends Columns>(
  database: Database,
  name: string,
  columns: C,
  options: ModelOptions & { tableName: string },
): ModelStatic<RowOf<C>> {
  const attributes = columns as ModelAttributes<RowOf<C>, Values<C>>;
  return database.define<RowOf<C>, Values<C>>(name, attributes, options as ModelOptions<RowOf<C>>);
}

/** Returns a function that defines the models of a database at the first call, and later returns the same models. */
export function oncePerDatabase<Models>(define: (database: Database) => Models) {
  const models = new WeakMap<Database, Models>();
  return (database: Database): Models => {
    const known = models.get(database) ?? define(database);
    models.set(database, known);
    return known;
  };
}
