#!/usr/bin/env node
/** Prints `.env.example` with fresh secrets filled in: `node scripts/make-env.mjs > .env`. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';

const secrets = {
  SECRET_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  SIMULATOR_SECRET: randomBytes(24).toString('hex'),
  CODEC_SERVER_SECRET: randomBytes(24).toString('hex'),
  POSTGRES_PASSWORD: randomBytes(24).toString('hex'),
};

const example = readFileSync(new URL('../.env.example', import.meta.url), 'utf8');
process.stdout.write(
  example.replace(/^(\w+)=$/gm, (line, name) => (name in secrets ? line + secrets[name] : line)),
);
