/** Places and reads top-up and eSIM orders as clients do. */
import type { Scenario } from '../../dev/stack/stack-file';
import type { Database } from '../../src/data/database/database';
import { newClient, type OwnClient } from './clients';
import { boughtFor, entriesOf, eventsOf, type Bought, type Entry, type RecordedEvent } from './records';
import { endingScenarios, type ApiClient, type Json, type Resource } from './stack';
import { until } from '../../dev/testbed/waiting';

export const topupOrders = '/api/v1/topups/orders';
export const esimOrders = '/api/v1/esim/orders';

/** The fields of an order that every test reads. Other fields are kept unchanged. */
export interface VariantOrder extends Resource {
  status: string;
  amount: number;
  transaction_id?: number;
  failure_code?: string;
}

/** The scenarios of the path that end without an operator. */
export function scenariosOf(path: string): Scenario[] {
  return endingScenarios().filter((scenario) => scenario.path === path);
}

/** Places an order that is expected to be accepted. */
export async function accepted(api: ApiClient, path: string, body: Json): Promise<VariantOrder> {
  const answer = await api.order<VariantOrder>(path, body);
  if (answer.status !== 200) throw new Error(`Order: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** The order in the list, once it has ended. A list shows only stored data and triggers no poll. */
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

/** The list entry of an order that was read separately. */
export function inList(order: Json): Json {
  return Object.fromEntries(Object.entries(order).filter(([name]) => !onlyOfSingleOrders.includes(name)));
}

/** All records of one order of a scenario, placed by a new client with 100 USD. */
export interface ScenarioRun {
  client: OwnClient;
  created: VariantOrder;
  /** Milliseconds until the order request was answered. */
  answeredAfter: number;
  listed: VariantOrder;
  detail: VariantOrder;
  bought: Bought[];
  entries: Entry[];
  events: RecordedEvent[];
}

/** Runs a scenario to its end. */
async function runScenario(database: Database, { path, body, name }: Scenario): Promise<ScenarioRun> {
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

/** Starts all scenarios of the path concurrently, so that the slow ones overlap. A failure shows where it is awaited. */
export function startScenarios(database: Database, path: string): Map<string, Promise<ScenarioRun>> {
  return new Map(
    scenariosOf(path).map((scenario) => {
      const run = runScenario(database, scenario);
      run.catch(() => undefined);
      return [scenario.name, run];
    }),
  );
}
