/** Whose account the examples use: that of `API_URL`, `API_KEY` and `API_SECRET`, else `demo` on the stack of `npm start`. */
import { readFileSync } from 'node:fs';
import { DigitalGoods } from '@digital-goods/client';

/** The addresses and clients of the stack that `npm start` runs. Ends with one sentence if there is none. */
function runningStack() {
  const file = new URL('../../.run/stack.json', import.meta.url);
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    console.error('No stack runs here. Start one with npm start, or set API_URL, API_KEY and API_SECRET.');
    process.exit(1);
  }
}

/** The client library, ready to be called. */
export function account() {
  const { API_URL: baseUrl, API_KEY: apiKey, API_SECRET: apiSecret } = process.env;
  if (baseUrl && apiKey && apiSecret) return new DigitalGoods({ baseUrl, apiKey, apiSecret });
  const stack = runningStack();
  const { demo } = stack.clients;
  return new DigitalGoods({ baseUrl: stack.api_url, apiKey: demo.api_key, apiSecret: demo.api_secret });
}
