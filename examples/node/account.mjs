/** Whose account the examples use: that of `API_URL`, `API_KEY` and `API_SECRET`, else `demo` on the stack of `npm start`. */
import { readFileSync } from 'node:fs';
import { DigitalGoods } from '@digital-goods/client';

/** The client library, ready to be called. */
export function account() {
  const { API_URL: baseUrl, API_KEY: apiKey, API_SECRET: apiSecret } = process.env;
  if (baseUrl && apiKey && apiSecret) return new DigitalGoods({ baseUrl, apiKey, apiSecret });
  const stack = JSON.parse(readFileSync('.run/stack.json', 'utf8'));
  const { demo } = stack.clients;
  return new DigitalGoods({ baseUrl: stack.api_url, apiKey: demo.api_key, apiSecret: demo.api_secret });
}
