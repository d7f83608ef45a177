/** Top-ups of phones, games and utilities. */
import type { Api, Query } from '../api.ts';
import type { ConditionalOptions, Read } from '../conditional.ts';
import type {
  Charges,
  MobileLookup,
  TopupChargesRequest,
  TopupClaimRequest,
  TopupOrder,
  TopupOrderItem,
  TopupOrderRequest,
  TopupProduct,
  TopupProductDetail,
  TopupVariant,
} from '../models.ts';
import { Orders, schedules, type Family } from '../orders.ts';
import type { List } from '../pages.ts';
import type { CallOptions } from '../transport.ts';

/** The types of top-up orders. */
export interface TopupFamily extends Family {
  request: TopupOrderRequest;
  created: TopupOrder;
  order: TopupOrder;
  item: TopupOrderItem;
  query: Query<'/api/v1/topups/orders'>;
  claim: TopupClaimRequest;
}

export class Topups {
  readonly products: TopupProducts;
  readonly orders: Orders<TopupFamily>;

  constructor(private readonly api: Api) {
    this.products = new TopupProducts(api);
    this.orders = new Orders(api.transport, '/api/v1/topups/orders', schedules.variants);
  }

  variant<Options extends ConditionalOptions = CallOptions>(
    id: number,
    options?: Options,
  ): Promise<Read<TopupVariant, Options>> {
    return this.api.read('/api/v1/topups/variants/{id}', { id }, options);
  }

  /** Returns the exact price of an order. */
  charges(body: TopupChargesRequest, options?: CallOptions): Promise<Charges> {
    return this.api.act('post', '/api/v1/topups/charges', { body }, 'always', options);
  }

  /** Finds the products that top up a phone number. */
  mobileLookup(number: string, options?: CallOptions): Promise<MobileLookup> {
    return this.api.get('/api/v1/topups/mobile-lookup', {}, { ...options, query: { number } });
  }
}

class TopupProducts {
  constructor(private readonly api: Api) {}

  list(query: Query<'/api/v1/topups/products'> = {}, options?: CallOptions): List<TopupProduct> {
    return this.api.list('/api/v1/topups/products', query, options);
  }

  /** Reads a product with the fields that `input_data` of an order needs. */
  get<Options extends ConditionalOptions = CallOptions>(
    id: number,
    options?: Options,
  ): Promise<Read<TopupProductDetail, Options>> {
    return this.api.read('/api/v1/topups/products/{id}', { id }, options);
  }

  /** Reads the amounts of a product, or their range. */
  variants<Options extends ConditionalOptions = CallOptions>(
    id: number,
    options?: Options,
  ): Promise<Read<TopupVariant[], Options>> {
    return this.api.read('/api/v1/topups/products/{id}/variants', { id }, options);
  }
}
