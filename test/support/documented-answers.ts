/** Checks every response that tests receive against the OpenAPI documents. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../dev/stack/run-directory';
import { noteAnswer } from './answers-seen';
import type { JsonObject } from './closed-document';
import { DocumentSchemas } from './openapi';

/** A request and its response. */
export interface Exchange {
  method: string;
  /** With the query, if there is one. */
  path: string;
  status: number;
  headers: Headers;
  /** The body as received. */
  text: string;
  /** Whether the client asked for a rehearsed failure. The response then proves nothing about a real one. */
  isRehearsed?: boolean;
}

interface DocumentedAnswer {
  headers?: Record<string, { required?: boolean; schema: JsonObject }>;
  content?: Record<string, { schema: JsonObject }>;
}

interface DocumentedOperation {
  operationId: string;
  responses: Record<string, DocumentedAnswer>;
}

interface Document {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: Record<string, JsonObject>;
}

/** The published documents as one. */
interface Published {
  schemas: DocumentSchemas;
  /** The operations by method, those without parameters in their path first. */
  routes: { method: string; path: string; pattern: RegExp; operation: DocumentedOperation }[];
}

declare global {
  var publishedDocuments: Published | undefined;
}

/** All files of a worker share it, because validators are dear to compile. */
const { schemas, routes } = (globalThis.publishedDocuments ??= readDocuments());

/**
 * `test/api/openapi/document.unit.test.ts` compares the documents with the operations. Documents built from the operations would
 * load the whole API.
 */
function readDocuments(): Published {
  const [forClients, forOperators] = ['clients', 'operators'].map(
    (folder) => JSON.parse(readFileSync(join(ROOT, 'docs', folder, 'openapi.json'), 'utf8')) as Document,
  ) as [Document, Document];
  const schemas = new DocumentSchemas({
    ...forClients,
    paths: { ...forOperators.paths, ...forClients.paths },
    components: {
      ...forClients.components,
      responses: { ...forOperators.components['responses'], ...forClients.components['responses'] },
    },
  });
  const routes = Object.entries(schemas.at('paths') as Document['paths'])
    .flatMap(([path, operations]) => {
      const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`, 'i');
      return Object.entries(operations).map(([method, operation]) => ({ method, path, pattern, operation }));
    })
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length);
  return { schemas, routes };
}

/** The responses to any request that reaches no operation. docs/specification.md#errors. */
const beforeOperations: readonly string[] = [
  'Malformed path',
  'Malformed request',
  'The request did not arrive in time',
  'Request headers are too large',
];

/**
 * Throws if the response is not documented. The document contains neither pages, nor the console's own calls, nor the probes of
 * suppliers.
 */
export function holdAgainstDocument(exchange: Exchange): void {
  if (/^\/(console|docs|downloads|llms\.txt)\b/.test(exchange.path)) return;
  // Browsers that open the address of the service are led to the pages.
  if (exchange.status === 302 && /^\/(\?|$)/.test(exchange.path)) return;
  if (exchange.method === 'HEAD' && /^\/suppliers\//i.test(exchange.path)) return;
  const operation = operationOf(exchange);
  const { method, path, status, text } = exchange;
  if (!exchange.isRehearsed) noteAnswer({ operation: operation?.operationId ?? null, status, code: codeOf(exchange) });
  const faults = operation ? faultsOf(operation, exchange) : faultsOfRefusal(exchange);
  if (faults.length === 0) return;
  const name = operation?.operationId ?? 'no operation';
  throw new Error(
    [`${method} ${path} (${name}): ${status} is not as documented`, ...faults, text.slice(0, 2_000)].join('\n'),
  );
}

/** Like `holdAgainstDocument`, for the rejection of bytes that are not a request to an operation. */
export function holdRejection(status: number, text: string): void {
  holdAgainstDocument({ method: 'none', path: 'none', status, headers: new Headers(), text });
}

function codeOf({ status, text }: Exchange): string | null {
  if (status < 400 || text === '') return null;
  return (JSON.parse(text) as { error: { code: string } }).error.code;
}

function operationOf({ method, path }: Exchange): DocumentedOperation | undefined {
  const [name = ''] = path.split('?');
  const asked = method === 'HEAD' ? 'get' : method.toLowerCase();
  const route = routes.find((each) => each.method === asked && each.pattern.test(name));
  return route && canBeDecoded(name) ? route.operation : undefined;
}

/** Such a request is rejected before it reaches an operation. A response to HEAD has no body to show it. */
function canBeDecoded(path: string): boolean {
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}

/** Unknown paths and methods are always rejected. */
function faultsOfRefusal({ status, text }: Exchange): string[] {
  if (status < 400) return ['no operation has this answer'];
  return text === '' ? [] : schemas.faults({ $ref: '#/components/schemas/Error' }, JSON.parse(text));
}

function faultsOf({ responses }: DocumentedOperation, exchange: Exchange): string[] {
  const { status, text } = exchange;
  if (beforeOperations.some((message) => text.includes(message))) return faultsOfRefusal(exchange);
  const documented = responses[status] && (schemas.resolved(responses[status]) as DocumentedAnswer);
  if (!documented) return ['the status is not documented'];
  return [...headerFaults(documented, exchange), ...bodyFaults(documented, exchange)];
}

function headerFaults({ headers = {} }: DocumentedAnswer, exchange: Exchange): string[] {
  return Object.entries(headers).flatMap(([name, reference]) => {
    const { required, schema } = schemas.resolved(reference) as { required: boolean; schema: JsonObject };
    const value = exchange.headers.get(name);
    if (value === null) return required ? [`the header ${name} is missing`] : [];
    return schemas.faults(schema, value).map((fault) => `header ${name}: ${fault}`);
  });
}

function bodyFaults({ content }: DocumentedAnswer, { method, headers, text }: Exchange): string[] {
  if (method === 'HEAD') return [];
  if (!content) return text === '' ? [] : ['a body is not documented'];
  const type = headers.get('content-type')?.split(';')[0] ?? 'none';
  const documented = content[type];
  if (!documented) return [`the content type ${type} is not documented`];
  const body: unknown = type === 'application/json' ? JSON.parse(text) : text;
  return schemas.faults(documented.schema, body);
}
