/** One operation as OpenAPI has it. */
import { isDeepStrictEqual } from 'node:util';
import { errors as registry, type ApiError } from '../../domain/errors';
import { errorAnswers, type ErrorAnswer } from './error-answers';
import { headers, sometimes, type HeaderName } from './headers';
import type { Answer, Body, Operation } from './operation';
import { bodySchema, messagesOf, queryParameters } from './request-schema';
import { exampleOf, type Schema } from './schema';
import { isCounted, surroundings, surroundingErrors } from './surroundings';

/** Any object of an OpenAPI document. */
export type Node = Record<string, unknown>;

/** Every error that the operation can be answered with: its own, those of its body, those of what surrounds it. */
export function errorsOf(method: string, operation: Operation): readonly ApiError[] {
  const ofBody = operation.body ? messagesOf(operation.body.schema) : [];
  const all = [
    ...(operation.errors ?? []),
    ...ofBody.map((message) => registry.validation(message)),
    ...surroundingErrors(method, operation),
  ];
  return [...new Map(all.map((error) => [`${error.key} ${error.message}`, error])).values()];
}

/** The operation. `path`: with parameters as `:name`. */
export function operationObject(method: string, path: string, operation: Operation): Node {
  const { id, tag, summary, description, access = 'token', body, answers } = operation;
  const refused = errorAnswers(errorsOf(method, operation));
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: access === 'token' ? [{ token: [] }] : [],
    parameters: parametersOf(path, operation),
    ...(body && { requestBody: bodyObject(body) }),
    responses: Object.fromEntries([
      ...Object.entries(answers).map(([status, answer]) => [status, answerObject(operation, status, answer)]),
      ...refused.map(([status, answer]) => [status, refusalObject(operation, status, answer)]),
    ]) as Node,
  };
}

/** What operations share: the headers of answers, and the refusals that nothing but their surroundings gives. */
export function sharedObjects(): Record<'headers' | 'responses', Node> {
  return {
    headers: Object.fromEntries(Object.keys(headers).map((name) => [name, headerObject(name as HeaderName)])),
    responses: sharedRefusals,
  };
}

function parametersOf(path: string, { path: names = {}, query, headers: asked = {} }: Operation): Node[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const schema = names[name];
    if (!schema) throw new Error(`${path}: what ${name} is, is not told`);
    return { name, in: 'path', required: true, ...described(schema) };
  });
  const inQuery = (query ? queryParameters(query) : []).map(({ name, schema, required }) => ({
    name,
    in: 'query',
    required,
    ...described(schema),
  }));
  const inHeader = Object.entries(asked).map(([name, schema]) => ({
    name,
    in: 'header',
    required: false,
    ...described(schema),
  }));
  return [...inPath, ...inQuery, ...inHeader];
}

function described({ description, ...schema }: Schema): Node {
  return { ...(description !== undefined && { description }), schema };
}

function bodyObject({ title, schema, example }: Body): Node {
  const content = { schema: { title, ...bodySchema(schema) }, example };
  return { required: true, content: { 'application/json': content } };
}

function answerObject(
  operation: Operation,
  status: string,
  { description, content, headers: own = [] }: Answer,
) {
  return {
    description,
    headers: headersObject([...headersOfAll(operation, Number(status)), ...own]),
    ...(content && {
      content: {
        [content.type]: { schema: content.schema, example: content.example ?? exampleOf(content.schema) },
      },
    }),
  };
}

function refusalObject(operation: Operation, status: number, answer: ErrorAnswer): Node {
  const refusal = ownRefusal(operation, status, answer);
  const [name] =
    Object.entries(sharedRefusals).find(([, shared]) => isDeepStrictEqual(shared, refusal)) ?? [];
  return name === undefined ? refusal : { $ref: `#/components/responses/${name}` };
}

function ownRefusal(operation: Operation, status: number, answer: ErrorAnswer): Node {
  const { description, schema, examples, headers: own } = answer;
  return {
    description,
    headers: {
      ...headersObject([...headersOfAll(operation, status), ...own]),
      // There with one error of several.
      ...(own.includes('Location') && { Location: { ...headerObject('Location'), required: false } }),
    },
    content: { 'application/json': { schema, examples } },
  };
}

/** Any operation with a token. */
const ordinary: Operation = { id: '', tag: 'Wallets', summary: '', answers: {} };

const sharedRefusals: Readonly<Record<string, Node>> = Object.fromEntries(
  Object.entries(surroundings).map(([name, { errors }]) => {
    const [[status, answer]] = errorAnswers(errors) as [[number, ErrorAnswer]];
    return [name, ownRefusal(ordinary, status, answer)];
  }),
);

/** What every answer of an operation carries by its status: a call is counted once it is known who calls. */
function headersOfAll(operation: Operation, status: number): HeaderName[] {
  const uncounted = operation.tag === 'Authentication' ? [413, 500, 503] : [401, 500, 503];
  const isTold = isCounted(operation) && !uncounted.includes(status);
  return isTold ? ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'] : ['X-Request-Id'];
}

function headersObject(names: readonly HeaderName[]): Node {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function headerObject(name: HeaderName): Node {
  return { required: !sometimes.includes(name), ...described(headers[name]) };
}
