/** Reads a table of settings from the environment, all at once. */
import Joi from 'joi';
import type { Setting, Values } from './setting-schemas';

/**
 * Validates the variables of a table and returns their values in its shape. An empty variable counts as not set. Throws one error that
 * names each invalid setting, without its value.
 */
export function readSettings<Table extends object>(
  table: Table,
  environment: NodeJS.ProcessEnv,
  combined: (schema: SettingsSchema) => SettingsSchema = (schema) => schema,
): Values<Table> {
  const schemas = schemasIn(table);
  const given = setVariables(environment);
  const wrapped = schemas.map(([variable]) => variable).filter((variable) => isWrapped(given[variable]));
  if (wrapped.length > 0) throw invalid(wrapped.map((variable) => `${variable} ${WRAPPED}`));
  const schema = combined(Joi.object(Object.fromEntries(schemas)));
  const checked = schema.validate(given, { abortEarly: false, stripUnknown: true });
  if (!checked.error) return valuesOf(table, checked.value);
  throw invalid(checked.error.details.map((detail) => detail.message.replace(/"/g, '')));
}

type SettingsSchema = Joi.ObjectSchema<Readonly<Record<string, unknown>>>;

const invalid = (faults: readonly string[]) =>
  new Error(`Configuration: ${faults.join('; ')}. See .env.example.`);

/** The environment without empty variables. A file with the line ends of Windows leaves a carriage return in an empty one. */
export function setVariables(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
}

/** The variable of the environment; undefined if it is empty. Throws an error with its name as `readSettings` does. */
export function readVariable(name: string, environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const value = setVariables({ [name]: environment[name] })[name];
  if (isWrapped(value)) throw invalid([`${name} ${WRAPPED}`]);
  return value;
}

/** Programs that read a file of settings differ in what they strip, so a value never has any of these. */
const WRAPPED =
  'must not begin or end with a blank or a line break, nor be in quotes: the file of settings keeps them in the value';

const isWrapped = (value = '') => value !== value.trim() || /^(["'`]).*\1$/s.test(value);

const isSetting = (entry: object): entry is Setting<unknown> => 'variable' in entry;

function schemasIn(table: object): [string, Joi.Schema][] {
  return Object.values<object>({ ...table }).flatMap((entry): [string, Joi.Schema][] =>
    isSetting(entry) ? [[entry.variable, entry.schema]] : schemasIn(entry),
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
