/** Reads a table of settings from the environment, all at once. */
import Joi from 'joi';
import { misspeltSettings } from './misspelt-settings';
import type { Setting } from './declared-settings';
import type { Values } from './setting-schemas';

/** The values of settings by variable. */
export type ParsedValues = Readonly<Record<string, unknown>>;

type SettingsSchema = Joi.ObjectSchema<ParsedValues>;

/** Rules that concern several settings. */
interface CombinedRules {
  schema: (schema: SettingsSchema) => SettingsSchema;
  /** The violations, also if settings are invalid: Joi would then run no rule of the whole. */
  faultsOf: (values: ParsedValues) => string[];
}

const noRules: CombinedRules = { schema: (schema) => schema, faultsOf: () => [] };

/**
 * Validates the variables of a table and returns their values in its shape. An empty variable counts as not set. Throws one error that
 * names each violated condition, without values, and each variable whose name is close to that of a setting.
 */
export function readSettings<Table extends object>(
  table: Table,
  environment: NodeJS.ProcessEnv,
  rules = noRules,
): Values<Table> {
  const schemas = schemasIn(table);
  const given = setVariables(environment);
  const wrapped = schemas.map(([variable]) => variable).filter((variable) => isWrapped(given[variable]));
  const unwrapped = Object.fromEntries(wrapped.map((variable) => [variable, withoutWrap(given[variable])]));
  const checked = rules
    .schema(Joi.object(Object.fromEntries(schemas)))
    .validate({ ...given, ...unwrapped }, { abortEarly: false, stripUnknown: true });
  const values = checked.value as ParsedValues;
  const faults = [
    ...wrapped.map((variable) => `${variable} ${WRAPPED}`),
    ...(checked.error?.details ?? []).map(({ message }) => message.replace(/"/g, '')),
    ...rules.faultsOf(values),
  ];
  if (faults.length > 0) throw invalid([...faults, ...misspeltSettings(environment)]);
  return valuesOf(table, values);
}

const invalid = (faults: readonly string[]) => new Error(`Configuration: ${faults.join('; ')}. See .env.example.`);

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

const WRAP = /^(["'`])(.*)\1$/s;

const isWrapped = (value = '') => value !== value.trim() || WRAP.test(value);

const withoutWrap = (value = '') => value.trim().replace(WRAP, '$2');

const isSetting = (entry: object): entry is Setting<unknown> => 'variable' in entry;

function schemasIn(table: object): [string, Joi.Schema][] {
  return Object.values<object>({ ...table }).flatMap((entry): [string, Joi.Schema][] =>
    isSetting(entry) ? [[entry.variable, entry.schema]] : schemasIn(entry),
  );
}

function valuesOf<Table extends object>(table: Table, values: Readonly<Record<string, unknown>>): Values<Table> {
  const entries = Object.entries(table).map(([name, entry]: [string, object]) => [
    name,
    isSetting(entry) ? values[entry.variable] : valuesOf(entry, values),
  ]);
  return Object.fromEntries(entries) as Values<Table>;
}
