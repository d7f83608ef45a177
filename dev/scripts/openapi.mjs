#!/usr/bin/env node
/**
 * Writes docs/clients/openapi.json, the document that `GET /openapi.json` returns, docs/operators/openapi.json,
 * docs/clients/errors.md, docs/operators/attention.md and the tables of fields in docs/specification.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { dist, root } from './build.mjs';

const require = createRequire(import.meta.url);
const { clientDocument, operatorDocument } = require(join(dist, 'src/api/openapi/document.js'));
const { attentionPage } = require(join(dist, 'dev/documents/attention-page.js'));
const { errorsPage } = require(join(dist, 'dev/documents/errors-page.js'));
const { withFieldTables } = require(join(dist, 'dev/documents/field-tables.js'));
const { recordedExamples } = require(join(dist, 'src/api/openapi/recorded-examples.js'));
const { apiOperations } = require(join(dist, 'src/api/routes.js'));

const clients = clientDocument(apiOperations, recordedExamples());
const specification = readFileSync(join(root, 'docs/specification.md'), 'utf8');

for (const [name, text] of [
  ['clients/openapi.json', `${JSON.stringify(clients, null, 2)}\n`],
  ['operators/openapi.json', `${JSON.stringify(operatorDocument(apiOperations), null, 2)}\n`],
  ['clients/errors.md', errorsPage(apiOperations)],
  ['operators/attention.md', attentionPage()],
  ['specification.md', withFieldTables(specification, clients)],
]) {
  const file = join(root, 'docs', name);
  writeFileSync(file, text);
  console.log(`Written: ${file}`);
}
