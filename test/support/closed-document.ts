/**
 * The strict copy of a published document. Published schemas are open, so that clients survive new keys and values. Tests
 * compare responses with the copy: it knows every key, every value and the form of every time.
 */
export type JsonObject = Record<string, unknown>;

/** A copy with closed objects, complete enumerations, times in UTC with milliseconds, and the codes of each error. */
export function closed(document: JsonObject): JsonObject {
  return close(document) as JsonObject;
}

/** Values below these keys are data, not schemas. */
const data: readonly string[] = ['example', 'examples', 'enum'];

function close(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(close);
  if (typeof node !== 'object' || node === null) return node;
  const copy: JsonObject = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, data.includes(key) ? (value as unknown) : close(value)]),
  );
  return withCodes(withEnumeration(withClosedKeys(withVariants(copy))));
}

function withVariants({ 'x-variants': variants, ...schema }: JsonObject): JsonObject {
  return variants === undefined ? schema : { anyOf: variants };
}

function withClosedKeys(schema: JsonObject): JsonObject {
  if (schema['additionalProperties'] !== true) return schema;
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, unknown>);
  return {
    ...schema,
    additionalProperties: false,
    properties: Object.fromEntries(properties.map(([name, field]) => [name, withExactTime(field)])),
  };
}

function withExactTime(field: unknown): unknown {
  const isTime = typeof field === 'object' && field !== null && 'format' in field && field.format === 'date-time';
  return isTime ? { ...field, pattern: '\\.\\d{3}Z$' } : field;
}

function withEnumeration({ 'x-extensible-enum': values, ...schema }: JsonObject): JsonObject {
  return values === undefined ? schema : { ...schema, enum: values };
}

function withCodes({ 'x-error-codes': codes, ...response }: JsonObject): JsonObject {
  if (codes === undefined) return response;
  const content = response['content'] as Record<string, { schema: JsonObject }>;
  const ofCodes = { properties: { error: { properties: { code: { enum: codes } } } } };
  const closedContent = Object.entries(content).map(([type, each]) => [
    type,
    { ...each, schema: { ...each.schema, ...ofCodes } },
  ]);
  return { ...response, content: Object.fromEntries(closedContent) as JsonObject };
}
