/** The controls of a fake supplier (docs/developers/local-stack.md#fakes-of-real-suppliers): its ledger, its modes, and our account with it. */
import type { Sale } from '../../../fakes/kit/ledger';
import type { Modes } from '../../../fakes/kit/modes';
import { callControl } from '../../stack/controls';
import type { FakeName } from '../../stack/fakes';
import { keyOf } from '../references';
import type { Bought } from './supplier';

/** What our account holds at first. */
const FUNDS = '100000.00';

export class FakeControls {
  constructor(
    readonly name: FakeName,
    private readonly url: string,
  ) {}

  /** Every sale that has not ended without goods. */
  async bought(): Promise<Bought[]> {
    return (await this.sales())
      .filter(({ state }) => state !== 'void')
      .map(({ reference, units, cost, currency }) => ({
        supplier: this.name,
        reference,
        order_id: keyOf(reference)?.orderId ?? null,
        units,
        cost: { amount: cost, currency },
      }));
  }

  /** The references of accepted purchases that failed later. */
  async failedLater(): Promise<string[]> {
    return (await this.sales()).filter(({ state }) => state === 'void').map(({ reference }) => reference);
  }

  private async sales(): Promise<Sale[]> {
    return callControl<Sale[]>(this.url, 'GET', 'sales');
  }

  /**
   * Acts as the device that installs the profile and uses it first: not every supplier reports an installation. Does nothing with a
   * profile that another supplier has sold.
   */
  async activate(iccid: string): Promise<void> {
    const path = `/control/esims/${iccid}/activate`;
    const response = await fetch(`${this.url}${path}`, { method: 'POST', signal: AbortSignal.timeout(5_000) });
    if (!response.ok && response.status !== 404)
      throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
  }

  async misbehave(modes: Modes): Promise<void> {
    await callControl(this.url, 'PUT', 'modes', { modes });
  }

  async behave(): Promise<void> {
    await callControl(this.url, 'DELETE', 'modes');
  }

  async emptyAccount(): Promise<void> {
    await callControl(this.url, 'PUT', 'account', { amount: '0' });
  }

  async fundAccount(): Promise<void> {
    await callControl(this.url, 'PUT', 'account', { amount: FUNDS });
  }
}
