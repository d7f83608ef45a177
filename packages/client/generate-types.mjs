#!/usr/bin/env node
/**
 * Writes `src/schema.ts`: the types of all calls and events, from the OpenAPI document. `--check` writes nothing and fails
 * if the file is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';

const source = new URL('../../docs/clients/openapi.json', import.meta.url);
const target = new URL('src/schema.ts', import.meta.url);

/** The parts with types in the library: calls with a token, their successful responses, and events. */
function relevant(document) {
  const paths = Object.entries(document.paths).filter(([path]) => path.startsWith('/api/v1/'));
  return {
    ...document,
    paths: Object.fromEntries(paths.map(([path, methods]) => [path, mapped(methods, withoutErrors)])),
    webhooks: {},
    components: { schemas: document.components.schemas },
  };
}

/**
 * Published schemas are open, so that generated clients survive new keys. The types name the keys and values of today, so that
 * the compiler finds misspelt ones.
 */
function closed(node) {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const {
    'x-extensible-enum': values,
    'x-variants': variants,
    additionalProperties,
    ...schema
  } = mapped(node, closed);
  if (variants) return { description: schema.description, anyOf: variants };
  return {
    ...schema,
    ...(values && { enum: values }),
    ...(additionalProperties !== undefined && additionalProperties !== true && { additionalProperties }),
  };
}

function withoutErrors({ responses, requestBody, ...operation }) {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  return {
    ...operation,
    ...(requestBody && { requestBody: schemasOf(requestBody) }),
    responses: mapped(Object.fromEntries(successes), schemasOf),
  };
}

function schemasOf({ description, required, content = {} }) {
  return { description, required, content: mapped(content, ({ schema }) => ({ schema })) };
}

function mapped(record, change) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

const document = closed(relevant(JSON.parse(readFileSync(source, 'utf8'))));
const types = astToString(
  await openapiTS(document, { defaultNonNullable: false, emptyObjectsUnknown: true }),
);
const text = `/** Made from docs/clients/openapi.json by \`npm run generate:client\`. */\n\n${types}`;
if (!process.argv.includes('--check')) writeFileSync(target, text);
else if (readFileSync(target, 'utf8') !== text) {
  console.error('packages/client/src/schema.ts is out of date. Run npm run generate:client.');
  process.exitCode = 1;
}
