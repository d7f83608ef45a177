/** Places and reads one order of each family with the types of openapi-typescript. Prints what it read as JSON. */
import type { components, paths } from './schema.js';

type Schemas = components['schemas'];
type Requests = Record<'voucher', Schemas['VoucherOrderRequest']> &
  Record<'topup', Schemas['TopupOrderRequest']> &
  Record<'esim', Schemas['EsimOrderRequest']>;
type Json<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : never;
type ResponseOf<Path extends keyof paths, Method extends keyof paths[Path]> = paths[Path][Method] extends {
  responses: { 200: infer Response };
}
  ? Json<Response>
  : never;

const { API = '', KEY = '', SECRET = '', BODIES = '{}' } = process.env;
let token = '';

async function call<Path extends keyof paths & string, Method extends 'get' | 'post'>(
  method: Method,
  path: Path,
  { id, body }: { id?: number; body?: object } = {},
): Promise<ResponseOf<Path, Method>> {
  const response = await fetch(API + path.replace('{id}', String(id)), {
    method: method.toUpperCase(),
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${String(method)} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as ResponseOf<Path, Method>;
}

const shown = ({ id, status, charged_amount }: { id: number; status: string; charged_amount: number }) => ({
  id,
  status,
  charged_amount,
});

const bodies = JSON.parse(BODIES) as Requests;
const credentials: Schemas['LoginRequest'] = { username: KEY, password: SECRET };
token = (await call('post', '/auth/login', { body: credentials })).data.access_token;
const [wallet] = await call('get', '/api/v1/wallets');
const voucher = await call('post', '/api/v1/orders', { body: bodies.voucher });
const topup = await call('post', '/api/v1/topups/orders', { body: bodies.topup });
const esim = await call('post', '/api/v1/esim/orders', { body: bodies.esim });
const orders = {
  voucher: shown(await call('get', '/api/v1/orders/{id}', { id: voucher.id })),
  topup: shown(await call('get', '/api/v1/topups/orders/{id}', { id: topup.id })),
  esim: shown(await call('get', '/api/v1/esim/orders/{id}', { id: esim.id })),
};
const events = await call('get', '/api/v1/webhooks/events');
console.log(JSON.stringify({ balance: wallet?.balance, orders, has_events: events.length > 0 }));
