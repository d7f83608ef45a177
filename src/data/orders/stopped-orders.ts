/** The open orders of what operators have stopped selling. They go on, unless an operator holds them. docs/operators/stopped-sales.md. */
import { countRows, rows, type Database } from '../database/database';
import { unfinishedColumns, type UnfinishedOrder } from './order-search';

/**
 * SQL: the open orders of what the stop covers. `is_unsent`: no purchase was ever sent, and the order is not under review. Reads every open
 * order once. The argument is SQL, never input.
 */
export function ordersOfStop(stopId: string): string {
  return `
    SELECT o.id AS order_id, o.held IS NULL AND of_order.is_unsent AS is_unsent
      FROM stopped_sales named CROSS JOIN orders o
      LEFT JOIN topup_orders t ON t.order_id = o.id LEFT JOIN esim_orders e ON e.order_id = o.id
     CROSS JOIN LATERAL (SELECT coalesce(bool_and(p.state = 'READY' AND p.attempt = 0), false) AS is_unsent
                           FROM supplier_purchases p WHERE p.order_id = o.id) of_order
     WHERE named.id = ${stopId} AND o.completed_at IS NULL
       AND CASE WHEN named.min_amount IS NULL
                THEN EXISTS (SELECT FROM stopped_items item
                              WHERE item.stop_id = named.id AND item.family = o.family
                                AND item.item_id = coalesce(t.variant_id, e.variant_id, o.product_id))
                ELSE o.family = named.family AND o.product_id = named.product_id AND o.unit_amount BETWEEN named.min_amount AND named.max_amount END`;
}

/** The orders that were held because of the stop and are still under review, by id after `afterId`, at most `limit`. */
export function listOrdersHeldBy(database: Database, stopId: number, afterId: number, limit: number) {
  return rows<UnfinishedOrder>(
    database,
    `-- plan: orders_open
     SELECT ${unfinishedColumns} FROM orders o
      WHERE o.completed_at IS NULL AND o.held ->> 'stop' = $stopId::text AND o.id > $afterId ORDER BY o.id LIMIT $limit`,
    { stopId, afterId, limit },
  );
}

const passStatement = `
  UPDATE orders o
     SET held = o.held || jsonb_build_object('stop', other.stop_id, 'because', 'The sale is stopped (stop ' || other.stop_id || ')')
    FROM (SELECT of_stop.order_id, min(stop.id) AS stop_id
            FROM stopped_sales stop CROSS JOIN LATERAL (${ordersOfStop('stop.id')}) of_stop
           WHERE stop.id <> $stopId GROUP BY of_stop.order_id) other
   WHERE o.id = other.order_id AND o.completed_at IS NULL AND o.held ->> 'stop' = $stopId::text RETURNING o.id`;

/** Leaves the orders that the stop holds, and another stop covers, under review for that one. Returns their number. */
export function passToOtherStops(database: Database, stopId: number): Promise<number> {
  return countRows(database, passStatement, { stopId });
}
