/** The OpenAPI 3.1 documents: for clients, with the events that they receive, and for operators. */
import { isDeepStrictEqual } from 'node:util';
import { events } from '../webhooks/event-schemas';
import { errorSchema } from './error-responses';
import { isForOperators, tags, type ApiOperation, type Operations } from './operation';
import { operationObject, sharedHeaders, type Node } from './operation-object';
import { receivedObject } from './received-object';
import type { RecordedExamples } from './recorded-examples';
import { withSharedResponses } from './shared-responses';

const about = `Sells gift vouchers, top-ups and eSIM data plans to API clients, which pay from prepaid wallets.

Log in at \`POST /auth/login\` and send the access token with every other call. An accepted order request returns 200,
whatever the status of the order: branch on \`status\`. An operation names the scope that the API key needs. Every error has the envelope \`Error\`: branch on its \`code\`.

Any request can also be rejected before it reaches an operation: 400 \`BAD_REQUEST\` (malformed HTTP or path), 404 \`NOT_FOUND\`
(\`Path not found\`), 405 \`METHOD_NOT_ALLOWED\` with \`Allow\`, 408 \`REQUEST_TIMEOUT\` or 431 \`HEADERS_TOO_LARGE\`. \`HEAD\` works
like \`GET\`, without the body. A request can have an \`X-Request-Id\`, which its response repeats. Query parameters and keys of bodies that are not named here are ignored: in the sandbox,
the header \`Unknown-Parameters\` of the response names them. Keys may be added to
responses and events without notice.`;

const aboutOperations = `For load balancers and suppliers. Clients call none of these operations: their document is \`GET /openapi.json\`.`;

const title = 'Digital Goods Ordering Service';

/**
 * The document for clients: every operation that they call, and every event, with the recorded examples. `contact`: an email address or
 * a URL.
 */
export function clientDocument(operations: Operations, examples: RecordedExamples, contact?: string): Node {
  const info = { title, description: about, ...(contact !== undefined && { contact: contactObject(contact) }) };
  return documentOf(info, clientOperations(operations), {
    calls: examples.calls,
    webhooks: Object.fromEntries(
      events.map(({ type, summary, schema }) => [
        type,
        { post: receivedObject(summary, schema, examples.events[type]) },
      ]),
    ),
    securitySchemes: {
      token: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description: 'The `access_token` of a login or refresh, valid for an hour.',
      },
    },
  });
}

function contactObject(contact: string): { email: string } | { url: string } {
  return contact.startsWith('https://') ? { url: contact } : { email: contact };
}

/** The operations that clients call. */
export function clientOperations(operations: Operations): Operations {
  return operationsWhere(operations, (operation) => !isForOperators(operation));
}

/** The document for operators: probes, and the callbacks of suppliers. */
export function operatorDocument(operations: Operations): Node {
  return documentOf(
    { title: `${title}: probes and suppliers`, description: aboutOperations },
    operationsWhere(operations, isForOperators),
  );
}

function operationsWhere(operations: Operations, matches: (operation: ApiOperation) => boolean): Operations {
  return Object.fromEntries(Object.entries(operations).filter(([, operation]) => matches(operation)));
}

/** What only the document for clients has. */
interface DocumentParts {
  calls?: RecordedExamples['calls'];
  webhooks?: Node;
  securitySchemes?: Node;
}

function documentOf(
  { title: name, ...info }: { title: string; description: string; contact?: object },
  operations: Operations,
  { calls = {}, webhooks, securitySchemes }: DocumentParts = {},
): Node {
  const used = new Set<string>(Object.values(operations).map(({ tag }) => tag));
  const document = withNamedSchemas({
    openapi: '3.1.1',
    info: { title: name, version: '1', ...info },
    servers: [{ url: '/', description: 'This stack' }],
    tags: Object.entries(tags)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    paths: pathsObject(operations, calls),
    ...(webhooks && { webhooks }),
    components: {
      ...(securitySchemes && { securitySchemes }),
      headers: sharedHeaders(),
      schemas: { Error: errorSchema },
    },
  });
  return withoutUnusedHeaders(withSharedResponses(withSchemaExamples(document)));
}

/** Each document contains only the headers that its responses refer to. */
function withoutUnusedHeaders(document: Document): Document {
  const { components } = document;
  const text = JSON.stringify(document);
  const used = Object.entries(components['headers'] as Node).filter(([name]) =>
    text.includes(`"#/components/headers/${name}"`),
  );
  return { ...document, components: { ...components, headers: Object.fromEntries(used) } };
}

/**
 * Gives each named schema the first example of its media types. Otherwise, pages that show a schema would combine the examples of its
 * fields, and show states that cannot exist.
 */
function withSchemaExamples({ components, ...document }: Document): Document {
  const { schemas } = components;
  const examples = new Map<string, unknown>();
  const note = ({ $ref, items, properties = {} }: SchemaNode, example: unknown): void => {
    if (typeof example !== 'object' || example === null) return;
    const name = $ref?.replace('#/components/schemas/', '');
    if (name !== undefined) {
      if (!examples.has(name)) examples.set(name, example);
      note(schemas[name] as SchemaNode, example);
    }
    if (items && Array.isArray(example)) note(items, example[0]);
    const values = new Map(Object.entries(example));
    for (const [key, field] of Object.entries(properties)) note(field, values.get(key));
  };
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { schema, example } = node as { schema?: SchemaNode; example?: unknown };
    if (schema) note(schema, example);
    Object.values(node).forEach(visit);
  };
  visit(document);
  const shown = Object.entries(schemas).map(([name, schema]): [string, unknown] => [
    name,
    examples.has(name) ? { ...Object(schema), examples: [examples.get(name)] } : schema,
  ]);
  return { ...document, components: { ...components, schemas: Object.fromEntries(shown) } };
}

/** The parts of a schema that lead to other schemas. */
interface SchemaNode {
  $ref?: string;
  items?: SchemaNode;
  properties?: Readonly<Record<string, SchemaNode>>;
}

function pathsObject(operations: Operations, calls: RecordedExamples['calls']): Node {
  const paths: Record<string, Node> = {};
  for (const [route, operation] of Object.entries(operations)) {
    const [method = '', path = ''] = route.split(' ');
    const template = path.replace(/:(\w+)/g, '{$1}');
    (paths[template] ??= {})[method.toLowerCase()] = operationObject(method, path, operation, calls[operation.id]);
  }
  return paths;
}

interface Document extends Node {
  components: Node & { schemas: Node };
}

/** Values below these keys are not schemas. */
const dataKeys: readonly string[] = ['example', 'examples', 'default', 'enum', 'const', 'info'];

/** Moves each schema with a title to the components, and refers to it. Throws if two schemas have the same title. */
function withNamedSchemas({ components, ...document }: Document): Document {
  const named: Node = {};

  function withReferences(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(withReferences);
    if (typeof node !== 'object' || node === null) return node;
    const inner = withReferencesBelow(node);
    const { title } = inner;
    if (typeof title !== 'string') return inner;
    if (title in named && !isDeepStrictEqual(named[title], inner))
      throw new Error(`Two different schemas have the title ${title}`);
    named[title] = inner;
    return { $ref: `#/components/schemas/${title}` };
  }

  function withReferencesBelow(node: object): Node {
    return Object.fromEntries(
      Object.entries(node).map(([key, value]) => [key, dataKeys.includes(key) ? value : withReferences(value)]),
    );
  }

  const { schemas, ...others } = components;
  const whole = withReferencesBelow(document);
  withReferencesBelow(schemas); // Only adds these schemas to `named`.
  const sorted = Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...whole, components: { ...others, schemas: Object.fromEntries(sorted) } };
}
