/** eSIM data plans. */
import type { Api, Query } from '../api.ts';
import type {
  Charges,
  EsimChargesRequest,
  EsimProduct,
  EsimProductDetail,
  EsimVariant,
  EsimVariantDetail,
  EsimOrder,
  EsimOrderItem,
  EsimOrderRequest,
} from '../models.ts';
import { Orders, schedules, type Family } from '../orders.ts';
import type { List } from '../pages.ts';
import type { CallOptions } from '../transport.ts';

/** What this family takes and shows of an order. */
export interface EsimFamily extends Family {
  request: EsimOrderRequest;
  created: EsimOrder;
  order: EsimOrder;
  item: EsimOrderItem;
  query: Query<'/api/v1/esim/orders'>;
}

export class Esim {
  readonly products: EsimProducts;
  readonly orders: Orders<EsimFamily>;

  constructor(private readonly api: Api) {
    this.products = new EsimProducts(api);
    this.orders = new Orders(api.transport, '/api/v1/esim/orders', schedules.variants);
  }

  variant(id: number, options?: CallOptions): Promise<EsimVariantDetail> {
    return this.api.get('/api/v1/esim/variants/{id}', { id }, options);
  }

  /** What an order would cost, to the last digit. */
  charges(body: EsimChargesRequest, options?: CallOptions): Promise<Charges> {
    return this.api.act('post', '/api/v1/esim/charges', { body }, 'always', options);
  }
}

class EsimProducts {
  constructor(private readonly api: Api) {}

  list(query: Query<'/api/v1/esim/products'> = {}, options?: CallOptions): List<EsimProduct> {
    return this.api.list('/api/v1/esim/products', query, options);
  }

  /** With its plans. */
  get(id: number, options?: CallOptions): Promise<EsimProductDetail> {
    return this.api.get('/api/v1/esim/products/{id}', { id }, options);
  }

  /** Its plans. */
  variants(id: number, options?: CallOptions): Promise<EsimVariant[]> {
    return this.api.get('/api/v1/esim/products/{id}/variants', { id }, options);
  }
}
