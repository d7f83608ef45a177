#!/usr/bin/env node
/**
 * Runs the collection from top to bottom without Postman, and fails if a response is not as expected. It supports only what the
 * collection uses of Postman's format. The account is that of `examples/node/account.mjs`.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { settings } from '../node/account.mjs';

const file = new URL('digital-goods.postman_collection.json', import.meta.url);
const collection = JSON.parse(readFileSync(file, 'utf8'));

const variables = new Map(collection.variable.map(({ key, value }) => [key, value]));
const { baseUrl, apiKey, apiSecret } = settings();
variables.set('base_url', baseUrl).set('api_key', apiKey).set('api_secret', apiSecret);
const { WEBHOOK_URL } = process.env;
if (WEBHOOK_URL) variables.set('webhook_url', WEBHOOK_URL);

function filled(text) {
  return text.replace(/\{\{(\$?\w+)\}\}/g, (_, name) => {
    if (name === '$guid') return randomUUID();
    assert(variables.has(name), `The variable ${name} is not set: a call before this one has failed`);
    return variables.get(name);
  });
}

/** What the scripts of the collection use of Postman's `pm`. */
function postman(code, body) {
  return {
    response: { code, json: () => JSON.parse(body) },
    collectionVariables: { set: (name, value) => variables.set(name, String(value)) },
    expect: (value) => ({
      to: { be: { oneOf: (values) => assert(values.includes(value), `${value}, not ${values.join(' or ')}`) } },
    }),
    test: (_name, check) => check(),
  };
}

async function run({ name, request, event }) {
  const { method, url, header, body, auth = collection.auth } = request;
  const headers = Object.fromEntries(header.map(({ key, value }) => [key, filled(value)]));
  if (auth.type === 'bearer') headers.Authorization = `Bearer ${filled(auth.bearer[0].value)}`;
  const sent = { method, headers, ...(body && { body: filled(body.raw) }) };
  // Like Postman, whose raw addresses are not encoded; a plus sign in them is one.
  const address = encodeURI(filled(url.raw)).replaceAll('+', '%2B');
  const response = await fetch(address, sent);
  const text = await response.text();
  try {
    const script = event.flatMap(({ script: { exec } }) => exec).join('\n');
    runInNewContext(script, { pm: postman(response.status, text) });
    console.log(`${response.status} ${method} ${url.path.join('/')}`);
  } catch (error) {
    console.error(`${name}: ${method} ${address}: ${error.message}\n${text.slice(0, 500)}`);
    process.exitCode = 1;
  }
}

for (const item of collection.item.flatMap((folder) => folder.item)) await run(item);
