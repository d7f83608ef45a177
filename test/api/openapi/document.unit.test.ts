/** The OpenAPI document is whole, true to its own schemas, and the one that is kept in the docs. */
import openApiSchema from '@seriousme/openapi-schema-validator/schemas/v3.1/schema.json';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020';
import { openApiDocument } from '../../../src/api/openapi/document';
import { errorsPage } from '../../../src/api/openapi/errors-page';
import { operations } from '../../../src/api/routes';
import { textOf } from '../../documents/documents';
import { DocumentSchemas, type MediaType } from '../../support/openapi';

const document = openApiDocument(operations);
const schemas = new DocumentSchemas(document);

test('When the document is read as OpenAPI 3.1, then it is', () => {
  const ajv = new Ajv2020({ strict: false });
  addFormats(ajv);
  ajv.addFormat('media-range', true);
  const isOpenApi = ajv.compile(openApiSchema);
  isOpenApi(document);
  expect(isOpenApi.errors).toBeNull();
});

test('When operations are called by their names, then no two have the same', () => {
  const ids = Object.values(operations).map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('When the document was changed, then npm run openapi has written it to the docs', () => {
  expect(JSON.parse(textOf('docs/clients/openapi.json'))).toEqual(document);
});

test('When an error or a failure code was changed, then npm run openapi has written it to the docs', () => {
  expect(textOf('docs/clients/errors.md')).toBe(errorsPage(operations));
});

const contents = schemas.contents();

test.each(contents)('When %s is shown by an example, then its schema takes it', (_where, content) => {
  for (const example of examplesOf(content)) expect(schemas.faults(content.schema, example)).toEqual([]);
});

function examplesOf({ example, examples }: MediaType): unknown[] {
  return examples ? Object.values(examples).map(({ value }) => value) : [example];
}
