/** The simulator by its controls (docs/developers/simulator.md): what it really sold, and how it misbehaves. */
import { createHmac } from 'node:crypto';
import type { Modes } from '../../simulator/modes';

/** A purchase that really was made. */
export interface Bought {
  reference: string;
  /** Null if the reference names no order. */
  order_id: number | null;
  units: number;
}

export class SupplierControls {
  constructor(
    private readonly url: string,
    /** Whether it buys only once for one reference. */
    private readonly deduplicates: boolean,
    private readonly secret: string,
    private readonly apiUrl: string,
  ) {}

  /** Everything it sold, or what it sold for an order. */
  async bought(orderId?: number): Promise<Bought[]> {
    const query = orderId === undefined ? '' : `?reference=order-${orderId}`;
    return (await this.call('GET', `/control/purchases${query}`)) as Bought[];
  }

  /** Misbehaves for one product, or for all. */
  async misbehave(modes: Modes, sku: string | null): Promise<void> {
    const always: Modes = sku === null && !this.deduplicates ? { buys_again: true } : {};
    await this.call('PUT', '/control/behaviour', { ...(sku && { sku }), modes: { ...modes, ...always } });
  }

  /** Behaves as it always does for one product, or for all. */
  async behave(sku: string | null): Promise<void> {
    if (sku !== null) return void (await this.call('DELETE', `/control/behaviour?sku=${sku}`));
    // What is set for no product in particular is replaced; there is always one mode.
    await this.call('PUT', '/control/behaviour', {
      modes: this.deduplicates ? { known_after_ms: 0 } : { buys_again: true },
    });
  }

  /** Ends all misbehaviour, outage and block. */
  async behaveWell(): Promise<void> {
    await this.call('DELETE', '/control/behaviour');
    await this.behave(null);
    await this.outage(0);
    await this.account(false);
  }

  async outage(seconds: number): Promise<void> {
    await this.call('POST', '/control/outage', { seconds });
  }

  async account(blocked: boolean): Promise<void> {
    await this.call('POST', '/control/account', { blocked });
  }

  /** Pushes once more how a purchase ended, as suppliers do. */
  async push(reference: string): Promise<void> {
    const body = JSON.stringify({ type: 'purchase', reference });
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const signature = createHmac('sha256', this.secret).update(`${timestamp}.${body}`).digest('hex');
    await fetch(`${this.apiUrl}/suppliers/simulator/callbacks`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-simulator-timestamp': timestamp,
        'x-simulator-signature': signature,
      },
      body,
    });
  }

  private async call(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(this.url + path, {
      method,
      headers: { 'content-type': 'application/json' },
      signal: AbortSignal.timeout(30_000),
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }
}
