/** Reads a table of settings from the environment, all at once. */
import Joi from 'joi';
import type { Setting, Values } from './setting-schemas';

/** Validates the variables of a table and returns their values in its shape. Throws one error that names each invalid setting. */
export function readSettings<Table extends object>(
  table: Table,
  environment: NodeJS.ProcessEnv,
  combined: (schema: Joi.ObjectSchema) => Joi.ObjectSchema = (schema) => schema,
): Values<Table> {
  const schema = combined(Joi.object(Object.fromEntries(schemasIn(table))));
  const { value, error } = schema.validate(environment, { abortEarly: false, stripUnknown: true }) as
    | { value: Readonly<Record<string, unknown>>; error: undefined }
    | { value: undefined; error: Joi.ValidationError };
  if (error === undefined) return valuesOf(table, value);
  const faults = error.details.map((detail) => detail.message.replace(/"/g, '')).join('; ');
  throw new Error(`Configuration: ${faults}. See .env.example.`);
}

const isSetting = (entry: object): entry is Setting<unknown> => 'variable' in entry;

function schemasIn(table: object): [string, Joi.Schema][] {
  return Object.values<object>(table as Record<string, object>).flatMap((entry) =>
    isSetting(entry) ? [[entry.variable, entry.schema] as [string, Joi.Schema]] : schemasIn(entry),
  );
}

function valuesOf<Table extends object>(
  table: Table,
  values: Readonly<Record<string, unknown>>,
): Values<Table> {
  const entries = Object.entries(table).map(([name, entry]: [string, object]) => [
    name,
    isSetting(entry) ? values[entry.variable] : valuesOf(entry, values),
  ]);
  return Object.fromEntries(entries) as Values<Table>;
}
