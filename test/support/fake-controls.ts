/** The controls of a fake supplier. */
import type { RunningFake } from '../../fakes/kit/fake';
import type { Sale } from '../../fakes/kit/ledger';
import type { Modes } from '../../fakes/kit/modes';

/** Calls `/control` of the fake. Throws if it rejects the call. */
export async function controlOf(
  fake: RunningFake,
  path: string,
  method: string,
  body?: unknown,
): Promise<Response> {
  const response = await fetch(`${fake.url}/control/${path}`, {
    method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}

/** Replaces the modes of the product, or the general ones without a SKU. */
export function setModes(fake: RunningFake, modes: Modes, sku?: string): Promise<Response> {
  return controlOf(fake, 'modes', 'PUT', { modes, ...(sku && { sku }) });
}

/** What the fake sold under the reference. */
export async function salesAt(fake: RunningFake, reference: string): Promise<Sale[]> {
  return (await (await controlOf(fake, `sales?reference=${reference}`, 'GET')).json()) as Sale[];
}
