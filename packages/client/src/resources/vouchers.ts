/** Gift vouchers. */
import type { Api, Query } from '../api.ts';
import type { ConditionalOptions, Read } from '../conditional.ts';
import type {
  CreatedVoucherOrder,
  VoucherCharges,
  VoucherChargesRequest,
  VoucherClaimRequest,
  VoucherOrder,
  VoucherOrderItem,
  VoucherOrderRequest,
  VoucherProduct,
  VoucherProductDetail,
} from '../models.ts';
import { Orders, schedules, type Family } from '../orders.ts';
import type { List } from '../pages.ts';
import type { CallOptions } from '../transport.ts';

/** The types of voucher orders. */
export interface VoucherFamily extends Family {
  request: VoucherOrderRequest;
  created: CreatedVoucherOrder;
  order: VoucherOrder;
  item: VoucherOrderItem;
  query: Query<'/api/v1/orders'>;
  claim: VoucherClaimRequest;
}

export class Vouchers {
  readonly products: VoucherProducts;
  readonly orders: Orders<VoucherFamily>;

  constructor(api: Api) {
    this.products = new VoucherProducts(api);
    this.orders = new Orders(api.transport, '/api/v1/orders', schedules.vouchers);
  }
}

class VoucherProducts {
  constructor(private readonly api: Api) {}

  /** Lists the products on sale by name. */
  list(query: Query<'/api/v1/products'> = {}, options?: CallOptions): List<VoucherProduct> {
    return this.api.list('/api/v1/products', query, options);
  }

  get<Options extends ConditionalOptions = CallOptions>(
    id: number,
    options?: Options,
  ): Promise<Read<VoucherProductDetail, Options>> {
    return this.api.read('/api/v1/products/{id}', { id }, options);
  }

  /** Returns the exact price of an order. */
  charges(id: number, body: VoucherChargesRequest, options?: CallOptions): Promise<VoucherCharges> {
    const path = '/api/v1/products/{id}/charges';
    return this.api.act('post', path, { inPath: { id }, body }, 'always', options);
  }
}
