/** The price list. */
import { listAt, type Api, type Query } from '../api.ts';
import type { Price } from '../models.ts';
import type { List } from '../pages.ts';
import type { CallOptions } from '../transport.ts';

/** Prices on a page if the caller does not set a size: more cost the rate limit more. */
const PAGE_SIZE = 1_000;

export class Prices {
  constructor(private readonly api: Api) {}

  /** Lists every price that you can order now. */
  list(query: Query<'/api/v1/price-list'> = {}, options: CallOptions = {}): List<Price> {
    const sized = { limit: PAGE_SIZE, ...query };
    return listAt<Price>(this.api.transport, '/api/v1/price-list', sized, options, { keyOf });
  }
}

function keyOf({ family, product_id, variant_id, amount, min_amount, max_amount }: Price): string {
  return [family, product_id, variant_id, amount, min_amount, max_amount].join('/');
}
