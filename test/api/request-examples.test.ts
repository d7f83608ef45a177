/** A reader of the API reference can send each of its prefilled requests. docs/developers/api-reference.md#examples. */
import { textOf } from '../documents/documents';
import { newClient, useClient, useDatabase } from '../support/clients';
import { ops } from '../support/operator';
import { orderOf, place } from '../support/orders';
import { apiWithoutToken, type Json, type Resource } from '../support/stack';
import { accepted, esimOrders, topupOrders } from '../support/variant-orders';
import { until } from '../../dev/testbed/waiting';

interface Operation {
  operationId: string;
  security: object[];
  responses: Record<string, object>;
  parameters: { name: string; in: string; example?: number }[];
  requestBody?: { content: { 'application/json': { example: Json; schema: { $ref: string } } } };
}

const { paths, components } = JSON.parse(textOf('docs/clients/openapi.json')) as {
  paths: Record<string, Record<string, Operation>>;
  components: {
    headers: Record<string, object>;
    schemas: Record<string, { properties: Record<string, { examples?: unknown[] }> }>;
  };
};
const requests = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, operation]): [string, string, string, Operation][] =>
    operation.requestBody ? [[operation.operationId, method.toUpperCase(), path, operation]] : [],
  ),
);

const database = useDatabase();
const client = useClient(database, { USD: 1_000, EUR: 1 });

/** Places an eSIM order that stays PENDING. Its request returns when the order ends, so the caller cancels it. */
async function pendingEsim(): Promise<number> {
  const reference = 'pending-esim';
  void client.api.order(esimOrders, orderOf('esim_slow', { client_reference: reference }));
  const path = `${esimOrders}?client_reference=${reference}`;
  return until('the order', async () => (await client.api.get<Resource[]>(path)).body[0]?.id);
}

const walletId = async () => client.wallets['USD'] as number;
/** A key of the client beside the one that it uses. */
const otherKeyId = async () => (await client.api.post<Resource>('/api/v1/api-keys', { label: 'another' })).body.id;
const memberId = async () => {
  const member = { email: 'another@client.example', name: 'Another', role: 'viewer' };
  return (await client.api.post<Resource>('/api/v1/members', member)).body.id;
};
const endpointId = async () => (await client.api.get<Resource[]>('/api/v1/webhooks/endpoints')).body[0]?.id as number;

/** The ids of the resources of one client, which no example can know. */
const ownIds: Readonly<Record<string, () => Promise<number>>> = {
  setVoucherOrderEmail: async () => (await place(client.api, orderOf('voucher_delayed'))).id,
  setTopupOrderEmail: async () => (await accepted(client.api, topupOrders, orderOf('topup_pending'))).id,
  setEsimOrderEmail: pendingEsim,
  fileVoucherClaim: async () => (await place(client.api, orderOf('voucher_instant'))).id,
  fileTopupClaim: async () => (await accepted(client.api, topupOrders, orderOf('topup_instant'))).id,
  fileEsimClaim: async () => (await accepted(client.api, esimOrders, orderOf('esim_instant'))).id,
  useSandboxEsim: async () => (await accepted(client.api, esimOrders, orderOf('esim_instant'))).id,
  setLowBalanceThreshold: walletId,
  fundSandboxWallet: walletId,
  requestFunding: walletId,
  convertMoney: walletId,
  changeWebhookEndpoint: endpointId,
  replayWebhookEvents: endpointId,
  rollApiKey: otherKeyId,
  changeMember: memberId,
};

async function logIn(): Promise<{ refresh_token: string }> {
  const { api_key: username, api_secret: password } = client.credentials;
  interface Session {
    data: { refresh_token: string };
  }
  return (await apiWithoutToken().post<Session>('/auth/login', { username, password })).body.data;
}

/** The parts of a body that stand for the reader's own secrets and wallets. */
const ownBodies: Readonly<Record<string, () => Promise<Json>>> = {
  login: async () => ({ username: client.credentials.api_key, password: client.credentials.api_secret }),
  refresh: async () => ({ refresh_token: (await logIn()).refresh_token }),
  convertMoney: async () => {
    await ops`clients set ${client.id} --conversions`;
    return { to_wallet_id: client.wallets['EUR'] ?? 0, amount: 100, reference: 'march-eur' };
  },
};

const json = { 'content-type': 'application/json' };

test.each(requests)('When the example of %s is sent, then it succeeds', async (id, method, path, operation) => {
  const example = operation.requestBody?.content['application/json'].example as Json;
  const body = (await ownBodies[id]?.()) ?? example;
  const inPath = (await ownIds[id]?.()) ?? operation.parameters.find((each) => each.in === 'path')?.example;
  const api = operation.security.length > 0 ? client.api : apiWithoutToken();
  const answer = await api.send(path.replace(/\{\w+\}/, String(inPath)), {
    method,
    body: JSON.stringify(body),
    headers: json,
  });
  const successes = Object.keys(operation.responses).filter((status) => status.startsWith('2'));
  expect({ answer, isSuccess: successes.includes(String(answer.status)) }).toMatchObject({ isSuccess: true });
  // The example's networks do not have this machine.
  if (id === 'setAllowedNetworks') await client.api.send(path, { method, body: '{"networks": []}', headers: json });
  if (id === 'setEsimOrderEmail') await client.api.post(`/api/v1/sandbox/orders/${inPath}/cancel`, undefined);
});

const fieldsOf = ({ requestBody }: Operation) => {
  const name = requestBody?.content['application/json'].schema.$ref.replace('#/components/schemas/', '');
  return Object.entries(components.schemas[name ?? '']?.properties ?? {});
};

test.each(requests.filter(([id]) => /(Charges|^create\w+Order)$/i.test(id)))(
  'When the examples of the fields of %s are sent together, then it succeeds',
  async (_id, method, path, operation) => {
    const { api, wallets } = await newClient(database, { USD: 1_000 });
    const examples = fieldsOf(operation).flatMap(([name, field]) =>
      field.examples ? [[name, field.examples[0]]] : [],
    );
    const body = { ...(Object.fromEntries(examples) as Json), wallet_id: wallets['USD'] };
    const product = operation.parameters.find((each) => each.in === 'path')?.example;
    const headers = { 'content-type': 'application/json' };
    const answer = await api.send(path.replace(/\{\w+\}/, String(product)), {
      method,
      body: JSON.stringify(body),
      headers,
    });
    expect({ body, answer }).toMatchObject({ answer: { status: 200 } });
  },
);

test('When the document shows the response to an order request, then no example is that of a repetition', () => {
  expect(JSON.stringify(components.headers['Idempotent-Replayed'])).not.toMatch(/example|enum/);
});
