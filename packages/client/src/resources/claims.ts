/** Claims about delivered goods. `orders.claim` of each family files one. */
import type { Api, Query } from '../api.ts';
import type { Claim } from '../models.ts';
import type { List } from '../pages.ts';
import type { CallOptions } from '../transport.ts';

export class Claims {
  constructor(private readonly api: Api) {}

  /** Lists claims, newest first. */
  list(query: Query<'/api/v1/claims'> = {}, options?: CallOptions): List<Claim> {
    return this.api.list('/api/v1/claims', query, options);
  }

  get(id: number, options?: CallOptions): Promise<Claim> {
    return this.api.get('/api/v1/claims/{id}', { id }, options);
  }
}
