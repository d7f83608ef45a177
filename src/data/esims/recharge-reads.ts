/** What decides whether an eSIM can be recharged, and with which plans. docs/specification.md#recharging-an-esim. */
import type { Family } from '../../domain/orders/families';
import { firstRow, rows, type Database } from '../database/database';
import { notBlacklisted } from '../catalogue/visibility';

/** The profile of an eSIM order: that of the order itself, or that of the order that it recharges. */
export interface OrderedProfile {
  profileOrderId: number;
  /** Sealed for `profileOrderId`; null if there is no profile. */
  iccid: Buffer | null;
  /** The supplier that sold the profile, and the SKU of the purchase. */
  supplier: string | null;
  sku: string | null;
  isRechargeable: boolean;
  /** Whether the supplier did not know the profile when it was last polled. */
  isUnknown: boolean;
}

const profileStatement = `
  SELECT profile.order_id AS "profileOrderId", profile.iccid, purchase.supplier, purchase.sku,
         is_rechargeable(o.id) AND (profile.order_id = o.id OR is_rechargeable(profile.order_id)) AS "isRechargeable",
         EXISTS (SELECT FROM attention a WHERE a.order_id IN (o.id, profile.order_id) AND a.kind = 'ESIM_UNKNOWN' AND a.cleared_at IS NULL) AS "isUnknown"
    FROM orders o
    JOIN esim_orders e ON e.order_id = o.id
    JOIN esim_orders profile ON profile.order_id = coalesce(e.recharges_order_id, e.order_id)
    LEFT JOIN LATERAL (
      SELECT supplier, sku FROM supplier_purchases WHERE order_id = profile.order_id ORDER BY batch DESC LIMIT 1) purchase ON true
   WHERE o.id = $orderId AND o.client_id = $clientId`;

/** The profile of the client's eSIM order; undefined if the client has no eSIM order with the id. */
export function findOrderedProfile(database: Database, clientId: number, orderId: number) {
  return firstRow<OrderedProfile>(database, profileStatement, { clientId, orderId });
}

const family: Family = 'ESIM';

/** SQL condition: `variant` can be ordered as a recharge from the supplier by one of the SKUs. */
export const rechargesWith = `
  (variant.active OR variant.recharge_only) AND EXISTS (
    SELECT FROM source_states source
     WHERE source.family = '${family}' AND source.item_id = variant.id AND source.supplier = $supplier
       AND source.sku = ANY ($skus::text[]) AND source.obstacle IS NULL)`;

/** The plans with which the supplier recharges a profile now. */
export interface RechargePlans {
  supplier: string;
  skus: readonly string[];
}

/** The ids of the variants that the client can order as recharges, by product and amount. */
export async function listRechargeVariants(
  database: Database,
  clientId: number,
  { supplier, skus }: RechargePlans,
): Promise<number[]> {
  const found = await rows<{ id: number }>(
    database,
    `SELECT variant.id FROM esim_variants variant JOIN esim_products product ON product.id = variant.product_id
      WHERE product.active AND ${notBlacklisted(family, '$clientId', 'product.id')} AND ${rechargesWith}
      ORDER BY variant.product_id, variant.amount, variant.id`,
    { clientId, supplier, skus },
  );
  return found.map(({ id }) => id);
}
