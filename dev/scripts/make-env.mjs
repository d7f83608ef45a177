#!/usr/bin/env node
/**
 * Writes `.env` into the current folder: `.env.example` with new secrets, readable only by its owner, and the certificates of Temporal.
 * An existing file is kept, because its secrets belong to an installation.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { makeCertificates } from './make-certificates.mjs';
import { newSecrets } from './new-secrets.mjs';

const secrets = newSecrets();
const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
const filled = example.replace(/^(\w+)=$/gm, (line, name) => (name in secrets ? line + secrets[name] : line));
const file = resolve('.env');
try {
  writeFileSync(file, filled, { mode: 0o600, flag: 'wx' });
} catch (error) {
  const reason = error.code === 'EEXIST' ? 'is there already: move it away first' : `cannot be written (${error.code})`;
  console.error(`${file} ${reason}.`);
  process.exit(1);
}
console.log(`${file} holds the secrets of this installation.`);
console.log(makeCertificates());
