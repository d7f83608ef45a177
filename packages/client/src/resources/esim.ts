/** eSIM data plans. */
import type { Api, Query } from '../api.ts';
import type { ConditionalOptions, Read } from '../conditional.ts';
import type {
  Charges,
  EsimChargesRequest,
  EsimClaimRequest,
  EsimInstallation,
  EsimOrder,
  EsimOrderItem,
  EsimOrderRequest,
  EsimProduct,
  EsimProductDetail,
  EsimUsage,
  EsimVariant,
  EsimVariantDetail,
} from '../models.ts';
import { Orders, schedules, type Family } from '../orders.ts';
import type { List } from '../pages.ts';
import type { CallOptions } from '../transport.ts';

/** The types of eSIM orders. */
export interface EsimFamily extends Family {
  request: EsimOrderRequest;
  created: EsimOrder;
  order: EsimOrder;
  item: EsimOrderItem;
  query: Query<'/api/v1/esim/orders'>;
  claim: EsimClaimRequest;
}

export class Esim {
  readonly products: EsimProducts;
  readonly orders: Orders<EsimFamily>;

  constructor(private readonly api: Api) {
    this.products = new EsimProducts(api);
    this.orders = new Orders(api.transport, '/api/v1/esim/orders', schedules.variants);
  }

  variant<Options extends ConditionalOptions = CallOptions>(
    id: number,
    options?: Options,
  ): Promise<Read<EsimVariantDetail, Options>> {
    return this.api.read('/api/v1/esim/variants/{id}', { id }, options);
  }

  /** Reads the used data of a delivered eSIM. A value is null if its supplier does not report it. */
  usage(orderId: number, options?: CallOptions): Promise<EsimUsage> {
    return this.api.get('/api/v1/esim/orders/{id}/usage', { id: orderId }, this.slow(options));
  }

  /** Reads links and steps for the installation of a delivered eSIM. After the installation it throws 409 `NOT_POSSIBLE_NOW`. */
  installation(orderId: number, options?: CallOptions): Promise<EsimInstallation> {
    return this.api.get('/api/v1/esim/orders/{id}/installation', { id: orderId }, this.slow(options));
  }

  /**
   * Reads the plans that recharge a delivered eSIM, empty if it cannot be recharged. To recharge it, order one of them with
   * `recharge_order_id`.
   */
  rechargePlans(orderId: number, options?: CallOptions): Promise<EsimVariant[]> {
    return this.api.get('/api/v1/esim/orders/{id}/recharge-plans', { id: orderId }, this.slow(options));
  }

  /** The service may poll a supplier first. */
  private slow(options: CallOptions | undefined): CallOptions & { timeoutMs: number } {
    return { ...options, timeoutMs: this.api.transport.slowReadTimeoutMs };
  }

  /** Returns the exact price of an order. */
  charges(body: EsimChargesRequest, options?: CallOptions): Promise<Charges> {
    return this.api.act('post', '/api/v1/esim/charges', { body }, 'always', options);
  }
}

class EsimProducts {
  constructor(private readonly api: Api) {}

  list(query: Query<'/api/v1/esim/products'> = {}, options?: CallOptions): List<EsimProduct> {
    return this.api.list('/api/v1/esim/products', query, options);
  }

  /** Reads a product with its plans. */
  get<Options extends ConditionalOptions = CallOptions>(
    id: number,
    options?: Options,
  ): Promise<Read<EsimProductDetail, Options>> {
    return this.api.read('/api/v1/esim/products/{id}', { id }, options);
  }

  /** Reads the plans of a product. */
  variants<Options extends ConditionalOptions = CallOptions>(
    id: number,
    options?: Options,
  ): Promise<Read<EsimVariant[], Options>> {
    return this.api.read('/api/v1/esim/products/{id}/variants', { id }, options);
  }
}
