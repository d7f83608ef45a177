/** Places orders directly in a test's database, for tests that replace supplier and workflow. */
import { firstRow, rows, type Database } from '../../src/data/database/database';
import { placeOrder } from '../../src/data/orders/place-order';
import type { OrderKey } from '../../src/domain/orders/order-flow';
import type { Family } from '../../src/domain/orders/families';
import { newHolder, reserve } from './ledger-rows';

const ofVariant = { variant_id: 1, variant_name: 'Variant', data_amount_gb: '1', validity_days: 7 };

/** A pending order of one unit for 10 USD, of a new client and without a purchase. */
export async function placedOrder(
  database: Database,
  family: Family,
): Promise<OrderKey & { clientId: number }> {
  const holder = await newHolder(database, 10);
  const order = await reserve(database, holder, 1, { family, sealedInput: Buffer.from('sealed') });
  const addDetails = 'UPDATE order_intakes SET details = details || $details WHERE order_id = $orderId';
  await rows(database, addDetails, { orderId: order.orderId, details: JSON.stringify(ofVariant) });
  await placeOrder(database, order);
  return { ...order, clientId: holder.clientId };
}

interface Standing {
  status: string;
  delivered: number;
  purchases: { state: string; stored: number }[];
}

/** The states of the order and its purchases. */
export async function standingOf(database: Database, orderId: number): Promise<Standing> {
  const found = await firstRow<Standing>(
    database,
    `SELECT status, delivered_quantity AS delivered,
            (SELECT coalesce(jsonb_agg(jsonb_build_object('state', state, 'stored', stored)), '[]')
               FROM supplier_purchases WHERE order_id = orders.id) AS purchases
       FROM orders WHERE id = $orderId`,
    { orderId },
  );
  return found as Standing;
}
