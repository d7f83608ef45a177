/**
 * Stores the states of delivered eSIMs. Each step of the lifecycle, and each passed threshold of used data, is stored once,
 * together with its event.
 */
import type { DeliveredEsim, EsimTimes } from '../../domain/esims/esim-lifecycle';
import { usageThresholds, type EsimUsage } from '../../domain/esims/esim-usage';
import type { AttentionKind } from '../../domain/attention/attention-kinds';
import type { OrderKey } from '../../domain/orders/order-messages';
import { firstRow, oneRow, rows, type Database } from '../database/database';
import { clearAttention } from '../attention/attention';
import { newestSupplier } from '../purchases/purchase-reads';

/** A delivered eSIM with the input of its eSIM monitor. */
export interface EsimToMonitor extends DeliveredEsim, OrderKey {
  clientId: number;
  supplier: string;
  productId: number;
}

export interface EsimRecord extends EsimToMonitor {
  /** The ICCID, sealed for the order that came with the profile: this one, or the one that it recharges. */
  iccid: Buffer;
  profileOrderId: number;
  profileNonce: string;
  isRecharge: boolean;
  /** Whether a later recharge of the profile is monitored. */
  isRecharged: boolean;
  /** The ordered data in gigabytes; 0 if unlimited. */
  dataAmountGb: string;
  /** When the supplier last reported usage; null if it never has. */
  usageCheckedAt: Date | null;
  /** Whether the order is on the attention list because the eSIM cannot be polled. */
  isListed: boolean;
}

const profileJoin = 'LEFT JOIN esim_orders profile ON profile.order_id = e.recharges_order_id';

/** SQL: the columns of an `EsimToMonitor`. */
const monitorColumns = `
  o.id AS "orderId", o.nonce, o.client_id AS "clientId", ${newestSupplier('o')} AS supplier, o.product_id AS "productId", o.completed_at AS "deliveredAt",
  e.activation_status AS "activationStatus", e.installed_at AS "installedAt",
  e.activated_at AS "activatedAt", e.depleted_at AS "depletedAt", e.validity_days AS "validityDays"`;

const columns = `${monitorColumns},
  coalesce(profile.iccid, e.iccid) AS iccid, coalesce(e.recharges_order_id, o.id) AS "profileOrderId",
  CASE WHEN e.recharges_order_id IS NULL THEN o.nonce
       ELSE (SELECT nonce FROM orders WHERE id = e.recharges_order_id) END AS "profileNonce",
  e.recharges_order_id IS NOT NULL AS "isRecharge",
  EXISTS (SELECT FROM esim_orders recharge WHERE recharge.recharges_order_id = coalesce(e.recharges_order_id, o.id) AND recharge.order_id > o.id
                                                 AND recharge.activation_status = 'ACTIVE' AND recharge.follow_ended_at IS NULL) AS "isRecharged",
  e.data_amount_gb AS "dataAmountGb", e.usage_checked_at AS "usageCheckedAt"`;

/** The kinds of entries about an eSIM that cannot be polled. */
const pollKinds: readonly AttentionKind[] = ['ICCID_UNREADABLE', 'ESIM_UNKNOWN', 'ESIM_POLLS_FAILING'];

/** The order's eSIM. Throws if the order has no delivered eSIM. */
export async function findEsim(database: Database, { orderId, nonce }: OrderKey): Promise<EsimRecord> {
  const esim = await firstRow<EsimRecord>(
    database,
    `SELECT ${columns}, EXISTS (SELECT FROM attention a WHERE a.order_id = o.id AND a.cleared_at IS NULL
                                     AND a.kind = ANY ($pollKinds)) AS "isListed"
       FROM orders o JOIN esim_orders e ON e.order_id = o.id ${profileJoin}
      WHERE o.id = $orderId AND o.nonce = $nonce AND o.status = 'DELIVERED'`,
    { orderId, nonce, pollKinds },
  );
  if (!esim) throw new Error(`Order ${orderId} has no delivered eSIM`);
  return esim;
}

/** The column with the time of the first poll that found at least this percentage of the data used. */
const usedAt = (threshold: number) => `used_${threshold}_at`;

const newlyUsed = usageThresholds
  .map(
    (threshold) =>
      `${usedAt(threshold)} = coalesce(before.${usedAt(threshold)}, CASE WHEN $percent::integer >= ${threshold} THEN now() END)`,
  )
  .join(', ');

const usageSteps = usageThresholds
  .map(
    (threshold, index) =>
      `(${index + 3}, 'usage', ${threshold}, 'ACTIVE', before.${usedAt(threshold)} IS NULL AND (moved.esim).${usedAt(threshold)} IS NOT NULL)`,
  )
  .join(',\n   ');

// Locks the row of the eSIM before reading it, so that only one of several processes that see the same change stores the step with
// its event. Events of several steps are written in the order of the steps.
const advanceStatement = `
WITH before AS (
  SELECT e.* FROM esim_orders e JOIN orders o ON o.id = e.order_id
   WHERE e.order_id = $orderId AND o.status = 'DELIVERED' AND e.activation_status <> 'EXPIRED' FOR UPDATE OF e
), moved AS (
  UPDATE esim_orders e
     SET installed_at = coalesce(before.installed_at, $installedAt), activated_at = coalesce(before.activated_at, $activatedAt),
         depleted_at = coalesce(before.depleted_at, $depletedAt),
         data_total_mb = CASE WHEN $hasUsage::boolean THEN $totalMb::numeric ELSE before.data_total_mb END,
         data_used_mb = CASE WHEN $hasUsage::boolean THEN $usedMb::numeric ELSE before.data_used_mb END,
         data_left_mb = CASE WHEN $hasUsage::boolean THEN $leftMb::numeric ELSE before.data_left_mb END,
         validity_ends_at = CASE WHEN $hasUsage::boolean THEN $endsAt::timestamptz ELSE before.validity_ends_at END,
         usage_checked_at = CASE WHEN $hasUsage::boolean THEN now() ELSE before.usage_checked_at END,
         ${newlyUsed},
         activation_status = CASE WHEN coalesce(before.depleted_at, $depletedAt) IS NOT NULL THEN 'EXPIRED'
                                  WHEN coalesce(before.installed_at, $installedAt) IS NOT NULL THEN 'ACTIVE'
                                  ELSE 'NOT_INSTALLED' END
    FROM before
   WHERE e.order_id = before.order_id
     AND ($hasUsage::boolean OR before.installed_at IS NULL AND $installedAt::timestamptz IS NOT NULL
          OR before.activated_at IS NULL AND $activatedAt::timestamptz IS NOT NULL
          OR before.depleted_at IS NULL AND $depletedAt::timestamptz IS NOT NULL)
  RETURNING e AS esim
)
INSERT INTO events (client_id, order_id, type, data)
SELECT o.client_id, o.id, 'esim.' || step.name,
       order_facts(o) || esim_facts(moved.esim) || jsonb_build_object('activation_status', step.status)
         || CASE WHEN step.threshold IS NULL THEN '{}' ELSE jsonb_build_object('threshold_percent', step.threshold,
              'data_total_mb', trim_scale((moved.esim).data_total_mb), 'data_used_mb', trim_scale((moved.esim).data_used_mb),
              'data_left_mb', trim_scale((moved.esim).data_left_mb),
              'validity_ends_at', rfc3339((moved.esim).validity_ends_at)) END
  FROM before
  JOIN moved ON true
  JOIN orders o ON o.id = before.order_id
 CROSS JOIN LATERAL (VALUES
   (1, 'installed', NULL::integer, 'ACTIVE', before.installed_at IS NULL AND (moved.esim).installed_at IS NOT NULL),
   (2, 'activated', NULL, 'ACTIVE', before.activated_at IS NULL AND (moved.esim).activated_at IS NOT NULL),
   ${usageSteps},
   (6, 'depleted', NULL, 'EXPIRED', before.depleted_at IS NULL AND (moved.esim).depleted_at IS NOT NULL)
 ) AS step (position, name, threshold, status, taken)
 -- A recharge is a plan for a profile that was installed before: installation and first use are events of the recharged order.
 WHERE (before.recharges_order_id IS NULL OR step.name NOT IN ('installed', 'activated'))
 -- Without an endpoint that lists the type, there is no usage event, not even in the log.
   AND step.taken AND (step.threshold IS NULL OR EXISTS (
         SELECT FROM webhook_endpoints endpoint
          WHERE endpoint.client_id = o.client_id AND endpoint.deleted_at IS NULL
            AND 'esim.usage' = ANY (endpoint.event_types)))
 ORDER BY step.position`;

/** The usage that a poll has found. */
export interface PolledUsage extends EsimUsage {
  /** The used share of the data, which is compared with the thresholds. */
  percent: number;
}

/**
 * Stores the new steps of an eSIM with their events, and its usage. A threshold stays passed even if the usage falls again. The
 * event of a threshold is stored only if a webhook endpoint of the client lists the type `esim.usage`. Idempotent, except that
 * `usage_checked_at` is the time of the call. Does nothing once the eSIM is `EXPIRED`.
 */
export async function advanceEsim(
  database: Database,
  orderId: number,
  { installedAt, activatedAt, depletedAt }: EsimTimes,
  usage?: PolledUsage,
): Promise<void> {
  const { totalMb = null, usedMb = null, leftMb = null, endsAt = null, percent = 0 } = usage ?? {};
  const amounts = { totalMb, usedMb, leftMb, endsAt, percent, hasUsage: usage !== undefined };
  await firstRow(database, advanceStatement, { orderId, installedAt, activatedAt, depletedAt, ...amounts });
}

/** The usage of an eSIM as its supplier last reported it. */
export interface StoredUsage {
  dataTotalMb: string | null;
  dataUsedMb: string | null;
  dataLeftMb: string | null;
  validityEndsAt: Date | null;
  /** When the supplier last reported the usage; null if it never has. */
  checkedAt: Date | null;
}

export async function findUsage(database: Database, orderId: number): Promise<StoredUsage> {
  return oneRow<StoredUsage>(
    database,
    `SELECT data_total_mb AS "dataTotalMb", data_used_mb AS "dataUsedMb", data_left_mb AS "dataLeftMb",
            validity_ends_at AS "validityEndsAt", usage_checked_at AS "checkedAt"
       FROM esim_orders WHERE order_id = $orderId`,
    { orderId },
  );
}

/** Orders with ids above `after`, up to and including `upTo`. */
export interface OrderRange {
  after: number;
  upTo: number;
}

const isMonitored = `
  e.activation_status IS NOT NULL AND e.follow_ended_at IS NULL AND e.order_id > $after AND e.order_id <= $upTo`;

/**
 * The id of the newest eSIM order that is more than two minutes old by the database's clock; 0 if there is none. The monitor of a
 * younger order may not have been started yet.
 */
export async function newestOrderToCompare(database: Database): Promise<number> {
  const found = await firstRow<{ id: number }>(
    database,
    `SELECT order_id AS id FROM esim_orders e JOIN orders o ON o.id = e.order_id
      WHERE is_older_than(o.placed_at, '2 minutes') ORDER BY e.order_id DESC LIMIT 1`,
  );
  return found?.id ?? 0;
}

/** The number of monitored eSIMs in the range. */
export async function countMonitoredEsims(database: Database, { after, upTo }: OrderRange): Promise<number> {
  const { count } = await oneRow<{ count: number }>(
    database,
    `SELECT count(*) AS count FROM esim_orders e WHERE ${isMonitored}`,
    { after, upTo },
  );
  return count;
}

/** The order id of the `nth` (1-based) monitored eSIM in the range, sorted by order id; undefined if the range has fewer. */
export async function nthMonitoredEsim(
  database: Database,
  { after, upTo }: OrderRange,
  nth: number,
): Promise<number | undefined> {
  const found = await firstRow<{ id: number }>(
    database,
    `SELECT e.order_id AS id FROM esim_orders e
      WHERE ${isMonitored} ORDER BY e.order_id OFFSET $offset LIMIT 1`,
    { after, upTo, offset: nth - 1 },
  );
  return found?.id;
}

/** The first `limit` monitored eSIMs of the range that were delivered more than a minute ago, sorted by order id. */
export function listMonitoredEsims(database: Database, { after, upTo }: OrderRange, limit: number) {
  return rows<EsimToMonitor>(
    database,
    `SELECT ${monitorColumns}
       FROM esim_orders e JOIN orders o ON o.id = e.order_id
      WHERE ${isMonitored}
        AND o.status = 'DELIVERED' AND is_older_than(o.completed_at, '1 minute')
      ORDER BY e.order_id LIMIT $limit`,
    { after, upTo, limit },
  );
}

/** Records that the eSIM needs no further monitoring, and clears entries about polls that fail. */
export async function endMonitoring(database: Database, orderId: number): Promise<void> {
  await clearAttention(database, { orderId }, pollKinds);
  await rows(
    database,
    'UPDATE esim_orders SET follow_ended_at = now() WHERE order_id = $orderId AND follow_ended_at IS NULL',
    { orderId },
  );
}

/** The orders whose plans are on the profile with one of the hashes (`Sealer.lookupHashes`), as far as they are monitored. */
export function findOrdersByIccid(database: Database, iccidHashes: Buffer[]) {
  return rows<OrderKey>(
    database,
    `SELECT o.id AS "orderId", o.nonce
       FROM esim_orders profile JOIN esim_orders e ON e.order_id = profile.order_id OR e.recharges_order_id = profile.order_id
       JOIN orders o ON o.id = e.order_id
      WHERE profile.iccid_hash = ANY ($iccidHashes) AND e.follow_ended_at IS NULL ORDER BY o.id`,
    { iccidHashes },
  );
}
