/**
 * Derives the schemas of bodies and query parameters from their Joi schemas. Joi exports JSON Schema, to which this file
 * adds the omitted rules. `.meta({ schema })` adds those of custom functions.
 */
import type Joi from 'joi';
import { errors, type ApiError } from '../../domain/errors';
import type { Schema } from './schema';

/** The result of `describe()`. */
interface Description {
  type: string;
  flags?: { presence?: string; unsafe?: boolean; description?: string };
  rules?: { name: string }[];
  examples?: unknown[];
  metas?: Metas;
  preferences?: { messages?: Record<string, string> };
}

type Metas = readonly { schema?: Schema; isRequired?: boolean; isAlias?: boolean }[];

type Field = [name: string, schema: Joi.Schema, description: Description];

function fieldsOf(schema: Joi.ObjectSchema): Field[] {
  const { keys = {} } = schema.describe() as { keys?: Record<string, Description> };
  return Object.entries(keys).map(([name, description]) => [name, schema.extract(name), description]);
}

/** The JSON Schema of a body. The service ignores other keys. */
export function bodySchema(schema: Joi.ObjectSchema): Schema {
  const fields = fieldsOf(schema);
  const required = fields.filter(isRequired).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field[0], fieldSchema(field)])),
    ...(required.length > 0 && { required }),
  };
}

interface QueryParameter {
  name: string;
  description: string | undefined;
  schema: Schema;
  required: boolean;
}

/** The parameters of a query, without aliases. The service ignores other parameters. */
export function queryParameters(schema: Joi.ObjectSchema): QueryParameter[] {
  return fieldsOf(schema)
    .filter(([, , { metas = [] }]) => !metas.some(({ isAlias }) => isAlias))
    .map((field) => ({
      name: field[0],
      description: field[2].flags?.description,
      schema: namedSchema(field) ?? fieldSchema(field),
      required: isRequired(field),
    }));
}

/** The component of the document to which the parameter refers, if it names one. */
function namedSchema([, , { metas = [] }]: Field): Schema | undefined {
  return metas.map(({ schema }) => schema).find((schema) => schema?.title !== undefined);
}

/** The errors of a body, in the order of its fields. */
export function bodyErrors(schema: Joi.ObjectSchema): ApiError[] {
  return fieldsOf(schema).flatMap(([name, , description]) =>
    Object.entries(description.preferences?.messages ?? {})
      // Omits templates, which Joi fills in at validation.
      .filter(([code, message]) => applies(code, description) && !message.includes('{#'))
      .map(([, message]) => errors.validation(message, name)),
  );
}

/** Whether the field can fail with the code. Several fields share messages, of which each uses only some. */
function applies(code: string, { rules = [], flags }: Description): boolean {
  const [, rule = ''] = code.split('.');
  if (rule === 'required') return flags?.presence === 'required';
  const ruleName = rule === 'positive' ? 'sign' : rule;
  const isOfRule = ['positive', 'min', 'max', 'unique'].includes(rule);
  return !isOfRule || rules.some(({ name }) => name === ruleName);
}

function isRequired([, , { flags, metas = [] }]: Field): boolean {
  return flags?.presence === 'required' || metas.some((meta) => meta.isRequired === true);
}

function fieldSchema([, field, { type, flags, examples, metas = [] }]: Field): Schema {
  const exported = field['~standard'].jsonSchema.input({ target: 'draft-2020-12' }) as Schema;
  const shown = { ...exported, ...(examples && { examples }) };
  const described = metas.reduce<Schema>((all, { schema }) => ({ ...all, ...schema }), shown);
  const bounded = type === 'number' && flags?.unsafe !== true ? withinExactNumbers(described) : described;
  return withoutUnusableDefault(withEmptyValues(field, withExactType(bounded)), metas);
}

/**
 * Omits a default that is an object or a list, and the default of a required field: some generators then omit the whole operation, or
 * make the field optional.
 */
function withoutUnusableDefault({ default: usual, ...schema }: Schema, metas: Metas): Schema {
  const isUsable = usual !== undefined && typeof usual !== 'object';
  return isUsable && !metas.some(({ isRequired }) => isRequired) ? { ...schema, default: usual } : schema;
}

/** Adds a maximum, because Joi accepts only numbers that a double represents exactly. */
function withinExactNumbers(schema: Schema): Schema {
  return { ...schema, maximum: schema.maximum ?? Number.MAX_SAFE_INTEGER };
}

/** Names the exact type of a number. Without it, some generators choose 32 bits, which lose digits. */
function withExactType(schema: Schema): Schema {
  const types = [schema.type].flat();
  if (types.includes('integer')) return { ...schema, format: 'int64' };
  return types.includes('number') && !types.includes('string') ? { ...schema, format: 'double' } : schema;
}

/** Allows `''` and null if they count as missing (`empty`). Joi does not export this, so the function tries them. */
function withEmptyValues(field: Joi.Schema, schema: Schema): Schema {
  const accepts = (value: unknown) => field.validate(value).error === undefined;
  const { minLength, ...rest } = schema;
  const withEmptyText = minLength === 1 && accepts('') ? rest : schema;
  if (!accepts(null) || Array.isArray(schema.type)) return withEmptyText;
  return {
    ...withEmptyText,
    ...(schema.type !== undefined && { type: [...[schema.type].flat(), 'null'] }),
    ...(schema.enum && { enum: [...schema.enum, null] }),
  };
}
