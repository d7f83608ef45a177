/** Places and reads voucher orders as clients do. */
import type { Scenario } from '../../dev/stack/stack-file';
import { loadStack } from '../../dev/testbed/loaded-stack';
import type { ApiClient, Json, Resource } from './stack';
import { until } from '../../dev/testbed/waiting';

/** The collection of voucher orders. */
export const ordersPath = '/api/v1/orders';

export interface Voucher {
  card_number: string | null;
  pin_code: string | null;
  claim_url: string | null;
  expires_at: string | null;
  voucher_reference_number: string | null;
}

/** The fields of an order that every test reads. Other fields are kept unchanged. */
export interface VoucherOrder extends Resource {
  status: string;
  quantity: number;
  vouchers: Voucher[];
}

/** The scenario of the stack with this name. */
export function scenarioNamed(name: string): Scenario {
  const found = loadStack().scenarios.find((scenario) => scenario.name === name);
  if (!found) throw new Error(`The stack has no scenario "${name}"`);
  return found;
}

/** The order request body of the scenario, with overrides. */
export function orderOf(scenario: string, special: Json = {}): Json {
  return { ...scenarioNamed(scenario).body, ...special };
}

/** Places an order that is expected to be accepted. */
export async function place(api: ApiClient, body: Json): Promise<VoucherOrder> {
  const answer = await api.order<VoucherOrder>(ordersPath, body);
  if (answer.status !== 200) throw new Error(`Order: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** The order in its client's view. */
export async function read(api: ApiClient, id: number): Promise<VoucherOrder> {
  return (await api.get<VoucherOrder>(`${ordersPath}/${id}`)).body;
}

/** The order once it has one of the states. */
export async function reached(api: ApiClient, id: number, ...states: string[]): Promise<VoucherOrder> {
  return until(
    `order ${id} ${states.join(' or ')}`,
    async () => {
      const order = await read(api, id);
      return states.includes(order.status) ? order : undefined;
    },
    60,
  );
}

/** The order once it has ended. */
export function ended(api: ApiClient, id: number): Promise<VoucherOrder> {
  return reached(api, id, 'DELIVERED', 'FAILED', 'CANCELLED');
}

/** The id of the order with this reference, once it exists. */
export async function idOfReference(api: ApiClient, reference: string): Promise<number> {
  return until(`an order ${reference}`, async () => {
    const { status, body } = await api.get<Resource[]>(`${ordersPath}?client_reference=${reference}`);
    return status === 200 ? body[0]?.id : undefined;
  });
}
