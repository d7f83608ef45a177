/**
 * Charges kept for 5 minutes, and never longer than the prices they were made from.
 * docs/specification.md#limits,
 * docs/decisions/0001-keep-money-exact.md.
 */
import { LRUCache } from 'lru-cache';
import { minute } from '../../domain/time';
import { pricingVersion } from '../../data/prices/pricing-settings';
import type { Database } from '../../data/database/database';
import type { ChargesView } from '../shared/charges-view';

const KEPT_MS = 5 * minute;

interface Entry<Charges> {
  version: number;
  charges: Charges;
}

export class ChargesCache<Charges extends ChargesView> {
  private readonly entries = new LRUCache<string, Entry<Charges>>({ max: 10_000, ttl: KEPT_MS });

  constructor(private readonly database: Database) {}

  /** The charges kept under the key if no price has changed since, else those that `compute` makes. */
  async get(key: string, compute: () => Promise<Charges>): Promise<Charges> {
    // Read before computing: a price that changes in between leaves an entry already out of date.
    const version = await pricingVersion(this.database);
    const kept = this.entries.get(key);
    if (kept?.version === version) return kept.charges;
    const charges = await compute();
    this.entries.set(key, { version, charges });
    return charges;
  }
}
