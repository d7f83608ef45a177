#!/usr/bin/env node
/**
 * Writes `digital-goods.postman_collection.json`: every call of docs/clients/openapi.json that clients make, in an order in
 * which it runs from top to bottom. `--check` writes nothing and fails where the file is another.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const source = new URL('../../docs/clients/openapi.json', import.meta.url);
const target = new URL('digital-goods.postman_collection.json', import.meta.url);

/** The variables that the user sets. Requests set the others. */
const variables = {
  base_url: 'http://127.0.0.1:3000',
  api_key: 'your-api-key',
  api_secret: 'your-api-secret',
  webhook_url: 'https://shop.example/hook',
  from: '2026-01-01',
  to: '2026-12-31',
};

/** Folders in their order, with the tags of their calls: what others need comes first. */
const folders = {
  Service: ['Reference'],
  Authentication: ['Authentication'],
  'Reference data': ['Reference data'],
  Wallets: ['Wallets'],
  Prices: ['Price list'],
  Vouchers: ['Vouchers'],
  eSIM: ['eSIM'],
  'Top-ups': ['Top-ups'],
  Claims: ['Claims'],
  Sandbox: ['Sandbox'],
  'Transactions and statements': ['Transactions', 'Statements'],
  Webhooks: ['Webhook endpoints', 'Webhook events'],
  'Keys and access': ['Keys and access'],
};

/** Calls that others of their folder must come after, or before. */
const first = ['cancelSandboxOrder'];
const last = ['deleteWebhookEndpoint', 'removeMember'];

/** The variable that holds the id in a path, by what the path begins with. */
const ids = {
  '/api/v1/products/': 'voucher_product_id',
  '/api/v1/orders/': 'voucher_order_id',
  '/api/v1/topups/products/': 'topup_product_id',
  '/api/v1/topups/variants/': 'topup_variant_id',
  '/api/v1/topups/orders/': 'topup_order_id',
  '/api/v1/esim/products/': 'esim_product_id',
  '/api/v1/esim/variants/': 'esim_variant_id',
  '/api/v1/esim/orders/': 'esim_order_id',
  '/api/v1/claims/': 'claim_id',
  '/api/v1/wallets/': 'wallet_id',
  '/api/v1/transactions/': 'transaction_id',
  '/api/v1/countries/': 'country_id',
  '/api/v1/categories/': 'category_id',
  '/api/v1/subcategories/': 'subcategory_id',
  '/api/v1/webhooks/endpoints/': 'endpoint_id',
  '/api/v1/webhooks/events/': 'event_id',
  '/api/v1/api-keys/': 'key_id',
  '/api/v1/members/': 'member_id',
  '/api/v1/funding-requests/': 'funding_request_id',
  '/api/v1/sandbox/wallets/': 'wallet_id',
  '/api/v1/sandbox/funding-requests/': 'funding_request_id',
  '/api/v1/sandbox/esims/': 'esim_order_id',
  '/api/v1/sandbox/orders/': 'topup_order_id',
  '/api/v1/sandbox/claims/': 'claim_id',
};

/** Variables that an answer sets for later calls, and the paths of their values. */
const captures = {
  login: { access_token: 'data.access_token', refresh_token: 'data.refresh_token' },
  refresh: { access_token: 'data.access_token', refresh_token: 'data.refresh_token' },
  listVoucherProducts: { voucher_product_id: '[0].id' },
  getVoucherCharges: { voucher_total: 'total_payable' },
  createVoucherOrder: { voucher_order_id: 'id' },
  listTopupProducts: { topup_product_id: '[0].id' },
  listTopupVariants: { topup_variant_id: '[0].id' },
  getTopupCharges: { topup_total: 'total_payable' },
  createTopupOrder: { topup_order_id: 'id' },
  listEsimProducts: { esim_product_id: '[0].id' },
  listEsimVariants: { esim_variant_id: '[0].id', esim_amount: '[0].amount' },
  getEsimCharges: { esim_total: 'total_payable' },
  createEsimOrder: { esim_order_id: 'id' },
  fileEsimClaim: { claim_id: 'id' },
  listWallets: { wallet_id: '[0].id' },
  requestFunding: { funding_request_id: 'id' },
  listTransactions: { transaction_id: '[0].id' },
  listCountries: { country_id: '[0].id' },
  listCategories: { category_id: '[0].id' },
  listSubcategories: { subcategory_id: '[0].id' },
  createWebhookEndpoint: { endpoint_id: 'id' },
  listWebhookEvents: { event_id: '[0].id' },
  createApiKey: { key_id: 'id' },
  rollApiKey: { key_id: 'id' },
  inviteMember: { member_id: 'id' },
};

/** Queries that find what the calls after them can use in a sandbox. */
const queries = {
  listVoucherProducts: { search: 'sandbox delayed' },
  listTopupProducts: { search: 'liberty' },
  listEsimProducts: { search: 'europe' },
  listWebhookEvents: { type: 'wallet.debited' },
  lookUpMobileNumber: { number: '+12025550101' },
  listWebhookResends: { since: '{{from}}T00:00:00Z' },
  getWalletStatement: { from: '{{from}}', to: '{{to}}' },
  getOrdersStatement: { from: '{{from}}', to: '{{to}}' },
};

/** Bodies where the document's example is not enough. What has no quotes is a number. */
const bodies = {
  login: '{ "username": "{{api_key}}", "password": "{{api_secret}}" }',
  refresh: '{ "refresh_token": "{{refresh_token}}" }',
  createVoucherOrder:
    '{ "product_id": {{voucher_product_id}}, "denomination": 10, "quantity": 1, "max_total_payable": {{voucher_total}}, "client_reference": "{{$guid}}" }',
  getTopupCharges: '{ "product_id": {{topup_product_id}}, "amount": 10 }',
  createTopupOrder:
    '{ "product_id": {{topup_product_id}}, "amount": 10, "max_total_payable": {{topup_total}}, "input_data": { "phone_number": "+12025550101" }, "client_reference": "{{$guid}}" }',
  getEsimCharges: '{ "product_id": {{esim_product_id}}, "amount": {{esim_amount}} }',
  createEsimOrder:
    '{ "product_id": {{esim_product_id}}, "amount": {{esim_amount}}, "max_total_payable": {{esim_total}}, "client_reference": "{{$guid}}" }',
  setAllowedNetworks: '{ "networks": [] }',
  changeWebhookEndpoint: '{ "event_types": ["order.delivered", "wallet.debited", "esim.usage"] }',
  createWebhookEndpoint: '{ "url": "{{webhook_url}}", "event_types": ["order.delivered", "wallet.debited"] }',
};

/** Answers that are right too: by then the order may have ended or not, the eSIM has, and claim and funding request are decided. */
const alsoRight = {
  fileVoucherClaim: [201, 409],
  fileTopupClaim: [201, 409],
  fileEsimClaim: [201],
  replaceSandboxClaim: [409],
  rejectSandboxClaim: [409],
  setVoucherOrderEmail: [400],
  setTopupOrderEmail: [400],
  setEsimOrderEmail: [400],
  cancelSandboxOrder: [409],
  releaseSandboxOrder: [409],
  expireSandboxEsim: [409],
  // The member has not joined yet.
  unlockMember: [409],
  paySandboxFundingRequest: [409],
  // An operator enables conversions for a client.
  convertMoney: [201, 403],
};

const document = JSON.parse(readFileSync(source, 'utf8'));

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
);

function rank({ operationId }) {
  return first.includes(operationId) ? -1 : last.includes(operationId) ? 1 : 0;
}

function folderOf([name, tags]) {
  const its = operations.filter((operation) => operation.tags.some((tag) => tags.includes(tag)));
  return { name, item: its.sort((a, b) => rank(a) - rank(b)).map(itemOf) };
}

function itemOf(operation) {
  const { method, path, summary, description, operationId, parameters = [], security } = operation;
  const isCreate = parameters.some(({ name }) => name === 'Idempotency-Key');
  const body = bodies[operationId] ?? exampleOf(operation);
  return {
    name: summary,
    request: {
      method,
      ...(security?.length === 0 && { auth: { type: 'noauth' } }),
      header: [
        ...(body ? [{ key: 'Content-Type', value: 'application/json' }] : []),
        ...(isCreate ? [{ key: 'Idempotency-Key', value: '{{$guid}}' }] : []),
      ],
      url: urlOf(operation),
      ...(body && { body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } } }),
      description: [`\`${method} ${path}\``, description].filter(Boolean).join('\n\n'),
    },
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: scriptOf(operation) } }],
  };
}

function exampleOf({ requestBody }) {
  const example = requestBody?.content['application/json'].example;
  return example && JSON.stringify(example, null, 2);
}

function urlOf({ path, parameters = [], operationId }) {
  const prefix = Object.keys(ids).find((each) => path.startsWith(each));
  const parts = path
    .replace(/\{\w+\}/, `{{${ids[prefix]}}}`)
    .slice(1)
    .split('/');
  const given = queries[operationId] ?? {};
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, description }) => ({ key: name, value: given[name] ?? '', description, disabled: !(name in given) }));
  const search = Object.entries(given).map(([name, value]) => `${name}=${value}`);
  const raw = `{{base_url}}/${parts.join('/')}${search.length > 0 ? `?${search.join('&')}` : ''}`;
  return { raw, host: ['{{base_url}}'], path: parts, ...(query.length > 0 && { query }) };
}

/** Every answer is checked; some are kept. */
function scriptOf({ responses, operationId }) {
  const success = Number(Object.keys(responses).find((status) => status.startsWith('2')));
  const right = [success, ...(alsoRight[operationId] ?? [])];
  return [
    `pm.test('${right.join(' or ')}', () => pm.expect(pm.response.code).to.be.oneOf([${right.join(', ')}]));`,
    ...Object.entries(captures[operationId] ?? {}).map(([variable, place]) => {
      const value = `pm.response.json()${place.startsWith('[') ? '' : '.'}${place}`;
      return `pm.collectionVariables.set('${variable}', ${value});`;
    }),
  ];
}

const collection = {
  info: {
    name: document.info.title,
    description: 'Set api_key and api_secret, and run it from top to bottom, against a sandbox.',
    schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
  },
  auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{access_token}}', type: 'string' }] },
  variable: Object.entries(variables).map(([key, value]) => ({ key, value })),
  item: Object.entries(folders).map(folderOf),
};

const text = `${JSON.stringify(collection, null, 2)}\n`;
if (!process.argv.includes('--check')) writeFileSync(target, text);
else if (readFileSync(target, 'utf8') !== text) {
  console.error('The collection is not what the API says: node examples/collection/generate.mjs');
  process.exitCode = 1;
}
