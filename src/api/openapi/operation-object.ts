/** One operation as an OpenAPI object. */
import type { ApiError } from '../../domain/errors';
import { errorResponses, isCounted, commonErrorsOf, commonErrors, type ErrorResponse } from './error-responses';
import { codeSamples } from './code-samples';
import { conditionalHeaders, headers, optionalHeaders, type HeaderName } from './headers';
import type { SuccessResponse, Body, ApiOperation } from './operation';
import { receivedObject } from './received-object';
import type { RecordedCall } from './recorded-examples';
import { bodyErrors, bodySchema, queryParameters } from './request-schema';
import { exampleOf, type Schema, type SchemaFields } from './schema';
import { namesOf, recordOf } from '../../domain/records';

/** Any object of an OpenAPI document. */
export type Node = Record<string, unknown>;

/** Every error of the operation: its own, those of its body, and the common ones. */
export function errorsOf(method: string, operation: ApiOperation): readonly ApiError[] {
  const all = [
    ...(operation.errors ?? []),
    ...(operation.body ? bodyErrors(operation.body.schema) : []),
    ...commonErrorsOf(method, operation),
  ];
  return [...new Map(all.map((error) => [`${error.key} ${error.message}`, error])).values()];
}

/** `path`: with parameters as `:name`. `recorded`: the call that supplies the examples. */
export function operationObject(method: string, path: string, operation: ApiOperation, recorded?: RecordedCall): Node {
  const { id, tag, summary, access = 'token', scope, body, sends, responses } = operation;
  const description = descriptionOf(operation);
  const failures = errorResponses(errorsOf(method, operation));
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    // For a bearer token, OpenAPI 3.1 lists the needed roles, which are scopes here.
    security: access === 'token' ? [{ token: scope === 'none' ? [] : [scope] }] : [],
    parameters: parametersOf(path, operation, recorded),
    ...(body && { requestBody: bodyObject(body, recorded) }),
    ...(sends && { callbacks: { event: { '{$request.body#/url}': { post: receivedObject('An event', sends) } } } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(responses).map(([status, response]) => [
          status,
          successObject(operation, status, response, recorded),
        ]),
      ),
      ...Object.fromEntries(failures.map(([status, failure]) => [status, errorObject(operation, status, failure)])),
    },
    ...(recorded && { 'x-codeSamples': codeSamples(method, path, operation, recorded) }),
  };
}

function descriptionOf({ description, scope }: ApiOperation): string | undefined {
  const sentences = [
    ...(description === undefined ? [] : [description]),
    ...(scope === 'none' ? [] : [`Needs the scope \`${scope}\`.`]),
  ];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

/** The headers of responses, as components. */
export const sharedHeaders = (): Node => recordOf(namesOf(headers), headerObject);

function parametersOf(
  path: string,
  { path: names = {}, query, headers: requestHeaders = {}, responses }: ApiOperation,
  recorded?: RecordedCall,
): Node[] {
  const exampleIn = (values: RecordedCall['path'] = {}, name: string) =>
    name in values ? { example: values[name] } : {};
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const schema = names[name];
    if (!schema) throw new Error(`${path}: the parameter ${name} has no schema`);
    return { name, in: 'path', required: true, ...described(schema), ...exampleIn(recorded?.path, name) };
  });
  const inQuery = (query ? queryParameters(query) : []).map(({ name, description, schema, required }) => ({
    name,
    in: 'query',
    required,
    ...described(schema, description),
    ...exampleIn(recorded?.query, name),
  }));
  const ofRequest = { ...requestHeaders, ...(304 in responses && conditionalHeaders) };
  const inHeader = Object.entries(ofRequest).map(([name, schema]) => ({
    name,
    in: 'header',
    required: false,
    ...described(schema),
  }));
  return [...inPath, ...inQuery, ...inHeader];
}

/** A component keeps its own description, whatever a parameter of its type is for. */
function described(schema: Schema, description = schema.description): Node {
  const { description: _own, ...anonymous } = schema;
  return { ...(description !== undefined && { description }), schema: schema.title === undefined ? anonymous : schema };
}

function bodyObject({ title, schema, isOptional = false }: Body, recorded?: RecordedCall): Node {
  const content = {
    schema: withExamplesOf(recorded?.body, { title, ...bodySchema(schema) }),
    ...(recorded?.body && { example: recorded.body }),
  };
  return { required: !isOptional, content: { 'application/json': content } };
}

/** The fields show the values of the recorded request: together they are one that a sandbox accepts. */
function withExamplesOf(body: object = {}, schema: Schema): Schema {
  const values = new Map<string, unknown>(Object.entries(body));
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => [
    name,
    values.has(name) && field.title === undefined ? { ...field, examples: [values.get(name)] } : field,
  ]);
  return { ...schema, properties: Object.fromEntries(fields) as SchemaFields };
}

function successObject(
  operation: ApiOperation,
  status: string,
  { description, content, headers: own = [] }: SuccessResponse,
  recorded?: RecordedCall,
) {
  return {
    description,
    headers: headersObject([...headersOfAll(operation, Number(status)), ...own]),
    ...(content && {
      content: {
        [content.type]: {
          schema: content.schema,
          example: recorded?.response ?? content.example ?? exampleOf(content.schema),
        },
      },
    }),
  };
}

function errorObject(operation: ApiOperation, status: number, response: ErrorResponse): Node {
  const { description, codes, examples, headers: own } = response;
  const ownHeaders = recordOf(namesOf(own), (name) => ({
    ...headerObject(name),
    // Not every error of the status has this header.
    ...(name === 'Location' && { required: false }),
    example: own[name],
  }));
  return {
    description,
    headers: { ...headersObject(headersOfAll(operation, status)), ...ownHeaders },
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, examples } },
    // The codes are an extension, because generators reject a schema that stands next to a reference.
    'x-error-codes': codes,
  };
}

/** Stands for any operation with a token. */
const anyOperation: ApiOperation = { id: '', tag: 'Wallets', scope: 'none', summary: '', responses: {} };

/** The responses for common errors, by their names. */
export const commonResponses: Readonly<Record<string, Node>> = Object.fromEntries(
  Object.entries(commonErrors).flatMap(([name, { errors }]) =>
    errorResponses(errors).map(([status, response]) => [name, errorObject(anyOperation, status, response)]),
  ),
);

/** The headers that every response with the status has. Some responses with an `uncounted` status have no `RateLimit`. */
function headersOfAll(operation: ApiOperation, status: number): HeaderName[] {
  const uncounted = operation.tag === 'Authentication' ? [413, 500, 503] : [401, 500, 503];
  const isShown = isCounted(operation) && !uncounted.includes(status);
  return isShown ? ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'] : ['X-Request-Id'];
}

function headersObject(names: readonly HeaderName[]): Node {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function headerObject(name: HeaderName): Node {
  return { required: !optionalHeaders.includes(name), ...described(headers[name]) };
}
