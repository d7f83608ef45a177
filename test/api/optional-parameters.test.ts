/** Generated clients send every parameter that has a default. docs/specification.md#lists-and-pages. */
import { place, orderOf } from '../support/orders';
import { useClient, useDatabase } from '../support/clients';
import { accepted, esimOrders, topupOrders } from '../support/variant-orders';
import { apiWithoutToken, type Resource } from '../support/stack';

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: ParameterSchema;
}
interface ParameterSchema {
  $ref?: string;
  default?: string | number;
  enum?: string[];
  'x-extensible-enum'?: string[];
  type?: string;
  format?: string;
  pattern?: string;
}
interface Document {
  paths: Record<string, { get?: { operationId: string; parameters: Parameter[] } }>;
  components: { schemas: Record<string, ParameterSchema> };
}

const database = useDatabase();
const REFERENCE = 'optional-parameters';
const client = useClient(database, { USD: 1_000 });
let lists: [path: string, optional: Parameter[]][];
beforeAll(async () => {
  await place(client.api, orderOf('voucher_instant', { client_reference: REFERENCE }));
  await accepted(client.api, topupOrders, orderOf('topup_instant'));
  await accepted(client.api, esimOrders, orderOf('esim_instant'));
  const { paths, components } = (await apiWithoutToken().get<Document>('/openapi.json')).body;
  const resolved = ({ $ref, ...own }: ParameterSchema) =>
    $ref === undefined ? own : (components.schemas[$ref.replace('#/components/schemas/', '')] ?? {});
  lists = Object.entries(paths).flatMap(([path, { get }]): [string, Parameter[]][] => {
    const inQuery = (get?.parameters ?? [])
      .filter((parameter) => parameter.in === 'query')
      .map((parameter) => ({ ...parameter, schema: resolved(parameter.schema) }));
    return inQuery.some(({ required }) => !required) ? [[path, inQuery]] : [];
  });
});

/** The documented default: of the schema, or of the text. */
function defaultOf({ schema, description = '' }: Parameter): string | undefined {
  const stated = schema.default ?? /Default: (\w+)\./.exec(description)?.[1];
  return stated === undefined ? undefined : String(stated);
}

/** Other accepted values. Voucher orders respond with 404 if none matches, so the values match the placed orders. */
async function otherValue(path: string, { name, schema }: Parameter): Promise<string> {
  const { default: usual, type, format, pattern } = schema;
  const values = schema.enum ?? schema['x-extensible-enum'] ?? [];
  if (name === 'client_reference') return REFERENCE;
  if (name === 'wallet_id') return String(client.wallets['USD']);
  if (name === 'status') return 'DELIVERED';
  if (name === 'before_id' || name === 'after_id') return newestId(path);
  if (name === 'placed_before') return '2100-01-01T00:00:00Z';
  if (format === 'date-time') return '2026-01-01T00:00:00Z';
  if (pattern !== undefined) return 'USA';
  if (type === 'integer') return '2';
  return values.find((value) => value !== usual) ?? 'a';
}

async function newestId(path: string): Promise<string> {
  const { body } = await client.api.get<Resource[]>(path);
  return String(body[0]?.id);
}

test('When a list has every optional parameter at its default, and each changed in turn, then it is read', async () => {
  const results: [url: string, status: number][] = [];
  for (const [path, parameters] of lists) {
    const others = new Map<Parameter, string>();
    for (const parameter of parameters) others.set(parameter, await otherValue(path, parameter));
    const defaults = parameters.flatMap((parameter) => {
      const value = parameter.required ? others.get(parameter) : defaultOf(parameter);
      return value === undefined ? [] : [[parameter.name, value]];
    });
    const changed = [...others].map(([{ name }, value]) => [[name, value]]);
    for (const change of [[], ...changed]) {
      const query = new URLSearchParams(Object.fromEntries([...defaults, ...change]) as Record<string, string>);
      const url = `${path.replace('{id}', String(client.wallets['USD']))}?${query.toString()}`;
      results.push([url, (await client.api.get(url)).status]);
    }
  }
  expect(results.filter(([, status]) => status !== 200)).toEqual([]);
  expect(lists.length).toBeGreaterThanOrEqual(9);
});
