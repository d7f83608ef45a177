/** Top-up and eSIM orders as their clients place and follow them. */
import type { Scenario } from '../../dev/stack/stack-file';
import type { Database } from '../../src/data/database/database';
import { newClient, type OwnClient } from './clients';
import { boughtFor, entriesOf, eventsOf, type Bought, type Entry, type RecordedEvent } from './records';
import { endingScenarios, type ApiClient, type Json, type Resource } from './stack';
import { until } from './waiting';

export const topupOrders = '/api/v1/topups/orders';
export const esimOrders = '/api/v1/esim/orders';

/** What every test looks at in an order; the rest is there as it came. */
export interface VariantOrder extends Resource {
  status: string;
  amount: number;
  transaction_id?: number;
  failure_code?: string;
}

/** The scenarios of the stack that are placed at the path and end by themselves. */
export function scenariosOf(path: string): Scenario[] {
  return endingScenarios().filter((scenario) => scenario.path === path);
}

/** Places an order that is expected to be accepted. */
export async function accepted(api: ApiClient, path: string, body: Json): Promise<VariantOrder> {
  const answer = await api.post<VariantOrder>(path, body);
  if (answer.status !== 200) throw new Error(`Order: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** The order as the list shows it once it has ended. Lists only show what is stored: reading one asks nobody. */
export async function endedInList(api: ApiClient, path: string, id: number): Promise<VariantOrder> {
  return until(
    `the end of order ${id}`,
    async () => {
      const { body } = await api.get<VariantOrder[]>(path);
      return body.find((order) => order.id === id && order.status !== 'PENDING');
    },
    100,
  );
}

const onlyOfSingleOrders = [
  'input_data',
  'activation_code',
  'charged_amount',
  'charged_currency',
  'refunded_amount',
  'refund_transaction_id',
];

/** What a list shows of an order that was read by itself. */
export function inList(order: Json): Json {
  return Object.fromEntries(Object.entries(order).filter(([name]) => !onlyOfSingleOrders.includes(name)));
}

/** All there is to say of one order of a scenario, placed by a client of its own with 100 USD. */
export interface ScenarioRun {
  client: OwnClient;
  created: VariantOrder;
  /** Milliseconds until the create was answered. */
  answeredAfter: number;
  listed: VariantOrder;
  detail: VariantOrder;
  bought: Bought[];
  entries: Entry[];
  events: RecordedEvent[];
}

/** Runs a scenario to its end. */
export async function runScenario(database: Database, { path, body, name }: Scenario): Promise<ScenarioRun> {
  const client = await newClient(database, { USD: 100 });
  await client.api.accessToken();
  const started = Date.now();
  const created = await accepted(client.api, path, { ...body, client_reference: name });
  const answeredAfter = Date.now() - started;
  const listed = await endedInList(client.api, path, created.id);
  const { body: detail } = await client.api.get<VariantOrder>(`${path}/${created.id}`);
  const [bought, entries, events] = await Promise.all([
    boughtFor(created.id),
    entriesOf(database, created.id),
    eventsOf(database, created.id),
  ]);
  return { client, created, answeredAfter, listed, detail, bought, entries, events };
}

/** Starts every scenario of the path at once, so that the slow ones overlap; a failure shows where it is awaited. */
export function startScenarios(database: Database, path: string): Map<string, Promise<ScenarioRun>> {
  return new Map(
    scenariosOf(path).map((scenario) => {
      const run = runScenario(database, scenario);
      run.catch(() => undefined);
      return [scenario.name, run];
    }),
  );
}
