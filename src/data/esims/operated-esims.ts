/** The delivered eSIM of an order as operators see it. The ICCID and the activation code stay sealed. */
import type { ActivationStatus } from '../../domain/esims/esim-lifecycle';
import { firstRow, type Database } from '../database/database';
import { newestSupplier } from '../purchases/purchase-reads';
import { number, oneOf, orNull, text, time, type RowWith } from '../../domain/row-columns';

export const operatedEsimColumns = {
  order_id: number,
  client_id: number,
  client: text,
  supplier: text,
  product: text,
  status: oneOf<ActivationStatus>(),
  delivered_at: time,
  installed_at: orNull(time),
  activated_at: orNull(time),
  depleted_at: orNull(time),
  /** From the first use on. */
  validity_days: number,
  validity_ends_at: orNull(time),
  data_total_mb: orNull(text),
  data_used_mb: orNull(text),
  data_left_mb: orNull(text),
  /** When a poll first showed that so many percent of the data are used. */
  used_50_at: orNull(time),
  used_80_at: orNull(time),
  used_100_at: orNull(time),
  /** When the supplier last reported the usage; null if it never has. */
  usage_checked_at: orNull(time),
  /** When the service stopped polling the supplier; null while it polls. */
  monitoring_ended_at: orNull(time),
};
export type OperatedEsim = RowWith<typeof operatedEsimColumns> & { nonce: string };

/** The eSIM; undefined if the order has no delivered one. */
export function findOperatedEsim(database: Database, orderId: number) {
  return firstRow<OperatedEsim>(
    database,
    `SELECT o.id AS order_id, o.nonce, o.client_id, client.name AS client, ${newestSupplier('o')} AS supplier,
            o.product_name AS product, e.activation_status AS status, o.completed_at AS delivered_at,
            e.installed_at, e.activated_at, e.depleted_at, e.validity_days, e.validity_ends_at,
            trim_scale(e.data_total_mb)::text AS data_total_mb, trim_scale(e.data_used_mb)::text AS data_used_mb,
            trim_scale(e.data_left_mb)::text AS data_left_mb, e.used_50_at, e.used_80_at, e.used_100_at,
            e.usage_checked_at, e.follow_ended_at AS monitoring_ended_at
       FROM orders o JOIN esim_orders e ON e.order_id = o.id JOIN clients client ON client.id = o.client_id
      WHERE o.id = $orderId AND o.status = 'DELIVERED' AND e.activation_status IS NOT NULL`,
    { orderId },
  );
}
