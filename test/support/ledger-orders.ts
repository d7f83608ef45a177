/** Places orders directly in a test's database, for any wallet and price, with the service's statements. */
import type { Database } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { placeOrder } from '../../src/data/orders/place-order';
import { settleOrder } from '../../src/data/orders/settle-order';
import type { VoucherKey } from '../../src/data/purchases/redeemable-vouchers';
import type { OrderKey, Placement, Settled, Settlement } from '../../src/domain/orders/order-messages';
import type { Family } from '../../src/domain/orders/families';
import { Exact } from '../../src/domain/prices/money';
import { reserve, sourceOf, type Holder } from '../../dev/testbed/ledger-rows';
import { closePurchases, storeUnits } from './fulfilment';

export interface OrderWish {
  family?: Family;
  quantity?: number;
  /** Decimal strings: the face value of one unit, by default a share of the price, and the total debit, by default all face values. */
  faceValue?: string;
  price?: string;
  /** Of product and wallet; USD. */
  currency?: string;
  clientReference?: string;
  productId?: number;
  /** The eSIM order that it recharges. */
  recharges?: number;
  /** The voucher that pays. */
  redeems?: VoucherKey;
  /** The highest number of units of one purchase. */
  maxUnits?: number;
}

/** Reserves the order and returns its key; nothing is debited yet. */
export async function reserveOrder(database: Database, holder: Holder, wish: OrderWish = {}): Promise<OrderKey> {
  const { family = 'VOUCHER', quantity = 1, currency = 'USD', recharges, redeems } = wish;
  const amounts = amountsOf(wish, quantity);
  const order = await reserve(database, holder, quantity, {
    family,
    clientReference: wish.clientReference,
    ...(family === 'TOPUP' && { sealedInput: Buffer.from('sealed') }),
  });
  const details = {
    unit_amount: amounts.faceValue.toFixed(),
    amount: amounts.total.toFixed(),
    discount: amounts.discount.toFixed(),
    base_currency: currency,
    deduction_currency: currency,
    variant_id: 1,
    variant_name: 'Variant',
    data_amount_gb: '1',
    validity_days: 7,
    ...(wish.productId !== undefined && { product_id: wish.productId }),
    ...(wish.maxUnits !== undefined && { sources: [sourceOf(wish.maxUnits)] }),
    ...(recharges !== undefined && { recharges_order_id: recharges }),
    ...(redeems && { redeems_order_id: redeems.orderId, redeems_unit: redeems.unit }),
  };
  await sql(database)`UPDATE order_reservations
       SET total_payable = ${amounts.price.toFixed()}, details = details || ${JSON.stringify(details)}::jsonb
       WHERE order_id = ${order.orderId}`;
  return order;
}

/** The amounts of an order in one currency. A price below the sum of the face values is due to a discount. */
function amountsOf({ faceValue, price }: OrderWish, quantity: number) {
  if (faceValue === undefined && price !== undefined && Number(price) > 0) {
    const total = new Exact(price);
    return { faceValue: total.div(quantity).toDecimalPlaces(4), total, discount: new Exact(0), price: total };
  }
  const unit = new Exact(faceValue ?? 10);
  const total = unit.times(quantity);
  const paid = new Exact(price ?? total);
  return { faceValue: unit, total, discount: Exact.max(0, total.minus(paid)), price: paid };
}

/** Places the order. Returns the outcome. */
export async function createOrder(
  database: Database,
  holder: Holder,
  wish: OrderWish,
): Promise<OrderKey & { placement: Placement }> {
  const order = await reserveOrder(database, holder, wish);
  const placement = await placeOrder(database, order);
  return { ...order, placement };
}

/** Ends the order as its workflow does: closes its purchases, then settles it. */
export async function endOrder(database: Database, orderId: number, settlement: Settlement = {}): Promise<Settled> {
  await closePurchases(database, orderId);
  return settleOrder(database, orderId, settlement);
}

/** Delivers units of the open order, at most its missing units, and ends it. */
export async function deliver(database: Database, orderId: number, units = 1): Promise<void> {
  await storeUnits(database, orderId, units);
  await endOrder(database, orderId);
}

/** Places an order that ends with this number of units delivered, by default all of them. Returns its id. */
export async function deliveredOrder(
  database: Database,
  holder: Holder,
  wish: OrderWish = {},
  units = wish.quantity ?? 1,
): Promise<number> {
  const { orderId } = await createOrder(database, holder, wish);
  await deliver(database, orderId, units);
  return orderId;
}

/** A house-brand product: its codes pay for top-ups and eSIMs. Returns its id. */
export async function houseBrand(database: Database): Promise<number> {
  const [product] = await sql(database)<{ id: number }>`WITH category AS (INSERT INTO categories (name)
       VALUES ('House brand')
                       ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING id)
     INSERT INTO voucher_products (name, category_id, country_code, currency_code, redeemable, supplier, supplier_sku)
     SELECT 'House brand', id, 'USA', 'USD', true, 'simulator', 'HOUSE' FROM category
     ON CONFLICT (supplier, supplier_sku) DO UPDATE SET name = excluded.name RETURNING id`;
  return (product as { id: number }).id;
}
