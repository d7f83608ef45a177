#!/usr/bin/env node
/**
 * Writes `src/schema.ts`, the types of all calls and events, unless it is already made of the present OpenAPI document by this
 * program. The library's types are checked and packaged with it.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const source = new URL('../../docs/clients/openapi.json', import.meta.url);
const target = fileURLToPath(new URL('src/schema.ts', import.meta.url));

/** The parts with types in the library: calls with a token, their successful responses, and events. */
function relevant(document) {
  const { components } = document;
  const paths = Object.entries(document.paths).filter(([path]) => path.startsWith('/api/v1/'));
  return {
    ...document,
    paths: Object.fromEntries(
      paths.map(([path, methods]) => [
        path,
        mapped(methods, (operation) => withoutErrors(operation, components.responses)),
      ]),
    ),
    webhooks: {},
    components: { schemas: components.schemas },
  };
}

/**
 * Published schemas are open, so that generated clients survive new keys. The types name the keys and values of today, so that
 * the compiler finds misspelt ones.
 */
function closed(node) {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const { 'x-extensible-enum': values, 'x-variants': variants, additionalProperties, ...schema } = mapped(node, closed);
  if (variants) return { description: schema.description, anyOf: variants };
  return {
    ...schema,
    ...(values && { enum: values }),
    ...(additionalProperties !== undefined && additionalProperties !== true && { additionalProperties }),
  };
}

function withoutErrors({ responses, requestBody, ...operation }, shared) {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  return {
    ...operation,
    ...(requestBody && { requestBody: schemasOf(requestBody) }),
    responses: mapped(Object.fromEntries(successes), (response) => schemasOf(resolved(response, shared))),
  };
}

/** The response, or the shared one to which it refers. */
function resolved(response, shared) {
  return response.$ref ? shared[response.$ref.replace('#/components/responses/', '')] : response;
}

function schemasOf({ description, required, content = {} }) {
  return { description, required, content: mapped(content, ({ schema }) => ({ schema })) };
}

function mapped(record, change) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

async function typesOf(document) {
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  return astToString(await openapiTS(document, { defaultNonNullable: false, emptyObjectsUnknown: true }));
}

const text = readFileSync(source, 'utf8');
const digest = createHash('sha256')
  .update(text)
  .update(readFileSync(fileURLToPath(import.meta.url)));
const heading = `/** Made from docs/clients/openapi.json: ${digest.digest('hex')}. */\n\n`;
if (!existsSync(target) || !readFileSync(target, 'utf8').startsWith(heading)) {
  const types = await typesOf(closed(relevant(JSON.parse(text))));
  const partial = `${target}.${process.pid}`;
  writeFileSync(partial, heading + types);
  renameSync(partial, target);
}
