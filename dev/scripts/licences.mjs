#!/usr/bin/env node
/**
 * Fails if the README and all own `package.json` files do not name one licence, or if a production package has no licence, or one
 * that `deploy/supply-chain/licences.json` does not allow. The file lists `permissive` licences, those allowed `withReason`, and `packages` whose licence npm cannot read, each version with
 * the licence that a person found.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import satisfies from 'spdx-satisfies';
import { sbom } from './sbom.mjs';

const file = 'deploy/supply-chain/licences.json';
const { permissive, withReason, packages } = JSON.parse(readFileSync(file, 'utf8'));
const allowed = [...permissive, ...Object.keys(withReason)];

const isDevelopment = ({ properties = [] }) =>
  properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');

/** The package's own licence as an SPDX expression, whose operators may be small letters; undefined if npm cannot read it. */
function stated({ licenses = [] }) {
  const expressions = licenses.map(({ expression, license }) => expression ?? license.id).filter(Boolean);
  return expressions.length > 0
    ? expressions.join(' AND ').replace(/ (or|and|with) /g, (one) => one.toUpperCase())
    : undefined;
}

function refusalOf(component) {
  const name = component['bom-ref'];
  const licence = stated(component) ?? packages[name]?.licence;
  if (!licence) return `${name} has no licence that can be read: read it, and list the package in ${file}.`;
  if (!satisfies(licence, allowed)) return `${name} is under ${licence}, which ${file} does not allow.`;
  return undefined;
}

/** The licence of the project, by the files that state it. */
function ownLicences() {
  const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
  const folders = Object.keys(read('package-lock.json').packages).filter((path) => !path.includes('node_modules'));
  const manifests = folders.map((folder) => join(folder, 'package.json'));
  const [, ofReadme] = /^## Licence\n\n`([^`]+)`/m.exec(readFileSync('README.md', 'utf8')) ?? [];
  return [['README.md', ofReadme], ...manifests.map((path) => [path, read(path).license])];
}

const own = ownLicences();
const differences =
  new Set(own.map(([, licence]) => licence ?? 'none')).size === 1 && own[0][1] !== undefined
    ? []
    : [
        `The licence of the project must be one: ${own.map(([path, licence]) => `${path} states ${licence ?? 'none'}`).join(', ')}.`,
      ];

const production = sbom().components.filter((component) => !isDevelopment(component));
const unread = production.filter((component) => !stated(component)).map((component) => component['bom-ref']);
const refusals = production.map(refusalOf).filter(Boolean);
const idle = Object.keys(packages)
  .filter((name) => !unread.includes(name))
  .map((name) => `${file} lists ${name}, which needs no entry: remove it.`);
for (const sentence of [...differences, ...refusals, ...idle]) console.error(sentence);
if (differences.length + refusals.length + idle.length > 0) process.exitCode = 1;
else console.log(`${production.length} packages in production, all under licences that are allowed.`);
