/**
 * JSON Schemas (2020-12) of responses. Every field has a description and an example. Objects are open, because responses can
 * gain keys: docs/clients/versioning.md. Tests reject unknown keys (`test/support/closed-document.ts`).
 * docs/developers/api-reference.md.
 */
type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';

export interface Schema {
  /** A schema with a title is a component of that name in the document. */
  readonly title?: string;
  readonly description?: string;
  readonly type?: JsonType | readonly JsonType[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: Schema;
  readonly uniqueItems?: boolean;
  readonly properties?: SchemaFields;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly not?: Schema;
  readonly if?: Schema;
  readonly then?: Schema;
  readonly else?: Schema;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  /** The names of the values in generated clients. */
  readonly 'x-enum-varnames'?: readonly string[];
  /** The known values. A later release can add others, so generated clients must accept unknown values. */
  readonly 'x-extensible-enum'?: readonly unknown[];
  /** The field that determines which schema of `anyOf` applies, and the component for each of its values. */
  readonly discriminator?: { readonly propertyName: string; readonly mapping: Readonly<Record<string, string>> };
  /**
   * The exact schemas, one of which applies. With `oneOf`, generated clients would fail: a response matches several open schemas,
   * and a response of a later release may match none.
   */
  readonly 'x-variants'?: readonly Schema[];
}

export type SchemaFields = Readonly<Record<string, Schema>>;

export function text(description: string, example: string): Schema {
  return { type: 'string', description, examples: [example] };
}

export function enumText(description: string, values: readonly string[], example = values[0]): Schema {
  return { type: 'string', description, enum: values, examples: [example] };
}

/**
 * Names a schema in the document. All its uses have one type in generated clients. Its values get names that begin with the title, because
 * the constants of a Go package share one scope.
 */
export function named(title: string, schema: Schema): Schema {
  const prefix = title.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();
  const names = schema.enum?.map((value) => `${prefix}_${String(value).replace(/\W/g, '_').toUpperCase()}`);
  return { title, ...schema, ...(names && { 'x-enum-varnames': names }) };
}

/** One of several values, to which others can be added within this version: docs/clients/versioning.md. */
export function extensibleEnumText(description: string, values: readonly string[], example = values[0]): Schema {
  return { type: 'string', description, 'x-extensible-enum': values, examples: [example] };
}

/** Formats name the exact types. Without them, some generators choose 32 bits, which lose digits. */
const wholeNumber = { type: 'integer', format: 'int64' } as const;
const decimalNumber = { type: 'number', format: 'double' } as const;

export function id(description: string, example = 17): Schema {
  return { ...wholeNumber, minimum: 1, description, examples: [example] };
}

/** A whole number from 0, or from `minimum`. */
export function count(description: string, example: number, minimum = 0): Schema {
  return { ...wholeNumber, minimum, description, examples: [example] };
}

/** An amount or a percentage, never below 0. */
export function amount(description: string, example: number): Schema {
  return { ...signedAmount(description, example), minimum: 0 };
}

/** An amount that is below 0 where it is a debt. */
export function signedAmount(description: string, example: number): Schema {
  return { ...decimalNumber, description, examples: [example] };
}

/** An amount as text, with the decimals of its currency. */
export function decimalText(description: string, example: string): Schema {
  return { type: 'string', pattern: '^\\d+(\\.\\d+)?$', description, examples: [example] };
}

/** An amount as text that is below 0 where it is a debt. */
export function signedDecimalText(description: string, example: string): Schema {
  return { ...decimalText(description, example), pattern: '^-?\\d+(\\.\\d+)?$' };
}

/** Text or a number. Generators that know no list of types know alternatives. */
export function textOrNumber(description: string, example: string | number): Schema {
  return { description, anyOf: [{ type: 'string' }, decimalNumber], examples: [example] };
}

export function flag(description: string, example: boolean): Schema {
  return { type: 'boolean', description, examples: [example] };
}

/** A time in UTC with milliseconds (RFC 3339). It has no pattern: generated clients would apply it to the parsed time. */
export function time(description: string, example = '2026-01-31T12:00:00.000Z'): Schema {
  return { type: 'string', format: 'date-time', description, examples: [example] };
}

/** An ISO 4217 code. */
export function currency(description: string, example = 'USD'): Schema {
  return { type: 'string', pattern: '^[A-Z]{3}$', description, examples: [example] };
}

/** An ISO 3166-1 alpha-3 code, or `GLO`. */
export function country(description: string): Schema {
  return { type: 'string', pattern: '^[A-Z]{3}$', description, examples: ['USA'] };
}

export function orNull(schema: Schema): Schema {
  const { type, enum: values, 'x-extensible-enum': knownValues } = schema;
  if (type === undefined) throw new Error(`${schema.title ?? 'The schema'} has no type to add null to`);
  return {
    ...schema,
    type: [...[type].flat(), 'null'],
    ...(values && { enum: [...values, null] }),
    ...(knownValues && { 'x-extensible-enum': [...knownValues, null] }),
  };
}

export function listOf(items: Schema, description?: string): Schema {
  return { type: 'array', items, ...(description !== undefined && { description }) };
}

/** An object. Every field except the optional ones is required. */
export function object(fields: SchemaFields, optional: SchemaFields = {}): Schema {
  return {
    type: 'object',
    properties: { ...fields, ...optional },
    required: Object.keys(fields),
    additionalProperties: true,
  };
}

/** An object with a name in the document. */
export function model(title: string, description: string, fields: SchemaFields, optional: SchemaFields = {}): Schema {
  return { title, description, ...object(fields, optional) };
}

/** Adds fields that are present only while the named field has the given value. */
export function conditionalFields(
  schema: Schema,
  [name, value]: readonly [name: string, value: string],
  fields: SchemaFields,
): Schema {
  const names = Object.keys(fields);
  return {
    ...schema,
    properties: { ...schema.properties, ...fields },
    if: { properties: { [name]: { const: value } } },
    then: { required: names },
    // Some generators cannot read the schema `false`.
    else: { properties: Object.fromEntries(names.map((each) => [each, { not: {} }])) },
  };
}

/** An example of the schema, built from the examples of its fields. */
export function exampleOf(schema: Schema): unknown {
  if (schema.examples) return schema.examples[0];
  const [variant] = schema['x-variants'] ?? schema.anyOf ?? [];
  if (variant) return exampleOf(variant);
  if (schema.items) return [exampleOf(schema.items)];
  if (schema.properties) {
    const shown = Object.entries(schema.properties).filter(isShown(schema));
    return Object.fromEntries(shown.map(([name, field]) => [name, exampleOf(field)]));
  }
  throw new Error(`No example can be made of ${JSON.stringify(schema)}`);
}

/** Whether an example shows the field. An example omits the fields of `then`, because it does not meet the condition of `if`. */
function isShown({ required = [], then }: Schema) {
  return ([name]: [string, Schema]): boolean => required.includes(name) || then?.required?.includes(name) !== true;
}
