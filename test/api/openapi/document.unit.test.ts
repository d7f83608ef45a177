/** The OpenAPI documents are valid, match their schemas, work with generators, and equal the files in the docs. */
import { join } from 'node:path';
import openApiSchema from '@seriousme/openapi-schema-validator/schemas/v3.1/schema.json';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020';
import { clientDocument, operatorDocument } from '../../../src/api/openapi/document';
import { recordedExamples } from '../../../src/api/openapi/recorded-examples';
import { errorsPage } from '../../../dev/documents/errors-page';
import { errors } from '../../../src/domain/errors';
import { apiOperations } from '../../../src/api/routes';
import { documents as documentFiles, repositoryFiles, root, textOf } from '../../documents/documents';
import type { JsonObject } from '../../support/closed-document';
import { DocumentSchemas, type MediaType } from '../../support/openapi';

const recorded = recordedExamples();
const documents = { clients: clientDocument(apiOperations, recorded), operators: operatorDocument(apiOperations) };
const audiences = Object.entries(documents);
const components = documents.clients['components'] as Record<
  'schemas' | 'responses' | 'securitySchemes',
  Record<string, JsonObject>
>;

test.each(audiences)(
  'When the document for %s is validated as OpenAPI 3.1, then it is valid',
  (_audience, document) => {
    const ajv = new Ajv2020({ strict: false });
    addFormats(ajv);
    ajv.addFormat('media-range', true);
    const isOpenApi = ajv.compile(openApiSchema);
    isOpenApi(document);
    expect(isOpenApi.errors).toBeNull();
  },
);

test.each(['id', 'summary'] as const)('When operations are listed by %s, then no two operations share it', (key) => {
  const all = Object.values(apiOperations).map((operation) => operation[key]);
  expect(all.filter((each, index) => all.indexOf(each) !== index)).toEqual([]);
});

test('When an operation is not for clients, then only the document for operators has it', () => {
  const paths = (document: JsonObject) => Object.keys(document['paths'] as object);
  const notForClients = ['/health', '/ready', '/suppliers/{name}/callbacks', '/suppliers/{name}/callbacks/{secret}'];
  expect(paths(documents.operators).sort()).toEqual(notForClients);
  expect(paths(documents.clients).filter((path) => notForClients.includes(path))).toEqual([]);
});

test.each(audiences)(
  'When the document for %s has changed, then npm run openapi has written the change',
  (folder, document) => {
    expect(JSON.parse(textOf(`docs/${folder}/openapi.json`))).toEqual(document);
  },
);

/** Every object of the documents outside examples, with its path. */
function nodesOf(node: unknown, path: string): [path: string, node: JsonObject][] {
  if (typeof node !== 'object' || node === null) return [];
  const inner = Object.entries(node).filter(([key]) => !['example', 'examples'].includes(key));
  const below = inner.flatMap(([key, value]) => nodesOf(value, `${path}/${key}`));
  return Array.isArray(node) ? below : [[path, node as JsonObject], ...below];
}

const nodes = nodesOf(documents, '');

/** Constructs that code generators reject or misread, with the effect on a generated client. */
const unusable: Readonly<Record<string, (node: JsonObject) => boolean>> = {
  'a null without another type, which does not compile in Go': ({ type }) => type === 'null',
  'a boolean constant, which Python compares with text': (node) => typeof node['const'] === 'boolean',
  'a pattern of a time, which Python applies to the parsed time': ({ format, pattern }) =>
    format === 'date-time' && pattern !== undefined,
  'a closed object, which rejects new keys': (node) => node['additionalProperties'] === false,
  'a schema that is a boolean, which Go cannot load': ({ properties }) =>
    Object.values(properties ?? {}).some((property) => typeof property === 'boolean'),
  'two types besides null, which Go cannot load': ({ type }) =>
    [type].flat().filter((each) => each !== 'null').length > 1,
  'an enumeration of null alone, which does not compile in Java': (node) =>
    Array.isArray(node['enum']) && node['enum'].every((value) => value === null),
  'a default that is an object, with which Python omits the operation': (node) =>
    typeof node['default'] === 'object' && node['default'] !== null && 'type' in node,
  'a schema beside a reference': (node) => '$ref' in node && Object.keys(node).length > 1,
  'an integer of unknown size': ({ type, format }) => [type].flat().includes('integer') && format !== 'int64',
  'a number of unknown precision': ({ type, format }) =>
    [type].flat().includes('number') && ![type].flat().includes('string') && format !== 'double',
};

test.each(Object.entries(unusable))(
  'When a client is generated, then the document does not contain %s',
  (_what, isUnusable) => {
    expect(nodes.filter(([, node]) => isUnusable(node)).map(([path]) => path)).toEqual([]);
  },
);

test('When a list has pages, then it documents the defaults of its page and of its one size, which generated clients send', () => {
  const parameters = nodes.filter(([path]) => /\/parameters\/\d+$/.test(path));
  const ofPages = parameters.filter(([, { name }]) => ['page', 'limit', 'per_page'].includes(name as string));
  expect(ofPages.filter(([, { schema }]) => !('default' in (schema as JsonObject)))).toEqual([]);
  const sizes = ofPages.filter(([, { name }]) => name !== 'page');
  const operationsWithSize = sizes.map(([path]) => path.replace(/\/parameters.*/, ''));
  expect(new Set(operationsWithSize).size).toBe(operationsWithSize.length);
  expect(operationsWithSize.length).toBeGreaterThan(0);
});

test.each([
  'EventType',
  'VoucherOrderStatus',
  'TopupOrderStatus',
  'EsimOrderStatus',
  'ActivationStatus',
  'FailureCode',
])('When an enumeration is used by several schemas, then it has the name %s', (name) => {
  expect(components.schemas[name]).toMatchObject({ type: 'string' });
});

test('When an operation for clients is documented, then it has samples in curl, TypeScript, Python and Go', () => {
  const operations = Object.values(documents.clients['paths'] as Record<string, Record<string, JsonObject>>)
    .flatMap((methods) => Object.values(methods))
    .filter(({ tags }) => !(tags as string[]).includes('Reference'));
  const labels = operations.map((operation) =>
    ((operation['x-codeSamples'] ?? []) as { label: string }[]).map(({ label }) => label).join(),
  );
  expect(new Set(labels)).toEqual(new Set(['curl,TypeScript,Python,Go']));
});

/** The responses of the operations and events, each as it stands there. */
function responsesIn(document: JsonObject): JsonObject[] {
  const { paths, webhooks = {} } = document as Record<string, Record<string, Record<string, JsonObject>>>;
  return [paths, webhooks]
    .flatMap((part) => Object.values(part ?? {}).flatMap((methods) => Object.values(methods)))
    .flatMap(({ responses }) => Object.values(responses as Record<string, JsonObject>));
}

test.each(audiences)(
  'When a response stands more than once in the document for %s, then it is a component',
  (_audience, document) => {
    const whole = responsesIn(document).filter((response) => !('$ref' in response));
    const texts = whole.map((response) => JSON.stringify(response));
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
    expect(responsesIn(document).length).toBeGreaterThan(whole.length);
  },
);

test('When both documents have a response of one name, then it is the same', () => {
  const ofOperators = (documents.operators['components'] as typeof components).responses;
  const both = Object.keys(ofOperators).filter((name) => name in components.responses);
  expect(
    both.filter((name) => JSON.stringify(ofOperators[name]) !== JSON.stringify(components.responses[name])),
  ).toEqual([]);
  expect(both).toContain('InternalError');
});

test.each([
  ['a common error', 'TooManyRequests'],
  ['the first message', 'OrderNotFound'],
  ['the first message and the parameter', 'OrderNotFoundInOrderId'],
  ['the first message and further codes', 'InvalidOrderIdOrInvalidFeature'],
  ['its description', 'TheCachedPageIsCurrent'],
])('When a response is a component, then its name can be that of %s', (_what, name) => {
  expect(Object.keys(components.responses)).toContain(name);
});

test('When a response lists errors, then it has one example for each code', () => {
  const errorResponses = nodes.filter(([, node]) => 'x-error-codes' in node);
  const shown = errorResponses.map(([, { content }]) => {
    const { examples } = (content as Record<string, MediaType>)['application/json'] ?? {};
    return Object.values(examples ?? {}).map(({ value }) => (value as { error: { code: string } }).error.code);
  });
  expect(shown).toEqual(errorResponses.map(([, node]) => node['x-error-codes']));
});

/** The names of the fields of responses and events whose schema has the key. */
function fieldsWith(key: 'enum' | 'x-extensible-enum'): string[] {
  const { paths, webhooks } = documents.clients as Record<'paths' | 'webhooks', Record<string, object>>;
  const responses = Object.values(paths)
    .flatMap((methods) => Object.values(methods) as JsonObject[])
    .map((operation) => operation['responses']);
  const fields = new Set<string>();
  const seen = new Set<string>();
  const visit = (node: unknown, field: string): void => {
    if (typeof node !== 'object' || node === null) return;
    const { $ref, properties = {}, headers: _, example: _one, examples: _all, ...others } = node as JsonObject;
    if (typeof $ref === 'string' && !seen.has(`${field} ${$ref}`)) {
      seen.add(`${field} ${$ref}`);
      visit(components.schemas[$ref.replace('#/components/schemas/', '')], field);
    }
    if (key in others) fields.add(field);
    for (const [name, schema] of Object.entries(properties as JsonObject)) visit(schema, name);
    for (const each of Object.values(others)) visit(each, field);
  };
  visit([responses, components.responses, webhooks], '');
  return [...fields].sort();
}

const extensible = [
  'Sandbox-Fault',
  'code',
  'delivery_mode',
  'delivery_time',
  'event_types',
  'failure_code',
  'families',
  'family',
  'field_type',
  'kind',
  'name',
  'order_family',
  'reason_code',
  'scopes',
  'state',
  'topup_type',
  'type',
];

test('When this API version may add values to a field, then generated clients accept unknown values, and the page about versions names the field', () => {
  expect(fieldsWith('x-extensible-enum')).toEqual(extensible);
  // These values never grow. A member has a `state`, and the event of a webhook one `type`.
  expect(fieldsWith('enum')).toEqual([
    'activation_status',
    'disabled_reason',
    'final_status',
    'initial_status',
    'method',
    'outcome',
    'role',
    'state',
    'status',
    'threshold_percent',
    'transaction_type',
    'type',
  ]);
  const [growing = ''] = textOf('docs/clients/versioning.md').split('## What never changes');
  const unnamed = extensible.filter((field) => !growing.includes(`\`${field}\``));
  expect(unnamed).toEqual(['Sandbox-Fault', 'code', 'event_types', 'name', 'type']);
});

test('When an operation answers 304, and only then, it takes If-None-Match', () => {
  const reads = Object.entries(documents.clients['paths'] as Record<string, { get?: JsonObject }>).flatMap(
    ([path, { get }]) => (get ? [{ path, ...get }] : []),
  ) as { path: string; responses: object; parameters: { in: string; name: string; required: boolean }[] }[];
  const cacheable = reads.filter(({ responses }) => '304' in responses).map(({ path }) => path);
  const header = ({ parameters }: (typeof reads)[number]) =>
    parameters.find((each) => each.in === 'header' && each.name === 'If-None-Match');
  expect(reads.filter((read) => header(read)?.required === false).map(({ path }) => path)).toEqual(cacheable);
  expect(cacheable).toHaveLength(19);
});

/** The headers that the service reads from requests, in lower case. */
const readHeaders = new Set(
  repositoryFiles(join(root, 'src'))
    .filter((file) => /^src\/(api|http|page-files|process)\/.*\.ts$/.test(file))
    .flatMap((file) => [...textOf(file).matchAll(/\brequest\.get\('([\w-]+)'\)/g)])
    .map(([, name = '']) => name.toLowerCase()),
);

/** Headers of HTTP itself, and of pages, which the document does not describe. */
const otherHeaders = ['accept', 'content-length'];

test('When a page for clients names a header that the service reads, then the document names it', () => {
  const pages = documentFiles.filter((file) => /^docs\/(specification\.md|clients\/)/.test(file));
  const named = pages.flatMap((file) => [...textOf(file).matchAll(/`([A-Z][\w-]*)(?::[^`]*)?`/g)]);
  const names = new Set(named.map(([, name = '']) => name.toLowerCase()));
  const inProse = [...names].filter((name) => readHeaders.has(name) && !otherHeaders.includes(name)).sort();
  const parameters = nodes
    .filter(([path, node]) => path.startsWith('/clients/paths/') && node['in'] === 'header')
    .map(([, { name }]) => String(name).toLowerCase());
  const { description } = documents.clients['info'] as { description: string };
  const isDocumented = (name: string) =>
    parameters.includes(name) ||
    (name === 'authorization' && 'token' in components.securitySchemes) ||
    description.toLowerCase().includes(`\`${name}\``);
  expect(inProse).toEqual(['authorization', 'idempotency-key', 'if-none-match', 'sandbox-fault', 'x-request-id']);
  expect(inProse.filter((name) => !isDocumented(name))).toEqual([]);
});

test('When a client receives an event, then its type leads to its schema', () => {
  const { anyOf, discriminator } = components.schemas['AnyEvent'] as {
    anyOf: { $ref: string }[];
    discriminator: JsonObject;
  };
  const { propertyName, mapping } = discriminator as { propertyName: string; mapping: Record<string, string> };
  expect(propertyName).toBe('type');
  expect(Object.keys(mapping)).toEqual(Object.keys(documents.clients['webhooks'] as object));
  expect(Object.values(mapping)).toEqual(anyOf.map(({ $ref }) => $ref));
});

test('When a scenario names the statuses of its order, then they have the type of an order', () => {
  const status = { $ref: '#/components/schemas/VoucherOrderStatus' };
  expect(components.schemas['SandboxScenario']).toMatchObject({
    properties: { initial_status: status, final_status: status },
  });
});

test.each(audiences)(
  'When an operation for %s needs no token, then its security field says so',
  (_audience, document) => {
    const all = Object.values(document['paths'] as Record<string, Record<string, JsonObject>>).flatMap(Object.values);
    expect(all.filter(({ security }) => !Array.isArray(security))).toEqual([]);
  },
);

test('When an error or a failure code has changed, then npm run openapi has written the change to the docs', () => {
  expect(textOf('docs/clients/errors.md')).toBe(errorsPage(apiOperations));
});

test('When only suppliers or operators can receive a message, then the page about errors does not have it', () => {
  const page = textOf('docs/clients/errors.md');
  for (const message of ['Invalid signature', errors.temporalEmptied().message]) expect(page).not.toContain(message);
});

const contents = Object.values(documents).flatMap((document) => {
  const schemas = new DocumentSchemas(document);
  return schemas.contents().map(([where, content]) => [where, content, schemas] as const);
});

test.each(contents)('When %s has an example, then its schema accepts the example', (_where, content, schemas) => {
  for (const example of examplesOf(content)) expect(schemas.faults(content.schema, example)).toEqual([]);
});

function examplesOf({ example, examples }: MediaType): unknown[] {
  return examples ? Object.values(examples).map(({ value }) => value) : [example];
}

test.each([
  ['an email address', 'api@goods.example', { email: 'api@goods.example' }],
  ['a page', 'https://goods.example/help', { url: 'https://goods.example/help' }],
])('When clients ask at %s, then their document has it as contact', (_kind, contact, expected) => {
  expect(clientDocument(apiOperations, recorded, contact)).toMatchObject({ info: { contact: expected } });
  expect(documents.clients).not.toHaveProperty('info.contact');
});
