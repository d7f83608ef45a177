/** Whose account the examples use: that of `API_URL`, `API_KEY` and `API_SECRET`, else `demo` on the stack of `npm start`. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DigitalGoods } from '@digital-goods/client';

/** The file of the stack that runs in the folder or one above; undefined without a stack. */
function stackFile(folder) {
  const file = join(folder, '.run', 'stack.json');
  if (existsSync(file)) return file;
  return dirname(folder) === folder ? undefined : stackFile(dirname(folder));
}

/** The address of the service, and a key with its secret. Ends with one sentence if there are none. */
export function settings() {
  const { API_URL: baseUrl, API_KEY: apiKey, API_SECRET: apiSecret } = process.env;
  if (baseUrl && apiKey && apiSecret) return { baseUrl, apiKey, apiSecret };
  const file = stackFile(process.cwd());
  if (file === undefined) {
    console.error('Set API_URL, API_KEY and API_SECRET, or start a stack with npm start.');
    process.exit(1);
  }
  const { api_url, clients } = JSON.parse(readFileSync(file, 'utf8'));
  return { baseUrl: api_url, apiKey: clients.demo.api_key, apiSecret: clients.demo.api_secret };
}

/** The client library, ready to be called. */
export function account() {
  return new DigitalGoods(settings());
}
