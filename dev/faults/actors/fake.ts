/** The controls of a fake supplier (docs/developers/fakes.md): its ledger, its modes, and our account with it. */
import type { Sale } from '../../../fakes/kit/ledger';
import type { Modes } from '../../../fakes/kit/modes';
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
    return (await this.call('GET', 'sales')) as Sale[];
  }

  async misbehave(modes: Modes): Promise<void> {
    await this.call('PUT', 'modes', { modes });
  }

  async behave(): Promise<void> {
    await this.call('DELETE', 'modes');
  }

  async emptyAccount(): Promise<void> {
    await this.call('PUT', 'account', { amount: '0' });
  }

  async fundAccount(): Promise<void> {
    await this.call('PUT', 'account', { amount: FUNDS });
  }

  private async call(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.url}/control/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      signal: AbortSignal.timeout(30_000),
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${this.name}: ${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }
}
