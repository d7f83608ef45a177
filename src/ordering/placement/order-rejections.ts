/** Counts the order requests that this process rejects with 503, until the service watch stores them. */
import type { Database } from '../../data/database/database';
import { addOrderRejections } from '../../data/orders/order-rejections';

export class OrderRejections {
  private counted = new Map<string, number>();

  /** An order request was rejected. `reason`: the kind of error (`src/domain/errors.ts`). */
  count(reason: string): void {
    this.counted.set(reason, (this.counted.get(reason) ?? 0) + 1);
  }

  /** Stores what was counted since the last call. What cannot be stored is counted again. */
  async store(database: Database): Promise<void> {
    if (this.counted.size === 0) return;
    const counted = this.counted;
    this.counted = new Map();
    try {
      await addOrderRejections(database, counted);
    } catch (error) {
      for (const [reason, requests] of this.counted)
        counted.set(reason, (counted.get(reason) ?? 0) + requests);
      this.counted = counted;
      throw error;
    }
  }
}
