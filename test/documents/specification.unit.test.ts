/** The tables of fields in the specification are those of the schemas. */
import { tabulatedSchemas, withFieldTables } from '../../dev/documents/field-tables';
import { clientDocument } from '../../src/api/openapi/document';
import { recordedExamples } from '../../src/api/openapi/recorded-examples';
import type { Schema } from '../../src/api/openapi/schema';
import { apiOperations } from '../../src/api/routes';
import { textOf } from './documents';

const page = 'docs/specification.md';
const document = clientDocument(apiOperations, recordedExamples());

test('When a field of the API has changed, then npm run openapi has written the change to the specification', () => {
  expect(textOf(page)).toBe(withFieldTables(textOf(page), document));
});

/** The guide to webhooks describes endpoints and events. */
const isOfWebhooks = /^(Created)?Webhook|^ReplayRequest$|(Event|Data)$/;

/** The tables of calls describe the envelope of errors and these small bodies. */
const inTablesOfCalls = [
  'AllowedNetworksRequest',
  'ApiKeyRoll',
  'Error',
  'LoginRequest',
  'LowBalanceThreshold',
  'NotificationEmail',
  'RecipientErasure',
  'RecipientErasureRequest',
  'RefreshRequest',
  'SandboxEsimUse',
  'SandboxFunds',
  'Session',
];

test('When a body or a resource has fields, then a table of the specification has them', () => {
  const { schemas } = document['components'] as { schemas: Readonly<Record<string, Schema>> };
  const withFields = Object.entries(schemas).filter(([, { properties }]) => properties !== undefined);
  const names = withFields.map(([name]) => name).filter((name) => !isOfWebhooks.test(name));
  expect(names.filter((name) => !tabulatedSchemas.has(name))).toEqual(inTablesOfCalls);
});

test('When a heading has lost its table of fields, then the generator names it', () => {
  const withoutTable = textOf(page).replace(/(?<=^### Country\n\n)(\|.*\n)+/m, '');
  expect(() => withFieldTables(withoutTable, document)).toThrow('Country');
});
