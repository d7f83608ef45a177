/** The client `demo` of the stack that `npm start` runs. Elsewhere: the address and the key that you were given. */
import { readFileSync } from 'node:fs';
import { DigitalGoods } from '@digital-goods/client';

/** Its client library, and the wallet that pays where none is named. */
export function demoAccount() {
  const stack = JSON.parse(readFileSync(process.env.STACK_FILE ?? '.run/stack.json', 'utf8'));
  const { api_key: apiKey, api_secret: apiSecret, wallets } = stack.clients.demo;
  const client = new DigitalGoods({ baseUrl: stack.api_url, apiKey, apiSecret });
  return { client, wallet: wallets.find((wallet) => wallet.is_default) };
}
