/** Places orders directly in a test's database, for tests that replace supplier and workflow. */
import type { Database } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import type { OrderKey } from '../../src/domain/orders/order-messages';
import type { Family } from '../../src/domain/orders/families';
import { createOrder } from './ledger-orders';
import { newHolder } from '../../dev/testbed/ledger-rows';

/** A pending order of one unit for 10 USD, of a new client and without a purchase. */
export async function placedOrder(database: Database, family: Family): Promise<OrderKey & { clientId: number }> {
  const holder = await newHolder(database, 10);
  const { orderId, nonce } = await createOrder(database, holder, { family });
  return { orderId, nonce, clientId: holder.clientId };
}

interface Standing {
  status: string;
  delivered: number;
  purchases: { state: string; stored: number }[];
}

/** The states of the order and its purchases. */
export async function standingOf(database: Database, orderId: number): Promise<Standing> {
  const found = await sql.first(database)<Standing>`SELECT status, delivered_quantity AS delivered,
            (SELECT coalesce(jsonb_agg(jsonb_build_object('state', state, 'stored', stored)), '[]')
               FROM supplier_purchases WHERE order_id = orders.id) AS purchases
       FROM orders WHERE id = ${orderId}`;
  return found as Standing;
}
