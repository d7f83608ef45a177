#!/usr/bin/env node
/** Writes docs/clients/openapi.json: the document that `GET /openapi.json` answers with. */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { dist, root } from './build.mjs';

const require = createRequire(import.meta.url);
const { openApiDocument } = require(join(dist, 'src/api/openapi/document.js'));
const { operations } = require(join(dist, 'src/api/openapi/operations.js'));

const file = join(root, 'docs/clients/openapi.json');
writeFileSync(file, `${JSON.stringify(openApiDocument(operations), null, 2)}\n`);
console.log(`Written: ${file}`);
