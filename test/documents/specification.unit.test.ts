/** The tables of fields in the specification are those of the schemas. docs/clients/openapi.json has the other schemas. */
import { tabulatedSchemas, withFieldTables } from '../../dev/documents/field-tables';
import { clientDocument } from '../../src/api/openapi/document';
import { recordedExamples } from '../../src/api/openapi/recorded-examples';
import type { Schema } from '../../src/api/openapi/schema';
import { apiOperations } from '../../src/api/routes';
import { textOf } from './documents';

const page = 'docs/specification.md';
const document = clientDocument(apiOperations, recordedExamples());
const { schemas } = document['components'] as { schemas: Readonly<Record<string, Schema>> };

test('When a field of the API has changed, then npm run openapi has written the change to the specification', () => {
  expect(textOf(page)).toBe(withFieldTables(textOf(page), document));
});

test('When charges or orders of a family have fields, then a table of the specification has them', () => {
  const names = Object.keys(schemas).filter((name) => /(Order|OrderItem|Charges)$/.test(name));
  expect([...tabulatedSchemas].sort()).toEqual(names.sort());
});

test('When a heading has lost its table of fields, then the generator names it', () => {
  const withoutTable = textOf(page).replace(/(?<=^### Voucher order\n\n.*\n\n)(\|.*\n)+/m, '');
  expect(() => withFieldTables(withoutTable, document)).toThrow('Voucher order');
});

test('When a client picks a plan, then the guide about eSIMs names every field of the plan', () => {
  const guide = textOf('docs/clients/esims.md');
  const fields = Object.keys(schemas['EsimVariantDetail']?.properties ?? {});
  expect(fields.filter((field) => !new RegExp(`["\`]${field}["\`]`).test(guide))).toEqual([]);
});
