/** The controls of a fake supplier. */
import { callControl } from '../../dev/stack/controls';
import type { RunningFake } from '../../fakes/kit/fake';
import type { Sale } from '../../fakes/kit/ledger';
import type { Modes } from '../../fakes/kit/modes';

/** Replaces the modes of the product, or the general ones without a SKU. */
export function setModes({ url }: RunningFake, modes: Modes, sku?: string): Promise<void> {
  return callControl(url, 'PUT', 'modes', { modes, ...(sku && { sku }) });
}

/** What the fake sold under the reference. */
export function salesAt({ url }: RunningFake, reference: string): Promise<Sale[]> {
  return callControl(url, 'GET', `sales?reference=${reference}`);
}
