/** The simulator's controls (docs/developers/local-stack.md#controls): its real sales, and its misbehaviour. */
import { createHmac } from 'node:crypto';
import type { Modes } from '../../simulator/modes';
import { callControl } from '../../stack/controls';
import type { SupplierName } from '../plan/suppliers';

/** A real purchase at one of the suppliers. */
export interface Bought {
  supplier: SupplierName;
  reference: string;
  /** Null if the reference names no order. */
  order_id: number | null;
  /** The units that exist, or that the supplier still makes. */
  units: number;
  /** What the supplier charged for all of them; absent if it keeps no such ledger. */
  cost?: { amount: string; currency: string };
}

export class SupplierControls {
  constructor(
    private readonly url: string,
    /** Whether it deduplicates by reference. */
    private readonly deduplicates: boolean,
    private readonly secret: string,
    private readonly apiUrl: string,
  ) {}

  /** All its sales, or its sales for an order. */
  async bought(orderId?: number): Promise<Bought[]> {
    const query = orderId === undefined ? '' : `?reference=order-${orderId}`;
    const path = `purchases${query}`;
    const purchases = await callControl<Omit<Bought, 'supplier'>[]>(this.url, 'GET', path);
    return purchases.map((purchase) => ({ ...purchase, supplier: 'simulator' }));
  }

  /** Sets the misbehaviour of one product, or of all. */
  async misbehave(modes: Modes, sku: string | null): Promise<void> {
    const always: Modes = sku === null && !this.deduplicates ? { buys_again: true } : {};
    const body = { ...(sku && { sku }), modes: { ...modes, ...always } };
    await callControl(this.url, 'PUT', 'behaviour', body);
  }

  /** Restores the default behaviour of one product, or of all. */
  async behave(sku: string | null): Promise<void> {
    if (sku !== null) return callControl(this.url, 'DELETE', `behaviour?sku=${sku}`);
    // The modes of all products are replaced, because at least one mode is required.
    await callControl(this.url, 'PUT', 'behaviour', {
      modes: this.deduplicates ? { known_after_ms: 0 } : { buys_again: true },
    });
  }

  /** Ends all misbehaviour, outage and block. */
  async behaveWell(): Promise<void> {
    await callControl(this.url, 'DELETE', 'behaviour');
    await this.behave(null);
    await this.outage(0);
    await this.account(false);
  }

  async outage(seconds: number): Promise<void> {
    await callControl(this.url, 'POST', 'outage', { seconds });
  }

  async account(blocked: boolean): Promise<void> {
    await callControl(this.url, 'POST', 'account', { blocked });
  }

  /** Repeats the push of a purchase's outcome, as suppliers do. */
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
}
